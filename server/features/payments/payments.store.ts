import type { Generated, Selectable } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import {
  type AttemptState,
  asideVerdicts,
  type EventKind,
  type EventOutcome,
  inquiryDueAt,
  liveStates,
  openVerdicts,
  type RefundReason,
  type RefundState,
} from './payments.rules.ts'

interface AttemptsTable {
  id: Generated<number>
  order_id: number
  reference: string
  amount_halalas: number
  currency: string
  state: AttemptState
  intention_id: string | null
  provider_order_id: number | null
  client_secret: string | null
  created_at: number
  /** Until when the client secret may be handed out again. */
  secret_until: number
  inquired_at: number
  /** When the sweep asks the provider; null when it has asked for the last time. */
  next_inquiry_at: number | null
  inquiry_step: Generated<number>
}

interface EventsTable {
  id: Generated<number>
  transaction_id: string
  kind: EventKind
  attempt_id: number | null
  source: 'callback' | 'inquiry'
  outcome: EventOutcome
  amount_halalas: number
  currency: string
  body: string
  received_at: number
}

interface RefundsTable {
  id: Generated<number>
  transaction_id: string
  attempt_id: number
  amount_halalas: number
  reason: RefundReason
  state: RefundState
  tries: number
  next_try_at: number
  created_at: number
  done_at: number | null
}

interface PaymentsTables {
  payment_attempts: AttemptsTable
  payment_events: EventsTable
  refunds: RefundsTable
}

export type AttemptRow = Selectable<AttemptsTable>
export type EventRow = Selectable<EventsTable>
export type RefundRow = Selectable<RefundsTable>

/** What the payments room needs remembered. Money is halalas, times are epoch milliseconds. */
export interface PaymentsStore {
  /** Starts an attempt, unless the order has a live one: then undefined. One winner. */
  startAttempt(
    attempt: Pick<AttemptRow, 'order_id' | 'reference' | 'amount_halalas' | 'currency' | 'created_at'>,
  ): Promise<AttemptRow | undefined>
  /** Stores what the provider answered; `false` when the attempt was given up meanwhile. */
  openAttempt(
    id: number,
    intention: { intentionId: string; providerOrderId: number; clientSecret: string; secretUntil: number },
  ): Promise<boolean>
  /** Moves an attempt from one state to another; `false` when it was in none of `from`. */
  moveAttempt(id: number, from: readonly AttemptState[], to: AttemptState): Promise<boolean>
  findLiveAttempt(orderId: number): Promise<AttemptRow | undefined>
  /** Attempts whose provider knows an order number, newest first. */
  listOpened(orderId: number): Promise<AttemptRow[]>
  findByProviderOrder(providerOrderId: number): Promise<AttemptRow | undefined>
  findByReference(reference: string): Promise<AttemptRow | undefined>
  /** Inside a transaction: whoever else locks this attempt waits until it ends. */
  lockAttempt(id: number): Promise<void>
  /** Takes the right to inquire; `false` within `gapMs` of the last inquiry. One winner. */
  claimInquiry(id: number, now: number, gapMs: number): Promise<boolean>
  /** Takes one attempt whose inquiry is due and hides it until `hiddenUntil`; undefined when none is due. One winner. */
  claimDueInquiry(now: number, hiddenUntil: number): Promise<AttemptRow | undefined>
  /** Writes when to ask next. Nothing happens when the claim (`hiddenUntil`) is not ours any more. */
  planInquiry(id: number, hiddenUntil: number, step: number, dueAt: number | null): Promise<void>
  /** Notes the provider's order number of an attempt whose creation was never answered. */
  adoptProviderOrder(id: number, providerOrderId: number): Promise<void>
  /** True when a later attempt of the same order exists. */
  hasLaterAttempt(orderId: number, attemptId: number): Promise<boolean>
  countAttempts(): Promise<{ state: AttemptState; count: number }[]>
  /**
   * Keeps an event; `false` when one of this transaction and kind is kept already, unless that one's verdict was
   * open: then it is judged anew.
   */
  addEvent(event: Omit<EventRow, 'id'>): Promise<boolean>
  /** Corrects what became of an event. */
  setOutcome(transactionId: string, kind: EventKind, outcome: EventOutcome): Promise<void>
  listEvents(transactionId: string): Promise<EventRow[]>
  /** Orders the refund of a whole transaction, once. */
  addRefund(
    refund: Pick<RefundRow, 'transaction_id' | 'attempt_id' | 'amount_halalas' | 'reason'>,
    now: number,
  ): Promise<void>
  /** Takes one refund that is due and hides it until `hiddenUntil`; undefined when none is due. One winner. */
  claimDueRefund(now: number, hiddenUntil: number): Promise<RefundRow | undefined>
  /** Writes how far a refund is and when to go on; a refund that is done stays done. */
  planRefund(id: number, state: RefundState, nextTryAt: number): Promise<void>
  /** Ends the refund of a transaction, if there is one. */
  finishRefund(transactionId: string, now: number): Promise<void>
  countRefunds(): Promise<{ state: RefundState; count: number }[]>
  /** True while money of one of the orders has to go back: a refund not done, a payment put aside. */
  hasUnsettled(orderIds: readonly number[]): Promise<boolean>
  /** Takes the client secrets of the orders' attempts. */
  dropSecrets(orderIds: readonly number[]): Promise<void>
  /** Everything kept of the payments of the orders, oldest first. */
  listOfOrders(orderIds: readonly number[]): Promise<{
    attempts: AttemptRow[]
    events: EventRow[]
    refunds: RefundRow[]
  }>
}

