import CircuitBreaker from 'opossum'
import { type HttpRequest, type HttpResponse, sendRequest } from './http-client.ts'
import type { Metrics } from './metrics.ts'
import { UnreachableError } from './unreachable.ts'

/** HTTP access to one external service, behind its own circuit breaker. */
export interface ExternalService {
  /** One request, never repeated. @throws UnreachableError; with a known outcome while the breaker is open. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** For safe requests: repeated up to twice after a timeout, a reset, a 429 or a 5xx. @throws UnreachableError */
  read(request: HttpRequest): Promise<HttpResponse>
}

/** Opens for five seconds when half of at least ten requests within ten seconds have failed. */
const breakerRules = {
  volumeThreshold: 10,
  errorThresholdPercentage: 50,
  rollingCountTimeout: 10_000,
  resetTimeout: 5_000,
  // Each request has its own timeout.
  timeout: false,
} as const

const readTries = 3
const readPauseMs = 150

/** Responses that count as failures. A 429 concerns one phone or account and must not block all others. */
const isFailing = ({ status }: HttpResponse) => status >= 500

const isRetryable = (response: HttpResponse) => isFailing(response) || response.status === 429

/** Carries a 5xx response through the breaker as a failure. */
class FailingResponse extends Error {
  readonly response: HttpResponse
  constructor(response: HttpResponse) {
    super(`status ${response.status}`)
    this.response = response
  }
}

export function createExternalService(name: string, metrics?: Metrics): ExternalService {
  const breaker = new CircuitBreaker(
    async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await sendRequest(request)
      if (isFailing(response)) throw new FailingResponse(response)
      return response
    },
    { ...breakerRules, name },
  )
  metrics?.gauge(
    `external_service_${name}_open`,
    `1 while the breaker of the ${name} service is open.`,
    async () => (breaker.opened ? 1 : 0),
  )

  async function guarded(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await breaker.fire(request)
    } catch (error) {
      if (error instanceof FailingResponse) return error.response
      if (error instanceof UnreachableError) throw error
      // Rejected by the breaker: the request was not sent.
      throw new UnreachableError(`${name}: circuit open`, false, error)
    }
  }

  async function read(request: HttpRequest): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await guarded(request)
        if (!isRetryable(response) || attempt === readTries) return response
      } catch (error) {
        if (attempt === readTries || breaker.opened) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, readPauseMs * attempt * (1 + Math.random())))
    }
  }

  return { request: guarded, read }
}
