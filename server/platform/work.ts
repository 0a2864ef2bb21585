import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** What is being done: a request, or one job of a worker. Log lines and requests to external services carry it. */
export interface Work {
  /** `reqId` of log lines, and `x-request-id` to external services. */
  readonly id: string
  /** As the caller sent it, unchecked; with a tracer, of our own span. */
  readonly traceparent?: string | undefined
}

/** https://www.w3.org/TR/trace-context/. `tracestate` is neither read nor passed on. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const current = new AsyncLocalStorage<Work | undefined>()

export const currentWork = (): Work | undefined => current.getStore()

/** Calls `run` as a part of `work`; `undefined`: of none. */
export const during = <T>(work: Work | undefined, run: () => T): T => current.run(work, run)

/** For a job of a worker. */
export const newWork = (): Work => ({ id: randomUUID() })

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-[\x21-\x7e]*)?$/
const exactLength = 55

/** Undefined for anything that the standard calls invalid: the trace then begins here. */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = ''] = traceparentPattern.exec(header) ?? []
  // Later versions may have more fields.
  if (version === undefined || version === 'ff' || (version === '00' && header.length !== exactLength))
    return undefined
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const traceIds = new WeakMap<Work, string>()

/** Without a trace of the caller the id is the trace, so that both find the same lines. Every line asks for it. */
export function traceIdOf(work: Work): string {
  const known = traceIds.get(work)
  if (known !== undefined) return known
  const made = newTraceId(work)
  traceIds.set(work, made)
  return made
}

function newTraceId({ id, traceparent }: Work): string {
  const taken = readTraceparent(traceparent)
  if (taken) return taken.traceId
  return uuidPattern.test(id)
    ? id.replaceAll('-', '')
    : createHash('sha256').update(id).digest('hex').slice(0, 32)
}

/** The context of a request that the work sends: a new span of its trace. */
export const nextContextOf = (work: Work): TraceContext => ({
  traceId: traceIdOf(work),
  spanId: randomBytes(8).toString('hex'),
  isSampled: readTraceparent(work.traceparent)?.isSampled ?? false,
})
