import { listGivenUp, listOverdue } from '#server/features/messages/messages.queries.ts'
import { sendableFrom } from '#server/features/messages/messages.rules.ts'
import { listOverdueBookings } from '#server/features/orders/bookings.queries.ts'
import { refundRules } from '#server/features/payments/payments.rules.ts'
import { listOverdueRefunds } from '#server/features/payments/refunds.queries.ts'
import { checkSequence } from '#server/features/receipts/sequence.ts'
import { listAlerts, listSilentBags } from '#server/features/tracking/tracking.queries.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { type OpsContext, readSilenceMs, type Verb, withoutArguments } from './context.ts'
import { moneyOf, table, timeOf } from './format.ts'

/** Retries may take this long before an operator is needed. */
const overdueMs = 15 * 60_000
export const mostShown = 500

export const listVerbs = {
  stuck: withoutArguments(async (context) => {
    const lists = [await stuckBookings(context), await stuckRefunds(context)].filter((list) => list !== '')
    return lists.length === 0 ? 'no booking needs an operator, and no refund' : lists.join('\n\n')
  }),

  bags: withoutArguments(async (context) => {
    const alerts = await listAlerts(context, mostShown)
    const silent = await listSilentBags(context, context.now - readSilenceMs(), mostShown)
    if (alerts.length + silent.length === 0) return 'no bag needs an operator'
    const lines = [
      ...alerts.map(({ order_id, awb, kind, code, place, at }) => [
        orderNumber(order_id),
        awb ?? '-',
        kind,
        code,
        place ?? '-',
        timeOf(at),
      ]),
      ...silent.map(({ order_id, awb, carriage, heard_at }) => [
        orderNumber(order_id),
        awb ?? '-',
        'silent',
        carriage,
        '-',
        timeOf(heard_at),
      ]),
    ]
    const header = ['order', 'airway bill', 'why', 'code or state', 'place', 'since']
    const isLong = alerts.length === mostShown || silent.length === mostShown
    return (
      table([header, ...lines]) + (isLong ? `\nthe oldest ${mostShown} of a kind; there may be more` : '')
    )
  }),

  messages: withoutArguments(async ({ database, now }) => {
    const overdue = await listOverdue({ database }, now - overdueMs, mostShown)
    const givenUp = await listGivenUp({ database }, mostShown)
    if (overdue.length + givenUp.length === 0) return 'no message waits, failed or was dropped'
    const lines = [...overdue, ...givenUp].map((row) => [
      orderNumber(row.order_id),
      row.kind,
      row.state,
      row.last_error ?? '-',
      timeOf(sendableFrom(row)),
      timeOf(row.due_at),
    ])
    const isLong = overdue.length === mostShown || givenUp.length === mostShown
    return (
      table([['order', 'about', 'state', 'why', 'since', 'next try'], ...lines]) +
      (isLong ? `\nthe oldest ${mostShown} that wait, the newest ${mostShown} others; there may be more` : '')
    )
  }),

  receipts: withoutArguments(async (context) => {
    const { count, last, unwritten, skipped, faults, isComplete } = await checkSequence(context)
    if (faults.length > 0)
      throw new Error(`${faults.length}${isComplete ? '' : ' or more'} faults: ${faults.join('; ')}`)
    const gaps = skipped.map(({ first_number, last_number, recorded_at }) => {
      const numbers = `${first_number} to ${last_number}`
      return `left out by a restore on ${timeOf(recorded_at)}: ${numbers}`
    })
    const sum = `${count} receipts, the last number is ${last}: none missing`
    const waiting = unwritten === 0 ? [] : [`${unwritten} of them numbered, and not written yet`]
    return [sum, ...waiting, ...gaps].join('\n')
  }),
} satisfies Readonly<Record<string, Verb>>

async function stuckBookings(context: OpsContext): Promise<string> {
  const rows = await listOverdueBookings(context, context.now - overdueMs, mostShown)
  if (rows.length === 0) return ''
  const lines = rows.map((row) => [
    orderNumber(row.order_id),
    row.reference,
    row.stopped_at === null ? row.state : 'stopped',
    row.awb ?? '-',
    timeOf(row.stopped_at ?? row.paid_at),
    String(row.creations),
    row.last_error ?? '-',
  ])
  const header = ['order', 'reference', 'state', 'airway bill', 'since', 'creations', 'last reason']
  const end = rows.length === mostShown ? `\nthe oldest ${mostShown}; there may be more` : ''
  return table([header, ...lines]) + end
}

async function stuckRefunds(context: OpsContext): Promise<string> {
  const rows = await listOverdueRefunds(context, context.now - refundRules.helpAfterMs, mostShown)
  if (rows.length === 0) return ''
  const lines = rows.map((row) => [
    orderNumber(row.order_id),
    row.transaction_id,
    row.reason,
    row.state,
    moneyOf(row.amount_halalas, row.currency),
    timeOf(row.created_at),
    String(row.tries),
  ])
  const header = ['order', 'transaction', 'refunded because', 'state', 'amount', 'since', 'tries']
  return table([header, ...lines])
}
