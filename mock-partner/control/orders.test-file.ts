import { isPaid, type TransactionRecord } from '../payment/payment.records.ts'
import { callbackModes } from '../payment/payment.scenarios.ts'
import type { Delivery } from '../platform/deliveries.ts'
import type { JournalEntry } from '../platform/journal.entry.ts'
import { journeyStepOf } from '../shipping/shipping.journey.ts'
import { pushModes } from '../shipping/shipping.pushes.ts'
import type { ShipmentRecord } from '../shipping/shipping.state.ts'
import { type OrderRecord, standingOf } from './orders.records.ts'
import type { OrderSources } from './orders.timeline.ts'

/** `name: 'mode'`; empty for `send`, which happens without a wish. */
const wish = (name: string, mode: unknown, known: readonly string[]): string =>
  mode !== 'send' && known.some((each) => each === mode) ? `${name}: '${mode}'` : ''

const replay = (outcome: string, mode: unknown): string => {
  const callback = wish('callback', mode, callbackModes)
  return `await control.replay(orderId, '${outcome}'${callback === '' ? '' : `, { ${callback} }`})`
}

const modeOf = (deliveries: readonly Delivery[], transactionId: number): unknown => {
  const mode = deliveries.find(({ about }) => about.transactionId === transactionId)?.about.mode
  return mode === 'thrice' ? 'twice' : mode
}

/** What the gateway gave back by itself, it gives back again without being told. */
const isByGateway = ({ kind, parentId }: TransactionRecord, entries: readonly JournalEntry[]): boolean =>
  entries.some(
    ({ direction, operation, refs }) =>
      direction === 'in' && operation === kind && refs.includes(String(parentId)),
  )

/** The control calls that made the payments, oldest first. */
function paymentCalls(
  { intentions }: OrderRecord,
  sources: OrderSources,
  entries: readonly JournalEntry[],
): string[] {
  const steps = intentions.flatMap((intention) => {
    const deliveries = sources.deliveries.listOf(intention.id)
    const made = sources.payment
      .transactionsOf(intention)
      .filter((transaction) => !isByGateway(transaction, entries))
      .map((transaction) => {
        const { id, kind, amountHalalas, createdAt } = transaction
        const ofPayment = isPaid(transaction) ? 'success' : 'decline'
        const isOther = kind === 'payment' && amountHalalas !== intention.amountHalalas
        const mode = isOther ? 'mismatch' : modeOf(deliveries, id)
        return { at: createdAt, call: replay(kind === 'payment' ? ofPayment : kind, mode) }
      })
    const forged = deliveries
      .filter(({ about }) => about.mode === 'forge')
      .map(({ attempts }) => ({
        at: attempts[0]?.at ?? intention.createdAt,
        call: replay('success', 'forge'),
      }))
    return [...made, ...forged]
  })
  return steps.toSorted((a, b) => a.at - b.at).map(({ call }) => call)
}

/** The control calls that made the scans, oldest first. The second copy of a doubled push is no call of its own. */
function scanCalls(shipment: ShipmentRecord, { pushes }: OrderSources): string[] {
  const calls: string[] = []
  for (const { about } of [...pushes.listOf(shipment)].reverse()) {
    const code = String(about.scans).split(' ').at(-1) ?? ''
    const to = journeyStepOf(code)
    const scan = to === undefined ? `scan: { code: '${code.replaceAll(/[^\w-]/g, '')}' }` : `to: '${to}'`
    const wishes = [scan, wish('push', about.mode, pushModes)].filter((each) => each !== '')
    const call = `await control.advance(awb, { ${wishes.join(', ')} })`
    if (about.mode !== 'twice' || calls.at(-1) !== call) calls.push(call)
  }
  return calls
}

/** The gateway's word for how an order stands. A charge of another amount has none: it is only known not to be paid. */
const gatewayStatus: Readonly<Record<string, string>> = {
  paid: 'PAID',
  refunded: 'REFUNDED',
  voided: 'REFUNDED',
  'not paid': 'PENDING_PAYMENT',
  declined: 'PENDING_PAYMENT',
}

/**
 * The course of an order as a file for vitest: a new order, and the control calls that lead to the same end. What was done
 * in the app, such as a cancellation, is not known here.
 */
export function testFileOf(
  order: OrderRecord,
  sources: OrderSources,
  entries: readonly JournalEntry[],
  addresses: { simulator: string; gateway: string },
): string {
  const [shipment] = order.shipments
  const { text } = standingOf(order, sources.payment)
  const status = gatewayStatus[text]
  // What names no order number has a reference, which may be any text.
  const name = order.order.replaceAll(/[^\w-]/g, '_')
  const body = [
    `const { pilgrim, user } = await stack.signUp()`,
    `const { orderId } = await pilgrim.checkout(user.id)`,
    ...paymentCalls(order, sources, entries),
    ...(shipment === undefined ? [] : [`const awb = await issuedAwb(pilgrim, orderId)`]),
    ...(shipment === undefined ? [] : scanCalls(shipment, sources)),
    status === undefined
      ? `expect((await pilgrim.order(orderId)).status).not.toBe('PAID')`
      : `await expect.poll(async () => (await pilgrim.order(orderId)).status).toBe('${status}')`,
    ...(shipment === undefined ? [] : [`expect(awb).toMatch(/^\\d+$/)`]),
  ]
  return [
    `import { expect, it } from 'vitest'`,
    ...(shipment === undefined ? [] : [`import { issuedAwb } from '#test/builders/pilgrim.builder.ts'`]),
    `import { runningStack } from '#test/kit/running-stack.ts'`,
    '',
    `// The story of ${name}. It runs while the stack is started:`,
    `// vitest run --project api test/api/${name.toLowerCase()}.test.ts`,
    `const stack = runningStack({ gateway: '${addresses.gateway}', simulator: '${addresses.simulator}' })`,
    `const { control } = stack`,
    '',
    `it('an order like ${name} ends as: ${text}', async () => {`,
    ...body.map((line) => `  ${line}`),
    `})`,
    '',
  ].join('\n')
}
