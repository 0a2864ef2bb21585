import type { Core } from '#server/core.ts'
import { listClaimFacts } from '#server/features/claims/claims.queries.ts'
import { countActs, type NamedActor, recordAct } from '#server/features/history/acts.ts'
import type { ActKind, Changed } from '#server/features/history/history.kinds.ts'
import {
  listMessagesOfOrder,
  resendMessages,
  scheduleMessagesNow,
} from '#server/features/messages/messages.queries.ts'
import { findBookings, permitCreation } from '#server/features/orders/bookings.queries.ts'
import { findOrder, resumeCarriage, stopCarriage } from '#server/features/orders/orders.queries.ts'
import { lockAttempts, scheduleInquiryNow } from '#server/features/payments/attempts.queries.ts'
import { cancelWithin } from '#server/features/payments/cancellations.ts'
import { listPaymentsOfOrders } from '#server/features/payments/payments.queries.ts'
import {
  listRefunds,
  listRefundsOfTransaction,
  mayWriteOffRefund,
  refundPayment,
  scheduleRefundNow,
  writeOffRefund,
} from '#server/features/payments/refunds.queries.ts'
import { checkBags } from '#server/features/tracking/tracking.queries.ts'
import { type Failure, failure, isFailure } from '#server/platform/errors.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { operatorsErrors } from '#shared/operators/operators.errors.ts'
import { whyNot } from '#shared/operators/why-not.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { currency } from '#shared/platform/money.ts'
import { isSentLately, isStillTrue, operatorRules, toSendAgain } from './operators.rules.ts'

// The desk and `npm run ops` call these steps inside a transaction.

export interface Origin {
  readonly by: NamedActor
  readonly at: number
  readonly reason: string | null
}

export type ActedOrder = NonNullable<Awaited<ReturnType<typeof findOrder>>>

/** When the gateway has a desk, a second person must approve a refund, a write-off or a reissue. */
export interface ActRequest {
  readonly act: 'refund' | 'write-off' | 'reissue'
  readonly about: string
  readonly halalas: number
}

export const notPossible = (why: keyof typeof whyNot): Failure =>
  failure(operatorsErrors, 'ACTION_NOT_POSSIBLE', { values: { why: whyNot[why] } })

/** The owner's account was deleted. Staff must not get NOT_SIGNED_IN, because their own session has not ended. */
export function withoutOwner(error: unknown): never {
  throw isFailure(error, 'NOT_SIGNED_IN') ? notPossible('ownerDeleted') : error
}

export async function readOrder(core: Core, orderId: number): Promise<ActedOrder> {
  const order = await findOrder(core, orderId)
  if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return order
}

/** Needs a transaction. Acts and payment reports of an order wait for each other. @throws Failure ORDER_NOT_FOUND */
export async function lockForAct(core: Core, orderId: number): Promise<ActedOrder> {
  core.database.assertTransaction()
  // Lock order: payment attempts first, as when a payment report is applied.
  await lockAttempts(core, orderId)
  return readOrder(core, orderId)
}

const record = (
  core: Core,
  { by, reason, at }: Origin,
  kind: ActKind,
  { id: orderId, user_id: userId }: ActedOrder,
  changed: Changed,
) => recordAct(core, { by, reason, at, kind, orderId, userId, changed })

const timeOf = (epochMs: number | null) => (epochMs === null ? '-' : isoOf(epochMs))

/** Needs a transaction. Makes inquiries about the order's payments due now. */
export async function inquireWithin(core: Core, origin: Origin, orderId: number): Promise<readonly string[]> {
  const order = await lockForAct(core, orderId)
  const { attempts } = await listPaymentsOfOrders(core, [orderId])
  const known = attempts.filter(({ state }) => state !== 'failed')
  if (known.length === 0) throw notPossible('neverBrought')
  const changed: Changed = {}
  for (const { id, reference, due_at } of known)
    if (await scheduleInquiryNow(core, id))
      changed[`inquiry of ${reference}`] = [timeOf(due_at), timeOf(origin.at)]
  if (Object.keys(changed).length === 0) throw notPossible('beingAsked')
  await record(core, origin, 'inquired', order, changed)
  return known.map(({ reference }) => reference)
}

/** Needs a transaction. Also closes alerts about the courier's silence. */
export async function checkBagsWithin(
  core: Core,
  origin: Origin,
  orderId: number,
  silenceMs: number,
): Promise<number> {
  const order = await lockForAct(core, orderId)
  const closed = await checkBags(core, orderId, origin.at, origin.at - silenceMs)
  if (closed === 0) throw notPossible('noAlert')
  await record(core, origin, 'bag-checked', order, { 'open alerts': [closed, 0] })
  return closed
}

/**
 * Needs a transaction. Sends failed and dropped messages again, and waiting ones now, if they are still true. With
 * `message`, it sends only this one, even if it was sent.
 */
