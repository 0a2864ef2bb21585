// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { problem, stubGateway } from '#test/kit/render-page.tsx'
import { keepAllClaims } from './kept-claims.queries.ts'
import { keepingClaims, ownKeptClaims, readKeptClaims, useKeptClaims, wipeKeptClaims } from './kept-claims.ts'

const place = { name: 'Agent A1', coordinates: null }
const paid = (orderId: number): Order => ({
  orderId,
  status: 'PAID',
  type: 'FROM_MINA',
  creationDate: '2027-05-18T12:30:00.000Z',
  payable: false,
  bookings: [
    {
      awb: '290012345678',
      origin: place,
      destination: place,
      state: 'READY',
      lastEventAt: null,
      events: [],
    },
  ],
})
const keep = (...orders: Order[]) => keepingClaims(Promise.resolve({ orders }), (answer) => answer.orders)
const kept = () => readKeptClaims()?.claims.map(({ order }) => order.orderId)

beforeEach(() => {
  localStorage.clear()
})

describe('claims', () => {
  it('are kept for the signed-in user only', async () => {
    await keep(paid(1))
    expect(kept()).toBeUndefined()
    ownKeptClaims(7)
    await keep(paid(1))
    expect(kept()).toEqual([1])
    // The same user again, after a reload.
    ownKeptClaims(7)
    expect(kept()).toEqual([1])
    ownKeptClaims(8)
    expect(kept()).toEqual([])
    expect(JSON.stringify({ ...localStorage })).not.toContain('290012345678')
  })

  it('of an answer that arrives after the user changed are not kept', async () => {
    ownKeptClaims(7)
    const answer = Promise.withResolvers<{ orders: Order[] }>()
    const ofFirst = keepingClaims(answer.promise, ({ orders }) => orders)
    ownKeptClaims(8)
    answer.resolve({ orders: [paid(1)] })
    expect(await ofFirst).toEqual({ orders: [paid(1)] })
    expect(kept()).toEqual([])
  })

  it('of an answer that arrives after the log-out are not kept', async () => {
    ownKeptClaims(7)
    const answer = Promise.withResolvers<{ orders: Order[] }>()
    const late = keepingClaims(answer.promise, ({ orders }) => orders)
    wipeKeptClaims()
    answer.resolve({ orders: [paid(1)] })
    await late
    expect(localStorage.length).toBe(0)
  })

  it('are gone after a wipe, on screen as well', async () => {
    const Count = () => <p>{useKeptClaims()?.claims.length ?? 'none'}</p>
    ownKeptClaims(7)
    await keep(paid(1), paid(2))
    render(<Count />)
    expect(screen.getByText('2')).toBeTruthy()
    act(() => wipeKeptClaims())
    expect(screen.getByText('none')).toBeTruthy()
  })

  it('are not left behind when the storage is full', async () => {
    ownKeptClaims(7)
    await keep(paid(1))
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    ownKeptClaims(8)
    full.mockRestore()
    expect(localStorage.length).toBe(0)
  })
})

describe('all claims', () => {
  const path = 'GET /api/orders/user/7'

  it('are asked for once, and again when they are old', async () => {
    const calls = stubGateway({ [path]: { body: { success: true, orders: [paid(3)], nextCursor: null } } })
    ownKeptClaims(7)
    await keepAllClaims(7)
    expect(kept()).toEqual([3])
    await keepAllClaims(7)
    expect(calls.map(({ query }) => query)).toEqual([{ limit: '100' }])
  })

  it('stay as they were known when the server fails', async () => {
    stubGateway({ [path]: problem(503, 'DOWN', 'Later') })
    ownKeptClaims(7)
    await keepingClaims(Promise.resolve(paid(1)), (order) => [order], '1')
    await keepAllClaims(7)
    expect(kept()).toEqual([1])
  })

  it('are not asked for on behalf of a user who is not signed in any more', async () => {
    const calls = stubGateway({})
    await keepAllClaims(7)
    ownKeptClaims(8)
    await keepAllClaims(7)
    expect(calls).toEqual([])
  })
})
