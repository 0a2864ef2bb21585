import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

export const listKinds = ['centers', 'agents'] as const
export type ListKind = (typeof listKinds)[number]

export type PartnerStore = ReturnType<typeof createPartnerStore>

/** The last good copy of each list, for a restart while the partner is down. */
export function createPartnerStore(database: Database) {
  return {
    /** Undefined when the list was never fetched. `body` is the JSON of the list; `fetchedAt` epoch milliseconds. */
    findList(kind: ListKind) {
      return database.tables
        .selectFrom('partner_lists')
        .select(['body', 'fetched_at as fetchedAt'])
        .where('kind', '=', kind)
        .executeTakeFirst()
    },
    /** Replaces the copy, unless a newer one is stored. */
    async saveList(kind: ListKind, body: string, fetchedAt: number): Promise<void> {
      await database.tables
        .insertInto('partner_lists')
        .values({ kind, body, fetched_at: fetchedAt, halved_since: null })
        .onConflict((conflict) =>
          conflict
            .column('kind')
            .doUpdateSet({ body, fetched_at: fetchedAt, halved_since: null })
            .where('partner_lists.fetched_at', '<', fetchedAt),
        )
        .execute()
    },
    /** Notes a list of less than half; returns when the first one of them was seen, by any gateway. */
    async noteHalved(kind: ListKind, now: number): Promise<number> {
      const row = await database.tables
        .updateTable('partner_lists')
        .set({ halved_since: sql<number>`coalesce(halved_since, cast(${now} as bigint))` })
        .where('kind', '=', kind)
        .returning('halved_since')
        .executeTakeFirst()
      return row?.halved_since ?? now
    },
    /** A list that is neither halved nor taken ends the row of halved ones. */
    async endHalved(kind: ListKind): Promise<void> {
      await database.tables
        .updateTable('partner_lists')
        .set({ halved_since: null })
        .where('kind', '=', kind)
        .execute()
    },
  }
}
