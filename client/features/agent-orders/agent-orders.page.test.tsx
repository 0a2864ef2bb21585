// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { problem, type RecordedCall, renderPage, stubGateway, textOf } from '#test/kit/render-page.tsx'
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
    payable: false,
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

const noCounts = { waiting: 0, received: 0, refused: 0 }

function pageOf(
  page: readonly Order[],
  nextCursor: string | null = null,
  counts = { ...noCounts, waiting: page.length },
) {
  return { body: { success: true, orders: page, counts, nextCursor } }
}

/** Responds by search text and filters; `''` is the whole list. */
function answering(lists: Readonly<Record<string, readonly Order[]>>) {
  return ({ query: { cursor: _, ...asked } }: { query: Readonly<Record<string, string>> }) =>
    pageOf(lists[new URLSearchParams(asked).toString()] ?? [], null, { ...noCounts, waiting: 3 })
}

const card = async (orderId: number) => within(await screen.findByRole('article', { name: `OD-${orderId}` }))
const shown = () =>
  screen.queryAllByRole('article').map((article) => article.querySelector('h2')?.textContent)
const listed = (calls: readonly RecordedCall[]) =>
  calls.filter((call) => call.path === '/api/orders/agent/5').map(({ query }) => query)
const searchBox = () => screen.getByRole('searchbox', { name: t('search.label') })

describe('an assigned order', () => {
  it('shows the customer’s name and phone in addition to what the customer sees', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderPage(<AgentOrdersPage agentId={5} />)
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

  it('shows an order without a name, a phone and an airway bill', async () => {
    stubGateway({ [path]: pageOf(orders) })
    renderPage(<AgentOrdersPage agentId={5} />)
    const order = await card(41)
    expect(order.getByText(t('noName'))).toBeTruthy()
    expect(order.getByText(textOf('order-card', 'noAwb.PAID'))).toBeTruthy()
    expect(order.queryByRole('link')).toBeNull()
  })
})

describe('the search', () => {
  it('sends one request after a pause in typing', async () => {
    const calls = stubGateway({ [path]: answering({ '': orders, 'q=Ahmad': orders.slice(1, 2) }) })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    calls.length = 0
    for (const value of ['A', 'Ah', 'Ahm', 'Ahma', 'Ahmad'])
      fireEvent.change(searchBox(), { target: { value } })
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(screen.getByRole('status').textContent).toBe(t('search.found', { count: 1 }))
    expect(listed(calls).map(({ q }) => q)).toEqual(['Ahmad'])
  })

  it('sends a request at once on Enter, as hand scanners send it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
    try {
      const calls = stubGateway({ [path]: answering({ '': orders, 'q=290087654321': orders.slice(1, 2) }) })
      renderPage(<AgentOrdersPage agentId={5} />)
      await vi.waitFor(() => expect(shown()).toHaveLength(3))
      calls.length = 0
      fireEvent.change(searchBox(), { target: { value: '290087654321' } })
      expect(listed(calls)).toEqual([])
      fireEvent.keyDown(searchBox(), { key: 'Enter' })
      await vi.waitFor(() => expect(shown()).toEqual(['OD-42']))
    } finally {
      vi.useRealTimers()
    }
  })

  it('aborts the request for an older text and ignores its response', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const late = Promise.withResolvers<Response>()
    const respond = (list: readonly Order[]) =>
      new Response(JSON.stringify(pageOf(list).body), { headers: { 'content-type': 'application/json' } })
    vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
      const { pathname, searchParams } = new URL(input, window.location.origin)
      if (!pathname.startsWith('/api/orders/')) throw new TypeError('The line broke')
      const q = searchParams.get('q')
      if (q === null) return respond(orders)
      if (q === 'Ahmad') return respond(orders.slice(1, 2))
      // A request for a part of a text, sent when typing it takes longer than the pause, is never answered.
      if (q !== 'Fa') return new Promise<Response>(() => {})
      signals.push(init.signal)
      return late.promise
    })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    await userEvent.type(searchBox(), 'Fa{Enter}')
    await waitFor(() => expect(signals).toHaveLength(1))
    // The previous list is not shown as a result.
    expect(shown()).toEqual([])
    expect(await screen.findByText(t('loading'))).toBeTruthy()
    await userEvent.clear(searchBox())
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(signals[0]?.aborted).toBe(true)
    late.resolve(respond(orders.slice(0, 1)))
    await late.promise
    expect(shown()).toEqual(['OD-42'])
  })

  it('sends no request without a letter or a digit', async () => {
    const calls = stubGateway({ [path]: answering({ '': orders, 'q=%2B9': orders.slice(0, 1) }) })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    calls.length = 0
    await userEvent.type(searchBox(), '+{Enter}')
    expect(shown()).toHaveLength(3)
    await userEvent.type(searchBox(), '9{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-43']))
    expect(listed(calls).map(({ q }) => q)).toEqual(['+9'])
  })

  it('shows when nothing matches, and can be cleared', async () => {
    stubGateway({ [path]: answering({ '': orders }) })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    await userEvent.type(searchBox(), 'no such name')
    expect(await screen.findByText(t('search.none'))).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('search.clear') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(searchBox()).toHaveProperty('value', '')
  })

  it('requests further pages while nothing is found and there are more', async () => {
    const calls = stubGateway({
      [path]: ({ query: { q, cursor } }) => {
        if (q === undefined) return pageOf(orders)
        if (cursor === undefined) return pageOf([], 'second')
        return cursor === 'second' ? pageOf([], 'third') : pageOf(orders.slice(2), 'fourth')
      },
    })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    calls.length = 0
    await userEvent.type(searchBox(), 'zaynab{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-41']))
    // A person who types slowly also asks for a part of the name.
    const pages = listed(calls).filter(({ q }) => q === 'zaynab')
    expect(pages.map(({ cursor }) => cursor)).toEqual([undefined, 'second', 'third'])
    // Further pages load on request.
    expect(screen.getByRole('status').textContent).toBe(
      t('search.soFar', { found: t('search.found', { count: 1 }) }),
    )
    expect(screen.getByRole('button', { name: t('more') })).toBeTruthy()
  })

  it('uses Arabic plural forms in Arabic', async () => {
    stubGateway({ [path]: answering({ '': orders, 'q=43': orders.slice(0, 1), 'q=4': orders.slice(0, 2) }) })
    renderPage(<AgentOrdersPage agentId={5} />, { language: 'ar' })
    expect(await screen.findByText('3 طلبات')).toBeTruthy()
    await userEvent.type(searchBox(), '4{Enter}')
    expect(await screen.findByText('طلبان')).toBeTruthy()
    await userEvent.type(searchBox(), '3{Enter}')
    expect(await screen.findByText('طلب واحد')).toBeTruthy()
  })
})

