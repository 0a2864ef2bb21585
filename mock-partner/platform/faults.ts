import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FindReferences, noReferences, operationOf } from './references.ts'
import type { Scheduler } from './scheduler.ts'

export const faultKinds = [
  'delay',
  'hold',
  'status',
  'reset',
  'hang',
  'garbage',
  'lose-answer',
  'unusual',
] as const
type FaultKind = (typeof faultKinds)[number]

/** The requests a fault is meant for: those that fit all of it. */
export interface FaultMatch {
  operation?: string
  /** Number of the order. */
  order?: number
  /** E.164. */
  phone?: string
  /** Only the nth request that fits the rest, counted from 1 when the fault is set. */
  nth?: number
}

export interface FaultSettings {
  kind: FaultKind
  /** Probability for each request, 0 to 1. */
  probability: number
  /** Requests it still applies to; null: no end. */
  count: number | null
  /** For `delay`. */
  delayMs: number
  /** For `delay`, in the place of `delayMs`: drawn anew for each request. */
  delay?: { min: number; max: number }
  /** For `status`. */
  status: number
  /** Absent: the general fault of its service. */
  match?: FaultMatch
}

export interface Fault extends FaultSettings {
  id: number
  service: string
}

interface ActiveFault {
  fault: Fault
  /** Requests that fit the match so far. */
  seen: number
}

export const faultDefaults = { probability: 1, count: null, delayMs: 5_000, status: 503 } as const

/** The fault that applies to one request. */
export interface AppliedFault {
  fault: Fault
  delayMs: number
}

export interface AskedRequest {
  operation: string
  orders: readonly number[]
  phone: string | null
}

const fits = ({ operation, order, phone }: FaultMatch, request: AskedRequest): boolean =>
  (operation === undefined || operation === request.operation) &&
  (order === undefined || request.orders.includes(order)) &&
  (phone === undefined || phone === request.phone)

/**
 * The active faults of all services: each has one general fault at most, and any number with a match.
 * @param random 0 ≤ random < 1
 */
