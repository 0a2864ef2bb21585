import { describe, expect, it } from 'vitest'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isAwaitingNews, mayChange, pauseAfter, readCredentials, readReturn } from './payment.rules.ts'

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
