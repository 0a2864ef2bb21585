import CircuitBreaker from 'opossum'
import { type Answer, type Exchange, exchange } from './http-client.ts'
import type { Metrics } from './metrics.ts'
import { Unreachable } from './unreachable.ts'

/** One neighbour on the network, behind a circuit breaker of its own. */
export interface Outsider {
  /** One request, never repeated. @throws Unreachable; not doubtful while the breaker is open. */
  exchange(request: Exchange): Promise<Answer>
  /** For requests that change nothing: repeated up to twice after a time-out, a reset, a 429 or a 5xx. */
  read(request: Exchange): Promise<Answer>
}

/** A neighbour that fails half of at least this many requests in ten seconds is left alone for a while. */
const breakerRules = {
  volumeThreshold: 10,
  errorThresholdPercentage: 50,
  rollingCountTimeout: 10_000,
  resetTimeout: 5_000,
  // Requests have time-outs of their own, which differ by what is asked.
  timeout: false,
} as const

const readTries = 3
const readPauseMs = 150

/** What counts against the neighbour. A 429 is about one number or one account: it must not cut off all the others. */
const isFailing = ({ status }: Answer) => status >= 500

const isWorthAskingAgain = (answer: Answer) => isFailing(answer) || answer.status === 429

/** The request did come back; it only counts against the neighbour. */
class FailingAnswer extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`status ${answer.status}`)
    this.answer = answer
  }
}

export function createOutsider(name: string, metrics?: Metrics): Outsider {
  const breaker = new CircuitBreaker(
    async (request: Exchange): Promise<Answer> => {
      const answer = await exchange(request)
      if (isFailing(answer)) throw new FailingAnswer(answer)
      return answer
    },
    { ...breakerRules, name },
  )
  metrics?.gauge(`outsider_${name}_open`, `1 while the breaker of the ${name} service is open.`, async () =>
    breaker.opened ? 1 : 0,
  )

  async function guarded(request: Exchange): Promise<Answer> {
    try {
      return await breaker.fire(request)
    } catch (error) {
      if (error instanceof FailingAnswer) return error.answer
      if (error instanceof Unreachable) throw error
      // Refused by the breaker: the request never left.
      throw new Unreachable(`${name}: circuit open`, false, error)
    }
  }

  async function read(request: Exchange): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await guarded(request)
        if (!isWorthAskingAgain(answer) || attempt === readTries) return answer
      } catch (error) {
        if (attempt === readTries || breaker.opened) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, readPauseMs * attempt * (1 + Math.random())))
    }
  }

  return { exchange: guarded, read }
}
