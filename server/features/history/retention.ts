import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { claimEventKinds, type EventKind } from './history.kinds.ts'
import { erasePersonal, withoutChanged, withoutPersonal } from './history.ts'

interface Batch {
  readonly rows: number
  readonly more: boolean
}

// SQL that uses a partial index must contain literals, not parameters.

const isNamedAct = sql<boolean>`(actor_kind IN ('staff', 'operator') AND actor_name IS NOT NULL)`

export const eraseWords = (
  core: QueryCore,
  kinds: readonly ('not-accepted' | 'label-refused' | 'payment-failed' | 'refund-refused')[],
  before: number,
  limit: number,
): Promise<Batch> => {
  const literals = sql.join(kinds.map((kind) => sql.lit(kind)))
  // JSON escapes quotation marks, so no text inside the data can match this pattern.
  return erasePersonal(core, sql<boolean>`(kind IN (${literals}) AND data LIKE '%"personal":{%')`, {
    before,
    limit,
  })
}

const keptKinds: readonly EventKind[] = [
  'order-cancelled',
  'refund-ordered',
  'refund-written-off',
  'label-permitted',
  'receiver-changed',
  'account-changed',
  'compensated',
]

/**
 * An old act that is a step of an order or a claim stays, without actor and changes. Only a step of a claim keeps its
 * texts.
 */
export async function deleteActs({ database }: QueryCore, before: number, limit: number): Promise<Batch> {
  const old = await database.tables
    .selectFrom('events')
    .select(['id', 'kind'])
    .where(isNamedAct)
    .where('recorded_at', '<', before)
    .orderBy('recorded_at')
    .limit(limit)
    .execute()
  const idsOf = (kinds: readonly EventKind[]) =>
    old.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  const [kept, ofClaims] = [idsOf(keptKinds), idsOf(claimEventKinds)]
  const deleted = old.map(({ id }) => id).filter((id) => !kept.includes(id) && !ofClaims.includes(id))
  const unnamed = { actor_issuer: null, actor_subject: null, actor_name: null, actor_roles: null }
  const strip = (ids: readonly number[], data: ReturnType<typeof withoutChanged>) =>
    database.tables
      .updateTable('events')
      .set({ ...unnamed, data })
      .where('id', 'in', ids)
      .where(isNamedAct)
      .executeTakeFirst()
  let rows = 0
  if (kept.length > 0)
    rows += Number((await strip(kept, withoutChanged(database, withoutPersonal(database)))).numUpdatedRows)
  if (ofClaims.length > 0) rows += Number((await strip(ofClaims, withoutChanged(database))).numUpdatedRows)
  if (deleted.length > 0) {
    const { numDeletedRows } = await database.tables
      .deleteFrom('events')
      .where('id', 'in', deleted)
      .executeTakeFirst()
    rows += Number(numDeletedRows)
  }
  return { rows, more: old.length === limit }
}