describe('the filters', () => {
  const filter = (key: string) => screen.getByRole('combobox', { name: t(`filter.${key}`) })
  const centers = {
    body: {
      success: true,
      centers: ['Riyadh', 'Jeddah', 'Riyadh'].map((city, index) => ({
        code: String(index),
        addressAR: 'حي',
        addressEN: 'District',
        city,
        coordinates: null,
      })),
    },
  }
  const gateway = (lists: Readonly<Record<string, readonly Order[]>>) =>
    stubGateway({ [path]: answering({ '': orders, ...lists }), 'GET /api/partner/centers': centers })

  it.each([
    ['state', 'waiting'],
    ['state', 'refused'],
    ['city', 'Jeddah'],
    ['order', 'oldest'],
  ])('%s %s is in the address and in the request', async (name, value) => {
    gateway({ [`${name}=${value}`]: orders.slice(1, 2) })
    const { where } = renderPage(<AgentOrdersPage agentId={5} />, { at: '/agent-orders' })
    await card(43)
    await waitFor(() => expect(within(filter('city')).getAllByRole('option')).toHaveLength(3))
    await userEvent.selectOptions(filter(name), value)
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(where()).toBe(`/agent-orders?${name}=${value}`)
    await userEvent.selectOptions(filter(name), '')
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(where()).toBe('/agent-orders')
  })

  it('show the count of each state, also during a search', async () => {
    const counts = { waiting: 1234, received: 0, refused: 5 }
    const never = new Promise<never>(() => undefined)
    stubGateway({ [path]: ({ query }) => (query.q ? never : pageOf(orders, 'more', counts)) })
    renderPage(<AgentOrdersPage agentId={5} />)
    await card(43)
    const texts = () =>
      within(filter('state'))
        .getAllByRole('option')
        .map((option) => option.textContent)
    const expected = [
      t('filter.all'),
      `${t('filter.states.waiting')} (1234)`,
      `${t('filter.states.refused')} (5)`,
    ]
    expect(texts()).toEqual(expected)
    expect(screen.getByRole('status').textContent).toBe(t('search.found', { count: 1239 }))
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    expect(await screen.findByText(t('loading'))).toBeTruthy()
    expect(texts()).toEqual(expected)
  })

  it('are read from the address, and unknown values are ignored', async () => {
    gateway({ 'city=Atlantis': orders.slice(2) })
    renderPage(<AgentOrdersPage agentId={5} />, { at: '/agent-orders?city=Atlantis&state=LOST' })
    await card(41)
    expect(shown()).toEqual(['OD-41'])
    expect(filter('state')).toHaveProperty('value', '')
    expect(filter('city')).toHaveProperty('value', 'Atlantis')
  })

  it('are cleared together with the search, whose text is never in the address', async () => {
    gateway({ 'state=refused': orders.slice(2), 'order=oldest': orders })
    const { where } = renderPage(<AgentOrdersPage agentId={5} />, {
      at: '/agent-orders?state=refused&order=oldest',
    })
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    expect(await screen.findByText(t('search.none'))).toBeTruthy()
    expect(where()).toBe('/agent-orders?state=refused&order=oldest')
    await userEvent.click(screen.getByRole('button', { name: t('search.clear') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
    // Sorting is kept.
    expect(where()).toBe('/agent-orders?order=oldest')
  })
})

it('reloads with a button', async () => {
  let page = pageOf(orders.slice(1))
  stubGateway({ [path]: () => page })
  renderPage(<AgentOrdersPage agentId={5} />)
  await card(42)
  page = pageOf(orders)
  await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
  await card(43)
})

it('loads more on request', async () => {
  stubGateway({
    [path]: ({ query }) => (query.cursor ? pageOf(orders.slice(1)) : pageOf(orders.slice(0, 1), 'c2')),
  })
  renderPage(<AgentOrdersPage agentId={5} />)
  await card(43)
  await userEvent.click(screen.getByRole('button', { name: t('more') }))
  await card(41)
  expect(screen.queryByRole('button', { name: t('more') })).toBeNull()
})

it('shows a text when nothing is assigned', async () => {
  stubGateway({ [path]: pageOf([]) })
  renderPage(<AgentOrdersPage agentId={5} />)
  expect(await screen.findByText('No assigned orders found.')).toBeTruthy()
})

it('shows that the orders cannot be loaded, and retries', async () => {
  let isDown = true
  stubGateway({ [path]: () => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders)) })
  renderPage(<AgentOrdersPage agentId={5} />)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Unable to load agent orders')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await card(43)
})

it('keeps the list when a reload fails, and shows the failure', async () => {
  let isDown = false
  stubGateway({ [path]: () => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders)) })
  renderPage(<AgentOrdersPage agentId={5} />)
  await card(43)
  isDown = true
  await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(t('failed'))
  expect(shown()).toHaveLength(3)
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

it('keeps text and filters when a search fails', async () => {
  let isDown = true
  stubGateway({
    [path]: ({ query }) => {
      if (query.q === undefined) return pageOf(orders)
      return isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders.slice(1, 2))
    },
  })
  renderPage(<AgentOrdersPage agentId={5} />)
  await card(43)
  await userEvent.type(searchBox(), 'Ahmad{Enter}')
  const alert = await screen.findByRole('alert')
  expect(shown()).toEqual([])
  expect(searchBox()).toHaveProperty('value', 'Ahmad')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await waitFor(() => expect(shown()).toEqual(['OD-42']))
})

