import type { Scheduler } from '#mock/platform/scheduler.ts'
import { riyadhOffset } from '#shared/platform/instant.ts'
import type { Scan, TrackingRecord } from '#shared/wire/shipping/shipping.wire.ts'
import { partnerTimeOf } from './shipping.rules.ts'
import { scenariosIn } from './shipping.scenarios.ts'
import type { ShipmentRecord, ShippingState } from './shipping.state.ts'

/** The steps of `advance`. */
export const journeySteps = ['picked-up', 'in-transit', 'at-branch', 'collected', 'exception'] as const
type JourneyStep = (typeof journeySteps)[number]

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

interface Station {
  readonly step: JourneyStep
  /** After the start, where the bag travels by itself. */
  readonly afterMs: number
  readonly code: string
  readonly text: string
  readonly isAtOrigin: boolean
}

/** Invented but plausible: collected, sorted, waiting at the branch, delivered. The codes are the courier's. */
const stations: readonly Station[] = [
  { step: 'picked-up', afterMs: 2 * hourMs, code: 'PU', text: 'Picked Up', isAtOrigin: true },
  {
    step: 'in-transit',
    afterMs: 8 * hourMs,
    code: 'HOP',
    text: 'Shipment Departed SMSA Sorting Facility',
    isAtOrigin: true,
  },
  {
    step: 'in-transit',
    afterMs: 24 * hourMs,
    code: 'AF',
    text: 'Arrived Delivery Facility',
    isAtOrigin: false,
  },
  {
    step: 'at-branch',
    afterMs: 26 * hourMs,
    code: 'CC',
    text: 'Processing for Consignee Collection',
    isAtOrigin: false,
  },
  { step: 'collected', afterMs: 72 * hourMs, code: 'DL', text: 'Delivered', isAtOrigin: false },
]

const exceptionScan = { code: 'DE', text: 'Delivery Exception', isAtOrigin: false } as const

/** A scan as a tester asks for it; what is left out is invented. */
interface ScanWish {
  readonly code: string
  readonly text?: string
  readonly city?: string
  /** `2027-05-18T15:30:00`; now, if left out. */
  readonly time?: string
  /** Null: the scan has no zone. */
  readonly zone?: string | null
}

interface Journey {
  /** Oldest first. */
  scans: Scan[]
  /** Stations passed. */
  passed: number
  /** Epoch milliseconds of the last scan. */
  lastAt: number
}

interface StoredJourneys {
  minutesPerDay: number
  pacedSince: number
  journeys: Record<string, Journey>
}

type OnScans = (shipment: ShipmentRecord, scans: readonly Scan[]) => void

interface JourneysDeps {
  readonly state: ShippingState
  readonly scheduler: Scheduler
}

