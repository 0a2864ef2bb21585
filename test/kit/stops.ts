import { createAudit } from '#server/features/audit/audit.service.ts'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import type { KnownLists } from '#server/features/stops/stops.rules.ts'
import { createStops, type StopsService } from '#server/features/stops/stops.service.ts'
import { createStopsStore } from '#server/features/stops/stops.store.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'

/** The stops of a database. */
export function openStops(
  database: Database,
  lists: KnownLists = { agents: undefined, centers: undefined },
): StopsService {
  return createStops({
    store: createStopsStore(database),
    audit: createAudit({ database, store: createAuditStore(database), clock: systemClock }),
    readLists: async () => lists,
  })
}
