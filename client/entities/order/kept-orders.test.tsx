// @vitest-environment jsdom
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { problem, stubGateway } from '#test/kit/client/render-page.tsx'
import { keepAllOrders, keepingOrders, orderQuery, userOrdersQuery } from './kept-orders.queries.ts'
import { ownKeptOrders, readKeptOrders, useKeptOwner, wipeKeptOrders } from './kept-orders.ts'

const paid = (orderId: number) => orderOf({ orderId })
const keep = (...orders: Order[]) => keepingOrders(Promise.resolve({ orders }), (answer) => answer.orders)
const kept = () => readKeptOrders()?.orders.map(({ order }) => order.orderId)

beforeEach(() => {
  localStorage.clear()
})

describe('kept orders', () => {
  it('are kept for the signed-in user only', async () => {
    await keep(paid(1))
    expect(kept()).toBeUndefined()
    ownKeptOrders(7)
    await keep(paid(1))
    expect(kept()).toEqual([1])
    // The same user again, after a reload.
    ownKeptOrders(7)
    expect(kept()).toEqual([1])
    ownKeptOrders(8)
    expect(kept()).toEqual([])
    expect(JSON.stringify({ ...localStorage })).not.toContain('290012345678')
  })

  it('of an answer that arrives after the user changed are not kept', async () => {
    ownKeptOrders(7)
    const answer = Promise.withResolvers<{ orders: Order[] }>()
    const ofFirst = keepingOrders(answer.promise, ({ orders }) => orders)
    ownKeptOrders(8)
    answer.resolve({ orders: [paid(1)] })
    expect(await ofFirst).toEqual({ orders: [paid(1)] })
    expect(kept()).toEqual([])
  })

  it('of an answer that arrives after the log-out are not kept', async () => {
    ownKeptOrders(7)
    const answer = Promise.withResolvers<{ orders: Order[] }>()
    const late = keepingOrders(answer.promise, ({ orders }) => orders)
    wipeKeptOrders()
    answer.resolve({ orders: [paid(1)] })
    await late
    expect(localStorage.length).toBe(0)
  })

  it('are gone after a wipe, on screen as well', async () => {
    const Count = () => <p>{useKeptOwner().hasOrders ? 'some' : 'none'}</p>
    ownKeptOrders(7)
    await keep(paid(1), paid(2))
    render(<Count />)
    expect(screen.getByText('some')).toBeTruthy()
    act(() => wipeKeptOrders())
    expect(screen.getByText('none')).toBeTruthy()
  })
})

it('a page begins with what is kept, as of now at most, so that it asks anew after the clock was set back', async () => {
  ownKeptOrders(7)
  const ahead = Date.now() + 3_600_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(ahead)
  await keep(paid(1))
  clock.mockReturnValue(ahead - 3_600_000)
  const client = new QueryClient()
  const order = new QueryObserver(client, orderQuery('1')).getCurrentResult()
  expect(order).toMatchObject({ data: { knownAt: ahead - 3_600_000 }, isStale: true })
  const { data } = new InfiniteQueryObserver(client, userOrdersQuery(7)).getCurrentResult()
  expect(data?.pages[0]?.knownAt).toBe(ahead - 3_600_000)
})

describe('all orders', () => {
  const path = 'GET /api/orders/user/7'

  it('are asked for once, and again when they are old', async () => {
    const calls = stubGateway({ [path]: { body: { success: true, orders: [paid(3)], nextCursor: null } } })
    ownKeptOrders(7)
    await keepAllOrders(7)
    expect(kept()).toEqual([3])
    await keepAllOrders(7)
    expect(calls.map(({ query }) => query)).toEqual([{ limit: '100' }])
  })

  it('stay as they were known when the server fails', async () => {
    stubGateway({ [path]: problem(503, 'DOWN', 'Later') })
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(paid(1)), (order) => [order], '1')
    await keepAllOrders(7)
    expect(kept()).toEqual([1])
  })

  it('are not asked for on behalf of a user who is not signed in any more', async () => {
    const calls = stubGateway({})
    await keepAllOrders(7)
    ownKeptOrders(8)
    await keepAllOrders(7)
    expect(calls).toEqual([])
  })
})