it('shows one agent nothing of another', async () => {
  stubGateway({
    [path]: pageOf(orders),
    'GET /api/orders/agent/6': () => new Promise<never>(() => undefined),
  })
  const { rerender } = renderPage(<AgentOrdersPage agentId={5} />)
  await card(43)
  rerender(<AgentOrdersPage agentId={6} />)
  expect(await screen.findByText(t('loading'))).toBeTruthy()
  expect(shown()).toEqual([])
  expect(screen.getByRole('option', { name: t('filter.states.waiting') })).toBeTruthy()
})

describe('a refunded order', () => {
  const [first] = orders
  if (!first) throw new Error('an order is needed')

  it.each(['ar', 'en'] as const)(
    'shows in %s that the bag must not be accepted, and no barcode',
    async (language) => {
      stubGateway({
        [path]: pageOf([{ ...first, status: 'REFUNDED' }]),
      })
      renderPage(<AgentOrdersPage agentId={5} />, { language })
      const order = await card(43)
      expect(order.getByText(textOf('order-card', 'doNotAccept.title'))).toBeTruthy()
      expect(order.getByText(textOf('order-card', 'awbVoid'))).toBeTruthy()
      expect(order.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
      expect(order.queryByRole('img')).toBeNull()
    },
  )

  it('is accepted when only a second payment was refunded', async () => {
    stubGateway({
      [path]: pageOf([{ ...first, refund: { state: 'done', amount: 50, reason: 'second-payment' } }]),
    })
    renderPage(<AgentOrdersPage agentId={5} />)
    const order = await card(43)
    expect(order.queryByText(textOf('order-card', 'doNotAccept.title'))).toBeNull()
    expect(order.getByRole('link', { name: textOf('awb', 'download') })).toBeTruthy()
  })

  it.each(['pending', 'done', 'needs-help'] as const)('shows no payment details: %s', async (state) => {
    stubGateway({ [path]: pageOf([{ ...first, refund: { state, amount: 49, reason: 'second-payment' } }]) })
    renderPage(<AgentOrdersPage agentId={5} />)
    const order = await card(43)
    expect(order.queryByText(/49\.00/)).toBeNull()
    expect(order.queryByText(textOf('refund-note', `title.${state}`, { amount: 'SAR 49.00' }))).toBeNull()
  })
})
