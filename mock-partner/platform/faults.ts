import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scheduler } from './scheduler.ts'

export const faultKinds = ['delay', 'status', 'reset', 'hang', 'garbage', 'lose-answer'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  kind: FaultKind
  /** Chance that a request is hit, 0 to 1. */
  probability: number
  /** Requests still to be hit; null without end. */
  count: number | null
  /** For `delay`. */
  delayMs: number
  /** For `status`. */
  status: number
}

export const faultDefaults = { probability: 1, count: null, delayMs: 5_000, status: 503 } as const

/** What currently goes wrong, by service; one fault per service. */
export interface Faults {
  set(service: string, fault: Fault): void
  clear(): void
  list(): Record<string, Fault>
  /** The fault that hits this request, if one does; a counted fault is used up by it. */
  take(service: string): Fault | undefined
}

/** @param random 0 ≤ random < 1. */
export function createFaults(random: () => number = Math.random): Faults {
  const faults = new Map<string, Fault>()
  return {
    set: (service, fault) => faults.set(service, { ...fault }),
    clear: () => faults.clear(),
    list: () => Object.fromEntries(faults),
    take(service) {
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

/** Looks like JSON from its header on, and is not: what a proxy in the way answers. */
const garbage = '<html><head><title>502</title></head><body>{"status":"appro'

/** Keeps the connection open without a word until the caller gives up. */
export function hang(reply: FastifyReply): void {
  reply.hijack()
}

function dropConnection(request: FastifyRequest): void {
  const { socket } = request.raw
  if ('resetAndDestroy' in socket) socket.resetAndDestroy()
  else request.raw.destroy()
}

/** Adds the service's faults to every route that is registered on `app` from here on. */
export function plantFaults(
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
    }
  })

  app.addHook('onSend', async (request, _reply, payload) => {
    if (answersToLose.has(request)) dropConnection(request)
    return payload
  })
}
