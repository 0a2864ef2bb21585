import { readTimeline } from '#server/desk/orders/timeline.queries.ts'
import { timelineText } from '#server/desk/orders/timeline.texts.ts'
import { listMessagesOfOrder } from '#server/features/messages/messages.queries.ts'
import { sendableFrom } from '#server/features/messages/messages.rules.ts'
import {
  findBookingByAwb,
  findBookingByReference,
  findBookings,
} from '#server/features/orders/bookings.queries.ts'
import { findOrder, listOrdersOfUser } from '#server/features/orders/orders.queries.ts'
import { listFailures } from '#server/features/otp/otp.queries.ts'
import { guessRules } from '#server/features/otp/otp.rules.ts'
import { findOrderOfTransaction } from '#server/features/payments/payment-events.queries.ts'
import { listPaymentsOfOrders } from '#server/features/payments/payments.queries.ts'
import { findOrderOfPayment } from '#server/features/payments/payments.ts'
import { findShareOfOrder } from '#server/features/shares/shares.queries.ts'
import { listAlertsOfOrder } from '#server/features/tracking/tracking.queries.ts'
import { findUserByPhone, listUsers } from '#server/features/users/users.queries.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { UsageError } from '../lib/tool.ts'
import type { OpsContext, Verb } from './context.ts'
import { moneyOf, table, timeOf } from './format.ts'

const shownOrders = 20

export const find: Verb = ([text = '', ...rest]) => {
  const wanted = text.trim()
  if (wanted === '' || rest.length > 0)
    throw new UsageError('name one order number, phone, reference, airway bill or transaction')
  return async (context) => {
    const id = await findOrderId(context, wanted)
    if (id !== undefined) return describeOrder(context, id)
    const phone = canonicalPhone(wanted)
    if (phone) return describePhone(context, phone)
    throw new Error(`nothing in this database is known as ${wanted}`)
  }
}

/** By order number, airway bill, reference of a shipment or payment, or transaction of the provider. */
async function findOrderId(context: OpsContext, text: string): Promise<number | undefined> {
  const digits = /^(?:OD-)?([1-9]\d{0,14})$/i.exec(text)?.[1]
  if (digits !== undefined && (await findOrder(context, Number(digits)))) return Number(digits)
  return (
    (await findBookingByAwb(context, text))?.order_id ??
    (await findBookingByReference(context, text))?.order_id ??
    (await findOrderOfPayment(context, text)) ??
    (await findOrderOfTransaction(context, text))
  )
}

async function describePhone(context: OpsContext, phone: string): Promise<string> {
  const user = await findUserByPhone(context, phone)
  const failures = await listFailures(context, [phone])
  const signIn = failures.map(({ role, consecutive_failures: open, known_consecutive_failures: known }) => {
    const isLocked = role !== 'agent' && open >= guessRules.consecutiveFailures
    const known_ = known > 0 ? `, ${known} from devices that signed in before` : ''
    return `as ${role}: ${isLocked ? 'locked, ' : ''}${open} wrong codes in a row${known_}`
  })
  const lines = [
    `${phone}: ${user ? `user ${user.id}, ${user.name ?? 'no name'}, since ${timeOf(user.created_at)}` : 'no account'}`,
    ...signIn,
  ]
  const own = user ? await listOrdersOfUser(context, user.id, { limit: shownOrders }) : []
  const [only] = own
  if (only && own.length === 1) return [...lines, '', await describeOrder(context, only.id)].join('\n')
  const rows = own.map((order) => [
    orderNumber(order.id),
    statusOf(order),
    moneyOf(order.amount_halalas, order.currency),
    timeOf(order.created_at),
  ])
  const end = own.length === shownOrders ? [`the newest ${shownOrders}; there may be more`] : []
  return [...lines, ...(rows.length === 0 ? ['no order'] : [table(rows)]), ...end].join('\n')
}

async function describeOrder(context: OpsContext, id: number): Promise<string> {
  const sections: readonly (readonly [title: string, rows: readonly (readonly string[])[]])[] = [
    ['payments', await paymentRows(context, id)],
    ['bags', await bagRows(context, id)],
    ['alerts', await alertRows(context, id)],
    ['messages', await messageRows(context, id)],
    // desk
    ['timeline', await timelineRows(context, id)],
    // desk
  ]
  const shown = sections.filter(([, rows]) => rows.length > 0)
  return [
    await headOf(context, id),
    ...shown.map(([title, rows]) => `${title}\n${table(rows).replaceAll(/^/gm, '  ')}`),
  ].join('\n')
}

