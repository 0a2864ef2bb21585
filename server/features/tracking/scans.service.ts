import { createHash } from 'node:crypto'
import type { Bag, NewEvent, OrdersService } from '#server/features/orders/orders.service.ts'
import type { Core } from '#server/platform/core.ts'
import { isMoving } from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import type { CodeText, Scan, TrackedShipment } from './tracking.provider.ts'
import { type AlertKind, eventKeyOf, isContradiction, meaningOf } from './tracking.rules.ts'
import type { NewAlert, TrackingStore } from './tracking.store.ts'

interface ScansDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: TrackingStore
  readonly orders: OrdersService
  /** The courier's texts by code in capitals. */
  readonly readTexts: () => Promise<ReadonlyMap<string, CodeText>>
}

interface ReadScan {
  readonly event: NewEvent
  readonly alert: AlertKind | undefined
}

/** What recording the scans of a bag did. */
interface RecordedScans {
  readonly added: number
  readonly after: TravelState | null
}

/** Records scans of the courier, whichever way they came. */
export function createScans({ database, store, orders, readTexts, clock, log, metrics }: ScansDeps) {
  const added = metrics.counter(
    'amtiati_tracking_scans_total',
    'Scans that were new, by the way they came.',
    ['way'],
  )
  const alerts = metrics.counter(
    'amtiati_tracking_alerts_total',
    'Scans that a person must look at, by reason: `npm run ops -- bags` lists them.',
    ['kind'],
  )

  function readScan(bag: Bag, scan: Scan, texts: ReadonlyMap<string, CodeText>): ReadScan {
    const { kind, alert } = meaningOf(scan, bag)
    const known = kind === 'unknown' ? texts.get(scan.code.toUpperCase()) : undefined
    // Both languages in one text, as the partner writes its agents' names; the app shows the reader's half.
    const text = known?.ar ? `${known.ar} · ${known.en ?? scan.text ?? scan.code}` : scan.text
    return {
      event: {
        event_key: eventKeyOf(bag.awb, scan),
        kind,
        source: 'courier',
        // A wrong clock or zone must not make a scan the newest for hours.
        at: Math.min(scan.at, clock.now()),
        code: scan.code,
        place: scan.city ?? null,
        text: text ?? null,
      },
      alert,
    }
  }

  return {
    /**
     * Stores the scans of a bag and what follows from them, in one transaction. `seen`: fingerprint of the answer they
     * came in.
     */
    async record(
      bag: Bag,
      scans: readonly Scan[],
      way: 'push' | 'poll',
      seen?: string,
    ): Promise<RecordedScans> {
      const texts = await readTexts()
      // Oldest first: scans with one time keep the courier's order.
      const read = scans.toSorted((a, b) => a.at - b.at).map((scan) => readScan(bag, scan, texts))
      const { recorded, noticed } = await database.transaction(async () => {
        const recorded = await orders.recordEvents(
          bag.id,
          read.map(({ event }) => event),
        )
        if (!recorded) return { recorded: { added: 0, after: bag.state }, noticed: [] }
        const noticed =
          recorded.added === 0
            ? []
            : await store.addAlerts(alertsOf(bag, read, recorded.before, recorded.after), clock.now())
        if (recorded.added > 0 || seen !== undefined)
          await store.noteHeard(bag.id, {
            ...(seen !== undefined && { seen }),
            heardAt: isMoving(recorded.after) ? Math.max(...read.map(({ event }) => event.at)) : null,
          })
        return { recorded, noticed }
      })
      if (recorded.added > 0) added.inc({ way }, recorded.added)
      for (const { kind, code } of noticed) {
        alerts.inc({ kind })
        log.error({ event: 'tracking.alert', kind, code, orderId: bag.orderId, awb: bag.awb })
      }
      return recorded
    },
  }
}

function alertsOf(
  bag: Bag,
  read: readonly ReadScan[],
  before: TravelState | null,
  after: TravelState | null,
): NewAlert[] {
  const alertOf = ({ event_key, code, text, place, at }: NewEvent, kind: AlertKind): NewAlert => ({
    booking_id: bag.id,
    event_key,
    kind,
    code: code ?? '',
    text: text ?? null,
    place: place ?? null,
    at,
  })
  const found = read.flatMap(({ event, alert }) => (alert ? [alertOf(event, alert)] : []))
  const steps = read.filter(({ event }) => event.kind !== 'unknown')
  const last = steps.toSorted((a, b) => a.event.at - b.event.at).at(-1)
  const contradicts = isContradiction(
    steps.map(({ event }) => event.kind),
    before,
    after,
  )
  // One row for each bag and report: the last scan stands for all.
  if (contradicts && last) found.push(alertOf(last.event, 'contradiction'))
  return [...new Map(found.map((alert) => [`${alert.kind} ${alert.event_key}`, alert])).values()]
}

/** The same for the same scans in any order. */
export function fingerprintOf({ awb, scans }: TrackedShipment): string {
  const keys = scans.map((scan) => eventKeyOf(awb, scan)).sort()
  return createHash('sha256').update(keys.join('\n')).digest('base64url')
}
