// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { AgentOrdersPage } from './agent-orders.page.tsx'

const path = 'GET /api/orders/agent/5'
const t = (key: string, values?: Record<string, unknown>) => textOf('agent-orders', key, values)

function orderOf(orderId: number, name: string | null, phone: string | null, awb: string | null): Order {
  return {
    orderId,
    status: 'PAID',
    transactionId: `99${orderId}`,
    type: 'FROM_MINA',
    creationDate: '2027-05-18T12:30:00.000Z',
    user: { name, phone },
    bookings: [
      {
        awb,
        origin: { name: 'Agent A1', city: 'Mina', coordinates: null },
        destination: { addressAR: 'الملز', addressEN: 'Malaz', city: 'Riyadh', coordinates: null },
      },
    ],
  }
}

const orders = [
  orderOf(43, 'فاطمة الأنصاري', '+966501112233', '290012345678'),
  orderOf(42, 'Ahmad Yusuf', '+6281234567890', '290087654321'),
  orderOf(41, null, null, null),
]

function pageOf(page: readonly Order[], nextCursor: string | null = null) {
  return { body: { success: true, orders: page, nextCursor } }
}

const card = async (orderId: number) => within(await screen.findByRole('article', { name: `OD-${orderId}` }))
const shown = () =>
  screen.queryAllByRole('article').map((article) => article.querySelector('h2')?.textContent)
const searchBox = () => screen.getByRole('searchbox', { name: t('search.label') })

describe('an assigned order', () => {
  it('shows the customer’s name, phone and the date beside what the customer sees', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderRoom(<AgentOrdersPage agentId={5} />)
    const order = await card(43)
    expect(order.getByText('فاطمة الأنصاري')).toBeTruthy()
    const phone = order.getByRole('link', { name: '+966501112233' })
    expect(phone.getAttribute('href')).toBe('tel:+966501112233')
    expect(within(phone).getByText('+966501112233').getAttribute('dir')).toBe('ltr')
    expect(order.getByText(/May 18, 2027/).textContent).toContain('3:30')
    expect(order.getByText('290012345678')).toBeTruthy()
    expect(order.getByText(textOf('order-card', 'status.PAID'))).toBeTruthy()
    expect(order.getByRole('link', { name: textOf('awb', 'download') }).getAttribute('href')).toBe(
      '/api/orders/barcode/290012345678.pdf?download=1',
    )
  })

  it('copes with a customer without a name, a phone and an airway bill', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderRoom(<AgentOrdersPage agentId={5} />)
    const order = await card(41)
    expect(order.getByText(t('noName'))).toBeTruthy()
    expect(order.getByText(textOf('order-card', 'noAwb.PAID'))).toBeTruthy()
    expect(order.queryByRole('link')).toBeNull()
  })
})

describe('the search', () => {
  it.each([
    ['فاطمه الانصاري', 'OD-43'],
    ['0501112233', 'OD-43'],
    ['٠٥٠١١١٢٢٣٣', 'OD-43'],
    ['ahmad', 'OD-42'],
    ['290087654321', 'OD-42'],
    ['od-41', 'OD-41'],
  ])('finds by %s', async (words, found) => {
    stubGateway({ [path]: pageOf(orders) })
    renderRoom(<AgentOrdersPage agentId={5} />)
    await card(43)
    await userEvent.type(searchBox(), words)
    await waitFor(() => expect(shown()).toEqual([found]))
    expect(screen.getByRole('status').textContent).toBe(t('search.found', { count: 1 }))
  })

  it('says when nothing fits, and can be cleared', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderRoom(<AgentOrdersPage agentId={5} />)
    await card(43)
    await userEvent.type(searchBox(), 'nobody')
    expect(await screen.findByText(t('search.none'))).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('search.clear') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
  })

  it('goes on through the pages that are not on screen yet', async () => {
    const calls = stubGateway({
      [path]: ({ query }) => {
        if (query.cursor === undefined) return pageOf(orders.slice(0, 1), 'second')
        return query.cursor === 'second' ? pageOf(orders.slice(1, 2), 'third') : pageOf(orders.slice(2))
      },
    })
    renderRoom(<AgentOrdersPage agentId={5} />)
    await card(43)
    expect(shown()).toEqual(['OD-43'])
    calls.length = 0
    await userEvent.type(searchBox(), '41')
    await waitFor(() => expect(shown()).toEqual(['OD-41']))
    expect(calls.map(({ query }) => query.cursor)).toEqual(['second', 'third'])
  })

  it('counts in Arabic as Arabic counts', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderRoom(<AgentOrdersPage agentId={5} />, { language: 'ar' })
    await card(43)
    await userEvent.type(searchBox(), '4')
    expect(await screen.findByText('3 طلبات')).toBeTruthy()
    await userEvent.clear(searchBox())
    await userEvent.type(searchBox(), 'OD-43')
    expect(await screen.findByText('طلب واحد')).toBeTruthy()
  })
})