/** How far each bag has come: its scans, on demand or by itself. */
export function createJourneys({ state, scheduler }: JourneysDeps) {
  let onScans: OnScans = () => {}
  let journeys = new Map<string, Journey>()
  /** 0: bags travel on demand only. */
  let minutesPerDay = 0
  let pacedSince = 0
  let stopTicking = () => {}

  function journeyOf({ awb }: ShipmentRecord): Journey {
    let journey = journeys.get(awb)
    if (journey === undefined) {
      journey = { scans: [], passed: 0, lastAt: 0 }
      journeys.set(awb, journey)
    }
    return journey
  }

  /** Adds scans that end at `endAt`, a second apart and after the scan before them: times have whole seconds. */
  function append(
    shipment: ShipmentRecord,
    added: readonly Pick<Station, 'code' | 'text' | 'isAtOrigin'>[],
    endAt = state.now(),
  ): Scan[] {
    const journey = journeyOf(shipment)
    const { request } = shipment
    return added.map((station, index) => {
      const at = Math.max(journey.lastAt + 1_000, endAt - (added.length - 1 - index) * 1_000)
      journey.lastAt = at
      const scan: Scan = {
        ...(station.code === 'DL' ? { ReceivedBy: request.ConsigneeAddress.ContactName } : {}),
        City: station.isAtOrigin ? request.ShipperAddress.City : request.ConsigneeAddress.City,
        ScanType: station.code,
        ScanDescription: station.text,
        ScanDateTime: partnerTimeOf(at),
        ScanTimeZone: riyadhOffset,
      }
      journey.scans.push(scan)
      return scan
    })
  }

  /** Passes stations up to `count`; returns the scans. */
  function passUpTo(shipment: ShipmentRecord, count: number, endAt?: number): Scan[] {
    const journey = journeyOf(shipment)
    const next = stations.slice(journey.passed, count)
    journey.passed = Math.max(journey.passed, count)
    return append(shipment, next, endAt)
  }

  /** When a bag that travels by itself is at a station. */
  const timeOf = ({ createdAtMs }: ShipmentRecord, { afterMs }: Station): number =>
    Math.max(createdAtMs, pacedSince) + (afterMs * minutesPerDay * 60_000) / dayMs

  function tick(): void {
    for (const shipment of state.listShipments()) {
      const due = stations.filter((station) => timeOf(shipment, station) <= state.now()).length
      if (due <= (journeys.get(shipment.awb)?.passed ?? 0)) continue
      onScans(shipment, passUpTo(shipment, due))
    }
    keepTicking()
  }

  /** A bag's hour, but at most once a second. */
  function keepTicking(): void {
    stopTicking()
    if (minutesPerDay === 0) return
    stopTicking = scheduler.after(Math.max(1_000, (minutesPerDay * 60_000) / 24), tick)
  }

  return {
    /**
     * Scans a bag up to a step, with those between; without a step up to the next station. A step that is behind the bag
     * is scanned once more. Undefined when there is no next one.
     */
    advance(shipment: ShipmentRecord, to?: JourneyStep): Scan[] | undefined {
      const journey = journeyOf(shipment)
      if (to === 'exception') return [...passUpTo(shipment, 1), ...append(shipment, [exceptionScan])]
      if (to === undefined)
        return journey.passed < stations.length ? passUpTo(shipment, journey.passed + 1) : undefined
      const last = stations.findLastIndex(({ step }) => step === to)
      if (last >= journey.passed) return passUpTo(shipment, last + 1)
      return append(shipment, stations.slice(last, last + 1))
    },

    /** Adds one scan as it is asked for, whatever came before. */
    addScan(shipment: ShipmentRecord, { code, text, city, time, zone }: ScanWish): Scan {
      const scan: Scan = {
        City: city ?? shipment.request.ConsigneeAddress.City,
        ScanType: code,
        ...(text === undefined ? {} : { ScanDescription: text }),
        ScanDateTime: time ?? partnerTimeOf(state.now()),
        ...(zone === null ? {} : { ScanTimeZone: zone ?? riyadhOffset }),
      }
      journeyOf(shipment).scans.push(scan)
      return scan
    },

    /** The steps that are not behind the bag; a collected bag has no step ahead. */
    stepsAhead(shipment: ShipmentRecord): ReadonlySet<JourneyStep> {
      const ahead = stations.slice(journeys.get(shipment.awb)?.passed ?? 0).map(({ step }) => step)
      return new Set(ahead.length > 0 ? [...ahead, 'exception'] : [])
    },

    /** The next station of a bag, and when it is there by itself; null: never. */
    nextOf(shipment: ShipmentRecord): { what: string; at: number | null } {
      const next = stations[journeys.get(shipment.awb)?.passed ?? 0]
      if (next === undefined || minutesPerDay === 0) return { what: '', at: null }
      return { what: `${next.text} (${next.code})`, at: timeOf(shipment, next) }
    },

    /** Oldest first. */
    scansOf: ({ awb }: Pick<ShipmentRecord, 'awb'>): readonly Scan[] => journeys.get(awb)?.scans ?? [],

    /** Bags travel by themselves, a day in this many minutes; 0 ends it. */
    setPace(minutes: number): void {
      minutesPerDay = minutes
      pacedSince = state.now()
      keepTicking()
    },
    pace: () => minutesPerDay,
    /** Sets what is called with the scans that a bag travelling by itself has got, oldest first. */
    onScans(listener: OnScans): void {
      onScans = listener
    },

    reset(): void {
      journeys = new Map()
      minutesPerDay = 0
      stopTicking()
    },
    snapshot: (): StoredJourneys => ({ minutesPerDay, pacedSince, journeys: Object.fromEntries(journeys) }),
    restore(stored: StoredJourneys): void {
      journeys = new Map(Object.entries(stored.journeys))
      minutesPerDay = stored.minutesPerDay
      pacedSince = stored.pacedSince
      keepTicking()
    },
  }
}
export type Journeys = ReturnType<typeof createJourneys>

/** The record of a shipment on the wire; scans are newest first. */
export function trackingRecordOf(
  shipment: ShipmentRecord,
  scans: readonly Scan[],
  scenarios: ReadonlySet<string> = scenariosIn(
    shipment.request.OrderNumber,
    shipment.request.ContentDescription,
    shipment.request.ConsigneeAddress.ContactName,
  ),
): Omit<TrackingRecord, 'AWB'> & { AWB: string | number } {
  const { request } = shipment
  return {
    AWB: scenarios.has('numbers') ? Number(shipment.awb) : shipment.awb,
    Reference: shipment.reference,
    Pieces: shipment.awbs.length,
    CODAmount: request.CODAmount,
    ContentDesc: request.ContentDescription,
    RecipientName: request.ConsigneeAddress.ContactName,
    OriginCity: request.ShipperAddress.City,
    OriginCountry: request.ShipperAddress.Country,
    DesinationCity: request.ConsigneeAddress.City,
    DesinationCountry: request.ConsigneeAddress.Country,
    ...(scans.some(({ ScanType }) => ScanType === 'DL') ? { isDelivered: true } : {}),
    ...(scenarios.has('no-scans') ? {} : { Scans: [...scans].reverse() }),
  }
}