async function headOf(context: OpsContext, id: number): Promise<string> {
  const order = await findOrder(context, id)
  if (!order) throw new Error(`${orderNumber(id)} is not in this database`)
  const [user] = await listUsers(context, [order.user_id])
  const share = await findShareOfOrder(context, id)
  const [booking] = await findBookings(context, [id])
  const named = [booking?.receiver_name, booking?.receiver_phone, booking?.second_phone].filter(Boolean)
  const owner = user ? `${user.name ?? 'no name'}, ${user.phone}` : 'account deleted'
  const times = [
    `created ${timeOf(order.created_at)}`,
    ...(order.paid_at === null ? [] : [`paid ${timeOf(order.paid_at)}`]),
    ...(order.ended_at === null ? [] : [`${order.ended} ${timeOf(order.ended_at)}`]),
  ]
  return [
    `${orderNumber(id)}  ${statusOf(order)}  ${moneyOf(order.amount_halalas, order.currency)}  ${order.type}`,
    `  ${times.join(', ')}`,
    `  user ${order.user_id}: ${owner}`,
    ...(named.length > 0 ? [`  collected by or called under: ${named.join(', ')}`] : []),
    `  agent ${order.agent_code}, branch ${order.center_code}, handed over: ${order.handed_over}`,
    ...(share ? [`  journey shared since ${timeOf(share.createdAt)}`] : []),
  ].join('\n')
}

async function paymentRows(context: OpsContext, id: number): Promise<string[][]> {
  const { attempts, events, refunds } = await listPaymentsOfOrders(context, [id])
  return attempts.flatMap((attempt) => [
    [
      timeOf(attempt.created_at),
      `attempt ${attempt.reference}`,
      attempt.state,
      moneyOf(attempt.amount_halalas, attempt.currency),
      `provider's order ${attempt.provider_order_id ?? '-'}, next inquiry ${timeOf(attempt.due_at)}`,
    ],
    ...events
      .filter(({ attempt_id }) => attempt_id === attempt.id)
      .map((event) => [
        timeOf(event.received_at),
        `transaction ${event.transaction_id}`,
        event.kind,
        moneyOf(event.amount_halalas, event.currency),
        `${event.outcome}, by ${event.source}`,
      ]),
    ...refunds
      .filter(({ attempt_id }) => attempt_id === attempt.id)
      .map((refund) => [
        timeOf(refund.created_at),
        `refund of ${refund.transaction_id}`,
        refund.state,
        moneyOf(refund.amount_halalas, refund.currency),
        refund.done_at === null
          ? `${refund.reason}, ${refund.tries} tries, next ${timeOf(refund.due_at)}`
          : `${refund.reason}, done ${timeOf(refund.done_at)}`,
      ]),
  ])
}

async function bagRows(context: OpsContext, id: number): Promise<string[][]> {
  const bookings = await findBookings(context, [id])
  return bookings.map((booking) => [
    `leg ${booking.leg + 1}`,
    `shipment ${booking.reference}`,
    booking.stopped_at === null ? booking.state : `stopped ${timeOf(booking.stopped_at)}`,
    `airway bill ${booking.awb ?? '-'}`,
    [booking.carriage, `${booking.creations} creations`, booking.last_error].filter(Boolean).join(', '),
  ])
}

const alertRows = async (context: OpsContext, id: number) =>
  (await listAlertsOfOrder(context, id)).map(({ at, kind, code, place, text }) => [
    timeOf(at),
    kind,
    code,
    place ?? '-',
    text ?? '-',
  ])

const messageRows = async (context: OpsContext, id: number) =>
  (await listMessagesOfOrder(context, id)).map((message) => [
    timeOf(sendableFrom(message)),
    message.kind,
    message.state,
    message.last_error ?? '-',
  ])

// desk
const timelineRows = async ({ database }: OpsContext, id: number) =>
  (await readTimeline({ database }, id)).map((line) => [
    timeOf(line.at),
    [line.by.kind, line.by.name, line.by.roles?.join(' ')].filter(Boolean).join(' '),
    timelineText(line, 'en'),
  ])
// desk
