import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Clock } from '#mock/platform/clock.ts'
import { Awb, CreateB2cRequest } from '#shared/wire/shipping/shipping.wire.ts'

/** One shipment, that is one create request that was carried out. */
export interface ShipmentRecord {
  /** The `OrderNumber` it was created under. Not unique: the partner never refuses a repeated one. */
  readonly reference: string
  /** Number of the first piece; the booking's AWB. */
  readonly awb: string
  /** Numbers of all pieces, `awb` first. */
  readonly awbs: readonly string[]
  /** Number of the shipment, not of a piece. */
  readonly sawb: string
  /** Epoch milliseconds at which this shipment was created. */
  readonly createdAtMs: number
  /** ISO times of every creation under this reference, oldest first: more than one is a duplicate. */
  readonly createdAt: string[]
  /** What was asked. */
  readonly request: CreateB2cRequest
}

export interface ShippingCounters {
  /** Create requests carried out. */
  readonly shipments: number
  /** Label files handed out by create and query. */
  readonly labels: number
  /** Questions about a shipment: by AWB, by reference, tracking. */
  readonly lookups: number
}

/** What the partner remembers. Everything is in memory and synchronous. */
export interface ShippingWorld {
  /** Always makes a new shipment with new numbers, also for a reference it has seen: the partner has no idempotency. */
  createShipment(request: CreateB2cRequest): ShipmentRecord
  /** Newest first. */
  listShipments(): ShipmentRecord[]
  /** All shipments of a reference, oldest first, or the one shipment with that AWB or shipment number; empty if unknown. */
  findShipments(ref: string): ShipmentRecord[]
  /** The shipment a piece or a shipment number belongs to. */
  findByNumber(number: string): ShipmentRecord | undefined
  noteLabels(count: number): void
  noteLookup(): void
  counters(): ShippingCounters
  /** The simulator's time in epoch milliseconds. */
  now(): number
  /** An empty world; its numbers go on, so that no AWB is ever given twice. */
  reset(): void
  /** A JSON value that `restore` takes. */
  snapshot(): unknown
  /** Replaces the world by a snapshot. Throws, leaving the world as it was, if `state` is none. */
  restore(state: unknown): void
}

const StoredShipment = Type.Object({
  reference: Type.String(),
  awbs: Type.Array(Awb, { minItems: 1 }),
  sawb: Awb,
  createdAtMs: Type.Number(),
  request: CreateB2cRequest,
})
type StoredShipment = Static<typeof StoredShipment>

const WorldState = Type.Object({
  nextNumber: Type.Integer(),
  labels: Type.Integer(),
  lookups: Type.Integer(),
  shipments: Type.Array(StoredShipment),
})
type WorldState = Static<typeof WorldState>

/**
 * Numbers start at the milliseconds since 2023 and go up by one, so a restarted simulator starts above every number of
 * its former life unless that gave more than a thousand a second throughout. Twelve digits last until 2051.
 */
const numberEpochMs = Date.UTC(2023, 0, 1)
const firstNumber = 100_000_000_000

export function createShippingWorld({ clock }: { clock: Clock }): ShippingWorld {
  let nextNumber = firstNumber + Math.max(0, Math.floor(clock.now()) - numberEpochMs)
  let shipments: StoredShipment[] = []
  let byNumber = new Map<string, StoredShipment>()
  let byReference = new Map<string, StoredShipment[]>()
  let labels = 0
  let lookups = 0

  function index(stored: StoredShipment): void {
    shipments.push(stored)
    for (const number of [stored.sawb, ...stored.awbs]) byNumber.set(number, stored)
    const siblings = byReference.get(stored.reference)
    if (siblings) siblings.push(stored)
    else byReference.set(stored.reference, [stored])
  }

  function empty(): void {
    shipments = []
    byNumber = new Map()
    byReference = new Map()
    labels = 0
    lookups = 0
  }

  function takeNumber(): string {
    const number = String(nextNumber)
    nextNumber += 1
    return number
  }

  function recordOf(stored: StoredShipment): ShipmentRecord {
    const [awb = stored.sawb] = stored.awbs
    const siblings = byReference.get(stored.reference) ?? [stored]
    return {
      ...stored,
      awb,
      createdAt: siblings.map((sibling) => new Date(sibling.createdAtMs).toISOString()),
    }
  }

  return {
    createShipment(request) {
      const stored: StoredShipment = {
        reference: request.OrderNumber,
        sawb: takeNumber(),
        awbs: Array.from({ length: request.Parcels }, takeNumber),
        createdAtMs: Math.floor(clock.now()),
        request,
      }
      index(stored)
      return recordOf(stored)
    },
    listShipments: () => shipments.map(recordOf).reverse(),
    findShipments(ref) {
      const ofReference = byReference.get(ref)
      if (ofReference) return ofReference.map(recordOf)
      const numbered = byNumber.get(ref)
      return numbered ? [recordOf(numbered)] : []
    },
    findByNumber(number) {
      const stored = byNumber.get(number)
      return stored && recordOf(stored)
    },
    noteLabels(count) {
      labels += count
    },
    noteLookup() {
      lookups += 1
    },
    counters: () => ({ shipments: shipments.length, labels, lookups }),
    now: () => clock.now(),
    reset: empty,
    // Shipments never change once made, so the list alone is copied.
    snapshot: (): WorldState => ({ nextNumber, labels, lookups, shipments: [...shipments] }),
    restore(state) {
      if (!Check(WorldState, state)) throw new TypeError('not a snapshot of the shipping world')
      const restored = structuredClone(state)
      empty()
      for (const stored of restored.shipments) index(stored)
      nextNumber = Math.max(nextNumber, restored.nextNumber)
      labels = restored.labels
      lookups = restored.lookups
    },
  }
}
