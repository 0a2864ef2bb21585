import { type Actor, recordEvent, recordEvents } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'

// An order has at most one valid link. Only the hash of its token is stored.

interface Share {
  readonly orderId: number
  readonly createdAt: number
}

const byOwner = { kind: 'owner' } as const

const shares = ({ database }: QueryCore) =>
  database.tables.selectFrom('order_shares').select(['order_id as orderId', 'created_at as createdAt'])

export const findShareByToken = (core: QueryCore, tokenHash: string): Promise<Share | undefined> =>
  shares(core).where('token_hash', '=', tokenHash).executeTakeFirst()

export const findShareOfOrder = (core: QueryCore, orderId: number): Promise<Share | undefined> =>
  shares(core).where('order_id', '=', orderId).executeTakeFirst()

export async function saveShare(
  core: QueryCore,
  orderId: number,
  tokenHash: string,
  now: number,
): Promise<void> {
  const { database } = core
  database.assertTransaction()
  await endLinks(core, [orderId], byOwner)
  const link = {
    token_hash: tokenHash,
    created_at: now,
  }
  await database.tables
    .insertInto('order_shares')
    .values({ ...link, order_id: orderId })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet(link))
    .execute()
  await recordEvent(core, { kind: 'link-created', data: {}, by: byOwner, orderId })
}

export async function endSharesOfOrders(core: QueryCore, orderIds: readonly number[]): Promise<void> {
  core.database.assertTransaction()
  await endLinks(core, orderIds, byOwner)
}

export async function endOldShares(core: QueryCore, before: number, limit: number): Promise<number> {
  core.database.assertTransaction()
  const old = await shares(core).where('created_at', '<', before).orderBy('created_at').limit(limit).execute()
  const orderIds = old.map(({ orderId }) => orderId)
  return endLinks(core, orderIds, { kind: 'system' }, before)
}

/** A link that was created at `before` or later does not end. */
async function endLinks(core: QueryCore, orderIds: readonly number[], by: Actor, before?: number) {
  if (orderIds.length === 0) return 0
  const ended = await core.database.tables
    .deleteFrom('order_shares')
    .where('order_id', 'in', orderIds)
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? 0))
    .returning('order_id')
    .execute()
  const events = ended.map(
    ({ order_id: orderId }) => ({ kind: 'link-ended', data: {}, by, orderId }) as const,
  )
  await recordEvents(core, events)
  return ended.length
}