export function createPaymentsStore(database: Database): PaymentsStore {
  const tables = () => database.tables<PaymentsTables>()
  return {
    startAttempt: (attempt) =>
      tables()
        .insertInto('payment_attempts')
        .values({
          ...attempt,
          state: 'creating',
          secret_until: 0,
          inquired_at: 0,
          next_inquiry_at: inquiryDueAt(attempt.created_at, 0),
        })
        // The partial unique index over live attempts decides; the reference is random and cannot collide.
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),
    async openAttempt(id, { intentionId, providerOrderId, clientSecret, secretUntil }) {
      const won = await tables()
        .updateTable('payment_attempts')
        .set({
          state: 'open',
          intention_id: intentionId,
          provider_order_id: providerOrderId,
          client_secret: clientSecret,
          secret_until: secretUntil,
        })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    async moveAttempt(id, from, to) {
      const won = await tables()
        .updateTable('payment_attempts')
        .set({ state: to })
        .where('id', '=', id)
        .where('state', 'in', [...from])
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    findLiveAttempt: (orderId) =>
      tables()
        .selectFrom('payment_attempts')
        .selectAll()
        .where('order_id', '=', orderId)
        .where('state', 'in', [...liveStates])
        .executeTakeFirst(),
    listOpened: (orderId) =>
      tables()
        .selectFrom('payment_attempts')
        .selectAll()
        .where('order_id', '=', orderId)
        .where('provider_order_id', 'is not', null)
        .orderBy('id', 'desc')
        .execute(),
    findByProviderOrder: (providerOrderId) =>
      tables()
        .selectFrom('payment_attempts')
        .selectAll()
        .where('provider_order_id', '=', providerOrderId)
        .executeTakeFirst(),
    findByReference: (reference) =>
      tables()
        .selectFrom('payment_attempts')
        .selectAll()
        .where('reference', '=', reference)
        .executeTakeFirst(),
    async lockAttempt(id) {
      // Writing a row over itself locks it on both engines.
      await tables()
        .updateTable('payment_attempts')
        .set((expression) => ({ order_id: expression.ref('order_id') }))
        .where('id', '=', id)
        .execute()
    },
    async claimInquiry(id, now, gapMs) {
      const won = await tables()
        .updateTable('payment_attempts')
        .set({ inquired_at: now })
        .where('id', '=', id)
        .where('inquired_at', '<=', now - gapMs)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    claimDueInquiry: (now, hiddenUntil) =>
      tables()
        .updateTable('payment_attempts')
        .set({ next_inquiry_at: hiddenUntil })
        .where('id', '=', (query) =>
          query
            .selectFrom('payment_attempts as due')
            .select('due.id')
            .where('due.next_inquiry_at', '<=', now)
            .orderBy('due.next_inquiry_at')
            .limit(1)
            .$if(database.engine === 'postgres', (inner) => inner.forUpdate().skipLocked()),
        )
        .where('next_inquiry_at', '<=', now)
        .returningAll()
        .executeTakeFirst(),
    async planInquiry(id, hiddenUntil, step, dueAt) {
      await tables()
        .updateTable('payment_attempts')
        .set({ inquiry_step: step, next_inquiry_at: dueAt })
        .where('id', '=', id)
        .where('next_inquiry_at', '=', hiddenUntil)
        .execute()
    },
    async adoptProviderOrder(id, providerOrderId) {
      await tables()
        .updateTable('payment_attempts')
        .set({ provider_order_id: providerOrderId })
        .where('id', '=', id)
        .where('provider_order_id', 'is', null)
        .execute()
    },
    async hasLaterAttempt(orderId, attemptId) {
      const later = await tables()
        .selectFrom('payment_attempts')
        .select('id')
        .where('order_id', '=', orderId)
        .where('id', '>', attemptId)
        .limit(1)
        .executeTakeFirst()
      return later !== undefined
    },
    countAttempts: () =>
      tables()
        .selectFrom('payment_attempts')
        .select(['state', (expression) => expression.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute(),
    async addEvent(event) {
      const added = await tables()
        .insertInto('payment_events')
        .values(event)
        .onConflict((conflict) =>
          conflict
            .columns(['transaction_id', 'kind'])
            .doUpdateSet({ ...event })
            .where('payment_events.outcome', 'in', [...openVerdicts]),
        )
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
    async setOutcome(transactionId, kind, outcome) {
      await tables()
        .updateTable('payment_events')
        .set({ outcome })
        .where('transaction_id', '=', transactionId)
        .where('kind', '=', kind)
        .execute()
    },
    listEvents: (transactionId) =>
      tables()
        .selectFrom('payment_events')
        .selectAll()
        .where('transaction_id', '=', transactionId)
        .orderBy('id')
        .execute(),
    async addRefund(refund, now) {
      await tables()
        .insertInto('refunds')
        .values({ ...refund, state: 'due', tries: 0, next_try_at: now, created_at: now })
        .onConflict((conflict) => conflict.column('transaction_id').doNothing())
        .execute()
    },
    claimDueRefund: (now, hiddenUntil) =>
      tables()
        .updateTable('refunds')
        .set((expression) => ({ next_try_at: hiddenUntil, tries: expression('tries', '+', 1) }))
        .where('id', '=', (query) =>
          query
            .selectFrom('refunds as waiting')
            .select('waiting.id')
            .where('waiting.state', '!=', 'done')
            .where('waiting.next_try_at', '<=', now)
            .orderBy('waiting.next_try_at')
            .limit(1)
            .$if(database.engine === 'postgres', (inner) => inner.forUpdate().skipLocked()),
        )
        .where('next_try_at', '<=', now)
        .returningAll()
        .executeTakeFirst(),
    async planRefund(id, state, nextTryAt) {
      await tables()
        .updateTable('refunds')
        .set({ state, next_try_at: nextTryAt })
        .where('id', '=', id)
        .where('state', '!=', 'done')
        .execute()
    },
    async finishRefund(transactionId, now) {
      await tables()
        .updateTable('refunds')
        .set({ state: 'done', done_at: now })
        .where('transaction_id', '=', transactionId)
        .where('state', '!=', 'done')
        .execute()
    },
    countRefunds: () =>
      tables()
        .selectFrom('refunds')
        .select(['state', (expression) => expression.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute(),
    async hasUnsettled(orderIds) {
      if (orderIds.length === 0) return false
      const attempt = await tables()
        .selectFrom('payment_attempts as attempt')
        .select('attempt.id')
        .where('attempt.order_id', 'in', [...orderIds])
        .where((either) =>
          either.or([
            either.exists(
              either
                .selectFrom('refunds')
                .select('refunds.id')
                .whereRef('refunds.attempt_id', '=', 'attempt.id')
                .where('refunds.state', '!=', 'done'),
            ),
            either.exists(
              either
                .selectFrom('payment_events as aside')
                .select('aside.id')
                .whereRef('aside.attempt_id', '=', 'attempt.id')
                .where('aside.kind', '=', 'succeeded')
                .where('aside.outcome', 'in', [...asideVerdicts])
                .where((given) =>
                  given.not(
                    given.exists(
                      given
                        .selectFrom('payment_events as back')
                        .select('back.id')
                        .whereRef('back.transaction_id', '=', 'aside.transaction_id')
                        .where('back.kind', 'in', ['refunded', 'voided'])
                        .where('back.outcome', '!=', 'partial-refund'),
                    ),
                  ),
                ),
            ),
          ]),
        )
        .limit(1)
        .executeTakeFirst()
      return attempt !== undefined
    },
    async dropSecrets(orderIds) {
      if (orderIds.length === 0) return
      await tables()
        .updateTable('payment_attempts')
        .set({ client_secret: null })
        .where('order_id', 'in', [...orderIds])
        .execute()
    },
    async listOfOrders(orderIds) {
      if (orderIds.length === 0) return { attempts: [], events: [], refunds: [] }
      const attempts = await tables()
        .selectFrom('payment_attempts')
        .selectAll()
        .where('order_id', 'in', [...orderIds])
        .orderBy('id')
        .execute()
      const ids = attempts.map(({ id }) => id)
      if (ids.length === 0) return { attempts, events: [], refunds: [] }
      const events = await tables()
        .selectFrom('payment_events')
        .selectAll()
        .where('attempt_id', 'in', ids)
        .orderBy('id')
        .execute()
      const refunds = await tables()
        .selectFrom('refunds')
        .selectAll()
        .where('attempt_id', 'in', ids)
        .orderBy('id')
        .execute()
      return { attempts, events, refunds }
    },
  }
}
