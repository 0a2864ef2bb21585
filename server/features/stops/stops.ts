import type { Core } from '#server/core.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { inTimeOr } from '#server/platform/late.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { stopsErrors } from '#shared/stops/stops.errors.ts'
import { type Sale, stopOf } from '#shared/stops/stops.rules.ts'
import { listOpenStops } from './stops.queries.ts'
import { lasting, shownStop } from './stops.rules.ts'

const patienceMs = 1_000

/** @returns undefined when no stop is in force for the sale */
export async function findStopRefusal(core: QueryCore, sale: Sale): Promise<Failure | undefined> {
  const open = await listOpenStops(core)
  const stop = stopOf(open.map(shownStop), sale, open[0]?.now ?? 0)
  return stop && failure(stopsErrors, 'SALES_STOPPED', { values: { text: stop.text }, stop })
}

/** While the database does not answer, returns the stops that were read last. */
export async function listShownStops(core: Core, waitMs = patienceMs): Promise<readonly Stop[]> {
  const { shownStops } = core
  shownStops.reading ??= readShownStops(core).finally(() => {
    shownStops.reading = undefined
  })
  // A slow database must not delay the configuration, for which browsers wait.
  return inTimeOr(shownStops.reading, waitMs, () => shownStops.known)
}

async function readShownStops(core: Core): Promise<readonly Stop[]> {
  const { log, shownStops } = core
  try {
    shownStops.known = lasting(await listOpenStops(core)).map(shownStop)
  } catch (err) {
    log.warn({ event: 'stops.unread', err })
  }
  return shownStops.known
}
