import type { ActionSubject, State } from '#server/features/audit/audit.service.ts'
import { attemptRules } from '#server/features/payments/payments.rules.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { UsageError } from '../lib/tool.ts'
import { audited, type OpsContext, type Verb } from './context.ts'
import { timeOf } from './format.ts'

// Verbs that change an order. A worker of the gateway carries the change out, within seconds.

export function orderIdOf(text: string | undefined): number {
  const digits = /^(?:OD-)?([1-9]\d{0,14})$/i.exec(text ?? '')?.[1]
  if (digits === undefined) throw new UsageError('name one order, such as OD-42')
  return Number(digits)
}

/** What verbs can change of an order. */
async function stateOf({ stores }: OpsContext, orderId: number): Promise<State> {
  const { attempts, refunds } = await stores.payments.listOfOrders([orderId])
  const bookings = await stores.orders.findBookings([orderId])
  const alerts = await stores.tracking.listAlertsOfOrder(orderId)
  const messages = await stores.messages.listMessagesOfOrder(orderId)
  return Object.fromEntries([
    ...attempts.map((row) => [`inquiry of ${row.reference}`, timeOf(row.due_at)]),
    ...refunds.map((row) => [`refund of ${row.transaction_id}`, `${row.state}, ${timeOf(row.due_at)}`]),
    ...bookings.map((row) => [
      `shipment ${row.reference}`,
      `${row.stopped_at === null ? row.state : 'stopped'}, ${row.creations} of ${row.creations_allowed} creations`,
    ]),
    ...messages.map((row) => [`message ${row.id}, ${row.kind}`, `${row.state}, ${timeOf(row.due_at)}`]),
    ['open alerts', alerts.length],
  ])
}

const subjectOf = (context: OpsContext, action: string, orderId: number): ActionSubject => ({
  action,
  orderId,
  findUserId: async () => (await context.stores.orders.findOrder(orderId))?.user_id,
  readState: () => stateOf(context, orderId),
})

async function mustFind({ stores }: OpsContext, orderId: number) {
  const order = await stores.orders.findOrder(orderId)
  if (!order) throw new Error(`${orderNumber(orderId)} is not in this database`)
  return order
}

function readOrderArgument([order, ...rest]: readonly string[]): number {
  const id = orderIdOf(order)
  if (rest.length > 0) throw new UsageError('name one order')
  return id
}

/** A verb about one order, carried out with its audit row. */
const onOrder =
  (action: string, act: (context: OpsContext, orderId: number) => Promise<string>): Verb =>
  (args) => {
    const id = readOrderArgument(args)
    return (context) => audited(context, subjectOf(context, action, id), () => act(context, id))
  }

export const orderVerbs: Readonly<Record<string, Verb>> = {
  reissue: onOrder('reissue', async (context, id) => {
    const references = await context.stores.orders.permitCreation(id)
    if (references.length === 0)
      throw new Error(
        `${orderNumber(id)} has no stopped booking, so nothing was changed; \`stuck\` lists them`,
      )
    return references
      .map(
        (reference) =>
          `${orderNumber(id)}: ${reference} is looked up again and, if still unknown, made once more`,
      )
      .join('\n')
  }),

  seen: onOrder('seen', async (context, id) => {
    const closed = await context.stores.tracking.closeAlerts(id, context.now)
    if (closed === 0) throw new Error(`${orderNumber(id)} has no open alert; \`bags\` lists them`)
    return `${orderNumber(id)}: ${closed} off the list`
  }),

  resend: onOrder('resend', async (context, id) => {
    const { messages } = context.stores
    // First, because what is sent again waits as well.
    const hastened = await messages.hastenMessages(id)
    const resent = await messages.resendMessages(id, context.now)
    if (hastened.length + resent.length === 0)
      throw new Error(
        `${orderNumber(id)} has no message that failed, was dropped or waits, so nothing was changed; \`find\` shows its messages`,
      )
    return [
      ...resent.map((kind) => `${orderNumber(id)}: the message ${kind} is sent again within seconds`),
      ...hastened.map((kind) => `${orderNumber(id)}: the message ${kind} is tried again within seconds`),
    ].join('\n')
  }),

  inquire: onOrder('inquire', async (context, id) => {
    const { payments } = context.stores
    await mustFind(context, id)
    const { attempts } = await payments.listOfOrders([id])
    // The provider refused the intention of a failed attempt, so it cannot be paid.
    const asked = attempts.filter(({ state }) => state !== 'failed')
    if (asked.length === 0)
      throw new Error(
        `${orderNumber(id)} was never brought to the payment provider, so there is nothing to ask`,
      )
    for (const attempt of asked) await payments.hastenInquiry(attempt.id, attemptRules.inquiryGapMs)
    return asked
      .map(({ reference }) => `${orderNumber(id)}: the provider is asked about ${reference} within seconds`)
      .join('\n')
  }),

  refund(args, { reason }) {
    const work = onOrder('refund', refund)(args, {})
    if (reason === undefined) throw new UsageError('a refund needs --reason')
    return work
  },
}

/** Orders the refund of a paid order, or the next try of refunds that wait for one. */
async function refund(context: OpsContext, id: number): Promise<string> {
  const { stores, now } = context
  // In the order in which the gateway locks when it applies a report.
  await stores.payments.lockAttempts(id)
  const order = await mustFind(context, id)
  const open = (await stores.payments.listRefunds([id])).filter(({ state }) => state !== 'done')
  if (open.length > 0) {
    const waiting: string[] = []
    const nextAt = Math.min(...open.map(({ due_at, leased_until }) => Math.max(due_at ?? 0, leased_until)))
    for (const { id: refundId, transaction_id } of open)
      if (await stores.payments.hastenRefund(refundId)) waiting.push(transaction_id)
    if (waiting.length === 0)
      throw new Error(
        `${orderNumber(id)}: its refund is under way already and is checked at ${timeOf(nextAt)}, so nothing was changed`,
      )
    return waiting
      .map((transaction) => `${orderNumber(id)}: the refund of ${transaction} is tried again within seconds`)
      .join('\n')
  }
  if (order.status !== 'PAID' || order.transaction_id === null)
    throw new Error(`${orderNumber(id)} is ${order.status}, so there is nothing to refund`)
  if (await stores.payments.findRefund(order.transaction_id))
    throw new Error(`${orderNumber(id)}: its payment was returned already; \`inquire\` reads it again`)
  await stores.payments.refundPayment(order.transaction_id, 'operator', now)
  return `${orderNumber(id)}: the whole payment ${order.transaction_id} is refunded within seconds; then the order is REFUNDED, and its bags that were not handed over are CANCELLED`
}
