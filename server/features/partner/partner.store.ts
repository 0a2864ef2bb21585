import type { Database } from '#server/platform/database/database.ts'

export const listKinds = ['centers', 'agents'] as const
export type ListKind = (typeof listKinds)[number]

interface PartnerListsTable {
  kind: ListKind
  body: string
  fetched_at: number
}

interface PartnerTables {
  partner_lists: PartnerListsTable
}

export type PartnerStore = ReturnType<typeof createPartnerStore>

/** The last good copy of each list, for a restart while the partner is down. */
export function createPartnerStore(database: Database) {
  const tables = () => database.tables<PartnerTables>()
  return {
    /** Undefined when the list was never fetched. `body` is the JSON of the list; `fetchedAt` epoch milliseconds. */
    async findList(kind: ListKind): Promise<{ body: string; fetchedAt: number } | undefined> {
      const row = await tables()
        .selectFrom('partner_lists')
        .selectAll()
        .where('kind', '=', kind)
        .executeTakeFirst()
      return row && { body: row.body, fetchedAt: row.fetched_at }
    },
    /** Replaces the copy, unless a newer one is stored. */
    async saveList(kind: ListKind, body: string, fetchedAt: number): Promise<void> {
      await tables()
        .insertInto('partner_lists')
        .values({ kind, body, fetched_at: fetchedAt })
        .onConflict((conflict) =>
          conflict
            .column('kind')
            .doUpdateSet({ body, fetched_at: fetchedAt })
            .where('partner_lists.fetched_at', '<', fetchedAt),
        )
        .execute()
    },
  }
}
