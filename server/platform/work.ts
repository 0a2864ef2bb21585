import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'

/** A request or one job of a worker. Log lines and requests to external services contain its ids. */
export interface Work {
  readonly id: string
  readonly span?: SpanContext | undefined
}

const current = new AsyncLocalStorage<Work | undefined>()

export const currentWork = (): Work | undefined => current.getStore()

export const during = <T>(work: Work | undefined, run: () => T): T => current.run(work, run)

const traceparentPattern =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-[\x21-\x7e]*)?$/

/** `tracestate` is not passed on. An invalid header gives undefined, which begins a new trace. */
export function readTraceparent(header: unknown): SpanContext | undefined {
  const parts = typeof header === 'string' ? traceparentPattern.exec(header) : null
  if (parts === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = parts
  if (version === '00' && more !== undefined) return undefined
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  }
}

export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export function traceIdOf({ id, span }: Work): string {
  if (span !== undefined) return span.traceId
  return uuidPattern.test(id)
    ? id.replaceAll('-', '')
    : createHash('sha256').update(id).digest('hex').slice(0, 32)
}

export const nextSpanOf = (work: Work): SpanContext => ({
  traceId: traceIdOf(work),
  spanId: randomBytes(8).toString('hex'),
  traceFlags: work.span?.traceFlags ?? 0,
})
