import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

interface Variant {
  readonly encoding: 'br' | 'gzip' | undefined
  readonly bytes: Buffer
  /** A strong ETag must differ by encoding (RFC 9110, 8.8.3.3). */
  readonly etag: string
}

export type EncodedBody = readonly Variant[]

export function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

const plainVariant = (plain: Buffer, tag: string): Variant => ({
  encoding: undefined,
  bytes: plain,
  etag: `"${tag}"`,
})

/**
 * The body without compression. It is sent until `encodeBody` has finished, so that no request waits for the
 * compression.
 */
export const plainBody = (text: string): EncodedBody => [plainVariant(Buffer.from(text), tagOf(text))]

/** Compresses at the highest level without blocking the event loop. For content that seldom changes. */
export async function encodeBody(text: string): Promise<EncodedBody> {
  const plain = Buffer.from(text)
  const tag = tagOf(text)
  const [br, gz] = await Promise.all([
    toBrotli(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    toGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ])
  return [
    { encoding: 'br', bytes: br, etag: `"${tag}.br"` },
    { encoding: 'gzip', bytes: gz, etag: `"${tag}.gzip"` },
    plainVariant(plain, tag),
  ]
}

export function sendEncoded(request: FastifyRequest, reply: FastifyReply, body: EncodedBody): FastifyReply {
  const accepted = new Negotiator(request).encodings(['br', 'gzip'])
  // `Accept-Encoding` only excludes variants; the smallest of the others is sent (RFC 9110, 12.5.3).
  const variant = body.find(({ encoding }) => encoding === undefined || accepted.includes(encoding))
  if (variant === undefined) throw new Error('a body without a plain variant')
  const { encoding, bytes, etag } = variant
  reply.header('etag', etag).header('vary', 'Accept-Encoding')
  if (isAmong(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
}

/** Adds a weak ETag to a 200 response, or answers 304 to a matching `If-None-Match`. */
export async function tagAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `"${tagOf(payload)}"`
  reply.header('etag', `W/${tag}`)
  if (!isAmong(request.headers['if-none-match'], tag)) return payload
  reply.code(304).removeHeader('content-type')
  return null
}

/** Two ETags are equal with or without `W/` (RFC 9110, 13.1.2). */
function isAmong(known: string | undefined, etag: string) {
  if (known === undefined) return false
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
