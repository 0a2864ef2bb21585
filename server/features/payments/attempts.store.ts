import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedChanges, preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { AttemptState } from '#shared/payments/payments.schemas.ts'
import { attemptRules, inquiryDueAt, liveStates, requestsAtOnce } from './payments.rules.ts'

export type AttemptRow = Row<'payment_attempts'>

type NewAttempt = Pick<AttemptRow, 'order_id' | 'reference' | 'amount_halalas' | 'currency' | 'created_at'>

interface StoredIntention {
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
  readonly secretUntil: number
}

// Literals, so that the database sees that the partial index over live attempts covers the query.
const isLive = liveStates.map((state) => sql.lit(state))

/** Payment attempts: one intention at the provider each. Money is halalas, times are epoch milliseconds. */
export function createAttemptsStore(database: Database) {
  const attempts = () => database.tables.selectFrom('payment_attempts').selectAll()
  const updateAttempts = () => database.tables.updateTable('payment_attempts')
  const leases = createLeases(database, 'payment_attempts')
  const started = preparedFirst<NewAttempt & { due_at: number | null }, AttemptRow>(database, (given) =>
    database.tables
      .insertInto('payment_attempts')
      .values({
        order_id: given('order_id'),
        reference: given('reference'),
        currency: given('currency'),
        amount_halalas: given('amount_halalas'),
        created_at: given('created_at'),
        state: 'creating',
        secret_until: 0,
        inquired_at: 0,
        due_at: given('due_at'),
      })
      // The partial unique index over live attempts decides; the reference is random and cannot collide.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll(),
  )
  const live = preparedFirst<{ orderId: number }, AttemptRow>(database, (given) =>
    attempts().where('order_id', '=', given('orderId')).where('state', 'in', liveStates),
  )
  const ofProviderOrder = preparedFirst<{ id: number }, AttemptRow>(database, (given) =>
    attempts().where('provider_order_id', '=', given('id')),
  )
  // Writing a row over itself locks it on both engines.
  const locked = preparedChanges<{ id: number }>(database, (given) =>
    updateAttempts()
      .set((expression) => ({ order_id: expression.ref('order_id') }))
      .where('id', '=', given('id')),
  )
  return {
    /** Starts an attempt; undefined when the order has a live one. One winner. */
    startAttempt: (attempt: NewAttempt): Promise<AttemptRow | undefined> =>
      started({ ...attempt, due_at: inquiryDueAt(attempt.created_at, 0) }),

    /** Stores the intention of an attempt in `creating`; false when the attempt has left that state. */
    async openAttempt(
      id: number,
      { intentionId, providerOrderId, clientSecret, secretUntil }: StoredIntention,
    ): Promise<boolean> {
      return database.wins(
        updateAttempts()
          .set({
            state: 'open',
            intention_id: intentionId,
            provider_order_id: providerOrderId,
            client_secret: clientSecret,
            secret_until: secretUntil,
          })
          .where('id', '=', id)
          .where('state', '=', 'creating'),
      )
    },

    /** Moves an attempt from one state to another; false when it was in none of `from`. One winner. */
    async moveAttempt(id: number, from: readonly AttemptState[], to: AttemptState): Promise<boolean> {
      return database.wins(
        updateAttempts().set({ state: to }).where('id', '=', id).where('state', 'in', from),
      )
    },

    /** How many attempts are in each live state; a state without an attempt is left out. */
    async countLive(): Promise<ReadonlyMap<string, number>> {
      const rows = await database.tables
        .selectFrom('payment_attempts')
        .select((attempt) => ['state', attempt.fn.countAll().as('count')])
        .where('state', 'in', isLive)
        .groupBy('state')
        .execute()
      return new Map(rows.map(({ state, count }) => [state, Number(count)]))
    },

    findLiveAttempt(orderId: number): Promise<AttemptRow | undefined> {
      return live({ orderId })
    },

    /** Attempts with an order number of the provider, newest first. */
    listOpened(orderId: number): Promise<AttemptRow[]> {
      return attempts()
        .where('order_id', '=', orderId)
        .where('provider_order_id', 'is not', null)
        .orderBy('id', 'desc')
        .execute()
    },

    findByProviderOrder(providerOrderId: number): Promise<AttemptRow | undefined> {
      return ofProviderOrder({ id: providerOrderId })
    },

    /** An attempt under any of these order numbers of the provider. */
    async findByAnyProviderOrder(providerOrderIds: readonly number[]): Promise<AttemptRow | undefined> {
      if (providerOrderIds.length === 0) return undefined
      return attempts().where('provider_order_id', 'in', providerOrderIds).limit(1).executeTakeFirst()
    },

    findByIntention(intentionId: string): Promise<AttemptRow | undefined> {
      return attempts().where('intention_id', '=', intentionId).executeTakeFirst()
    },

    /** By merchant reference. */
    findByReference(reference: string): Promise<AttemptRow | undefined> {
      return attempts().where('reference', '=', reference).executeTakeFirst()
    },

    /** Inside a transaction: locks the attempt until the transaction ends. */
    async lockAttempt(id: number): Promise<void> {
      database.assertTransaction()
      await locked({ id })
    },

    /** Inside a transaction: locks every attempt of an order until the transaction ends. */
    async lockAttempts(orderId: number): Promise<void> {
      database.assertTransaction()
      await updateAttempts()
        .set((expression) => ({ order_id: expression.ref('order_id') }))
        .where('order_id', '=', orderId)
        .execute()
    },

    /** Ends the live attempt of an order, if it has one: its secret is not returned again. */
    async supersedeLive(orderId: number): Promise<void> {
      await updateAttempts()
        .set({ state: 'superseded' })
        .where('order_id', '=', orderId)
        .where('state', 'in', liveStates)
        .execute()
    },

    /** Claims the right to inquire; false within `gapMs` of the last inquiry. One winner. */
    async claimInquiry(id: number, gapMs: number, now: Moment = database.now()): Promise<boolean> {
      const at = sql<number>`CAST(${now} AS bigint)`
      return database.wins(
        updateAttempts()
          .set({ inquired_at: at })
          .where('id', '=', id)
          .where('inquired_at', '<=', sql<number>`${at} - ${sql.lit(gapMs)}`),
      )
    },

    /**
     * Makes the next inquiry due now, or `gapMs` after the last one where that is later; false when it is due by then
     * anyway. Takes a lease away: the inquiry under way may have asked too early. However often it is called, one inquiry
     * follows per `gapMs`, and none is lost.
     */
    async hastenInquiry(
      id: number,
      gapMs: number = attemptRules.inquiryGapMs,
      now: Moment = database.now(),
    ): Promise<boolean> {
      const at = sql<number>`CAST(${now} AS bigint)`
      const gap = sql.lit(gapMs)
      const soonest = sql<number>`CASE WHEN inquired_at > ${at} - ${gap} THEN inquired_at + ${gap} ELSE ${at} END`
      return database.wins(
        updateAttempts()
          .set(released(soonest))
          .where('id', '=', id)
          .where(sql<boolean>`(due_at IS NULL OR due_at > ${soonest} OR leased_until > ${at})`),
      )
    },

    /** Leases the attempt whose inquiry has been due longest; undefined when none is due. One winner. */
    async leaseInquiry(
      now: Moment = database.now(),
      until: Moment = database.now(attemptRules.leaseMs),
    ): Promise<Claimed<'payment_attempts'> | undefined> {
      const [attempt] = await leases.claim({ now, until, most: requestsAtOnce, stamp: 'inquired_at' })
      return attempt
    },

    /** Inquiries that are due. */
    readDueInquiries: leases.backlog,

    /** Schedules the next inquiry (null: none). Changes nothing when the lease was lost. */
    async planInquiry(
      { id, lease }: Pick<Claimed<'payment_attempts'>, 'id' | 'lease'>,
      step: number,
      dueAt: number | null,
      reason: string | null = null,
    ): Promise<void> {
      await leases
        .held(id, lease)
        .set({ ...released(dueAt), inquiry_step: step, last_error: reason })
        .execute()
    },

    /** Stores the provider's order number of an attempt whose creation was never answered. */
    async adoptProviderOrder(id: number, providerOrderId: number): Promise<void> {
      await updateAttempts()
        .set({ provider_order_id: providerOrderId })
        .where('id', '=', id)
        .where('provider_order_id', 'is', null)
        .execute()
    },

    /** True when a later attempt of the same order exists. */
    async hasLaterAttempt(orderId: number, attemptId: number): Promise<boolean> {
      const later = await database.tables
        .selectFrom('payment_attempts')
        .select('id')
        .where('order_id', '=', orderId)
        .where('id', '>', attemptId)
        .limit(1)
        .executeTakeFirst()
      return later !== undefined
    },

    /** Clears the client secrets of the orders' attempts. */
    async clearSecrets(orderIds: readonly number[]): Promise<void> {
      if (orderIds.length === 0) return
      await updateAttempts().set({ client_secret: null }).where('order_id', 'in', orderIds).execute()
    },
  }
}
