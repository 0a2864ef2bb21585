import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import { faultOf } from './faults.ts'
import type { Exchange, Journal } from './journal.ts'
import { type Describe, operationOf } from './subject.ts'

/** The body as it was sent, or as close as its parsed form allows. */
function requestBodyOf({ body, headers }: FastifyRequest): string | null {
  if (body === undefined || body === null) return null
  if (typeof body !== 'object') return String(body)
  const isForm = headers['content-type']?.includes('x-www-form-urlencoded') ?? false
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}

const answerBodyOf = (payload: unknown): string | Buffer | null =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : null

interface Options {
  clock: Clock
  journal: Journal
  service: string
  describe: Describe
}

/** Writes every request to a service into the journal. Register it before the faults: they end some requests early. */
export function registerJournal(app: FastifyInstance, { clock, journal, service, describe }: Options): void {
  const answers = new WeakMap<FastifyRequest, unknown>()

  app.addHook('onRequest', async (request, reply) => {
    const operation = operationOf(request)
    if (operation === undefined) return
    const at = clock.now()
    const startedMs = performance.now()
    let isWritten = false

    /** @param isAnswered the answer was sent, and the connection was not closed before. */
    function write(isAnswered: boolean): void {
      if (isWritten) return
      isWritten = true
      const { method, url, headers } = request
      const fault = faultOf(request) ?? null
      const lostBy = fault === null ? 'the client closed the connection' : `fault ${fault.kind}`
      const response: Exchange['response'] = answers.has(request)
        ? {
            status: reply.statusCode,
            headers: reply.getHeaders(),
            body: answerBodyOf(answers.get(request)),
          }
        : null
      journal.add({
        at,
        direction: 'in',
        service,
        subject: { operation: operation ?? '', ...describe(request) },
        request: { method, url, headers, body: requestBodyOf(request) },
        response,
        error: isAnswered ? null : lostBy,
        durationMs: performance.now() - startedMs,
        fault,
        callback: null,
      })
    }
    reply.raw.once('finish', () => write(true))
    reply.raw.once('close', () => write(false))
  })

  app.addHook('onSend', async (request, _reply, payload) => {
    answers.set(request, payload)
    return payload
  })
}
