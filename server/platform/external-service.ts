import CircuitBreaker from 'opossum'
import { type HttpRequest, type HttpResponse, sendRequest } from './http-client.ts'
import type { Metrics } from './metrics.ts'
import { fractionOf, type Random, systemRandom } from './random.ts'
import type { Span, StartSpan } from './spans.ts'
import { OutcomeUnknownError, UnreachableError } from './unreachable.ts'
import { currentWork, nextSpanOf, writeTraceparent } from './work.ts'

const breakerRules = {
  volumeThreshold: 10,
  errorThresholdPercentage: 50,
  rollingCountTimeout: 10_000,
  timeout: false,
  rollingPercentilesEnabled: false,
  enableSnapshots: false,
} as const

const readTries = 3
const readPauseMs = 150

/** A 429 concerns one phone or account, so it must not open the circuit breaker for all others. */
const isFailing = ({ status }: HttpResponse) => status >= 500

const isRetryable = (response: HttpResponse) => isFailing(response) || response.status === 429

class FailingResponse extends Error {
  readonly response: HttpResponse
  constructor(response: HttpResponse) {
    super(`status ${response.status}`)
    this.response = response
  }
}

function outcomeOf(result: HttpResponse): string {
  if (isFailing(result)) return 'failed'
  if (result.status === 429) return 'throttled'
  return result.status >= 400 ? 'refused' : 'ok'
}

function traceHeaders(span: Span | undefined): Record<string, string> {
  const work = currentWork()
  const context = span?.context ?? (work && nextSpanOf(work))
  return {
    ...(work && { 'x-request-id': work.id }),
    ...(context && { traceparent: writeTraceparent(context) }),
  }
}

interface ExternalServiceParts {
  readonly metrics?: Metrics
  readonly startSpan?: StartSpan | undefined
  readonly random?: Random
}

export type ExternalService = ReturnType<typeof createExternalService>

export function createExternalService(
  name: string,
  { metrics, startSpan, random = systemRandom }: ExternalServiceParts = {},
  openMs = 5_000,
) {
  const count = ({ operation }: HttpRequest, outcome: string) =>
    metrics?.externalRequests.inc({ service: name, operation, outcome })

  async function measured(request: HttpRequest): Promise<HttpResponse> {
    const { operation } = request
    const endTimer = metrics?.externalDurations.startTimer({ service: name, operation })
    const span = startSpan?.('client', `${name} ${operation}`, currentWork()?.span)
    const end = (outcome: string, error?: unknown) => {
      count(request, outcome)
      endTimer?.()
      span?.end({ 'amtiati.outcome': outcome }, error)
    }
    try {
      const headers = { ...traceHeaders(span), ...request.headers }
      const response = await sendRequest({ ...request, headers })
      end(outcomeOf(response), isFailing(response) ? new FailingResponse(response) : undefined)
      return response
    } catch (error) {
      end(error instanceof UnreachableError ? 'unreachable' : 'unknown', error)
      throw error
    }
  }

  const breaker = new CircuitBreaker(
    async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await measured(request)
      if (isFailing(response)) throw new FailingResponse(response)
      return response
    },
    { ...breakerRules, resetTimeout: openMs, name },
  )
  metrics?.gaugeBy(
    'amtiati_external_breaker_open',
    '1 while the breaker of an external service is open.',
    'service',
    [name],
    async () => new Map([[name, breaker.opened ? 1 : 0]]),
  )

  async function guarded(request: HttpRequest): Promise<HttpResponse> {
    if (request.signal?.aborted) throw new UnreachableError(`${name}: no time left`)
    try {
      return await breaker.fire(request)
    } catch (error) {
      if (error instanceof FailingResponse) return error.response
      if (error instanceof UnreachableError || error instanceof OutcomeUnknownError) throw error
      count(request, 'circuit-open')
      throw new UnreachableError(`${name}: circuit open`, { cause: error })
    }
  }

  /**
   * Repeats a request up to twice after a timeout, a broken connection, a 429 or a 5xx. Only for requests without
   * effects.
   */
  async function read(request: HttpRequest): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await guarded(request)
        if (!isRetryable(response) || attempt === readTries) return response
      } catch (error) {
        if (attempt === readTries || breaker.opened) throw error
      }
      await new Promise((resolve) => {
        setTimeout(resolve, readPauseMs * attempt * (1 + fractionOf(random)))
        request.signal?.addEventListener('abort', resolve, { once: true })
      })
    }
  }

  return { request: guarded, read }
}
