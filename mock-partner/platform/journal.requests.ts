import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import { faultOf } from './faults.ts'
import type { Journal } from './journal.ts'
import { type FindReferences, operationOf } from './references.ts'

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
  findReferences: FindReferences
}

/** Writes every request to a service into the journal. Register it before the faults: they end some requests early. */
export function registerJournal(app: FastifyInstance, options: Options): void {
  const { clock, journal, service, findReferences } = options
  const answers = new WeakMap<FastifyRequest, unknown>()

  app.addHook('onRequest', async (request, reply) => {
    const operation = operationOf(request)
    if (operation === undefined) return
    const at = clock.now()
    const startedMs = performance.now()
    let isWritten = false

    /** @param isAnswered the answer was sent, and the connection was not closed before. */
    function write(isAnswered: boolean): void {
      if (isWritten || operation === undefined) return
      isWritten = true
      const { method, url, headers } = request
      const fault = faultOf(request) ?? null
      const body = answerBodyOf(answers.get(request))
      const lostBy = fault === null ? 'the client closed the connection' : `fault ${fault.kind}`
      journal.add({
        at,
        direction: 'in',
        service,
        operation,
        ...findReferences(request),
        request: { method, url, headers, body: requestBodyOf(request) },
        response: answers.has(request)
          ? { status: reply.statusCode, headers: reply.getHeaders(), body }
          : null,
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
