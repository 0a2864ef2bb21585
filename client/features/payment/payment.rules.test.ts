import { describe, expect, it } from 'vitest'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import {
  isAwaitingNews,
  mayChange,
  pauseAfter,
  readCredentials,
  readOutcome,
  readReturn,
} from './payment.rules.ts'

describe('the credentials in the address', () => {
  const complete = 'clientSecret=cs_1&publicKey=pk_1&orderId=42'

  it('are read when all three are there', () => {
    expect(readCredentials(new URLSearchParams(complete))).toEqual({
      clientSecret: 'cs_1',
      publicKey: 'pk_1',
      orderId: '42',
    })
  })

  it.each(['clientSecret', 'publicKey', 'orderId'])('are missing without %s', (name) => {
    const absent = new URLSearchParams(complete)
    absent.delete(name)
    expect(readCredentials(absent)).toBeUndefined()
    const empty = new URLSearchParams(complete)
    empty.set(name, '')
    expect(readCredentials(empty)).toBeUndefined()
  })
})

describe('the response of the widget', () => {
  const success = { success: 'true', pending: 'false', merchant_order_id: 'OD-42-1', hmac: 'f' }

  it('is a success in data, or in res.data', () => {
    const taken = { kind: 'taken', merchantOrderId: 'OD-42-1' }
    expect(readOutcome({ data: success })).toEqual(taken)
    expect(readOutcome({ res: { data: success } })).toEqual(taken)
    expect(readOutcome({ data: { ...success, success: true } })).toEqual(taken)
  })

  it('is taken while the provider is processing it', () => {
    expect(readOutcome({ data: { success: 'false', pending: 'true' } })).toEqual({ kind: 'taken' })
  })

  it('has no reference when its format is invalid', () => {
    expect(readOutcome({ data: { success: 'true' } })).toEqual({ kind: 'taken' })
    expect(readOutcome({ data: { success: 'true', merchant_order_id: '../../x?y=1' } })).toEqual({
      kind: 'taken',
    })
  })

  it.each([
    ['Insufficient Funds', 'no-funds'],
    ['Expired Card', 'expired-card'],
    ['3D Secure Authentication Failed', 'not-authenticated'],
  ])('is a decline for a known reason, without the provider’s words: %s', (said, reason) => {
    const declined = { kind: 'declined', reason }
    expect(readOutcome({ data: { success: 'false', 'data.message': said } })).toEqual(declined)
    expect(readOutcome({ res: { status: 400, data: { message: said } } })).toEqual(declined)
  })

  it('is a decline with the reason the provider gives', () => {
    expect(readOutcome({ data: { success: 'false', 'data.message': 'Do not honour' } })).toEqual({
      kind: 'declined',
      message: 'Do not honour',
    })
    expect(readOutcome({ data: { error: 'Blocked' } })).toEqual({ kind: 'declined', message: 'Blocked' })
    expect(readOutcome({ data: { success: 'false' } })).toEqual({ kind: 'declined' })
  })

  it.each([
    [
      { status: 400, data: ['Retry limit reached.'] },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { res: { status: 400, data: { msg: 'Retry limit reached.' } } },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { status: 403, data: {} },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { status: 401, data: { detail: 'expired' } },
      { kind: 'refused', refusal: 'form-expired' },
    ],
    [
      { status: 406, data: { message: 'no' } },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [
      { status: 422, data: null },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [
      { status: 400, data: { message: 'Session Error' } },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [{ status: 400, data: { msg: 'Order has already paid.' } }, { kind: 'taken' }],
    [{ status: 400, data: ['Order has already been paid.'] }, { kind: 'taken' }],
    [{ status: 400, data: { message: 'Declined' } }, { kind: 'declined' }],
    [
      { status: 400, data: { message: 'Blocked' } },
      { kind: 'declined', message: 'Blocked' },
    ],
    [{ status: 400, data: {} }, { kind: 'declined' }],
    [{ status: 400, data: { success: 'false' } }, { kind: 'declined' }],
    [{ status: 500, data: 'oops' }, { kind: 'unknown' }],
  ])('is read by status and text: %j', (response, outcome) => {
    expect(readOutcome(response)).toEqual(outcome)
  })

  it.each([undefined, null, 'ok', {}, { data: null }, { data: {} }, { data: { message: 'hello' } }])(
    'is unknown when it says neither: %j',
    (response) => {
      expect(readOutcome(response)).toEqual({ kind: 'unknown' })
    },
  )
})

describe('the address of the result page', () => {
  it.each([
    ['success=true&merchant_order_id=42', true, '42'],
    ['success=true&merchant_order_id=', false, null],
    ['success=true', false, null],
    ['success=false&merchant_order_id=42', false, '42'],
    ['success=TRUE&merchant_order_id=42', false, '42'],
    ['merchant_order_id=42', false, '42'],
    ['', false, null],
  ])('%j: success %s of order %s', (query, succeeded, merchantOrderId) => {
    expect(readReturn(new URLSearchParams(query))).toEqual({ succeeded, merchantOrderId })
  })
})

describe('polling', () => {
  it.each([
    ['pending', true],
    ['done', false],
    ['needs-help', false],
  ] as const)('with a refund that is %s: %s', (state, awaits) => {
    const refund = { state, amount: 50, reason: 'operator' } as const
    for (const status of ['PAID', 'EXPIRED', 'REFUNDED'] as const)
      expect(isAwaitingNews(orderOf({ status, refund }))).toBe(awaits)
  })

  it.each([
    ['PENDING_PAYMENT', null, true],
    ['PENDING_PAYMENT', '1', true],
    ['PAID', null, true],
    ['PAID', '1', false],
    ['EXPIRED', null, false],
    ['REFUNDED', null, false],
    ['SOMETHING_NEW' as 'PAID', null, false],
  ] as const)('with status %s and airway bill %s: %s', (status, awb, awaits) => {
    expect(isAwaitingNews(orderOf({ status, bookings: [bookingOf({ awb })] }))).toBe(awaits)
  })

  it('continues until the last leg has its airway bill', () => {
    expect(isAwaitingNews(orderOf({ bookings: [bookingOf(), bookingOf({ awb: null })] }))).toBe(true)
  })

  it('is quick at first, then once a minute', () => {
    const polls = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 500]
    expect(polls.map((count) => pauseAfter(count) / 1000)).toEqual([1, 1, 2, 3, 5, 8, 13, 21, 34, 60, 60, 60])
  })
})

it('changes no more once the bags that are carried are collected', () => {
  const both = (state: Booking['state']) =>
    orderOf({ status: 'REFUNDED', bookings: [bookingOf({ state }), bookingOf({ state: 'CANCELLED' })] })
  expect([mayChange(both('IN_TRANSIT')), mayChange(both('COLLECTED'))]).toEqual([true, false])
})
