import { type Insertable, sql, type Updateable } from 'kysely'
import type { Core } from '#server/core.ts'
import type { Person } from '#server/features/history/acts.ts'
import { recordEvents } from '#server/features/history/history.ts'
import type { Row, Schema } from '#server/platform/database/schema.ts'
import type { ApprovalAct, ApprovalState } from '#shared/platform/desk-words.ts'
import { actionRules, eventOf, moneyActs } from './actions.rules.ts'

export type ApprovalRow = Row<'approvals'>
export type NewApproval = Insertable<Schema['approvals']>
type StaffKey = Pick<Person, 'issuer' | 'subject'>
/** Only one approval request with the same order, act and subject can wait. */
type Subject = Pick<ApprovalRow, 'order_id' | 'act' | 'about'>

// The literal lets both databases use the partial indexes.
const isWaiting = sql.lit<ApprovalState>('waiting')

const ofOrder = (orderId: number | null) =>
  orderId === null ? sql<boolean>`order_id IS NULL` : sql<boolean>`order_id = ${orderId}`

const approvals = ({ database }: Core) => database.tables.selectFrom('approvals').selectAll()
const updateApprovals = ({ database }: Core) => database.tables.updateTable('approvals')
const approvalsBy = ({ database }: Core, { issuer, subject }: StaffKey) =>
  database.tables
    .selectFrom('approvals')
    .where('asked_issuer', '=', issuer)
    .where('asked_subject', '=', subject)

/** @returns undefined when the same request waits already */
export async function insertApproval({ database }: Core, row: NewApproval): Promise<number | undefined> {
  const added = await database.tables
    .insertInto('approvals')
    .values(row)
    // Requests with and without an order have different partial indexes, so the conflict names no column.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

export const findApproval = (core: Core, id: number): Promise<ApprovalRow | undefined> =>
  approvals(core).where('id', '=', id).executeTakeFirst()

export const findWaiting = (
  core: Core,
  { order_id, act, about }: Subject,
): Promise<ApprovalRow | undefined> =>
  approvals(core)
    .where(ofOrder(order_id))
    .where('act', '=', act)
    .where('about', '=', about)
    .where('state', '=', isWaiting)
    .executeTakeFirst()

export const listWaiting = (
  core: Core,
  now: number,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
): Promise<ApprovalRow[]> =>
  approvals(core)
    .where('state', '=', isWaiting)
    .where('expires_at', '>', now)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(asked_at, id) > (SELECT asked_at, id FROM approvals AS last WHERE last.id = ${after})`,
      ),
    )
    .orderBy('asked_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const expireWaiting = (core: Core) =>
  updateApprovals(core).set({ state: 'expired', payload: null }).where('state', '=', isWaiting)

export async function expireApprovals(
  core: Core,
  { order_id, act }: Omit<Subject, 'about'>,
  now: number,
): Promise<void> {
  core.database.assertTransaction()
  const expired = await expireWaiting(core)
    .where(ofOrder(order_id))
    .where('act', '=', act)
    .where('expires_at', '<=', now)
    .returningAll()
    .execute()
  await recordExpired(core, expired, now)
}

export async function expireOldest(core: Core, now: number, limit: number): Promise<number> {
  core.database.assertTransaction()
  const expired = await expireWaiting(core)
    .where('id', 'in', (query) =>
      query
        .selectFrom('approvals')
        .select('id')
        .where('state', '=', isWaiting)
        .where('asked_at', '<=', now - actionRules.approvalMs)
        .orderBy('asked_at')
        .limit(limit),
    )
    .returningAll()
    .execute()
  await recordExpired(core, expired, now)
  return expired.length
}

const recordExpired = (core: Core, rows: readonly ApprovalRow[], at: number) =>
  recordEvents(
    core,
    rows.map((row) => ({
      ...eventOf(row),
      kind: 'approval-expired' as const,
      by: { kind: 'system' as const },
      at,
    })),
  )

/** @returns false when the request no longer waits */
export const decideApproval = (
  core: Core,
  id: number,
  decision: Updateable<Schema['approvals']>,
): Promise<boolean> =>
  core.database.wins(
    updateApprovals(core)
      .set({ ...decision, payload: null })
      .where('id', '=', id)
      .where('state', '=', isWaiting),
  )

export const confirmApproval = (core: Core, id: number, at: number): Promise<boolean> =>
  core.database.wins(
    updateApprovals(core)
      .set({ confirmed_at: at })
      .where('id', '=', id)
      .where('state', '=', isWaiting)
      .where('confirmed_at', 'is', null),
  )

export async function listRequestTimes(
  core: Core,
  by: StaffKey,
  acts: readonly ApprovalAct[],
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<number[]> {
  const rows = await approvalsBy(core, by)
    .select('asked_at')
    .where('asked_at', '>', since)
    .where('act', 'in', acts)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ asked_at }) => asked_at).reverse()
}

export async function sumMoved(core: Core, by: StaffKey, since: number): Promise<number> {
  const { sum } = await approvalsBy(core, by)
    .select((row) => row.fn.sum<number | null>('halalas').as('sum'))
    .where('decided_at', '>', since)
    .where('state', 'in', ['approved', 'alone'])
    .where('act', 'in', moneyActs)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export async function lockClaims({ database }: Core, orderId: number): Promise<void> {
  database.assertTransaction()
  if (database.engine === 'postgres')
    await database.tables
      .selectFrom('claims')
      .select('id')
      .where('order_id', '=', orderId)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
}
