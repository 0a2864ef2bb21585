import type { Core } from '#server/core.ts'
import type { Cancelling } from '#server/features/orders/cancellation.ts'
import { cancelUnlocked } from '#server/features/orders/cancellation.ts'
import { bindKey, findOrderByKey } from '#server/features/orders/order-creation.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { lockUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { notCancellable } from '#shared/orders/not-cancellable.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import {
  listOpenedAttempts,
  lockAttempts,
  scheduleInquiryNow,
  supersedeLiveAttempt,
} from './attempts.queries.ts'
import { refundPayment } from './refunds.queries.ts'

type WithKey = Cancelling & { readonly key?: string | undefined }

/**
 * Cancels an order and refunds its whole payment, also a payment that arrives later.
 * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE,
 *   IDEMPOTENCY_CONFLICT, NOT_SIGNED_IN
 */
export async function cancelOrder(core: Core, userId: number, orderId: number, key?: string): Promise<void> {
  if ((await findPayable(core, orderId))?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const by = { kind: 'owner' } as const
  await core.database.transaction(() => cancelWithin(core, userId, orderId, { key, by }))
}

/** Needs a transaction. @returns false when the order is already cancelled */
export async function cancelWithin(
  core: Core,
  userId: number,
  orderId: number,
  { key, ...cancelling }: WithKey,
): Promise<boolean> {
  // Lock order: attempts before the user, as in `applyReport`.
  await lockAttempts(core, orderId)
  // While the user is locked, no payment can begin.
  if (!(await lockUser(core, userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  const cancelled = await cancelUnlocked(core, userId, orderId, cancelling)
  if (key !== undefined) await checkKey(core, userId, key, orderId, cancelled !== undefined)
  if (!cancelled) return false
  const { transactionId } = cancelled
  if (transactionId === null) await endPayment(core, orderId)
  else await returnMoney(core, transactionId, cancelling)
  const was = transactionId === null ? 'unpaid' : 'paid'
  core.afterCommit(() => {
    core.counters.ordersCancelled.inc({ was })
    core.log.info({ event: 'payments.order-cancelled', orderId, was })
    if (was === 'unpaid') core.wake('inquiries')
  })
  return true
}

/** An inquiry now finds a payment whose callback was lost. */
async function endPayment(core: Core, orderId: number) {
  await supersedeLiveAttempt(core, orderId)
  for (const { id } of await listOpenedAttempts(core, orderId)) await scheduleInquiryNow(core, id)
}

async function returnMoney(core: Core, transactionId: string, { by, reason: words }: Cancelling) {
  const decision = { reason: 'cancelled', by, words } as const
  if (!(await refundPayment(core, transactionId, decision, core.clock.now())))
    throw failure(ordersErrors, 'ORDER_NOT_CANCELLABLE', notCancellable('returned'))
}

/** A request that changes nothing stores no idempotency key, because such keys could fill the disk. */
async function checkKey(core: Core, userId: number, key: string, orderId: number, isStored: boolean) {
  const given = { key, bodyHash: hashOf(`cancel ${orderId}`) }
  const isConflict = isStored
    ? (await bindKey(core, userId, given, orderId)) === 'conflict'
    : (await findOrderByKey(core, userId, given))?.conflict
  if (isConflict) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
}
