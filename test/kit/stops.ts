import type { Core } from '#server/core.ts'
import { changeStops, replaceStops } from '#server/desk/stops/desk-stops.ts'
import { readStopGuard } from '#server/features/stops/stops.queries.ts'
import { findStopRefusal } from '#server/features/stops/stops.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'
import type { NewStop, StopsRequest } from '#shared/stops/stops.schemas.ts'

/** The guard and the refusal of sales on a database, for the service that creates orders. */
export const openStops = (database: Database) => ({
  guardOf: (sale: Sale) => readStopGuard({ database }, sale),
  findRefusal: (sale: Sale) => findStopRefusal({ database }, sale),
})

/** An operator replaces the stops; the lists of the partner are not known. */
export const stopSales = (
  core: Pick<Core, 'database'>,
  name: string,
  reason: string,
  stops: readonly NewStop[],
) =>
  changeStops(
    core,
    { agents: undefined, centers: undefined },
    { by: { kind: 'operator', name }, reason },
    async () => stops,
  )

/** A lead replaces the stops at the desk. @param key of the form that is sent; by default another one each time */
export function replaceBy(
  core: Core,
  name: string,
  wanted: Omit<StopsRequest, 'reason'>,
  key: string = crypto.randomUUID(),
  authenticatedAt: number = core.clock.now(),
): ReturnType<typeof replaceStops> {
  const staff = {
    role: 'staff',
    issuer: 'https://id.example',
    subject: name,
    name,
    roles: ['lead'],
    authenticatedAt,
  } as const
  return replaceStops(core, staff, { key, body: wanted }, { ...wanted, reason: `${name} says so` })
}
