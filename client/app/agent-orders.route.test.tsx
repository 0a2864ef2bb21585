// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeEntry } from '#client/entities/handover/outbox.store.ts'
import { keepHandover, readOutbox, sendOutbox } from '#client/entities/handover/outbox.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import {
  problem,
  type RecordedCall,
  renderPage,
  type StubbedRoute,
  type StubResponse,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { AgentOrdersWithScan, loadCounter } from './agent-orders.route.tsx'

const agentId = 5
const awb = '290012345678'
const handedOverAt = '2027-05-19T05:00:00.000Z'
const t = (key: string, values?: Record<string, unknown>) => textOf('handovers', key, values)

type BagState = Order['bookings'][number]['state']

function orderIn(state: BagState, status: Order['status'] = 'PAID'): Order {
  const isTaken = state === 'HANDED_OVER'
  return orderOf({
    orderId: 43,
    status,
    transactionId: '9943',
    user: { name: 'Aisha Bello', phone: '+966501112233' },
    bookings: [
      bookingOf({
        state,
        lastEventAt: isTaken ? handedOverAt : null,
        events: isTaken ? [{ kind: 'handed-over', source: 'agent', at: handedOverAt }] : [],
      }),
    ],
  })
}

/** A gateway with one order: a hand-over that is recorded changes it. */
function gateway(
  { state = 'READY' as BagState, status = 'PAID' as Order['status'], isDown = false } = {},
  routes: Readonly<Record<string, StubbedRoute>> = {},
) {
  const world = { state, status, isDown }
  const answer = (change: () => unknown) => (): StubResponse | undefined =>
    world.isDown ? undefined : { body: { success: true, ...(change() as object) } }
  const calls = stubGateway({
    'GET /api/auth/agent': answer(() => ({ agentId, name: 'Counter 1', phone: '+9665' })),
    [`GET /api/orders/agent/${agentId}`]: {
      body: {
        success: true,
        orders: [orderIn(state, status)],
        nextCursor: null,
        counts: { waiting: 1, received: 0, refused: 0 },
      },
    },
    'GET /api/orders/43': answer(() => ({ order: orderIn(world.state, world.status) })),
    'POST /api/handovers': answer(() => {
      world.state = 'HANDED_OVER'
      const order = orderIn(world.state)
      return { order, booking: order.bookings[0] }
    }),
    [`DELETE /api/handovers/${awb}`]: answer(() => {
      world.state = 'READY'
      return { booking: orderIn(world.state).bookings[0] }
    }),
    ...routes,
  })
  const handovers = () => calls.filter(({ path }) => path.startsWith('/api/handovers'))
  const lists = () => calls.filter(({ path }) => path === `/api/orders/agent/${agentId}`).length
  return { world, calls, handovers, lists }
}

/** Opens the order as on a phone. */
async function openOrder() {
  renderPage(<AgentOrdersWithScan agentId={agentId} />, { at: '/agent-orders', hasEntries: true })
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: /OD-43$/ }))
  return { person, order: within(await screen.findByRole('article', { name: 'OD-43' })) }
}

