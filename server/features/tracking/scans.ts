import { createHash } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { type NewEvent, recordEvents } from '#server/features/history/history.ts'
import type { Bag } from '#server/features/orders/bags.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import type { AlertKind, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { isMoving } from '#shared/orders/travel-states.rules.ts'
import type { CodeText, Scan, TrackedShipment } from './tracking.provider.ts'
import { addAlerts, type NewAlert, noteReport, readCodeTexts } from './tracking.queries.ts'
import { eventKeyOf, isContradiction, isKnownCode, meaningOf, scanTime } from './tracking.rules.ts'

interface KnownScan {
  readonly key: string
  readonly kind: EventKind
  readonly at: number
  readonly code: string
  readonly place: string | null
  readonly text: string | null
}

interface ReadScan {
  readonly scan: KnownScan
  readonly alerts: readonly NewAlert[]
}

interface SortedScans {
  /** The oldest scan comes first. Scans with the same time stay in the courier's order. */
  readonly own: readonly (Scan & { readonly shownAt: number; readonly isLate: boolean })[]
  readonly foreign: readonly Scan[]
}

interface RecordedScans {
  readonly added: number
  readonly foreign: number
  readonly after: TravelState | null
}

const mostForeign = 20
const textsKeptMs = 60 * 60_000

/** Stores scans and their effects in one transaction. A scan that cannot belong to this bag becomes an alert only. */
export async function recordScans(
  core: Core,
  bag: Bag,
  scans: readonly Scan[],
  way: 'push' | 'poll',
  seen?: string,
): Promise<RecordedScans> {
  const texts = await readKeptTexts(core)
  const now = core.clock.now()
  const { own, foreign } = sortScans(bag, scans, now)
  const read = own.map((scan) => readScan(bag, scan, texts))
  const foreignAlerts = foreign
    .slice(-mostForeign)
    .map((scan) => timeAlertOf(bag, scan, 'not-of-this-bag', now))
  return core.database.transaction(async () => {
    const events = read.map(({ scan }) => eventOf(scan))
    const recorded = await recordBagEvents(core, bag.id, events)
    if (!recorded) return { added: 0, foreign: foreign.length, after: bag.state }
    const { added, before, after } = recorded
    const ownAlerts = added > 0 ? alertsOf(bag, read, before, after) : []
    const noticed = await addAlerts(core, [...ownAlerts, ...foreignAlerts], now)
    const alertEvents = noticed.map((alert) => alertEvent(bag, alert))
    await recordEvents(core, alertEvents)
    if (added > 0 || seen !== undefined)
      await noteReport(core, bag.id, {
        ...(seen !== undefined && { seen }),
        ...(read.length > 0 && { lastScanAt: lastScanAtOf(after, read) }),
      })
    core.afterCommit(() => {
      if (added > 0) core.counters.trackingScans.inc({ way }, added)
      for (const { kind, code } of noticed) {
        core.counters.trackingAlerts.inc({ kind })
        core.log.error({ event: 'tracking.alert', kind, code, orderId: bag.orderId, awb: bag.awb })
      }
    })
    return { added, foreign: foreign.length, after }
  })
}

async function readKeptTexts(core: Core): Promise<ReadonlyMap<string, CodeText>> {
  const kept = core.codeTexts
  const now = core.clock.now()
  if (kept.texts.size === 0 || now - kept.readAt > textsKeptMs) {
    kept.readAt = now
    kept.texts = (await readCodeTexts(core)).texts
  }
  return kept.texts
}

function readScan(
  bag: Bag,
  scan: SortedScans['own'][number],
  texts: ReadonlyMap<string, CodeText>,
): ReadScan {
  const { kind, alert } = meaningOf(scan, bag)
  const words = kind === 'unknown' ? texts.get(scan.code.toUpperCase()) : undefined
  const text = words?.ar ? `${words.ar} · ${words.en ?? scan.text ?? scan.code}` : scan.text
  const known = {
    key: eventKeyOf(bag.awb, scan),
    kind,
    // When the courier's clock is wrong, a scan must not stay the newest for hours.
    at: scan.shownAt,
    code: scan.code,
    place: scan.city ?? null,
    text: text ?? null,
  }
  return {
    scan: known,
    alerts: [
      ...(alert ? [alertOf(bag, known, alert)] : []),
      ...(scan.isLate ? [timeAlertOf(bag, scan, 'future-time', scan.shownAt)] : []),
    ],
  }
}

const lastScanAtOf = (state: TravelState | null, read: readonly ReadScan[]) =>
  isMoving(state) ? Math.max(...read.map(({ scan }) => scan.at)) : null

function sortScans(bag: Bag, scans: readonly Scan[], now: number): SortedScans {
  const timed = scans.map((scan) => ({ scan, ...scanTime(scan.at, bag.requestedAt, now) }))
  const isOwn = ({ fault }: (typeof timed)[number]) => fault === undefined || fault === 'late'
  return {
    own: timed
      .filter(isOwn)
      .toSorted((a, b) => (a.scan.at ?? 0) - (b.scan.at ?? 0))
      .map(({ scan, at, fault }) => ({ ...scan, shownAt: at, isLate: fault === 'late' })),
    foreign: timed.filter((each) => !isOwn(each)).map(({ scan }) => scan),
  }
}

/** The courier's words and unknown codes can contain names, so they are stored as personal data. */
function scannedOf({ code, place, text }: { code: string; place: string | null; text: string | null }) {
  if (!isKnownCode(code)) return { code: null, personal: { place, text, code } }
  return { code, personal: place === null && text === null ? null : { place, text } }
}

const eventOf = ({ key, kind, at, code, place, text }: KnownScan): NewBagEvent => ({
  kind: 'scan',
  data: { scan: kind, ...scannedOf({ code, place, text }) },
  by: { kind: 'courier' },
  at,
  key,
})

const alertEvent = (bag: Bag, { kind: alert, code, place, text }: NewAlert): NewEvent => ({
  kind: 'bag-alert',
  data: { alert, ...scannedOf({ code, place, text }) },
  by: { kind: 'system' },
  orderId: bag.orderId,
  bookingId: bag.id,
})

function alertOf(
  bag: Bag,
  { key, code, text, place, at }: Omit<KnownScan, 'kind'>,
  kind: AlertKind,
): NewAlert {
  return { booking_id: bag.id, event_key: key, kind, code, text, place, at }
}

function timeAlertOf(bag: Bag, scan: Scan, kind: AlertKind, at: number): NewAlert {
  const { code, city, time, zone } = scan
  const dated = {
    key: eventKeyOf(bag.awb, scan),
    code,
    text: `${time} ${zone}`,
    place: city ?? null,
    at,
  }
  return alertOf(bag, dated, kind)
}

function alertsOf(
  bag: Bag,
  read: readonly ReadScan[],
  before: TravelState | null,
  after: TravelState | null,
): NewAlert[] {
  const found = read.flatMap(({ alerts }) => alerts)
  const steps = read.map(({ scan }) => scan).filter(({ kind }) => kind !== 'unknown')
  const last = steps.toSorted((a, b) => a.at - b.at).at(-1)
  const contradicts = isContradiction(
    steps.map(({ kind }) => kind),
    before,
    after,
  )
  if (contradicts && last) found.push(alertOf(bag, last, 'contradiction'))
  return [...new Map(found.map((alert) => [`${alert.kind} ${alert.event_key}`, alert])).values()]
}

export function fingerprintOf({ awb, scans }: TrackedShipment): string {
  const keys = scans.map((scan) => eventKeyOf(awb, scan)).sort()
  return createHash('sha256').update(keys.join('\n')).digest('base64url')
}
