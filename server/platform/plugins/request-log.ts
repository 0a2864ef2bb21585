import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import { pathOf } from '#server/platform/logging.ts'
import { givenTraceIdOf } from './request-trace.ts'

/** How long lines are held back; a killed process loses them. */
const heldMs = 10

/** Writes lines of the same moment in one call, which takes as long as making a line. */
function batched(stream: DestinationStream): DestinationStream {
  let lines = ''
  const write = () => {
    const all = lines
    lines = ''
    stream.write(all)
  }
  return {
    write(line) {
      // The timer keeps the process alive until the lines are written.
      if (lines === '') setTimeout(write, heldMs)
      lines += line
    },
  }
}

/** The `config` of a route, set from its operation. */
export interface RequestLogConfig {
  /** Successful answers are logged at level `debug`. */
  readonly isRoutine?: boolean
}

/**
 * Writes one line per request, after its response. The line holds only method, path, status and time, so it bypasses the
 * redaction of other lines, which costs more CPU time than a request.
 */
export class RequestLog extends LogController {
  readonly #lines: Logger
  readonly #logsRoutine: boolean

  /** @param logger its destination and level are used. */
  constructor(logger: Logger) {
    super()
    const { [pino.symbols.streamSym]: stream } = logger as unknown as Record<symbol, DestinationStream>
    if (!stream) throw new Error('the logger has no destination')
    this.#lines = pino({ level: logger.level, timestamp: pino.stdTimeFunctions.isoTime }, batched(stream))
    this.#logsRoutine = this.#lines.isLevelEnabled('debug')
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { elapsedTime: responseTime, statusCode } = reply
    if (error) request.log.error({ req: request, res: reply, err: error, responseTime }, 'request errored')
    else {
      const isRoutine =
        statusCode < 400 && (request.routeOptions.config as RequestLogConfig).isRoutine === true
      if (isRoutine && !this.#logsRoutine) return
      const req = { method: request.method, path: pathOf(request.url) }
      const traceId = givenTraceIdOf(request)
      this.#lines[isRoutine ? 'debug' : 'info'](
        { reqId: request.id, ...(traceId && { traceId }), req, res: { statusCode }, responseTime },
        'request completed',
      )
    }
  }
}
