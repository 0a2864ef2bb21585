import { describe, expect, it } from 'vitest'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import {
  buildDemoBag,
  buildDemoEvent,
  buildDemoOrder,
  buildDemoPayment,
  buildDemoRefund,
} from '#test/builders/demo-order.builder.ts'
import {
  type CallbackMode,
  type End,
  expectedEnd,
  missingOf,
  type Outcome,
  providerFaults,
  type Transaction,
} from './story.ts'

const transaction = (id: number, change: Partial<Transaction> = {}): Transaction => ({
  id,
  kind: 'payment',
  parentId: null,
  success: true,
  pending: false,
  amount: 5_000,
  message: 'Approved',
  ...change,
})
const payments = [transaction(1), transaction(2)]
const reversal = [transaction(9, { kind: 'refund', parentId: 7 })]

describe('the end of a story', () => {
  it.each<[Outcome, CallbackMode, DemoOrder['status'], readonly Transaction[], End]>([
    ['success', 'send', 'PENDING_PAYMENT', payments, { status: 'PAID', known: ['1', '2'], returned: ['2'] }],
    ['success', 'late', 'EXPIRED', [transaction(1)], { status: 'PAID', known: ['1'], returned: [] }],
    ['success', 'lose', 'PENDING_PAYMENT', payments, { status: 'PAID', known: [], returned: [] }],
    ['success', 'lose', 'PAID', payments, { status: 'PAID', known: [], returned: [] }],
    ['success', 'lose', 'CANCELLED', payments, { status: 'CANCELLED', known: [], returned: [] }],
    ['success', 'forge', 'PENDING_PAYMENT', [], { status: 'PENDING_PAYMENT', known: [], returned: [] }],
    [
      ...(['success', 'mismatch', 'PENDING_PAYMENT', [transaction(1)]] as const),
      { status: 'PENDING_PAYMENT', known: ['1'], returned: ['1'] },
    ],
    ['success', 'twice', 'PAID', [transaction(1)], { status: 'PAID', known: ['1'], returned: ['1'] }],
    ['success', 'send', 'CANCELLED', [transaction(1)], { status: 'REFUNDED', known: ['1'], returned: ['1'] }],
    ['success', 'send', 'REFUNDED', [transaction(1)], { status: 'REFUNDED', known: ['1'], returned: ['1'] }],
    [
      'decline',
      'send',
      'PENDING_PAYMENT',
      payments,
      { status: 'PENDING_PAYMENT', known: ['1', '2'], returned: [] },
    ],
    ['decline', 'lose', 'PENDING_PAYMENT', payments, { status: 'PENDING_PAYMENT', known: [], returned: [] }],
    ['cancel', 'send', 'EXPIRED', [], { status: 'EXPIRED', known: [], returned: [] }],
    ['refund', 'send', 'PAID', reversal, { status: 'REFUNDED', known: [], returned: [] }],
    ['void', 'late', 'CANCELLED', reversal, { status: 'REFUNDED', known: [], returned: [] }],
    ['refund', 'mismatch', 'PAID', reversal, { status: 'PAID', known: [], returned: [] }],
    ['refund', 'lose', 'PAID', reversal, { status: 'PAID', known: [], returned: [] }],
    ['refund', 'forge', 'PAID', [], { status: 'PAID', known: [], returned: [] }],
  ])('of %s with the callback %s, %s before', (outcome, mode, status, made, end) => {
    expect(expectedEnd(outcome, mode, buildDemoOrder({ status, transactionId: '7' }), made)).toEqual(end)
  })

  it('of a refund of another payment leaves the order as it is', () => {
    const order = buildDemoOrder({ status: 'PAID', transactionId: '8' })
    expect(expectedEnd('refund', 'send', order, reversal).status).toBe('PAID')
  })
})

describe('what an order lacks of its end', () => {
  const paid: End = { status: 'PAID', known: ['1', '2'], returned: ['2'] }
  it('is everything at first', () => {
    expect(missingOf(paid, buildDemoOrder())).toEqual([
      'OD-42 is PENDING_PAYMENT and not PAID',
      'the gateway does not know transaction 1',
      'the gateway does not know transaction 2',
      'transaction 2 is not refunded',
    ])
  })

  it('is an airway bill and the end of a refund of a paid order', () => {
    const events = [buildDemoEvent('1'), buildDemoEvent('2', { outcome: 'second-payment' })]
    const refunds = [buildDemoRefund('2', { state: 'asked' })]
    const order = buildDemoOrder({ status: 'PAID', payments: [buildDemoPayment({ events, refunds })] })
    expect(missingOf(paid, order)).toEqual(['transaction 2 is not refunded', 'AM-1 has no airway bill'])
  })

  it('is the label of a bag whose airway bill has a number', () => {
    const bag = { ...buildDemoBag('231200021879'), labelState: 'labelling' } as const
    const order = buildDemoOrder({ status: 'PAID', bookings: [bag] })
    expect(missingOf({ status: 'PAID', known: [], returned: [] }, order)).toEqual([
      'the label of AM-1 is not stored',
    ])
  })

  it('is nothing at the end', () => {
    const events = [buildDemoEvent('1'), buildDemoEvent('2', { outcome: 'second-payment' })]
    const order = buildDemoOrder({
      status: 'PAID',
      bookings: [buildDemoBag('231200021879')],
      payments: [buildDemoPayment({ events, refunds: [buildDemoRefund('2')] })],
    })
    expect(missingOf(paid, order)).toEqual([])
  })
})

describe('the side of the provider', () => {
  const callback = (status: number | null, error: string | null = null) => ({
    type: 'TRANSACTION',
    transactionId: 1,
    state: 'waiting',
    status,
    error,
    nextAttemptAt: null,
  })
  it.each<[string, Outcome, CallbackMode, readonly Transaction[], ReturnType<typeof callback>[], string[]]>([
    ['a payment and its callback', 'success', 'send', [transaction(1)], [callback(200)], []],
    ['no payment', 'success', 'send', [], [], ['the provider shows no success of this order']],
    [
      'a refused callback',
      'success',
      'send',
      payments,
      [callback(500)],
      ['the callback of 1 is waiting: HTTP 500'],
    ],
    [
      'a lost connection',
      'success',
      'send',
      payments,
      [callback(null, 'reset')],
      ['the callback of 1 is waiting: reset'],
    ],
    ['a callback that waits', 'success', 'late', payments, [callback(null)], []],
    ['a refused forgery', 'success', 'forge', [], [callback(401)], []],
    [
      'a taken forgery',
      'success',
      'forge',
      [],
      [callback(200)],
      ['the gateway took the forged callback of 1'],
    ],
    ['a decline', 'decline', 'send', [transaction(1, { success: false })], [callback(200)], []],
    ['a form that is left', 'cancel', 'send', [], [], []],
  ])('%s', (_name, outcome, mode, made, callbacks, faults) => {
    expect(providerFaults(outcome, mode, made, callbacks)).toEqual(faults)
  })
})
