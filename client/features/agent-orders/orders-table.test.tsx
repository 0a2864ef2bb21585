// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { lazyPart } from '#client/app/lazy-part.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import { renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AgentOrdersPage } from './agent-orders.page.tsx'
import { OrdersTable, type OrdersTableProps } from './orders-table.tsx'

const path = 'GET /api/orders/agent/5'
const t = (key: string, values?: Record<string, unknown>) => textOf('agent-orders', key, values)
const ofCustomer = (orderId: number, name: string, awb: string): Order =>
  orderOf({ orderId, user: { name, phone: '+966501112233' }, bookings: [bookingOf({ awb })] })
const orders = [
  ofCustomer(42, 'Zaid Omar', '290012345678'),
  ofCustomer(43, 'Ahmad Yusuf', '290087654321'),
  ofCustomer(41, 'Maryam Ali', '290011112222'),
]

const onScreen = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: isWide && query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
beforeEach(() => void onScreen(true))

/** The list of an agent on a wide screen. @returns the calls. */
function open(
  list: readonly Order[],
  nextCursor: string | null = null,
  table: OrdersTableProp = OrdersTable,
) {
  const counts = { waiting: list.length, received: 0, refused: 0 }
  const calls = stubGateway({ [path]: { body: { success: true, orders: list, counts, nextCursor } } })
  renderPage(<AgentOrdersPage agentId={5} table={table} />)
  return calls
}
type OrdersTableProp = Parameters<typeof AgentOrdersPage>[0]['table']
const row = (orderId: number) => screen.findByRole('button', { name: new RegExp(`OD-${orderId}$`) })
const shown = () =>
  screen
    .getAllByRole('button', { name: /OD-\d+$/ })
    .map((button) => /OD-\d+$/.exec(button.textContent ?? '')?.[0])
const header = (column: string) =>
  screen.findByRole('columnheader', { name: new RegExp(t(`columns.${column}`)) })

it.each([
  ['is loaded on a wide screen', true],
  ['is never loaded on a phone', false],
])('%s', async (_, isWide) => {
  onScreen(isWide)
  const load = vi.fn(async () => OrdersTable)
  open(orders, null, lazyPart<OrdersTableProps>(load))
  await row(42)
  expect(load).toHaveBeenCalledTimes(isWide ? 1 : 0)
})

it('gives way to rows where it cannot be loaded', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  open(
    orders,
    null,
    lazyPart<OrdersTableProps>(async () => Promise.reject(new Error('no network'))),
  )
  expect((await row(42)).closest('tr')?.textContent).toContain('Zaid Omar')
})

it('is a table with a name, and the keys go through it and open the order beside it', async () => {
  open(orders)
  await row(42)
  expect(screen.getByRole('table', { name: t('columns.caption') })).toBeTruthy()
  const search = screen.getByRole('searchbox')
  await userEvent.click(search)
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(await row(42))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(await row(43))
  expect(await screen.findByRole('article', { name: 'OD-43' })).toBeTruthy()
  expect((await row(43)).getAttribute('aria-current')).toBe('true')
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(await row(41))
})

it('sorts the waiting time by the server, and names here, by keys too', async () => {
  const calls = open(orders)
  await row(42)
  expect((await header('age')).getAttribute('aria-sort')).toBe('descending')
  const name = await header('customer')
  expect(name.tabIndex).toBe(0)
  // antd reads the number of the key (keyCode), which user-event does not send.
  fireEvent.keyDown(name, { key: 'Enter', keyCode: 13 })
  expect(shown()).toEqual(['OD-43', 'OD-41', 'OD-42'])
  expect((await header('age')).getAttribute('aria-sort')).toBeNull()
  ;(await row(43)).focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(await row(41))
  await userEvent.click(await header('age'))
  expect(shown()).toEqual(['OD-42', 'OD-43', 'OD-41'])
  await userEvent.click(await header('age'))
  await vi.waitFor(() => expect(calls.at(-1)?.query.order).toBe('newest'))
})

it('sorts no names while more orders can be loaded', async () => {
  open(orders, '40')
  await row(42)
  expect((await header('customer')).tabIndex).toBe(-1)
})

it('a returned order shows neither name nor phone, and that the bag must not be accepted', async () => {
  open(orders.map((order) => (order.orderId === 42 ? refunded(order) : order)))
  const line = (await row(42)).closest('tr')
  expect(line?.textContent).not.toMatch(/Zaid|\+966/)
  expect(line?.textContent).toContain(t('hidden'))
  expect(line?.textContent).toContain(t('refused', { status: textOf('order-card', 'status.REFUNDED') }))
  expect((await row(43)).closest('tr')?.textContent).toContain('+966501112233')
})
