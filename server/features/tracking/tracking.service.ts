import type { Core } from '#server/core.ts'
import type { Following, OrdersService } from '#server/features/orders/orders.service.ts'
import { failure } from '#server/platform/errors.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { trackingErrors } from '#shared/tracking/tracking.errors.ts'
import { createScans } from './scans.service.ts'
import type { CodeText, TrackedShipment, TrackingProvider } from './tracking.provider.ts'
import { slackOf, spread, trackedForMs } from './tracking.rules.ts'
import type { TrackingStore } from './tracking.store.ts'

interface TrackingDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: TrackingStore
  readonly provider: TrackingProvider
  readonly orders: OrdersService
  /** SHIPPING_WEBHOOK_KEY. */
  readonly webhookKey: string
  /** SHIPPING_WEBHOOK_KEY_PREVIOUS: accepted as well, while the key is exchanged. */
  readonly previousWebhookKey?: string | undefined
  /** TRACKING_SILENCE_HOURS, in milliseconds. */
  readonly silenceMs: number
}

/** What became of a push, or of one record of it. */
type PushOutcome = 'recorded' | 'repeated' | 'empty' | 'foreign' | 'unreadable' | 'refused' | 'oversized'

/** Records of one push. The courier documents no limit; further bags are found by polling. */
export const mostRecords = 500
const textsLiveMs = 60 * 60_000

/** What the desk and operators read and change of the alarms about an order's bags. */
export type TrackingActs = Pick<TrackingStore, 'checkBags'>

export type TrackingService = ReturnType<typeof createTracking>

/** Follows bags by the courier's scans. */
export function createTracking(deps: TrackingDeps) {
  const { provider, orders, log, metrics } = deps
  const pushes = metrics.counter('amtiati_tracking_pushes_total', 'Pushes of the courier, by outcome.', [
    'outcome',
  ])
  registerGauges(deps)
  const readTexts = cachedTexts(deps)
  const { record } = createScans({ ...deps, readTexts })

  const proven = metrics.counter(
    'amtiati_tracking_pushes_proven_total',
    'Pushes with a right key, by the key: current or previous.',
    ['key'],
  )

  function keyOf(given: string | readonly string[] | undefined): 'current' | 'previous' | undefined {
    if (typeof given !== 'string') return undefined
    const { webhookKey, previousWebhookKey } = deps
    if (isSameSecret(given, webhookKey)) return 'current'
    const isPrevious = previousWebhookKey !== undefined && isSameSecret(given, previousWebhookKey)
    return isPrevious ? 'previous' : undefined
  }

  function count(outcome: PushOutcome, times = 1): void {
    pushes.inc({ outcome }, times)
  }

  async function takeRecord(
    shipment: TrackedShipment,
    bags: Awaited<ReturnType<typeof findBags>>,
  ): Promise<PushOutcome> {
    const byAwb = bags.byAwb.get(shipment.awb)
    const byReference =
      shipment.reference === undefined ? undefined : bags.byReference.get(shipment.reference)
    const bag = byAwb ?? byReference
    // The number of one bag with the reference of another belongs to neither.
    if (!bag || (byAwb && byReference && byAwb.id !== byReference.id)) return 'foreign'
    if (shipment.scans.length === 0) return 'empty'
    const { added, foreign } = await record(bag, shipment.scans, 'push')
    if (added > 0) return 'recorded'
    return foreign === shipment.scans.length ? 'foreign' : 'repeated'
  }

  async function findBags(shipments: readonly TrackedShipment[]) {
    const awbs = shipments.map(({ awb }) => awb)
    const references = shipments.flatMap(({ reference }) => reference ?? [])
    const bags = await orders.findBagsByNumbers([...new Set(awbs)], [...new Set(references)])
    return {
      byAwb: new Map(bags.map((bag) => [bag.awb, bag])),
      byReference: new Map(bags.map((bag) => [bag.reference, bag])),
    }
  }

  return {
    record,
    count,

    /** In constant time. @throws Failure TRACKING_CALLBACK_REFUSED for another key. */
    checkKey(key: string | readonly string[] | undefined): void {
      const which = keyOf(key)
      if (which) {
        proven.inc({ key: which })
        if (which === 'previous') log.info({ event: 'tracking.push-previous-key' })
        return
      }
      count('refused')
      log.warn({ event: 'tracking.push-refused' })
      throw failure(trackingErrors, 'TRACKING_CALLBACK_REFUSED')
    },

    /**
     * Resolves once every readable scan of a push is stored. Numbers of others are counted and ignored, so that the
     * courier does not repeat them. @throws Failure INVALID_REQUEST for a body that is no report, BODY_TOO_LARGE.
     */
    async receive(body: unknown): Promise<void> {
      const report = provider.readPush(body)
      if (!report) {
        count('unreadable')
        log.warn({ event: 'tracking.push-unreadable' })
        throw failure(platformErrors, 'INVALID_REQUEST')
      }
      const { shipments, unreadable } = report
      if (shipments.length > mostRecords) {
        count('oversized')
        throw failure(platformErrors, 'BODY_TOO_LARGE')
      }
      if (unreadable > 0) {
        count('unreadable', unreadable)
        log.warn({ event: 'tracking.rows-unreadable', rows: unreadable })
      }
      const bags = await findBags(shipments)
      for (const shipment of shipments) count(await takeRecord(shipment, bags))
    },
  }
}

interface FollowingDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: TrackingStore
  /** TRACKING_POLL_INTERVAL. */
  readonly intervalMs: number
}

/** Which bags are followed, and how closely. */
export function createFollowing({ database, store, intervalMs, clock }: FollowingDeps) {
  async function follow(bookingId: number, awb: string): Promise<void> {
    database.assertTransaction()
    const pollAt = database.now(spread(3 * intervalMs, Math.random()))
    await store.track([{ bookingId, awb }], pollAt, clock.now() + trackedForMs)
  }

  return {
    acts: store as TrackingActs,

    follow,

    async followClosely(bookingId: number, awb: string): Promise<void> {
      await follow(bookingId, awb)
      await store.hasten(bookingId, {
        pollAt: database.now(intervalMs + slackOf(intervalMs)),
        trackedUntil: clock.now() + trackedForMs,
        heardAt: clock.now(),
      })
    },
  } satisfies Following & { readonly acts: TrackingActs }
}

function registerGauges({ store, clock, silenceMs, metrics }: TrackingDeps): void {
  metrics.gauge(
    'amtiati_tracking_poll_overdue_seconds',
    'How long the poll that is overdue longest is due; 0 when none is.',
    async () => (await store.readOverdueMs()) / 1_000,
  )
  metrics.gauge(
    'amtiati_bags_silent',
    'Bags on their way that were not heard of for TRACKING_SILENCE_HOURS; counts to 1,000.',
    () => store.countSilent(clock.now() - silenceMs),
  )
  metrics.gauge(
    'amtiati_bags_needing_person',
    'Open alerts about bags: damaged, lost, returning, scans that contradict or whose time cannot be; counts to 1,000.',
    store.countAlerts,
  )
}

/** The stored texts, read again after an hour. */
function cachedTexts({ store, clock }: TrackingDeps): () => Promise<ReadonlyMap<string, CodeText>> {
  let kept: ReadonlyMap<string, CodeText> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  return async () => {
    const now = clock.now()
    if (kept.size === 0 || now - readAt > textsLiveMs) {
      readAt = now
      kept = (await store.readTexts()).texts
    }
    return kept
  }
}