describe('the filters', () => {
  const day = 86_400_000
  const at = (order: Order, change: Partial<Order>, age = 0): Order => ({
    ...order,
    creationDate: new Date(Date.now() - age * day).toISOString(),
    ...change,
  })
  const [paid, older, waiting] = orders
  if (!paid || !older || !waiting) throw new Error('three orders are needed')
  const list = [at(waiting, {}), at(paid, { status: 'REFUNDED' }, 1), at(older, {}, 8)]
  const filter = (key: string) => screen.getByRole('combobox', { name: t(`filter.${key}`) })

  it.each([
    ['status', 'PAID', ['OD-41', 'OD-42']],
    ['status', 'REFUNDED', ['OD-43']],
    ['label', 'issued', ['OD-43', 'OD-42']],
    ['label', 'waiting', ['OD-41']],
    ['date', 'today', ['OD-41']],
    ['date', 'yesterday', ['OD-43']],
    ['date', 'week', ['OD-41', 'OD-43']],
  ])('%s %s stands in the address and leaves %j', async (name, value, left) => {
    stubGateway({ [path]: pageOf(list) })
    const { where } = renderRoom(<AgentOrdersPage agentId={5} />, { at: '/agent-orders' })
    await card(41)
    await userEvent.selectOptions(filter(name), value)
    await waitFor(() => expect(shown()).toEqual(left))
    expect(where()).toBe(`/agent-orders?${name}=${value}`)
    await userEvent.selectOptions(filter(name), '')
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(where()).toBe('/agent-orders')
  })

  it('are read from the address, and what it does not mean is passed over', async () => {
    stubGateway({ [path]: pageOf(list) })
    renderRoom(<AgentOrdersPage agentId={5} />, { at: '/agent-orders?label=waiting&status=LOST' })
    await card(41)
    expect(shown()).toEqual(['OD-41'])
    expect(filter('status')).toHaveProperty('value', '')
  })

  it('are cleared together with the search, whose words never stand in the address', async () => {
    stubGateway({ [path]: pageOf(list) })
    const { where } = renderRoom(<AgentOrdersPage agentId={5} />, { at: '/agent-orders?date=today' })
    await card(41)
    await userEvent.type(searchBox(), 'Ahmad')
    expect(await screen.findByText(t('search.none'))).toBeTruthy()
    expect(where()).toBe('/agent-orders?date=today')
    await userEvent.click(screen.getByRole('button', { name: t('search.clear') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(where()).toBe('/agent-orders')
  })

  it('load older orders only as far back as they ask', async () => {
    const calls = stubGateway({
      [path]: ({ query }) => {
        if (query.cursor === undefined) return pageOf(list.slice(0, 1), 'second')
        return query.cursor === 'second' ? pageOf(list.slice(1, 2), 'third') : pageOf(list.slice(2))
      },
    })
    renderRoom(<AgentOrdersPage agentId={5} />, { at: '/agent-orders?date=today' })
    await screen.findByText(t('search.found', { count: 1 }))
    expect(shown()).toEqual(['OD-41'])
    expect(calls.flatMap(({ query }) => query.cursor ?? [])).toEqual(['second'])
  })
})

it('is refreshed with a button', async () => {
  let page = pageOf(orders.slice(1))
  stubGateway({ [path]: () => page })
  renderRoom(<AgentOrdersPage agentId={5} />)
  await card(42)
  page = pageOf(orders)
  await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
  await card(43)
})

it('loads more on request', async () => {
  stubGateway({
    [path]: ({ query }) => (query.cursor ? pageOf(orders.slice(1)) : pageOf(orders.slice(0, 1), 'c2')),
  })
  renderRoom(<AgentOrdersPage agentId={5} />)
  await card(43)
  await userEvent.click(screen.getByRole('button', { name: t('more') }))
  await card(41)
  expect(screen.queryByRole('button', { name: t('more') })).toBeNull()
})

it('says that nothing is assigned', async () => {
  stubGateway({ [path]: pageOf([]) })
  renderRoom(<AgentOrdersPage agentId={5} />)
  expect(await screen.findByText('No assigned orders found.')).toBeTruthy()
})

it('says that the orders cannot be loaded, and tries again', async () => {
  let isDown = true
  stubGateway({ [path]: () => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders)) })
  renderRoom(<AgentOrdersPage agentId={5} />)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Unable to load agent orders')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await card(43)
})
