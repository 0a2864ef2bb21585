import type { Database } from '#server/platform/database/database.ts'

export type ListKind = 'centers' | 'agents'

interface PartnerListsTable {
  kind: ListKind
  body: string
  fetched_at: number
}

interface PartnerTables {
  partner_lists: PartnerListsTable
}

/** The last good copy of each list, so that a restart while the partner is down still has them. */
export interface PartnerStore {
  /** Undefined when the list was never fetched. `body` is the JSON of the list; `fetchedAt` epoch milliseconds. */
  findList(kind: ListKind): Promise<{ body: string; fetchedAt: number } | undefined>
  /** Replaces the copy, unless a newer one is kept already. */
  keepList(kind: ListKind, body: string, fetchedAt: number): Promise<void>
}

export function createPartnerStore(database: Database): PartnerStore {
  const tables = () => database.tables<PartnerTables>()
  return {
    async findList(kind) {
      const row = await tables()
        .selectFrom('partner_lists')
        .selectAll()
        .where('kind', '=', kind)
        .executeTakeFirst()
      return row && { body: row.body, fetchedAt: row.fetched_at }
    },
    async keepList(kind, body, fetchedAt) {
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
