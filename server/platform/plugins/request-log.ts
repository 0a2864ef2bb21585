import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import { pathOf } from '#server/platform/logging.ts'
import type { Principal, Staff } from '#server/platform/session-scope.ts'
import { workOf } from './request-trace.ts'

interface Failed {
  readonly code: string
  readonly level: 'info' | 'warn' | 'error'
  readonly cause?: unknown
}

const failures = new WeakMap<FastifyRequest, Failed>()
const principals = new WeakMap<FastifyRequest, Principal | Staff>()

export const noteFailure = (request: FastifyRequest, failed: Failed) => void failures.set(request, failed)
export const notePrincipal = (request: FastifyRequest, principal: Principal | Staff) =>
  void principals.set(request, principal)

function subjectsOf(request: FastifyRequest): Readonly<Record<string, number | string>> {
  const principal = principals.get(request)
  const { id } = (request.params ?? {}) as { id?: unknown }
  const [, noun] = /(\w+)s\/:id(?:\/|$)/.exec(request.routeOptions.url ?? '') ?? []
  return {
    ...(principal?.role === 'user' && { userId: principal.userId }),
    ...(principal?.role === 'agent' && { agentId: principal.agentId }),
    ...(principal?.role === 'staff' && { staff: principal.subject }),
    ...(noun !== undefined && /^\d{1,15}$/.test(String(id)) && { [`${noun}Id`]: Number(id) }),
  }
}

export interface RequestLogConfig {
  readonly isRoutine?: boolean
  readonly isStream?: boolean
}

/**
 * A successful request has no secrets in its log line, so the line skips the redaction, which costs more CPU time than
 * the request.
 */
export class RequestLog extends LogController {
  readonly #lines: Logger
  readonly #logsRoutine: boolean

  constructor(logger: Logger) {
    super()
    const { [pino.symbols.streamSym]: stream } = logger as unknown as Record<symbol, DestinationStream>
    if (!stream) throw new Error('the logger has no destination')
    this.#lines = pino({ level: logger.level, timestamp: pino.stdTimeFunctions.isoTime }, stream)
    this.#logsRoutine = this.#lines.isLevelEnabled('debug')
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { elapsedTime, statusCode } = reply
    // With more digits, a search of the log for a number would also find response times by chance.
    const responseTime = Math.round(elapsedTime * 1_000) / 1_000
    const res = { statusCode }
    const { span } = workOf(request)
    const trace = span ? { traceId: span.traceId } : {}
    const failed = failures.get(request)
    if (error || failed || statusCode >= 400) {
      const { level, code, cause } = error
        ? { level: 'error' as const, code: failed?.code, cause: error }
        : (failed ?? { level: 'info' as const, code: undefined, cause: undefined })
      const route = request.routeOptions.url
      const req = { method: request.method, url: request.url }
      const err = cause ? { err: cause } : {}
      request.log[level](
        { ...trace, code, route, req, res, responseTime, ...subjectsOf(request), ...err },
        'request failed',
      )
      return
    }
    const { isRoutine = false, isStream = false } = request.routeOptions.config as RequestLogConfig
    if (isStream) return
    if (isRoutine && !this.#logsRoutine) return
    const req = { method: request.method, path: pathOf(request.url) }
    this.#lines[isRoutine ? 'debug' : 'info'](
      { reqId: request.id, ...trace, route: request.routeOptions.url, req, res, responseTime },
      'request completed',
    )
  }
}
