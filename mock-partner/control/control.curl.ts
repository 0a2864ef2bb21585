import type { FastifyRequest } from 'fastify'
import type { JournalEntry } from '../platform/journal.entry.ts'

/** Written by the sender of a request itself. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'])

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The address under which the simulator was asked. */
export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

/** A request of the journal for a terminal. Masked secrets stay masked. */
export function curlOf({ request }: JournalEntry, origin: string): string {
  const headers = Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  return [
    `curl -X ${request.method} ${quoted(new URL(request.url, origin).href)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body === null ? [] : [`--data ${quoted(request.body.text)}`]),
  ].join(' \\\n  ')
}
