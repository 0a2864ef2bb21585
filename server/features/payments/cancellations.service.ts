import type { Cancelling } from '#server/features/orders/orders.service.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { notCancellable } from '#shared/orders/not-cancellable.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { PaymentsDeps } from './outcomes.service.ts'
import { attemptRules } from './payments.rules.ts'

type Result = 'unpaid' | 'paid' | 'cancelled-before'

/** Cancels orders: what was paid goes back whole, and what is still paid does, too. */
export function createCancellations(
  deps: Pick<
    PaymentsDeps,
    'database' | 'store' | 'orders' | 'users' | 'clock' | 'log' | 'metrics' | 'onInquiryDue'
  >,
) {
  const { database, store, orders, clock, log } = deps
  const cancellations = deps.metrics.counter(
    'amtiati_orders_cancelled_total',
    'Orders cancelled by their owners.',
    ['was'],
  )

  /** Inside a transaction. */
  async function cancelLocked(
    userId: number,
    orderId: number,
    { key, ...cancelling }: Cancelling & { readonly key?: string | undefined },
  ): Promise<Result> {
    // In the order in which applying a report locks, so that the two do not wait for each other.
    await store.lockAttempts(orderId)
    // Locked, so that no payment begins meanwhile.
    if (!(await deps.users.lockUser(userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    const cancelled = await orders.cancel(userId, orderId, cancelling)
    if (key !== undefined) await bindKey(userId, key, orderId, cancelled !== undefined)
    if (!cancelled) return 'cancelled-before'
    if (cancelled.transactionId !== null) {
      await returnMoney(cancelled.transactionId, cancelling)
      return 'paid'
    }
    await store.supersedeLive(orderId)
    // A payment may have been made whose callback is lost: the sooner it is found, the sooner the money goes back.
    for (const { id } of await store.listOpened(orderId))
      await store.hastenInquiry(id, attemptRules.inquiryGapMs)
    return 'unpaid'
  }

  /** Orders the refund of the rest that has not gone back. @throws Failure ORDER_NOT_CANCELLABLE */
  async function returnMoney(transactionId: string, { by, reason: words }: Cancelling): Promise<void> {
    const decision = { reason: 'cancelled', by, words } as const
    if (!(await store.refundPayment(transactionId, decision, clock.now())))
      throw failure(ordersErrors, 'ORDER_NOT_CANCELLABLE', notCancellable('returned'))
  }

  /** A key whose request changed nothing is compared and not kept: keys in any number would fill the disk. */
  async function bindKey(userId: number, key: string, orderId: number, isKept: boolean): Promise<void> {
    // Of the request: the path is all there is.
    const given = { key, bodyHash: hashOf(`cancel ${orderId}`) }
    const isConflict = isKept
      ? (await orders.bindKey(userId, given, orderId)) === 'conflict'
      : (await orders.findByKey(userId, given))?.conflict
    if (isConflict) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  }

  function tell(orderId: number, was: Result): void {
    if (was === 'cancelled-before') return
    cancellations.inc({ was })
    log.info({ event: 'payments.order-cancelled', orderId, was })
    if (was === 'unpaid') deps.onInquiryDue()
  }

  return {
    /**
     * Cancels an order of the user; the order and the refund of its payment are stored together. An order that is
     * cancelled already stays as it is.
     * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE,
     * IDEMPOTENCY_CONFLICT, NOT_SIGNED_IN.
     */
    async cancel(userId: number, orderId: number, key?: string): Promise<void> {
      if ((await orders.findPayable(orderId))?.userId !== userId)
        throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const by = { kind: 'owner' } as const
      tell(orderId, await database.transaction(() => cancelLocked(userId, orderId, { key, by })))
    },

    /**
     * `cancel` for the desk, inside a transaction of its caller, who calls what it returns once that is committed; undefined
     * where it is cancelled already.
     */
    async cancelWithin(
      userId: number,
      orderId: number,
      cancelling: Cancelling,
    ): Promise<(() => void) | undefined> {
      database.assertTransaction()
      const was = await cancelLocked(userId, orderId, cancelling)
      return was === 'cancelled-before' ? undefined : () => tell(orderId, was)
    },
  }
}
