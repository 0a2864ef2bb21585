import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scheduler } from './scheduler.ts'

export const faultKinds = ['delay', 'status', 'reset', 'hang', 'garbage', 'lose-answer', 'unusual'] as const
type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  kind: FaultKind
  /** Probability for each request, 0 to 1. */
  probability: number
  /** Requests it still applies to; null: no end. */
  count: number | null
  /** For `delay`. */
  delayMs: number
  /** For `status`. */
  status: number
}

export const faultDefaults = { probability: 1, count: null, delayMs: 5_000, status: 503 } as const

/**
 * The active faults: at most one for each service.
 * @param random 0 ≤ random < 1.
 */
export function createFaults(random: () => number = Math.random) {
  const faults = new Map<string, Fault>()
  return {
    set(service: string, fault: Fault): void {
      faults.set(service, { ...fault })
    },
    clear: () => faults.clear(),
    list: (): Record<string, Fault> => Object.fromEntries(faults),
    /** The fault that applies to a request, if any; it uses up one of a counted fault. */
    take(service: string): Fault | undefined {
      const fault = faults.get(service)
      if (fault === undefined || random() >= fault.probability) return undefined
      if (fault.count !== null) {
        fault.count -= 1
        if (fault.count <= 0) faults.delete(service)
      }
      return fault
    },
  }
}
export type Faults = ReturnType<typeof createFaults>

const unusuallyAnswered = new WeakSet<FastifyRequest>()

/** Whether the fault `unusual` applies: a true answer in an unusual form. */
export const isUnusual = (request: FastifyRequest): boolean => unusuallyAnswered.has(request)

/** Declared as JSON and not JSON, as a broken proxy answers. */
const garbage = '<html><head><title>502</title></head><body>{"status":"appro'

/** Keeps the connection open without an answer until the client gives up. */
export function hang(reply: FastifyReply): void {
  reply.hijack()
}

function dropConnection(request: FastifyRequest): void {
  const { socket } = request.raw
  if ('resetAndDestroy' in socket) socket.resetAndDestroy()
  else request.raw.destroy()
}

/** Applies the service's faults to every route registered on `app` from here on. */
export function registerFaults(
  app: FastifyInstance,
  service: string,
  faults: Faults,
  scheduler: Scheduler,
): void {
  const answersToLose = new WeakSet<FastifyRequest>()

  app.addHook('onRequest', async (request, reply) => {
    const fault = faults.take(service)
    if (fault === undefined) return
    switch (fault.kind) {
      case 'delay':
        await scheduler.pause(fault.delayMs)
        return
      case 'status':
        return reply.code(fault.status).send({ error: 'fault', message: `asked to answer ${fault.status}` })
      case 'reset':
        reply.hijack()
        dropConnection(request)
        return
      case 'hang':
        hang(reply)
        return
      case 'garbage':
        return reply.code(200).type('application/json').send(garbage)
      case 'lose-answer':
        answersToLose.add(request)
        return
      case 'unusual':
        unusuallyAnswered.add(request)
    }
  })

  app.addHook('onSend', async (request, _reply, payload) => {
    if (answersToLose.has(request)) dropConnection(request)
    return payload
  })
}
