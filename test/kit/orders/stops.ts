import type { Core } from '#server/core.ts'
import { changeStops, replaceStops } from '#server/desk/stops/desk-stops.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { NewStop, StopsRequest } from '#shared/stops/stops.schemas.ts'

/** An operator replaces the stops; the lists of the partner are not known. */
export const stopSales = (core: QueryCore, name: string, reason: string, stops: readonly NewStop[]) =>
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
