import { sql } from 'kysely'
import { lockPerson } from '#server/features/history/acts.ts'
import { claimEventKinds } from '#server/features/history/history.kinds.ts'
import { type NewEvent, recordEvents, storedEventOf } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ApprovalState } from '#shared/desk-actions/desk-actions.schemas.ts'
import { actionRules, dataOf, moneyActs, subjectOf } from './desk-actions.rules.ts'

export type ApprovalRow = Row<'approvals'>
type Decided =
  | 'decided_at'
  | 'decided_issuer'
  | 'decided_subject'
  | 'decided_by'
  | 'decided_roles'
  | 'decision'
type Defaulted = 'asked_roles' | 'terminal_user' | 'confirmed_at' | Decided
export type NewApproval = Omit<ApprovalRow, 'id' | Defaulted> & Partial<Pick<ApprovalRow, Defaulted>>
export type Decision = Pick<ApprovalRow, 'state' | Decided>

// A literal, so that both engines see that the partial indexes cover the query.
const isWaiting = sql.lit<ApprovalState>('waiting')

/** That a claim is late changes by itself. */
const stepsOfPeople = claimEventKinds.filter((kind) => kind !== 'claim-late')

const isOf = (orderId: number | null) =>
  orderId === null ? sql<boolean>`order_id IS NULL` : sql<boolean>`order_id = ${orderId}`

export type DeskActionsStore = ReturnType<typeof createDeskActionsStore>

/** What staff asked for, approved and noted. Times are epoch milliseconds, money is halalas. */
export function createDeskActionsStore(database: Database) {
  return {
    ...createApprovals(database),
    /** How claims about the bags of orders stand, with the last thing that a person did, and what was compensated. */
    async listClaims(orderIds: readonly number[]) {
      if (orderIds.length === 0) return []
      const rows = await database.tables
        .selectFrom('claims')
        .select(['claims.id', 'claims.order_id', 'claims.state', 'claims.late_since'])
        .select((claim) => [
          claim
            .selectFrom('compensations')
            .select((row) => row.fn.sum<number | null>('halalas').as('sum'))
            .whereRef('compensations.claim_id', '=', 'claims.id')
            .as('compensated'),
          claim
            .selectFrom('events')
            .select((row) => row.fn.max('events.id').as('last'))
            .whereRef('events.claim_id', '=', 'claims.id')
            .where('events.kind', 'in', stepsOfPeople)
            .as('step'),
        ])
        .where('claims.order_id', 'in', orderIds)
        .execute()
      return rows.map((row) => ({ ...row, compensated: Number(row.compensated ?? 0) }))
    },

    /** Inside a transaction: no step of these claims is taken until that ends. */
    async lockClaims(orderId: number): Promise<void> {
      database.assertTransaction()
      // SQLite has one writer at a time.
      if (database.engine === 'postgres')
        await database.tables
          .selectFrom('claims')
          .select('id')
          .where('order_id', '=', orderId)
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
    },
    /** What staff noted about orders and was not erased, the oldest first. */
    async listNotes(orderIds: readonly number[]) {
      if (orderIds.length === 0) return []
      const rows = await database.tables
        .selectFrom('events')
        .selectAll()
        .where('order_id', 'in', orderIds)
        .where('kind', '=', 'note')
        .orderBy('id')
        .execute()
      return rows.map(storedEventOf).flatMap(({ orderId, at, ...event }) => {
        const text = event.kind === 'note' ? event.data.personal?.text : undefined
        return text === undefined ? [] : [{ orderId, at, text }]
      })
    },
  }
}