export function createFaults(random: () => number = Math.random) {
  let active: ActiveFault[] = []
  let lastId = 0
  /** Faults of the kind `hold` that have not ended, also used-up ones, by id, with the number of waiting requests. */
  const holds = new Map<number, { requests: number; ended: PromiseWithResolvers<void> }>()
  const operations = new Map<string, Set<string>>()

  const isGeneral = ({ fault }: ActiveFault): boolean => fault.match === undefined

  function applies(entry: ActiveFault, request: AskedRequest): boolean {
    const { match = {}, probability } = entry.fault
    if (!fits(match, request)) return false
    entry.seen += 1
    if (match.nth !== undefined && entry.seen !== match.nth) return false
    return random() < probability
  }

  const isUsedUp = ({ fault: { count, match }, seen }: ActiveFault): boolean =>
    (count !== null && count <= 0) || (match?.nth !== undefined && seen >= match.nth)

  /** Ends a fault and lets the requests go on that it holds. False: there is no such fault. */
  function end(id: number): boolean {
    const before = active.length
    active = active.filter(({ fault }) => fault.id !== id)
    const hold = holds.get(id)
    holds.delete(id)
    hold?.ended.resolve()
    return hold !== undefined || active.length < before
  }

  return {
    /** Without `match` it replaces the general fault of the service. */
    set(service: string, settings: FaultSettings): Fault {
      lastId += 1
      const fault = { ...settings, id: lastId, service }
      const replaced = active.find((entry) => isGeneral(entry) && entry.fault.service === service)
      if (settings.match === undefined && replaced !== undefined) end(replaced.fault.id)
      if (fault.kind === 'hold') holds.set(fault.id, { requests: 0, ended: Promise.withResolvers<void>() })
      active.push({ fault, seen: 0 })
      return { ...fault }
    },
    end,
    clear(): void {
      for (const { fault } of active) end(fault.id)
      for (const id of [...holds.keys()]) end(id)
    },
    /** Resolves when a fault of the kind `hold` has ended. */
    async untilEnded(id: number): Promise<void> {
      const hold = holds.get(id)
      if (hold === undefined) return
      hold.requests += 1
      await hold.ended.promise
    },
    /** How many requests each fault of the kind `hold` holds or has held, until it ends. */
    held: (): { id: number; requests: number }[] =>
      [...holds].map(([id, { requests }]) => ({ id, requests })),
    /** The general fault of each service. */
    list: (): Record<string, Fault> =>
      Object.fromEntries(active.filter(isGeneral).map(({ fault }) => [fault.service, { ...fault }])),
    /** Every fault, in the order in which they were set. */
    active: (): Fault[] => active.map(({ fault }) => ({ ...fault })),
    /** Whether a decision takes what a body says. */
    needsBody: (service: string): boolean =>
      active.some(
        ({ fault: { service: of, match } }) =>
          of === service && (match?.order !== undefined || match?.phone !== undefined),
      ),
    /** The fault that applies to a request, if any: one with a match before the general one, and older ones first. */
    take(service: string, describe: () => AskedRequest): AppliedFault | undefined {
      const ofService = active.filter(({ fault }) => fault.service === service)
      if (ofService.length === 0) return undefined
      const request = describe()
      const [first] = [
        ...ofService.filter((entry) => !isGeneral(entry)),
        ...ofService.filter(isGeneral),
      ].filter((entry) => applies(entry, request))
      if (first !== undefined && first.fault.count !== null) first.fault.count -= 1
      active = active.filter((entry) => !isUsedUp(entry))
      if (first === undefined) return undefined
      const { delay, delayMs } = first.fault
      return {
        fault: first.fault,
        delayMs: delay === undefined ? delayMs : Math.round(delay.min + random() * (delay.max - delay.min)),
      }
    },
    /** Operations that a match can name. */
    operationsOf: (service: string): string[] => [...(operations.get(service) ?? [])].sort(),
    addOperation(service: string, operation: string): void {
      operations.set(service, new Set([...(operations.get(service) ?? []), operation]))
    },
  }
}
export type Faults = ReturnType<typeof createFaults>

const applied = new WeakMap<FastifyRequest, Fault>()

/** The fault that applied to a request. */
export function faultOf(request: FastifyRequest): { id: number; kind: FaultKind } | undefined {
  const fault = applied.get(request)
  return fault && { id: fault.id, kind: fault.kind }
}

/** Whether the fault `unusual` applies: a true answer in an unusual form. */
export const isUnusual = (request: FastifyRequest): boolean => faultOf(request)?.kind === 'unusual'

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
  findReferences: FindReferences = noReferences,
): void {
  const undecided = new WeakSet<FastifyRequest>()

  app.addHook('onRoute', ({ config }) => {
    if (config?.operation !== undefined) faults.addOperation(service, config.operation)
  })

  async function apply(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const taken = faults.take(service, () => ({
      operation: operationOf(request) ?? '',
      ...findReferences(request),
    }))
    if (taken === undefined) return undefined
    const { fault, delayMs } = taken
    applied.set(request, fault)
    switch (fault.kind) {
      case 'delay':
        await scheduler.pause(delayMs)
        return undefined
      case 'hold':
        await faults.untilEnded(fault.id)
        return undefined
      case 'status':
        return reply.code(fault.status).send({ error: 'fault', message: `asked to answer ${fault.status}` })
      case 'reset':
        reply.hijack()
        dropConnection(request)
        return undefined
      case 'hang':
        hang(reply)
        return undefined
      case 'garbage':
        return reply.code(200).type('application/json').send(garbage)
      case 'lose-answer':
      case 'unusual':
        return undefined
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!faults.needsBody(service)) return apply(request, reply)
    undecided.add(request)
    return undefined
  })

  app.addHook('preValidation', async (request, reply) =>
    undecided.has(request) ? apply(request, reply) : undefined,
  )

  app.addHook('onSend', async (request, _reply, payload) => {
    if (faultOf(request)?.kind === 'lose-answer') dropConnection(request)
    return payload
  })
}
