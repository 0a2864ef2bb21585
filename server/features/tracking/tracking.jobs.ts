import type { Core } from '#server/core.ts'
import { type Bag, findBags } from '#server/features/orders/bags.queries.ts'
import { slackOf, spread } from '#server/features/orders/following.rules.ts'
import { createBatchWorker } from '#server/platform/batches.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { fractionOf } from '#server/platform/random.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isMoving } from '#shared/orders/travel-states.rules.ts'
import { mostPerBulk } from '#shared/wire/tracking/tracking.wire.ts'
import { fingerprintOf, recordScans } from './scans.ts'
import type { TrackedShipment } from './tracking.provider.ts'
import {
  callsAtOnce,
  leaseDueBags,
  readCodeTexts,
  releaseBags,
  saveCodeTexts,
  type TrackedRow,
  untrackBags,
} from './tracking.queries.ts'
import { isTracked, leaseMs, pollFactor } from './tracking.rules.ts'

interface Poll {
  readonly lease: string
  readonly rows: readonly TrackedRow[]
}

interface PolledBag {
  readonly row: TrackedRow
  readonly bag: Bag
}

interface PollResult {
  readonly bookingId: number
  readonly state: TravelState | null
  readonly silentPolls: number
}

const longestRoundMs = 15_000
const longestPauseMs = 60_000
const hourMs = 60 * 60_000
const textsKeptMs = 24 * hourMs

/** Polls find scans whose pushes were lost. */
export function bagPolls(core: Core): Worker {
  const { clock, counters, log } = core
  const intervalMs = core.config.TRACKING_POLL_INTERVAL
  const due = {
    leaseMs,
    slackMs: slackOf(intervalMs),
    limit: mostPerBulk,
  }
  let pausedUntil = 0
  return createWorker<Poll>({
    name: 'tracking',
    async claim() {
      if (elapsedBy(clock) < pausedUntil) return undefined
      const lease = core.random.uuid()
      const rows = await leaseDueBags(core, lease, due)
      return rows.length === 0 ? undefined : { lease, rows }
    },
    async run({ lease, rows }) {
      const polled = await findPolledBags(core, rows)
      if (polled.length === 0) return
      try {
        await pollBags(core, lease, polled)
      } catch (error) {
        counters.trackingPolls.inc({ outcome: 'failed' })
        log.warn({ event: 'tracking.poll-failed', bags: polled.length, err: error })
        pausedUntil = elapsedBy(clock) + Math.min(intervalMs / 2, longestPauseMs)
        const results = polled.map(({ row, bag }) => ({
          bookingId: row.booking_id,
          state: bag.state,
          silentPolls: row.silent_polls,
        }))
        // After a failed call, bags are polled again after one interval, even if they are usually polled less often.
        await releaseResults(core, lease, results, () => 1)
      }
    },
    parallel: callsAtOnce,
    roundMs: Math.min(longestRoundMs, Math.max(1_000, intervalMs / 10)),
    log,
  })
}

async function findPolledBags(core: Core, rows: readonly TrackedRow[]): Promise<PolledBag[]> {
  const bags = await findBags(
    core,
    rows.map(({ booking_id }) => booking_id),
  )
  const now = core.clock.now()
  const polled: PolledBag[] = []
  const ended: number[] = []
  for (const row of rows) {
    const bag = bags.find(({ id }) => id === row.booking_id)
    // A collected bag is polled once more, because the push of an earlier scan can be lost.
    const isLive = bag && row.tracked_until > now && (isTracked(bag.state) || bag.state === 'COLLECTED')
    if (isLive) polled.push({ row, bag })
    else ended.push(row.booking_id)
  }
  await untrackBags(core, ended)
  return polled
}

async function pollBags(core: Core, lease: string, polled: readonly PolledBag[]) {
  const { counters, log, providers } = core
  const report = await providers.tracking.track(polled.map(({ row }) => row.awb))
  counters.trackingPolls.inc({ outcome: 'answered' })
  counters.trackingBagsAsked.inc(polled.length)
  if (report.unreadable > 0) log.warn({ event: 'tracking.rows-unreadable', rows: report.unreadable })
  const results: PollResult[] = []
  for (const each of polled) results.push(await recordAnswer(core, each, report.shipments))
  const [followed, ended] = [
    results.filter(({ state }) => isTracked(state)),
    results.filter(({ state }) => !isTracked(state)),
  ]
  await untrackBags(
    core,
    ended.map(({ bookingId }) => bookingId),
  )
  await releaseResults(core, lease, followed, ({ state, silentPolls }) =>
    pollFactor(state, silentPolls, core.config.TRACKING_POLL_INTERVAL),
  )
}

async function recordAnswer(
  core: Core,
  { row, bag }: PolledBag,
  shipments: readonly TrackedShipment[],
): Promise<PollResult> {
  const result = {
    bookingId: row.booking_id,
    state: bag.state,
    silentPolls: row.silent_polls + 1,
  }
  const answers = shipments.filter(
    ({ awb, reference, scans }) => scans.length > 0 && (awb === row.awb || reference === bag.reference),
  )
  // Several shipments can have our reference, so the one with our airway bill number is preferred.
  const answer = answers.find(({ awb }) => awb === row.awb) ?? answers[0]
  const seen = answer && fingerprintOf(answer)
  if (!answer || seen === row.seen) return result
  const { added, after } = await recordScans(core, bag, answer.scans, 'poll', seen)
  return { ...result, state: after, ...(added > 0 && { silentPolls: 0 }) }
}

async function releaseResults(
  core: Core,
  lease: string,
  results: readonly PollResult[],
  factorOf: (result: PollResult) => number,
) {
  const { clock, config, random } = core
  const now = clock.now()
  const groups = Map.groupBy(
    results,
    (result) => `${result.silentPolls} ${isMoving(result.state)} ${factorOf(result)}`,
  )
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const release = {
      bookingIds: group.map(({ bookingId }) => bookingId),
      silentPolls: first.silentPolls,
      inMs: spread(config.TRACKING_POLL_INTERVAL * factorOf(first), fractionOf(random)),
      isMoving: isMoving(first.state),
    }
    await releaseBags(core, lease, release, now)
  }
}

export const codeTexts = (core: Core): Worker =>
  createBatchWorker({
    name: 'tracking.texts',
    async batch() {
      const now = core.clock.now()
      if ((await readCodeTexts(core)).fetchedAt > now - textsKeptMs) return false
      try {
        await saveCodeTexts(core, await core.providers.tracking.readTexts(), now)
      } catch (error) {
        core.log.warn({ event: 'tracking.texts-failed', err: error })
      }
      return false
    },
    roundMs: hourMs,
    log: core.log,
  })
