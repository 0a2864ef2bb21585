import type { Clock } from '#mock/platform/clock.ts'
import type { CreateB2cRequest } from '#shared/wire/shipping/shipping.wire.ts'

/** One shipment: one successful create request. */
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
  /** Epoch milliseconds from which query and tracking find it; the control API finds it at once. */
  readonly visibleAtMs: number
  /** ISO times of every creation under this reference, oldest first: more than one is a duplicate. */
  readonly createdAt: string[]
  readonly request: CreateB2cRequest
}

interface ShippingCounters {
  /** Successful create requests. */
  readonly shipments: number
  /** Label files handed out by create and query. */
  readonly labels: number
  /** Look-ups of a shipment: by AWB, by reference, tracking. */
  readonly lookups: number
}

type StoredShipment = Omit<ShipmentRecord, 'awb' | 'createdAt'>

interface StoredShipments {
  nextNumber: number
  labels: number
  lookups: number
  shipments: StoredShipment[]
}

/** Calls of the tracking. Not among the other counters: the gateway makes them by itself. */
export interface TrackingCounts {
  bulk: number
  single: number
  statuses: number
  /** Numbers asked about by all bulk calls. */
  numbers: number
}

const noTrackingCalls = (): TrackingCounts => ({ bulk: 0, single: 0, statuses: 0, numbers: 0 })

/**
 * Numbers start at the milliseconds since 2023 and go up by one: a restarted simulator starts above every number it
 * issued before, unless it issued more than a thousand a second. Twelve digits last until 2051.
 */
const numberEpochMs = Date.UTC(2023, 0, 1)
const firstNumber = 100_000_000_000

/** The state of the simulated shipping partner, in memory. */
export function createShippingState({ clock }: { clock: Clock }) {
  let nextNumber = firstNumber + Math.max(0, Math.floor(clock.now()) - numberEpochMs)
  let shipments: StoredShipment[] = []
  let byNumber = new Map<string, StoredShipment>()
  let byReference = new Map<string, StoredShipment[]>()
  let labels = 0
  let lookups = 0
  const trackingCounts = noTrackingCalls()

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
    Object.assign(trackingCounts, noTrackingCalls())
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
    /** Makes a new shipment with new numbers, also for a known reference (docs/wires/shipping.md S7). */
    createShipment(request: CreateB2cRequest, lagMs = 0): ShipmentRecord {
      const createdAtMs = Math.floor(clock.now())
      const stored: StoredShipment = {
        reference: request.OrderNumber,
        sawb: takeNumber(),
        awbs: Array.from({ length: request.Parcels }, takeNumber),
        createdAtMs,
        visibleAtMs: createdAtMs + lagMs,
        request,
      }
      index(stored)
      return recordOf(stored)
    },
    /** Newest first. */
    listShipments: (): ShipmentRecord[] => shipments.map(recordOf).reverse(),
    /** All shipments of a reference, oldest first, or the one with that AWB or shipment number. */
    findShipments(ref: string): ShipmentRecord[] {
      const ofReference = byReference.get(ref)
      if (ofReference) return ofReference.map(recordOf)
      const numbered = byNumber.get(ref)
      return numbered ? [recordOf(numbered)] : []
    },
    /** By the number of a piece or of a shipment. */
    findByNumber(number: string): ShipmentRecord | undefined {
      const stored = byNumber.get(number)
      return stored && recordOf(stored)
    },
    countLabels(count: number): void {
      labels += count
    },
    countLookup(): void {
      lookups += 1
    },
    /** Since the last reset. */
    trackingCounts,
    counters: (): ShippingCounters => ({ shipments: shipments.length, labels, lookups }),
    /** The simulator's time in epoch milliseconds. */
    now: () => clock.now(),
    /** Numbers go on, so that no AWB is issued twice. */
    reset: empty,
    // Shipments never change once made, so the list alone is copied.
    snapshot: (): StoredShipments => ({ nextNumber, labels, lookups, shipments: [...shipments] }),
    restore(stored: StoredShipments): void {
      stored.shipments.forEach(index)
      nextNumber = Math.max(nextNumber, stored.nextNumber)
      labels = stored.labels
      lookups = stored.lookups
    },
  }
}
export type ShippingState = ReturnType<typeof createShippingState>
