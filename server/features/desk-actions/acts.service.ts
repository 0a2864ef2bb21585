import type { Core } from '#server/core.ts'
import type { ActionOrigin } from '#server/features/audit/audit.service.ts'
import { countActs, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { ActKind, Changed } from '#server/features/history/history.kinds.ts'
import type { Acting, Actor } from '#server/features/history/history.ts'
import type { MessageActs } from '#server/features/messages/message-acts.ts'
import type { OrderActs } from '#server/features/orders/orders.service.ts'
import type { PaymentActs } from '#server/features/payments/payment-acts.ts'
import type { TrackingActs } from '#server/features/tracking/tracking.feature.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { deskActionsErrors, whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { currency } from '#shared/platform/money.ts'
import {
  type AskedFor,
  actionRules,
  type Check,
  checksOf,
  type FactRows,
  type Facts,
  factsOf,
  isSentLately,
  isStillSo,
  type Ledger,
  ledgerOf,
  toSendAgain,
} from './desk-actions.rules.ts'
import type { ApprovalRow, DeskActionsStore } from './desk-actions.store.ts'

/** What staff and operators change of an order. Of `npm run ops` these are stores. */
export interface ActsDeps extends Pick<Core, 'database'> {
  readonly store: DeskActionsStore
  readonly orders: OrderActs
  readonly payments: PaymentActs
  readonly messages: MessageActs
  readonly tracking: TrackingActs
  /** TRACKING_SILENCE_HOURS, in milliseconds. */
  readonly silenceMs: number
}

export type Acts = ReturnType<typeof createActs>
export type ActedOrder = NonNullable<Awaited<ReturnType<OrderActs['findOrder']>>>

/** What is read of a request, for the person who decides about it. */
export interface Decidable {
  readonly facts: Facts
  readonly checks: readonly Check[]
}

export const notPossible = (why: keyof typeof whyNot): Failure =>
  failure(deskActionsErrors, 'ACTION_NOT_POSSIBLE', { values: { why: whyNot[why] } })

/** Who acts: staff, or an operator at a terminal. */
export const actorOf = ({ actor: name, staff }: Pick<ActionOrigin, 'actor' | 'staff'>): Actor =>
  staff ? staffActor({ ...staff, name }) : { kind: 'operator', name }

/** Who acts, and why. */
export const actingOf = (origin: ActionOrigin): Acting => ({ by: actorOf(origin), reason: origin.reason })

const timeOf = (epochMs: number | null) => (epochMs === null ? '-' : isoOf(epochMs))

/**
 * What staff of the desk and operators do about an order, each inside a transaction of its caller and with its event. A worker
 * of a gateway carries it out, within seconds. The desk and `npm run ops` call the same functions.
 */
export function createActs(deps: ActsDeps) {
  const { database, store, orders, payments, messages, tracking, silenceMs } = deps

  /** @throws Failure ORDER_NOT_FOUND */
  async function find(orderId: number): Promise<ActedOrder> {
    const order = await orders.findOrder(orderId)
    if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return order
  }

  /** Acts about one order, and reports of its payments, wait for each other. @throws Failure ORDER_NOT_FOUND */
  async function lock(orderId: number): Promise<ActedOrder> {
    database.assertTransaction()
    // In the order in which applying a report locks, so that the two do not wait for each other.
    await payments.lockAttempts(orderId)
    return find(orderId)
  }

  const locked = async <T>(orderId: number, act: (order: ActedOrder) => Promise<T>): Promise<T> =>
    act(await lock(orderId))

  /** Inside a transaction that has locked the order: records an act that no other event of the order shows. */
  const record = (
    origin: ActionOrigin,
    kind: ActKind,
    { id: orderId, user_id: userId }: ActedOrder,
    changed: Changed,
  ) => recordAct({ database }, { ...actingOf(origin), kind, orderId, userId, changed, at: origin.at })

  /** A paid order whose money may go back, and the transaction that paid it. @throws Failure ACTION_NOT_POSSIBLE */
  async function refundable(order: ActedOrder): Promise<string> {
    const { id, payment, transaction_id: transaction } = order
    const refunds = await payments.listRefunds([id])
    if (refunds.some(({ state }) => state !== 'done')) throw notPossible('refundOpen')
    if (payment === 'returned') throw notPossible('refundDone')
    if (payment !== 'paid' || transaction === null) throw notPossible('notPaid')
    return transaction
  }

  async function restOf({ amount_halalas: captured, transaction_id: transaction }: ActedOrder) {
    const refunds = transaction === null ? [] : await payments.listRefundsOf(transaction)
    return refunds
      .filter((row) => row.written_off_at === null)
      .reduce((rest, row) => rest - row.amount_halalas, captured)
  }

  /** What approvals of orders read, by the id of the order, in a bounded number of statements. */
  async function readRows(list: readonly ActedOrder[]): Promise<Map<number, FactRows>> {
    const ids = list.map(({ id }) => id)
    const { attempts, events, refunds } = await payments.listOfOrders(ids)
    const claims = await store.listClaims(ids)
    const bookings = await orders.findBookings(ids)
    const rowsOf = (order: ActedOrder): FactRows => {
      const own = attempts.filter(({ order_id }) => order_id === order.id).map(({ id }) => id)
      return {
        order,
        events: events.filter(({ attempt_id }) => attempt_id !== null && own.includes(attempt_id)),
        refunds: refunds.filter(({ attempt_id }) => own.includes(attempt_id)),
        claims: claims.filter(({ order_id }) => order_id === order.id),
        bookings: bookings.filter(({ order_id }) => order_id === order.id),
      }
    }
    return new Map(list.map((order) => [order.id, rowsOf(order)]))
  }

  async function readRowsOf(order: ActedOrder): Promise<FactRows> {
    const rows = (await readRows([order])).get(order.id)
    if (!rows) throw new Error(`nothing was read of order ${order.id}`)
    return rows
  }

  return {
    find,
    lock,
    refundable,

    /** What an approval is asked on, and given on. Inside a transaction, in which none of it changes. */
    async readFacts(order: ActedOrder, wish: AskedFor): Promise<Facts> {
      if (wish.act === 'compensation') await store.lockClaims(order.id)
      return factsOf(await readRowsOf(order), wish)
    },

    /** What was captured of an order and what leaves for it. Inside a transaction that has locked the order. */
    async readLedger(order: ActedOrder): Promise<Ledger> {
      return ledgerOf(await readRowsOf(order))
    },

    /** Facts and checks of requests about orders, by the id of the request, in a bounded number of statements. */
    async readForDecision(requests: readonly ApprovalRow[]): Promise<Map<number, Decidable>> {
      const ids = new Set(requests.flatMap(({ order_id: orderId }) => orderId ?? []))
      const rows = await readRows(await orders.findOrders([...ids]))
      const read = new Map<number, Decidable>()
      for (const request of requests) {
        const own = rows.get(request.order_id ?? 0)
        if (own) read.set(request.id, { facts: factsOf(own, request), checks: checksOf(request, own) })
      }
      return read
    },

    /** The payment provider is asked about every attempt that it knows; returns their references. */
    inquire: (origin: ActionOrigin, orderId: number): Promise<readonly string[]> =>
      locked(orderId, async (order) => {
        const { attempts } = await payments.listOfOrders([orderId])
        // The provider refused the intention of a failed attempt, so it cannot be paid.
        const asked = attempts.filter(({ state }) => state !== 'failed')
        if (asked.length === 0) throw notPossible('neverBrought')
        const changed: Changed = {}
        for (const { id, reference, due_at } of asked)
          if (await payments.hastenInquiry(id))
            changed[`inquiry of ${reference}`] = [timeOf(due_at), timeOf(origin.at)]
        if (Object.keys(changed).length === 0) throw notPossible('beingAsked')
        await record(origin, 'inquired', order, changed)
        return asked.map(({ reference }) => reference)
      }),

    /** The bags of an order leave the list, until a new alarm or silence; returns how many there were. */
    seen: (origin: ActionOrigin, orderId: number): Promise<number> =>
      locked(orderId, async (order) => {
        const seen = await tracking.checkBags(orderId, origin.at, origin.at - silenceMs)
        if (seen === 0) throw notPossible('noAlert')
        await record(origin, 'bag-checked', order, { 'open alerts': [seen, 0] })
        return seen
      }),

    /**
     * Messages that failed or were dropped are sent again, those that wait are tried now; with its number one message alone,
     * also one that was sent. Each as a new one, and none that says what is not so any more.
     */
    resend: (
      origin: ActionOrigin,
      orderId: number,
      message?: number,
    ): Promise<{ readonly resent: readonly MessageKind[]; readonly hastened: readonly MessageKind[] }> =>
      locked(orderId, async (order) => {
        const since = origin.at - actionRules.resendMs
        const earlier = { userId: order.user_id, kind: 'message-asked', since } as const
        if ((await countActs({ database }, earlier)) >= actionRules.resendings)
          throw notPossible('resentOften')
        const all = await messages.listMessagesOfOrder(orderId)
        const wanted = toSendAgain(all, message)
        if (wanted.some((row) => isSentLately(row, origin.at))) throw notPossible('sentLately')
        // First, because what is sent again waits as well.
        const hastened = message === undefined ? await messages.hastenMessages(orderId) : []
        if (wanted.length + hastened.length === 0) throw notPossible('noMessage')
        const bookings = await orders.findBookings([orderId])
        const claims = await store.listClaims([orderId])
        const so = wanted.filter((row) => isStillSo(row, { order, bookings, claims, messages: all }))
        if (so.length + hastened.length === 0) throw notPossible('notSo')
        const changed: Changed = {}
        for (const { id, kind, state } of so) changed[`message ${id}, ${kind}`] = [state, 'sent again']
        for (const kind of hastened) changed[`message ${kind}`] = ['waiting', 'tried now']
        const asked = await record(origin, 'message-asked', order, changed)
        const ids = so.map(({ id }) => id)
        return { resent: await messages.resendMessages(asked, ids), hastened }
      }),

    /** Inside a transaction that has locked the order: stopped airway bills may be made once more; returns their references. */
    async permit(origin: ActionOrigin, orderId: number): Promise<readonly string[]> {
      const references = await orders.permitCreation(orderId, actingOf(origin))
      if (references.length === 0) throw notPossible('notStopped')
      return references
    },

    hasOpenRefund: async (orderId: number): Promise<boolean> =>
      (await payments.listRefunds([orderId])).some(({ state }) => state !== 'done'),

    /** Refunds of an order that wait for their next try are tried now; returns their transactions. */
    retryRefunds: (origin: ActionOrigin, orderId: number): Promise<readonly string[]> =>
      locked(orderId, async (order) => {
        const open = (await payments.listRefunds([orderId])).filter(({ state }) => state !== 'done')
        const hastened: string[] = []
        const changed: Changed = {}
        for (const { id, transaction_id, due_at } of open)
          if (await payments.hastenRefund(id)) {
            hastened.push(transaction_id)
            changed[`refund ${id} of ${transaction_id}`] = [timeOf(due_at), timeOf(origin.at)]
          }
        if (hastened.length === 0) throw notPossible('refundUnderWay')
        await record(origin, 'refund-retried', order, changed)
        return hastened
      }),

    /** Halalas of the payment that no refund returns. */
    restOf,

    /** The refund of an order, as it is asked for. */
    refundWish: async (order: ActedOrder, transaction: string) =>
      ({ act: 'refund', about: transaction, halalas: await restOf(order) }) as const,

    /** Inside a transaction that has locked the order: orders the refund of the rest of the payment. */
    async orderRefund(origin: ActionOrigin, orderId: number, transaction: string): Promise<void> {
      const { ended } = await find(orderId)
      const reason = ended === 'cancelled' ? 'cancelled' : 'operator'
      const decision = { reason, by: actorOf(origin), words: origin.reason } as const
      if (!(await payments.refundPayment(transaction, decision, origin.at))) throw notPossible('refundDone')
      await orders.stopCarriage(orderId, origin.at)
    },

    /** The transaction of the one refund of the order that is not done. @throws Failure ACTION_NOT_POSSIBLE for none, or several */
    async findOpenRefund(orderId: number): Promise<string> {
      const open = (await payments.listRefunds([orderId])).filter(({ state }) => state !== 'done')
      const [refund, ...others] = open
      if (!refund) throw notPossible('noRefund')
      if (others.length > 0) throw notPossible('manyRefunds')
      return refund.transaction_id
    },

    /**
     * The refund of a transaction of the order that may be closed without the provider; in another currency than ours no sum
     * is counted, and it needs a second person. @throws Failure ACTION_NOT_POSSIBLE
     */
    async findWriteOff(orderId: number, transaction: string, now: number): Promise<{ halalas: number }> {
      const refund = (await payments.listRefunds([orderId])).find(
        (row) => row.transaction_id === transaction && row.state !== 'done',
      )
      if (!refund) throw notPossible('noRefund')
      if (!(await payments.mayWriteOff(transaction, now))) throw notPossible('refundUnderWay')
      return { halalas: refund.currency === currency ? refund.amount_halalas : 0 }
    },

    /** Inside a transaction that has locked the order: a refund that cannot be made is closed. */
    async writeOff(origin: ActionOrigin, orderId: number, transaction: string): Promise<void> {
      const decision = { by: actorOf(origin), words: origin.reason }
      const order = await find(orderId)
      const notifiesOwner = order.ended === 'cancelled' && order.transaction_id === transaction
      if (!(await payments.writeOffRefund(transaction, decision, origin.at, { notifiesOwner })))
        throw notPossible('refundUnderWay')
      await orders.resumeCarriage(orderId)
    },
  }
}