/** @returns what the bar has said since. */
function listen(): () => readonly string[] {
  const told: string[] = []
  const spoken = () =>
    [...document.querySelectorAll('[role=status]')]
      .map(({ textContent }) => textContent ?? '')
      .filter((text) => /5678|0000/.test(text))
  let before = spoken().join()
  const observer = new MutationObserver(() => {
    const [now = ''] = spoken()
    if (now !== '' && now !== before) told.push(now)
    before = now
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  return () => told
}

const methods = (calls: readonly RecordedCall[]) => calls.map(({ method }) => method)
const undoName = /^Undo · (10:00|9:\d\d) left: Aisha Bello$/

beforeAll(loadCounter)
beforeEach(async () => {
  localStorage.clear()
  beginShift(agentId)
  await emptyOutbox()
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a bag that waits', () => {
  it('is received once; the sheet gives way to a bar and the search', async () => {
    const { handovers, lists } = gateway()
    const { person, order } = await openOrder()
    const loaded = lists()
    const said = listen()
    await person.click(order.getByRole('button', { name: t('confirm') }))
    expect(await screen.findByRole('button', { name: undoName })).toBeTruthy()
    // Not first that it waits to be sent.
    expect(said()).toEqual([`5678 ${t('bar.received')} Aisha Bello`])
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox')))
    await waitFor(() => expect(lists()).toBeGreaterThan(loaded))
    expect(handovers()).toMatchObject([{ method: 'POST', body: { awb } }])
    expect(handovers()[0]?.headers['idempotency-key']).toMatch(/^[\da-f]{32}$/)
  })

  it('that was received is undone in the bar, and waits again', async () => {
    const { handovers } = gateway()
    const { person, order } = await openOrder()
    await keepHandover(agentId, '290099990000')
    await sendOutbox(agentId)
    await person.click(order.getByRole('button', { name: t('confirm') }))
    const undo = await screen.findByRole('button', { name: undoName })
    const said = listen()
    await person.click(undo)
    // Not the bag before, whose undo would lie under the second press of a double one.
    await waitFor(() => expect(said()).toEqual([`5678 ${t('bar.undone')} Aisha Bello`]))
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
    expect(document.activeElement?.getAttribute('role')).toBe('status')
    expect(methods(handovers())).toEqual(['POST', 'POST', 'DELETE'])
    await person.click(await screen.findByRole('button', { name: /OD-43$/ }))
    expect(await screen.findByRole('button', { name: t('confirm') })).toBeTruthy()
  })

  it('is not accepted with a reason, and waits on', async () => {
    const { handovers } = gateway({}, { 'POST /api/handovers/refusals': { body: { success: true } } })
    const { person, order } = await openOrder()
    await person.click(order.getByRole('button', { name: t('refuse.open') }))
    await person.click(order.getByRole('button', { name: t('refuse.reasons.damaged') }))
    await person.click(order.getByRole('button', { name: t('refuse.send') }))
    expect(await screen.findByText(t('bar.notAccepted'), { exact: false })).toBeTruthy()
    await waitFor(() =>
      expect(handovers()).toMatchObject([
        { path: '/api/handovers/refusals', body: { awb, reason: 'damaged' } },
      ]),
    )
    await person.click(await screen.findByRole('button', { name: /OD-43$/ }))
    expect(await screen.findByRole('button', { name: t('confirm') })).toBeTruthy()
  })

  it('that is cancelled at this moment says so, until it was read', async () => {
    const refusal = problem(409, 'DO_NOT_ACCEPT', 'The order was cancelled.')
    gateway({}, { 'POST /api/handovers': refusal })
    const { person, order } = await openOrder()
    await person.click(order.getByRole('button', { name: t('confirm') }))
    expect(await screen.findByText(t('kept.refusal.DO_NOT_ACCEPT'))).toBeTruthy()
    await person.click(
      await screen.findByRole('button', { name: t('kept.dismissOf', { bag: 'Aisha Bello' }) }),
    )
    await waitFor(() => expect(screen.queryByText(t('kept.refusal.DO_NOT_ACCEPT'))).toBeNull())
  })

  it('cannot be received in a browser that stores nothing, and says why', async () => {
    const { handovers } = gateway()
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('private window', 'InvalidStateError')
    })
    const { person, order } = await openOrder()
    expect(await order.findByText(t('storage'))).toBeTruthy()
    await person.click(order.getByRole('button', { name: t('confirm') }))
    expect(order.getByText(t('storage'))).toBeTruthy()
    expect(handovers()).toEqual([])
  })
})

describe('a bag that does not wait', () => {
  it('and was received earlier offers nothing and says when it was', async () => {
    gateway({ state: 'HANDED_OVER' })
    const { order } = await openOrder()
    expect(order.getByText(/^Received already: 19 May.*, \d\d:\d\d\.$/)).toBeTruthy()
    for (const name of [t('confirm'), t('keep'), /^Undo/])
      expect(order.queryByRole('button', { name })).toBeNull()
  })

  it('can be undone for ten minutes, and no longer', async () => {
    const { handovers } = gateway({ state: 'HANDED_OVER' })
    await keepHandover(agentId, awb)
    await sendOutbox(agentId)
    const [entry] = await readOutbox(agentId)
    if (entry === undefined) throw new Error('nothing is kept')
    await changeEntry(entry.id, (kept) => ({ ...kept, recordedAt: Date.now() - 9 * 60_000 }))
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    try {
      const { order } = await openOrder()
      expect(
        await order.findByRole('button', { name: /^Undo · (1:00|0:\d\d) left: Aisha Bello$/ }),
      ).toBeTruthy()
      act(() => vi.advanceTimersByTime(61_000))
      expect(order.queryByRole('button', { name: /^Undo/ })).toBeNull()
      expect(order.getByText(/^Received already/)).toBeTruthy()
      expect(methods(handovers())).toEqual(['POST'])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['REFUNDED', 'CANCELLED'] as const)('%s offers nothing and says why', async (status) => {
    gateway({ state: 'CANCELLED', status })
    const { order } = await openOrder()
    expect(order.getByText(textOf('order-card', 'doNotAccept.text'))).toBeTruthy()
    for (const name of [t('confirm'), t('keep'), /^Undo/])
      expect(order.queryByRole('button', { name })).toBeNull()
  })
})

it('without a network a bag is received and kept', async () => {
  const { world, handovers } = gateway({ isDown: true })
  const { person, order } = await openOrder()
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(await order.findByText(t('check.unchecked.text'))).toBeTruthy()
  await person.click(order.getByRole('button', { name: t('keep') }))
  expect(await screen.findByText(t('bar.kept'), { exact: false })).toBeTruthy()
  const unsent = textOf('agent-orders', 'unsent')
  expect((await screen.findByText(unsent)).closest('tr')?.textContent).toContain('Aisha Bello')
  expect(screen.getByRole('button', { name: t('kept.undoWaiting', { bag: 'Aisha Bello' }) })).toBeTruthy()
  world.isDown = false
  onLine.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByRole('button', { name: undoName })).toBeTruthy()
  await waitFor(() => expect(screen.queryByText(unsent)).toBeNull())
  expect(methods(handovers())).toEqual(['POST'])
})