export async function resendWithin(
  core: Core,
  origin: Origin,
  orderId: number,
  message?: number,
): Promise<{ readonly resent: readonly MessageKind[]; readonly scheduled: readonly MessageKind[] }> {
  const order = await lockForAct(core, orderId)
  const since = origin.at - operatorRules.resendMs
  const earlier = { userId: order.user_id, kind: 'message-asked', since } as const
  if ((await countActs(core, earlier)) >= operatorRules.resendings) throw notPossible('resentOften')
  const messages = await listMessagesOfOrder(core, orderId)
  const wanted = toSendAgain(messages, message)
  if (wanted.some((row) => isSentLately(row, origin.at))) throw notPossible('sentLately')
  // Messages that are sent again become waiting, too, so the waiting ones are scheduled before.
  const scheduled = message === undefined ? await scheduleMessagesNow(core, orderId) : []
  if (wanted.length + scheduled.length === 0) throw notPossible('noMessage')
  const facts = {
    order,
    messages,
    bookings: await findBookings(core, [orderId]),
    claims: await listClaimFacts(core, [orderId]),
  }
  const sendable = wanted.filter((row) => isStillTrue(row, facts))
  if (sendable.length + scheduled.length === 0) throw notPossible('notSo')
  const changed: Changed = {}
  for (const { id, kind, state } of sendable) changed[`message ${id}, ${kind}`] = [state, 'sent again']
  for (const kind of scheduled) changed[`message ${kind}`] = ['waiting', 'tried now']
  const eventId = await record(core, origin, 'message-asked', order, changed)
  const ids = sendable.map(({ id }) => id)
  return { resent: await resendMessages(core, eventId, ids), scheduled }
}

/** Needs a transaction that has locked the order. Each escalated booking can create one more shipment. */
export async function permitCreationWithin(
  core: Core,
  origin: Origin,
  orderId: number,
): Promise<readonly string[]> {
  const references = await permitCreation(core, orderId, origin)
  if (references.length === 0) throw notPossible('notStopped')
  return references
}

/** Needs a transaction that has locked the order. @throws Failure as `cancelOrder`, and ACTION_NOT_POSSIBLE */
export async function cancelOrderWithin(
  core: Core,
  { by, reason }: Origin,
  { id, user_id: userId }: ActedOrder,
  { isApproved }: { readonly isApproved: boolean },
): Promise<void> {
  const isCancelled = await cancelWithin(core, userId, id, { by, reason, isApproved }).catch(withoutOwner)
  if (!isCancelled) throw notPossible('ended')
}

export const listOpenRefunds = async (core: Core, orderId: number) =>
  (await listRefunds(core, [orderId])).filter(({ state }) => state !== 'done')

/** Needs a transaction. Makes the open refunds of the order due now. */
export async function retryRefundsWithin(
  core: Core,
  origin: Origin,
  orderId: number,
): Promise<readonly string[]> {
  const order = await lockForAct(core, orderId)
  const scheduled: string[] = []
  const changed: Changed = {}
  for (const { id, transaction_id, due_at } of await listOpenRefunds(core, orderId))
    if (await scheduleRefundNow(core, id)) {
      scheduled.push(transaction_id)
      changed[`refund ${id} of ${transaction_id}`] = [timeOf(due_at), timeOf(origin.at)]
    }
  if (scheduled.length === 0) throw notPossible('refundUnderWay')
  await record(core, origin, 'refund-retried', order, changed)
  return scheduled
}

/** Returns the part of the payment that no refund returns, in halalas. */
export async function restOf(
  core: Core,
  { amount_halalas: captured, transaction_id: transaction }: ActedOrder,
): Promise<number> {
  const refunds = transaction === null ? [] : await listRefundsOfTransaction(core, transaction)
  return refunds
    .filter((row) => row.written_off_at === null)
    .reduce((rest, row) => rest - row.amount_halalas, captured)
}

/** @throws Failure ACTION_NOT_POSSIBLE */
export async function refundRequestOf(core: Core, order: ActedOrder): Promise<ActRequest> {
  const { id, payment, transaction_id: about } = order
  if ((await listOpenRefunds(core, id)).length > 0) throw notPossible('refundOpen')
  if (payment === 'returned') throw notPossible('refundDone')
  if (payment !== 'paid' || about === null) throw notPossible('notPaid')
  return { act: 'refund', about, halalas: await restOf(core, order) }
}

/** Needs a transaction that has locked the order. */
export async function orderRefundWithin(
  core: Core,
  { by, reason: words, at }: Origin,
  orderId: number,
  transaction: string,
): Promise<void> {
  const { ended } = await readOrder(core, orderId)
  const reason = ended === 'cancelled' ? 'cancelled' : 'operator'
  if (!(await refundPayment(core, transaction, { reason, by, words }, at))) throw notPossible('refundDone')
  await stopCarriage(core, orderId, at)
}

/** @throws Failure ACTION_NOT_POSSIBLE when the order has no open refund or several */
export async function findOpenRefund(core: Core, orderId: number): Promise<string> {
  const [refund, ...others] = await listOpenRefunds(core, orderId)
  if (!refund) throw notPossible('noRefund')
  if (others.length > 0) throw notPossible('manyRefunds')
  return refund.transaction_id
}

/** A refund in another currency gets 0 `halalas`, which always needs approval. @throws Failure ACTION_NOT_POSSIBLE */
export async function writeOffRequestOf(
  core: Core,
  orderId: number,
  transaction: string,
  now: number,
): Promise<ActRequest> {
  const open = await listOpenRefunds(core, orderId)
  const refund = open.find((row) => row.transaction_id === transaction)
  if (!refund) throw notPossible('noRefund')
  if (!(await mayWriteOffRefund(core, transaction, now))) throw notPossible('refundUnderWay')
  const halalas = refund.currency === currency ? refund.amount_halalas : 0
  return { act: 'write-off', about: transaction, halalas }
}

/** Needs a transaction that has locked the order. */
export async function writeOffWithin(
  core: Core,
  { by, reason: words, at }: Origin,
  orderId: number,
  transaction: string,
): Promise<void> {
  const order = await readOrder(core, orderId)
  const notifiesOwner = order.ended === 'cancelled' && order.transaction_id === transaction
  if (!(await writeOffRefund(core, transaction, { by, words }, at, { notifiesOwner })))
    throw notPossible('refundUnderWay')
  await resumeCarriage(core, orderId)
}
