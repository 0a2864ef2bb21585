import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { Bag, OrdersService } from '#server/features/orders/orders.service.ts'
import { createBatchWorker } from '#server/platform/batches.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isMoving } from '#shared/orders/travel-states.rules.ts'
import { mostPerBulk } from '#shared/wire/tracking/tracking.wire.ts'
import { fingerprintOf } from './scans.service.ts'
import type { TrackedShipment, TrackingProvider } from './tracking.provider.ts'
import { isTracked, leaseMs, pollFactor, slackOf, spread } from './tracking.rules.ts'
import type { TrackingService } from './tracking.service.ts'
import { callsAtOnce, type TrackedRow, type TrackingStore } from './tracking.store.ts'

interface PollWorkerDeps extends Pick<Core, 'clock' | 'log' | 'metrics'> {
  readonly store: TrackingStore
  readonly provider: TrackingProvider
  readonly orders: OrdersService
  readonly record: TrackingService['record']
  readonly intervalMs: number
}

interface Poll {
  readonly lease: string
  readonly rows: readonly TrackedRow[]
}

const longestRoundMs = 15_000
const longestPauseMs = 60_000

/** What a poll leaves of a bag. */
interface Fate {
  readonly bookingId: number
  readonly state: TravelState | null
  readonly silentPolls: number
}

/** Asks the courier about bags, twenty in a call: a lost push is found, and a courier without pushes is followed. */
export function createPollWorker(deps: PollWorkerDeps): Worker {
  const { store, provider, orders, record, intervalMs, clock, log, metrics } = deps
  const polls = metrics.counter('amtiati_tracking_polls_total', 'Bulk calls to the courier, by outcome.', [
    'outcome',
  ])
  const asked = metrics.counter('amtiati_tracking_bags_asked_total', 'Bags in these calls.', [])
  /** After a failed call none is made until then: the others would fail, too. */
  let pausedUntil = 0

  async function poll({ lease, rows }: Poll): Promise<void> {
    const bags = await orders.findBags(rows.map(({ booking_id }) => booking_id))
    const now = clock.now()
    // A collected bag is asked about once more: a push before the last one may have been lost.
    const isLive = (row: TrackedRow) =>
      row.tracked_until > now &&
      bags.some(({ id, state }) => id === row.booking_id && (isTracked(state) || state === 'COLLECTED'))
    await store.untrack(rows.filter((row) => !isLive(row)).map(({ booking_id }) => booking_id))
    const live = rows.filter(isLive)
    if (live.length === 0) return
    try {
      const report = await provider.track(live.map(({ awb }) => awb))
      polls.inc({ outcome: 'answered' })
      asked.inc(live.length)
      if (report.unreadable > 0) log.warn({ event: 'tracking.rows-unreadable', rows: report.unreadable })
      const fates = await takeAnswers(live, bags, report.shipments)
      await store.untrack(fates.filter(({ state }) => !isTracked(state)).map(({ bookingId }) => bookingId))
      await release(
        lease,
        fates.filter(({ state }) => isTracked(state)),
      )
    } catch (error) {
      polls.inc({ outcome: 'failed' })
      log.warn({ event: 'tracking.poll-failed', bags: live.length, err: error })
      pausedUntil = elapsedBy(clock) + Math.min(intervalMs / 2, longestPauseMs)
      // Asked about again after one interval, however rarely they are asked about otherwise.
      const fates = live.map((row) => ({ ...fateOf(row, bags), silentPolls: row.silent_polls }))
      await release(lease, fates, () => 1)
    }
  }

  const fateOf = (row: TrackedRow, bags: readonly Bag[]): Fate => ({
    bookingId: row.booking_id,
    state: bags.find(({ id }) => id === row.booking_id)?.state ?? null,
    silentPolls: row.silent_polls + 1,
  })

  async function takeAnswers(
    live: readonly TrackedRow[],
    bags: readonly Bag[],
    shipments: readonly TrackedShipment[],
  ): Promise<Fate[]> {
    const fates: Fate[] = []
    for (const row of live) {
      const fate = fateOf(row, bags)
      const bag = bags.find(({ id }) => id === row.booking_id)
      const answers = shipments.filter(
        ({ awb, reference, scans }) => scans.length > 0 && (awb === row.awb || reference === bag?.reference),
      )
      // The record with our number, where several shipments have the reference.
      const answer = answers.find(({ awb }) => awb === row.awb) ?? answers[0]
      const seen = answer && fingerprintOf(answer)
      if (!bag || !answer || seen === row.seen) {
        fates.push(fate)
        continue
      }
      const { added, after } = await record(bag, answer.scans, 'poll', seen)
      fates.push({ ...fate, state: after, ...(added > 0 && { silentPolls: 0 }) })
    }
    return fates
  }

  const usualFactor = ({ state, silentPolls }: Fate) => pollFactor(state, silentPolls, intervalMs)

  /** One statement for all bags with the same fate. */
  async function release(
    lease: string,
    fates: readonly Fate[],
    factorOf: (fate: Fate) => number = usualFactor,
  ): Promise<void> {
    const now = clock.now()
    const groups = Map.groupBy(
      fates,
      (fate) => `${fate.silentPolls} ${isMoving(fate.state)} ${factorOf(fate)}`,
    )
    for (const group of groups.values()) {
      const [first] = group
      if (!first) continue
      await store.release(
        lease,
        {
          bookingIds: group.map(({ bookingId }) => bookingId),
          silentPolls: first.silentPolls,
          inMs: spread(intervalMs * factorOf(first), Math.random()),
          isMoving: isMoving(first.state),
        },
        now,
      )
    }
  }

  return createWorker<Poll>({
    name: 'tracking',
    async claim() {
      if (elapsedBy(clock) < pausedUntil) return undefined
      const lease = randomUUID()
      const rows = await store.leaseDue(lease, { leaseMs, slackMs: slackOf(intervalMs), limit: mostPerBulk })
      return rows.length === 0 ? undefined : { lease, rows }
    },
    run: poll,
    parallel: callsAtOnce,
    roundMs: Math.min(longestRoundMs, Math.max(1_000, intervalMs / 10)),
    log,
  })
}

const hourMs = 60 * 60_000
const textsLiveMs = 24 * hourMs

/** Fetches the courier's texts of its codes once a day. */
export function createTextsWorker({
  store,
  provider,
  clock,
  log,
}: Pick<PollWorkerDeps, 'store' | 'provider' | 'clock' | 'log'>): Worker {
  return createBatchWorker({
    name: 'tracking.texts',
    async batch() {
      const now = clock.now()
      if ((await store.readTexts()).fetchedAt > now - textsLiveMs) return false
      try {
        await store.saveTexts(await provider.readTexts(), now)
      } catch (error) {
        log.warn({ event: 'tracking.texts-failed', err: error })
      }
      return false
    },
    roundMs: hourMs,
    log,
  })
}