function createApprovals(database: Database) {
  const approvals = () => database.tables.selectFrom('approvals').selectAll()
  const update = () => database.tables.updateTable('approvals')
  const recordExpired = (rows: readonly ApprovalRow[], at: number) =>
    recordEvents(
      { database },
      rows.map(
        (row) =>
          ({
            kind: 'approval-expired',
            ...subjectOf(row),
            by: { kind: 'system' },
            at,
            data: dataOf(row),
          }) satisfies NewEvent,
      ),
    )

  return {
    lockPerson: (issuer: string, subject: string) => lockPerson({ database }, { issuer, subject }),

    /** Stores what is asked for; undefined where the same waits already, for example the refund of one transaction. */
    async addApproval(row: NewApproval): Promise<number | undefined> {
      const added = await database.tables
        .insertInto('approvals')
        .values(row)
        // Two partial indexes: of an order, and without one.
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added?.id
    },

    findApproval: (id: number): Promise<ApprovalRow | undefined> =>
      approvals().where('id', '=', id).executeTakeFirst(),

    findWaiting: ({
      order_id,
      act,
      about,
    }: Pick<ApprovalRow, 'order_id' | 'act' | 'about'>): Promise<ApprovalRow | undefined> =>
      approvals()
        .where(isOf(order_id))
        .where('act', '=', act)
        .where('about', '=', about)
        .where('state', '=', isWaiting)
        .executeTakeFirst(),

    /** Inside a transaction: what has waited too long waits no more. */
    async expireApprovals(orderId: number | null, act: ApprovalRow['act'], now: number): Promise<void> {
      database.assertTransaction()
      await recordExpired(
        await update()
          .set({ state: 'expired', payload: null })
          .where(isOf(orderId))
          .where('act', '=', act)
          .where('state', '=', isWaiting)
          .where('expires_at', '<=', now)
          .returningAll()
          .execute(),
        now,
      )
    },

    /** True for the one decision. Nothing personal is kept of what is decided. */
    decideApproval: (id: number, decision: Decision): Promise<boolean> =>
      database.wins(
        update()
          .set({ ...decision, payload: null })
          .where('id', '=', id)
          .where('state', '=', isWaiting),
      ),

    /** False where it is confirmed already, or waits no more. */
    confirmApproval: (id: number, at: number): Promise<boolean> =>
      database.wins(
        update()
          .set({ confirmed_at: at })
          .where('id', '=', id)
          .where('state', '=', isWaiting)
          .where('confirmed_at', 'is', null),
      ),

    /** Inside a transaction: approvals that waited too long end; returns how many. What they hold of people goes with it. */
    async expireOld(now: number, limit: number): Promise<number> {
      database.assertTransaction()
      const expired = await update()
        .set({ state: 'expired', payload: null })
        // Again: of two gateways at once the second waits here for the first.
        .where('state', '=', isWaiting)
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
      await recordExpired(expired, now)
      return expired.length
    },

    /** Those that wait and have not expired, the oldest first. @param after the last one of the page before */
    listWaiting: (
      now: number,
      { after, limit }: { readonly after?: number | undefined; readonly limit: number },
    ): Promise<ApprovalRow[]> =>
      approvals()
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
        .execute(),

    /** When a person asked for these acts after `since`, or did them alone; the newest `limit`, oldest first. */
    async listAskedTimes(
      { issuer, subject }: { readonly issuer: string; readonly subject: string },
      acts: readonly ApprovalRow['act'][],
      { since, limit }: { readonly since: number; readonly limit: number },
    ): Promise<number[]> {
      const rows = await database.tables
        .selectFrom('approvals')
        .select('asked_at')
        .where('asked_issuer', '=', issuer)
        .where('asked_subject', '=', subject)
        .where('asked_at', '>', since)
        .where('act', 'in', acts)
        .orderBy('asked_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ asked_at }) => asked_at).reverse()
    },

    /** Halalas that a person asked for and that were ordered after `since`, also alone. */
    async sumOrdered(issuer: string, subject: string, since: number): Promise<number> {
      const { sum } = await database.tables
        .selectFrom('approvals')
        .select((row) => row.fn.sum<number | null>('halalas').as('sum'))
        .where('asked_issuer', '=', issuer)
        .where('asked_subject', '=', subject)
        .where('decided_at', '>', since)
        .where('state', 'in', ['approved', 'alone'])
        .where('act', 'in', moneyActs)
        .executeTakeFirstOrThrow()
      return Number(sum ?? 0)
    },

    /** Personal details of what an owner's orders wait for, when the account is deleted. */
    async eraseNumber(userId: number): Promise<void> {
      await update()
        .set({ payload: null })
        .where('act', '=', 'number')
        .where('about', '=', String(userId))
        .where('order_id', 'is', null)
        .where('state', '=', isWaiting)
        .execute()
    },
    async erasePayloads(orderIds: readonly number[]): Promise<void> {
      if (orderIds.length === 0) return
      await update().set({ payload: null }).where('order_id', 'in', orderIds).execute()
    },
  }
}
