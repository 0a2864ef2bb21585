import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { ListKind } from './partner-lists.ts'

// A restart while the partner is down needs the last good copy of each list.

export const findStoredList = (
  { database }: QueryCore,
  kind: ListKind,
): Promise<{ body: string; fetchedAt: number; halvedSince: number | null } | undefined> =>
  database.tables
    .selectFrom('partner_lists')
    .select(['body', 'fetched_at as fetchedAt', 'halved_since as halvedSince'])
    .where('kind', '=', kind)
    .executeTakeFirst()

export async function storeList(
  { database }: QueryCore,
  kind: ListKind,
  body: string,
  fetchedAt: number,
): Promise<void> {
  const copy = {
    body,
    fetched_at: fetchedAt,
    halved_since: null,
  }
  await database.tables
    .insertInto('partner_lists')
    .values({ ...copy, kind })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet(copy).where('partner_lists.fetched_at', '<', fetchedAt),
    )
    .execute()
}

/** Records that the partner's list has lost more than half of its rows. @returns when a gateway first received such a list */
export async function recordHalvedList(
  { database }: QueryCore,
  kind: ListKind,
  now: number,
): Promise<number> {
  const row = await database.tables
    .updateTable('partner_lists')
    .set({ halved_since: sql<number>`coalesce(halved_since, cast(${now} as bigint))` })
    .where('kind', '=', kind)
    .returning('halved_since')
    .executeTakeFirst()
  return row?.halved_since ?? now
}

/**
 * Lets every gateway accept a list that has lost more than half of its rows. @param since the time of the first such
 * list
 */
export async function acceptHalvedList(
  { database }: QueryCore,
  kind: ListKind,
  since: number,
): Promise<boolean> {
  const changed = await database.changes(
    database.tables
      .updateTable('partner_lists')
      .set({ halved_since: 0 })
      .where('kind', '=', kind)
      .where('halved_since', '=', since)
      .where('halved_since', '>', 0),
  )
  return changed > 0
}

export async function forgetHalvedLists({ database }: QueryCore, kind: ListKind): Promise<void> {
  await database.tables
    .updateTable('partner_lists')
    .set({ halved_since: null })
    .where('kind', '=', kind)
    .execute()
}
