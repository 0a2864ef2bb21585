import { createAudit } from '#server/features/audit/audit.service.ts'
import type { KnownLists } from '#server/features/stops/stops.rules.ts'
import { createStops, type StopsService } from '#server/features/stops/stops.service.ts'
import { createStopsStore } from '#server/features/stops/stops.store.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { StopsRequest } from '#shared/stops/stops.schemas.ts'

/** The stops of a database. */
export function openStops(
  database: Database,
  lists: KnownLists = { agents: undefined, centers: undefined },
): StopsService {
  return createStops({
    database,
    store: createStopsStore(database),
    audit: createAudit({ database, clock: systemClock }),
    readLists: async () => lists,
  })
}

/** A lead replaces the stops at the desk. @param key of the form that is sent; another one each time unless it is named */
export function replaceBy(
  stops: StopsService,
  name: string,
  wanted: Omit<StopsRequest, 'reason'>,
  at: number,
  key: string = crypto.randomUUID(),
  authenticatedAt = at,
): ReturnType<StopsService['replace']> {
  const staff = {
    ...({ role: 'staff', issuer: 'https://id.example', subject: name, name, roles: ['lead'] } as const),
    authenticatedAt,
  }
  return stops.replace(staff, { key, body: wanted }, { ...wanted, reason: `${name} says so` }, at)
}
