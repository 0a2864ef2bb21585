// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { withAnswer } from './kept.rules.ts'
import { type KnownOrder, readKept, storeKept } from './kept.ts'

const now = Date.parse('2027-05-20T12:00:00.000Z')
const paid = (orderId: number) => orderOf({ orderId })
const cancelled = (orderId: number) => orderOf({ orderId, status: 'CANCELLED' })

/** Takes up an answer, of which cancelled orders are not kept. */
const taken = (
  known: readonly KnownOrder[],
  orders: readonly Order[],
  askedAt: number,
  more: { now?: number; isWhole?: boolean; droppedAt?: number; most?: number } = {},
) =>
  withAnswer(
    known,
    { orders, askedAt, now: more.now ?? now + 500 },
    {
      entryOf: (order) => (order.status === 'CANCELLED' ? undefined : { order, knownAt: askedAt }),
      most: more.most ?? 9,
      ...(more.isWhole && { isWhole: true }),
      ...(more.droppedAt !== undefined && { droppedAt: more.droppedAt }),
    },
  )
const timesOf = (known: readonly KnownOrder[]) => known.map(({ order, knownAt }) => [order.orderId, knownAt])

describe('an answer', () => {
  it('adds and replaces orders, drops what is not kept any more, and leaves the others', () => {
    const before = taken([], [paid(3), paid(1), paid(2)], now)
    expect(timesOf(taken(before, [paid(4), cancelled(1), paid(2)], now + 1))).toEqual([
      [2, now + 1],
      [3, now],
      [4, now + 1],
    ])
  })

  it('that names all orders drops the others, but not what was asked for after it', () => {
    const before = taken(taken([], [paid(1)], now), [paid(2)], now + 2)
    expect(timesOf(taken(before, [paid(3)], now + 1, { isWhole: true }))).toEqual([
      [2, now + 2],
      [3, now + 1],
    ])
  })

  it('that was asked for earlier and comes later changes nothing, and brings back no dropped order', () => {
    const before = taken([], [paid(1)], now)
    expect(taken(before, [cancelled(1)], now - 1)).toEqual(before)
    expect(taken(before, [paid(1)], now - 1)).toEqual(before)
    expect(taken([], [paid(1)], now - 1, { droppedAt: now })).toEqual([])
    expect(timesOf(taken([], [paid(1)], now + 1, { droppedAt: now }))).toEqual([[1, now + 1]])
  })

  it('is not skipped because of a clock that was ahead and has been set back', () => {
    const ahead = taken([], [paid(1), paid(2)], now + 9_000, { now: now + 9_000 })
    expect(timesOf(taken(ahead, [paid(1)], now, { isWhole: true }))).toEqual([[1, now]])
    expect(timesOf(taken([], [paid(1)], now, { droppedAt: now + 9_000 }))).toEqual([[1, now]])
  })

  it('leaves the newest orders alone, where there are too many', () => {
    expect(timesOf(taken([], [paid(3), paid(1), paid(2)], now, { most: 2 }))).toEqual([
      [2, now],
      [3, now],
    ])
  })
})

describe('the storage', () => {
  beforeEach(() => {
    localStorage.clear()
  })

  it('gives back what has this version', () => {
    storeKept('keptOrders', { version: 6 })
    expect(readKept('keptOrders', 6)).toEqual({ version: 6 })
    expect(readKept('keptBags', 6)).toBeUndefined()
  })

  it.each(['', 'null', '1', '"text"', '[]', '{}', '{"version":5}'])('drops anything else: %s', (stored) => {
    localStorage.setItem('keptOrders', stored)
    expect(readKept('keptOrders', 6)).toBeUndefined()
  })

  it('that is full holds nothing', () => {
    storeKept('keptOrders', { version: 6 })
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    storeKept('keptOrders', { version: 6 })
    full.mockRestore()
    expect(localStorage.length).toBe(0)
  })
})
