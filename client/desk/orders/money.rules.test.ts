import { expect, it } from 'vitest'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import { moneyOf } from './money.rules.ts'

type Payment = DeskOrder['payments'][number]

const at = '2027-05-14T17:11:00.000Z'
const money = { amountHalalas: 5_000, currency: 'SAR' }
const event = (change: Partial<Payment['events'][number]>): Payment['events'][number] => ({
  transactionId: '1',
  kind: 'succeeded',
  source: 'callback',
  outcome: 'applied',
  receivedAt: at,
  ...money,
  ...change,
})
const refund = (change: Partial<Payment['refunds'][number]>): Payment['refunds'][number] => ({
  transactionId: '2',
  state: 'done',
  reason: 'second-payment',
  orderedAt: at,
  doneAt: at,
  ...money,
  ...change,
})
const paymentsOf = (events: Payment['events'], refunds: Payment['refunds'] = []): DeskOrder => {
  const payments = [{ reference: 'R', state: 'succeeded', startedAt: at, ...money, events, refunds }]
  return { payments } as unknown as DeskOrder
}
const declined = event({ kind: 'failed' })
const second = event({ transactionId: '2', outcome: 'second-payment' })
const less = event({ outcome: 'amount-mismatch', amountHalalas: 4_900 })

it.each([
  ['nothing', [declined, event({ kind: 'pending' })], [], [0, 0, 0, 0]],
  ['one payment', [declined, event({})], [], [5_000, 1, 0, 0]],
  [
    'two, of which one is on its way back',
    [event({}), second],
    [refund({ state: 'uncertain' })],
    [10_000, 2, 5_000, 0],
  ],
  ['two, of which one is back', [event({}), second], [refund({})], [10_000, 2, 0, 5_000]],
  [
    'a wrong sum, although nothing was paid by it',
    [less],
    [refund({ amountHalalas: 4_900 })],
    [4_900, 1, 0, 4_900],
  ],
  [
    'one that was written off: nothing went back',
    [event({}), second],
    [refund({ writtenOffAt: at })],
    [10_000, 2, 0, 0],
  ],
] as const)('counts %s', (_, events, refunds, [paid, payments, onItsWayBack, returned]) => {
  expect(moneyOf(paymentsOf([...events], [...refunds]))).toEqual({ paid, payments, onItsWayBack, returned })
})
