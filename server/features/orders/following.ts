import type { Core } from '#server/core.ts'
import { fractionOf } from '#server/platform/random.ts'
import { pollSooner, trackBags } from './following.queries.ts'
import { slackOf, spread, trackedForMs } from './following.rules.ts'

export async function followBag(core: Core, bookingId: number, awb: string): Promise<void> {
  const { clock, config, database, random } = core
  database.assertTransaction()
  const pollAt = database.now(spread(3 * config.TRACKING_POLL_INTERVAL, fractionOf(random)))
  await trackBags(core, [{ bookingId, awb }], pollAt, clock.now() + trackedForMs)
}

export async function followBagClosely(core: Core, bookingId: number, awb: string): Promise<void> {
  const { clock, config, database } = core
  await followBag(core, bookingId, awb)
  const intervalMs = config.TRACKING_POLL_INTERVAL
  await pollSooner(core, bookingId, {
    pollAt: database.now(intervalMs + slackOf(intervalMs)),
    trackedUntil: clock.now() + trackedForMs,
    lastScanAt: clock.now(),
  })
}
