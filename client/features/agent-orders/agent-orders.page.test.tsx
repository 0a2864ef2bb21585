// @vitest-environment jsdom
import { useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Navigate, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepBags } from '#client/entities/handover/kept-bags.ts'
import { orderQuery } from '#client/entities/order/kept-orders.queries.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { stubEventSource } from '#test/kit/client/event-source.ts'
import { plainText } from '#test/kit/client/plain-text.ts'
import {
  isBusy,
  problem,
  type RecordedCall,
  renderPage,
  type StubbedRoute,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import styles from './agent-orders.module.css'
import { AgentOrdersPage } from './agent-orders.page.tsx'

const path = 'GET /api/orders/agent/5'
const t = (key: string, values?: Record<string, unknown>) => textOf('agent-orders', key, values)

function ofCustomer(orderId: number, name: string | null, phone: string | null, awb: string | null): Order {
  const transactionId = `99${orderId}`
  return orderOf({ orderId, transactionId, user: { name, phone }, bookings: [bookingOf({ awb })] })
}

const orders = [
  ofCustomer(43, 'فاطمة الأنصاري', '+966501112233', '290012345678'),
  ofCustomer(42, 'Ahmad Yusuf', '+6281234567890', '290087654321'),
  ofCustomer(41, null, null, null),
]

const noCounts = { waiting: 0, received: 0, refused: 0 }

function pageOf(
  page: readonly Order[],
  nextCursor: string | null = null,
  counts = { ...noCounts, waiting: page.length },
) {
  return { body: { success: true, orders: page, counts, nextCursor } }
}

/** Responds by search text and filters; `''` is the list without either. */
function answering(lists: Readonly<Record<string, readonly Order[]>>) {
  return ({ query: { cursor: _, ...asked } }: { query: Readonly<Record<string, string>> }) => {
    const key = new URLSearchParams(asked)
    for (const [name, value] of [
      ['state', 'waiting'],
      ['order', 'oldest'],
    ] as const)
      if (key.get(name) === value) key.delete(name)
    return pageOf(lists[key.toString()] ?? [], null, { ...noCounts, waiting: 3 })
  }
}

/** The counter with this answer for its list. @returns the calls. */
function open(answer: StubbedRoute, language: LanguageCode = 'en') {
  const calls = stubGateway({ [path]: answer })
  renderPage(<AgentOrdersPage agentId={5} />, { language })
  return calls
}

const row = (orderId: number) => screen.findByRole('button', { name: new RegExp(`OD-${orderId}$`) })
const rows = () => screen.queryAllByRole('button', { name: /OD-\d+$/ })
const shown = () => rows().map((button) => /OD-\d+$/.exec(button.textContent ?? '')?.[0])
const detail = async (orderId: number) =>
  within(await screen.findByRole('article', { name: `OD-${orderId}` }))

/** Opens an order like on a phone. */
async function opened(orderId: number) {
  await userEvent.click(await row(orderId))
  return detail(orderId)
}

/** Makes the screen wide enough to show the order next to the list. */
function onWideScreen(): void {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const listed = (calls: readonly RecordedCall[]) =>
  calls.filter((call) => call.path === '/api/orders/agent/5').map(({ query }) => query)
const searchBox = () => screen.getByRole('searchbox', { name: t('search.label') })

it('reads the list again when an order of it changes, and once for many at a time', async () => {
  vi.useFakeTimers()
  const sources = stubEventSource()
  const calls = open(pageOf(orders))
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(500)
  const asked = calls.length
  act(() => sources.at(-1)?.open())
  await pass(300)
  expect(calls.length - asked).toBe(1)
  for (const orderId of [41, 42, 43]) act(() => sources.at(-1)?.send('changed', { orderId }))
  await pass(2_100)
  expect(calls.length - asked).toBe(1)
  await pass(400)
  expect(calls.length - asked).toBe(2)
  await pass(50_000)
  expect(calls.length - asked).toBe(2)
  await pass(10_000)
  expect(calls.length - asked).toBe(3)
  act(() => sources.at(-1)?.fail(true))
  await pass(20_000)
  expect(calls.length - asked).toBe(5)
  vi.useRealTimers()
})

it('says the count of its list once, not with every bag that comes and goes', async () => {
  vi.useFakeTimers()
  const sources = stubEventSource()
  let waiting = 7
  open(() => pageOf(orders, null, { waiting, received: 0, refused: 0 }))
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(500)
  const said = (count: number) => screen.queryByText(t('search.found', { count }))
  expect(said(7)).toBeTruthy()
  for (waiting of [8, 7]) {
    act(() => sources.at(-1)?.send('changed', { orderId: 41 }))
    await pass(3_000)
    expect(screen.getByRole('button', { name: `${t('filter.states.waiting')}${waiting}` })).toBeTruthy()
    expect(said(waiting)).toBeNull()
  }
  vi.useRealTimers()
})

describe('an assigned order', () => {
  it('shows the customer’s name and phone in addition to what the customer sees', async () => {
    open(pageOf(orders))
    const order = await opened(43)
    expect(order.getByText('فاطمة الأنصاري')).toBeTruthy()
    const phone = order.getByRole('link', { name: '+966501112233' })
    expect(phone.getAttribute('href')).toBe('tel:+966501112233')
    expect(within(phone).getByText('+966501112233').getAttribute('dir')).toBe('ltr')
    expect(order.getByText(/^18 May/).textContent).toMatch(/, 15:30$/)
    // The number of the airway bill stands on the tag and in the table.
    expect(order.getAllByText('290012345678')).toHaveLength(2)
    expect(order.getByRole('img', { name: textOf('awb', 'barcode', { awb: '290012345678' }) })).toBeTruthy()
    expect(order.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(
      ['origin', 'destination', 'awb'].map((column) => textOf('order-card', `columns.${column}`)),
    )
    expect(order.getByText('9943')).toBeTruthy()
    expect(order.getByText(textOf('order-card', 'status.PAID'))).toBeTruthy()
    expect(order.getByRole('link', { name: textOf('awb', 'download') }).getAttribute('href')).toBe(
      '/api/orders/barcode/290012345678.pdf?download=1',
    )
  })

  it('shows who collects the bag, and under which numbers', async () => {
    const [first, ...others] = orders
    const named = { receiver: { name: 'Sara Omar', phone: '+962790000000' }, secondPhone: '+966500000008' }
    open(pageOf([{ ...(first as Order), ...named }, ...others]))
    const order = await opened(43)
    expect(order.getByText('Sara Omar').closest('div')?.textContent).toContain(textOf('pass', 'receiver'))
    for (const phone of ['+962790000000', '+966500000008'])
      expect(order.getByRole('link', { name: phone }).getAttribute('href')).toBe(`tel:${phone}`)
  })

  it('shows an order without a name, a phone and an airway bill', async () => {
    open(pageOf(orders))
    const order = await opened(41)
    expect(order.getByText(t('hidden'))).toBeTruthy()
    expect(order.getAllByText(textOf('order-card', 'noAwb.PAID'))).toHaveLength(2)
    expect(order.queryByRole('link')).toBeNull()
    expect((await row(41)).textContent).toContain(t('hidden'))
  })
})

describe('the search', () => {
  it('sends one request after a pause in typing', async () => {
    const calls = open(answering({ '': orders, 'q=Ahmad': orders.slice(1, 2) }))
    await row(43)
    calls.length = 0
    for (const value of ['A', 'Ah', 'Ahm', 'Ahma', 'Ahmad'])
      fireEvent.change(searchBox(), { target: { value } })
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(screen.getByText(t('search.found', { count: 1 }))).toBeTruthy()
    // The list without a search may be read again meanwhile.
    expect(listed(calls).flatMap(({ q }) => q ?? [])).toEqual(['Ahmad'])
  })

  it('writes a text to the history once, after the pause: browsers bound the changes of it', async () => {
    stubGateway({ [path]: answering({ '': orders, 'q=290087654321': orders.slice(1) }) })
    const entries = new Set<string>()
    function Entries() {
      entries.add(useLocation().key)
      return null
    }
    const { where } = renderPage(
      <>
        <AgentOrdersPage agentId={5} />
        <Entries />
      </>,
      { at: '/agent-orders?state=received' },
    )
    await waitFor(() => expect(where()).toBe('/agent-orders?state=received'))
    for (let length = 1; length <= 12; length += 1)
      fireEvent.change(searchBox(), { target: { value: '290087654321'.slice(0, length) } })
    await waitFor(() => expect(shown()).toEqual(['OD-42', 'OD-41']))
    expect(where()).toBe('/agent-orders')
    expect(entries.size).toBe(2)
  })

  it('sends a request at once on Enter, as hand scanners send it, and none without a letter or a digit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const calls = open(answering({ '': orders, 'q=290087654321': orders.slice(1, 2) }))
      await vi.waitFor(() => expect(shown()).toHaveLength(3))
      calls.length = 0
      fireEvent.change(searchBox(), { target: { value: '+' } })
      fireEvent.keyDown(searchBox(), { key: 'Enter' })
      fireEvent.change(searchBox(), { target: { value: '290087654321' } })
      expect(listed(calls)).toEqual([])
      fireEvent.keyDown(searchBox(), { key: 'Enter' })
      await vi.waitFor(() => expect(shown()).toEqual(['OD-42']))
      expect(listed(calls).map(({ q }) => q)).toEqual(['290087654321'])
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
    await row(43)
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

  it('requests further pages while nothing is found and there are more', async () => {
    const calls = open(({ query: { q, cursor } }) => {
      if (q === undefined) return pageOf(orders)
      if (cursor === undefined) return pageOf([], 'second')
      return cursor === 'second' ? pageOf([], 'third') : pageOf(orders.slice(2), 'fourth')
    })
    await row(43)
    calls.length = 0
    await userEvent.type(searchBox(), 'zaynab{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-41']))
    // A person who types slowly also asks for a part of the name.
    const pages = listed(calls).filter(({ q }) => q === 'zaynab')
    expect(pages.map(({ cursor }) => cursor)).toEqual([undefined, 'second', 'third'])
    // Further pages load on request.
    expect(screen.getByText(t('search.soFar', { found: t('search.found', { count: 1 }) }))).toBeTruthy()
    expect(screen.getByRole('button', { name: t('more') })).toBeTruthy()
  })

  it('that comes too often waits as long as it is told, says so, and goes on by itself', async () => {
    vi.useFakeTimers()
    const refusal = { success: false, code: 'TOO_MANY_CALLS', message: 'Too often.', requestId: 'r-1' }
    let isLimited = true
    const calls = open(({ query }) => {
      if (query.q === undefined) return pageOf(orders)
      return isLimited
        ? { status: 429, body: { ...refusal, retryAfterSeconds: 40 } }
        : pageOf(orders.slice(1, 2))
    })
    await row(43)
    fireEvent.change(searchBox(), { target: { value: 'Ahmad' } })
    fireEvent.keyDown(searchBox(), { key: 'Enter' })
    expect((await screen.findByText(t('search.waits'))).getAttribute('class')).toBe(styles.found)
    expect(screen.queryByRole('alert')).toBeNull()
    isLimited = false
    calls.length = 0
    await act(() => vi.advanceTimersByTimeAsync(39_000))
    expect(listed(calls).filter(({ q }) => q === 'Ahmad')).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(22_000))
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(screen.queryByText(t('search.waits'))).toBeNull()
  })

  it('that is refused for the names of an hour says for how long, and does not go on by itself', async () => {
    const text = 'That was too often. Try again in 40 minutes.'
    const body = {
      success: false,
      code: 'TOO_MANY_CALLS',
      message: text,
      requestId: 'r-1',
      retryAfterSeconds: 2_400,
    }
    open(({ query }) => (query.q === undefined ? pageOf(orders) : { status: 429, body }))
    await row(43)
    fireEvent.change(searchBox(), { target: { value: 'Ahmad' } })
    fireEvent.keyDown(searchBox(), { key: 'Enter' })
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(screen.queryByText(t('search.waits'))).toBeNull()
  })
})

describe('the filters', () => {
  const tab = (state: string) =>
    screen.getByRole('button', { name: new RegExp(`^${t(`filter.states.${state}`)}`) })
  const chip = (name: string) => screen.getByRole('button', { name })
  const inJeddah = () => chip(t('filter.inCity', { city: 'Jeddah', count: 1 }))
  const gateway = (
    lists: Readonly<Record<string, readonly Order[]>>,
    counts = { waiting: 3, received: 1, refused: 1 },
  ) =>
    stubGateway({
      [path]: (call) => {
        const { body } = answering({ '': orders, ...lists })(call)
        return { body: { ...body, counts } }
      },
    })
  const toJeddah = orderOf({
    orderId: 42,
    bookings: [bookingOf({ awb: '290087654321', destination: { city: 'Jeddah', coordinates: null } })],
  })
  const first = [orders[0] as Order, toJeddah, orders[2] as Order]

  it.each([
    ['state', 'received', () => userEvent.click(tab('received')), () => userEvent.click(tab('waiting'))],
    ['state', 'refused', () => userEvent.click(tab('refused')), () => userEvent.click(tab('waiting'))],
    ['city', 'Jeddah', () => userEvent.click(inJeddah()), () => userEvent.click(inJeddah())],
    [
      'order',
      'newest',
      () => userEvent.click(chip(t('filter.newest'))),
      () => userEvent.click(chip(t('filter.newest'))),
    ],
  ])('%s %s is in the address and in the request', async (name, value, choose, giveUp) => {
    const calls = gateway({ '': first, [`${name}=${value}`]: [toJeddah] })
    const { where } = renderPage(<AgentOrdersPage agentId={5} />, { at: '/agent-orders' })
    await row(43)
    expect(listed(calls)[0]).toEqual({ state: 'waiting', order: 'oldest' })
    await choose()
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    expect(where()).toBe(`/agent-orders?${name}=${value}`)
    await giveUp()
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(where()).toBe('/agent-orders')
  })

  it('show the count of each state, also during a search, and no tab without orders', async () => {
    const never = new Promise<never>(() => undefined)
    const counts = { waiting: 1234, received: 0, refused: 5 }
    open(({ query }) => (query.q ? never : pageOf(orders, 'more', counts)))
    await row(43)
    const texts = () =>
      within(screen.getByRole('group', { name: t('filter.label') }))
        .getAllByRole('button', { name: /\d$/ })
        .map((button) => button.textContent)
    const expected = [`${t('filter.states.waiting')}1234`, `${t('filter.states.refused')}5`]
    expect(texts()).toEqual(expected)
    expect(screen.getByText(t('search.found', { count: 1234 }))).toBeTruthy()
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    expect(await screen.findByText(t('loading'))).toBeTruthy()
    expect(texts()).toEqual(expected)
  })

  it('do not hide a bag from a search, and narrow it on request', async () => {
    const calls = gateway({
      'state=refused': orders.slice(2),
      'q=Ahmad': orders.slice(1),
      'q=Ahmad&state=refused': orders.slice(1, 2),
    })
    const { where } = renderPage(<AgentOrdersPage agentId={5} />, { at: '/agent-orders?state=refused' })
    await row(41)
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-42', 'OD-41']))
    expect(where()).toBe('/agent-orders')
    expect(listed(calls).at(-1)).toEqual({ q: 'Ahmad', order: 'oldest' })
    expect(tab('waiting').getAttribute('aria-pressed')).toBe('false')
    await userEvent.click(tab('refused'))
    await waitFor(() => expect(shown()).toEqual(['OD-42']))
    await userEvent.click(tab('refused'))
    await waitFor(() => expect(shown()).toHaveLength(2))
  })

  it('are cleared together with the search, whose text is never in the address', async () => {
    gateway({ 'order=newest': orders })
    const { where } = renderPage(<AgentOrdersPage agentId={5} />, {
      at: '/agent-orders?city=Riyadh&order=newest',
    })
    await userEvent.type(searchBox(), 'Ahmad{Enter}')
    expect(await screen.findByText(t('search.none'), { selector: 'p' })).toBeTruthy()
    expect(where()).toBe('/agent-orders?city=Riyadh&order=newest')
    await userEvent.click(screen.getByRole('button', { name: t('search.clear') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(searchBox()).toHaveProperty('value', '')
    // The sorting is kept.
    expect(where()).toBe('/agent-orders?order=newest')
  })
})

describe('a row', () => {
  it('shows city, name, phone, how long ago, and the last four digits', async () => {
    vi.useFakeTimers({ now: Date.parse('2027-05-18T13:42:00.000Z') })
    open(pageOf(orders))
    const cells = [...((await row(43)).closest('tr')?.cells ?? [])]
    expect(cells.map((cell) => cell.textContent)).toEqual([
      'RUHRiyadh',
      'فاطمة الأنصاري OD-43',
      '+966501112233',
      t('age.hours', { count: 1, minutes: 12 }),
      '290012345678',
    ])
    expect(cells[4]?.querySelector('span:last-child')?.textContent).toBe('5678')
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(
      ['city', 'customer', 'phone', 'age', 'last'].map((column) => t(`columns.${column}`)),
    )
  })

  it('names its day only when that is not today; an older day stands above its rows', async () => {
    vi.useFakeTimers({ now: Date.parse('2027-05-20T09:00:00.000Z') })
    const at = (order: Order | undefined, creationDate: string) => ({ ...(order as Order), creationDate })
    open(
      pageOf([
        at(orders[0], '2027-05-18T12:30:00.000Z'),
        at(orders[1], '2027-05-18T14:30:00.000Z'),
        at(orders[2], '2027-05-19T18:40:00.000Z'),
      ]),
    )
    await row(43)
    const texts = screen.getAllByRole('row').map((line) => line.querySelector('th, time')?.textContent)
    expect(texts.slice(1).map((text) => plainText(text ?? ''))).toEqual([
      'Tuesday 18 May',
      '15:30',
      '17:30',
      'yesterday, 21:40',
    ])
  })

  it.each([
    [true, 'with'],
    [false, 'without'],
    [undefined, undefined],
  ])('of a received bag says whether a picture is kept: %s', async (hasPhoto, key) => {
    const received = bookingOf({
      awb: '290012345678',
      state: 'HANDED_OVER',
      lastEventAt: '2027-05-18T13:00:00.000Z',
      ...(hasPhoto !== undefined && { hasPhoto }),
    })
    open(pageOf([{ ...(orders[0] as Order), bookings: [received] }]))
    const text = (await row(43)).closest('tr')?.textContent
    for (const each of ['with', 'without']) {
      if (each === key) expect(text).toContain(t(`photo.${each}`))
      else expect(text).not.toContain(t(`photo.${each}`))
    }
  })

  it('says that its airway bill is being issued', async () => {
    open(pageOf(orders))
    expect((await row(41)).closest('tr')?.textContent).toContain(textOf('order-card', 'noAwb.PAID'))
  })

  it('of a refunded order says not to accept the bag', async () => {
    open(pageOf(orders.map(refunded)))
    const line = (await row(43)).closest('tr')
    expect(line?.className).toContain(styles.isRefused)
    expect(line?.textContent).toContain(t('refused', { status: textOf('order-card', 'status.REFUNDED') }))
  })

  it('of a paid order whose refund is under way does not say that it is paid', async () => {
    const isVoid = { state: 'CANCELLED' } as const
    open(
      pageOf(
        orders.map((order) => ({ ...order, bookings: [bookingOf({ ...order.bookings[0], ...isVoid })] })),
      ),
    )
    const line = (await row(43)).closest('tr')
    expect(line?.textContent).toContain(t('goesBack'))
    expect(line?.textContent).not.toContain(textOf('order-card', 'status.PAID'))
  })
})

describe('bags of one journey', () => {
  const received = bookingOf({
    awb: '290012342291',
    state: 'HANDED_OVER',
    lastEventAt: '2027-05-18T13:00:00.000Z',
    hasPhoto: true,
  })
  const family = (orderId: number, booking: Order['bookings'][number]) =>
    orderOf({ orderId, user: { name: 'Omar Idris', phone: '+966501110000' }, bookings: [booking] })
  const journey = [
    family(51, received),
    family(52, bookingOf({ awb: '290012342292' })),
    family(53, bookingOf({ awb: '290012342293' })),
  ]

  it('say once how many they are while none was received', async () => {
    open(pageOf(journey.slice(1)))
    const line = (await row(52)).closest('tr')
    expect(line?.textContent).toContain(t('journey.together', { count: 2 }))
    expect(line?.textContent).not.toContain(t('journey.left', { count: 2 }))
  })

  it('are one line with the digits of each, and each opens its own order', async () => {
    open(pageOf([...journey, ...orders.slice(1, 2)]))
    const line = (await row(52)).closest('tr')
    expect(line?.textContent).toContain(t('journey.together', { count: 3 }))
    expect(line?.textContent).toContain(t('journey.left', { count: 2 }))
    expect(screen.getAllByText('Omar Idris')).toHaveLength(1)
    expect(shown()).toEqual(['OD-51', 'OD-52', 'OD-53', 'OD-42'])
    expect((await row(51)).textContent).toContain(t('filter.states.received'))
    await userEvent.click(await row(53))
    expect((await detail(53)).getAllByText('290012342293').length).toBeGreaterThan(0)
  })

  it('are rows of their own once they are opened, and at once in a search', async () => {
    open(({ query }) => pageOf(query.q === undefined ? journey : journey.slice(0, 2)))
    await row(52)
    await userEvent.click(screen.getByRole('button', { name: 'Omar Idris', expanded: false }))
    const line = (await row(51)).closest('tr')
    for (const text of [t('journey.bag', { number: 1, all: 3 }), t('photo.with'), '2291'])
      expect(line?.textContent).toContain(text)
    expect((await row(52)).closest('tr')?.textContent).toContain(t('filter.states.waiting'))
    await userEvent.click(screen.getByRole('button', { name: 'Omar Idris', expanded: true }))
    expect((await row(51)).closest('tr')).toBe((await row(53)).closest('tr'))
    await userEvent.type(searchBox(), 'Omar{Enter}')
    await waitFor(() => expect(shown()).toEqual(['OD-51', 'OD-52']))
    expect((await row(51)).closest('tr')).not.toBe((await row(52)).closest('tr'))
  })

  it('are walked through with the arrow keys, from one bag to the next', async () => {
    open(pageOf([...journey, ...orders.slice(1, 2)]))
    await row(52)
    await userEvent.click(searchBox())
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(await row(42))
  })
})

describe('on a phone', () => {
  it('an order opens in a sheet, and closing it returns to its row', async () => {
    open(pageOf(orders))
    await opened(42)
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'close') }))
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect(document.activeElement).toBe(await row(42))
  })

  it('four digits open the only bag, and after it the search is empty and waits for the next', async () => {
    const listOf = answering({
      '': orders,
      'q=4321': orders.slice(1, 2),
      'q=0000': orders.slice(0, 2),
      'q=Ahmad': orders.slice(1, 2),
    })
    stubGateway({ [path]: listOf })
    const actionFor = (order: Order, _: string, onDone: () => void) => (
      <button type="button" onClick={onDone}>
        Received {order.orderId}
      </button>
    )
    renderPage(<AgentOrdersPage agentId={5} actionFor={actionFor} />, { hasEntries: true })
    await row(43)
    // Two orders match, or the agent may type further: the agent chooses.
    for (const text of ['0000', 'Ahmad']) {
      await userEvent.clear(searchBox())
      await userEvent.type(searchBox(), `${text}{Enter}`)
      await waitFor(() => expect(shown()).toHaveLength(text === '0000' ? 2 : 1))
      expect(screen.queryByRole('article')).toBeNull()
    }
    for (let bags = 0; bags < 2; bags += 1) {
      fireEvent.change(searchBox(), { target: { value: '4321' } })
      await userEvent.click((await detail(42)).getByRole('button', { name: 'Received 42' }))
      await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
      await waitFor(() => expect(shown()).toHaveLength(3))
      expect(searchBox()).toHaveProperty('value', '')
      expect(document.activeElement).toBe(searchBox())
    }
  })

  it('the order of an open sheet is loaded when it is not on the list, and again when it changes', async () => {
    const sources = stubEventSource()
    let list = orders
    const calls = stubGateway({
      [path]: () => pageOf(list),
      'GET /api/orders/42': { body: { success: true, order: refunded(orders[1] ?? orderOf()) } },
    })
    renderPage(<AgentOrdersPage agentId={5} />)
    const order = await opened(42)
    list = orders.slice(0, 1)
    await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
    expect(await order.findByText(textOf('order-card', 'doNotAccept.title'))).toBeTruthy()
    expect(shown()).toEqual(['OD-43'])
    const readings = () => calls.filter(({ path }) => path === '/api/orders/42').length
    expect(readings()).toBe(1)
    act(() => sources.at(-1)?.send('changed', { orderId: 42 }))
    await waitFor(() => expect(readings()).toBe(2))
  })

  it('the order of an open sheet goes when the server refuses it', async () => {
    let list = orders
    stubGateway({ [path]: () => pageOf(list), 'GET /api/orders/42': problem(404, 'ORDER_NOT_FOUND', 'Gone') })
    renderPage(<AgentOrdersPage agentId={5} />)
    await opened(42)
    list = orders.slice(0, 1)
    await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
    expect((await screen.findByRole('alert')).textContent).toContain('Gone')
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('the order of an open sheet is not the one that a page of a user has read', async () => {
    stubGateway({
      [path]: pageOf(orders.slice(0, 1)),
      'GET /api/orders/42': problem(404, 'ORDER_NOT_FOUND', '-'),
    })
    function ReadByUser() {
      useQueryClient().setQueryData(orderQuery('42').queryKey, { order: orders[1] as Order })
      return <Navigate to="/" replace state={{ agentId: 5, words: '', order: 42 }} />
    }
    const { rerender } = renderPage(<ReadByUser />)
    rerender(<AgentOrdersPage agentId={5} />)
    await screen.findByRole('alert')
    expect(screen.queryByRole('article')).toBeNull()
  })

  const down = problem(500, 'UNEXPECTED', 'Later')
  const gone = problem(404, 'ORDER_NOT_FOUND', 'No such order')
  it.each([
    ['neither the list nor the order can be loaded', down, down, 'Later'],
    ['the list cannot be loaded, and the order is another agent’s', down, gone, 'No such order'],
    ['the order is neither on the list nor the agent’s', pageOf([]), gone, 'No such order'],
  ])('the sheet of a reloaded page says so when %s, and retries', async (_, list, order, text) => {
    let isBack = false
    stubGateway({
      [path]: list,
      'GET /api/orders/42': () => (isBack ? { body: { success: true, order: orders[1] } } : order),
    })
    const entry = <Navigate to="/" replace state={{ agentId: 5, words: '', order: 42 }} />
    const { rerender } = renderPage(entry)
    rerender(<AgentOrdersPage agentId={5} />)
    const sheet = within(await screen.findByRole('dialog', { name: t('detail') }))
    expect((await sheet.findByRole('alert')).textContent).toContain(text)
    isBack = true
    await userEvent.click(sheet.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    expect(await sheet.findByRole('article', { name: 'OD-42' })).toBeTruthy()
  })
})

describe('on a wide screen', () => {
  it('nothing stands beside the list before a row is chosen, and the arrow keys go through it', async () => {
    onWideScreen()
    open(pageOf(orders))
    await row(43)
    await userEvent.click(searchBox())
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(await row(43))
    expect(screen.queryByRole('article')).toBeNull()
    await userEvent.keyboard('{ArrowDown}')
    await detail(42)
    expect(document.activeElement).toBe(await row(42))
    await userEvent.keyboard('{End}')
    await detail(41)
    await userEvent.keyboard('{ArrowDown}{Home}')
    await detail(43)
    // All rows share one tab stop.
    expect(rows().filter((button) => button.tabIndex === 0)).toHaveLength(1)
    expect((await row(43)).getAttribute('aria-current')).toBe('true')
  })

  it('a search shows its order only when it is the only one; two of one name are told apart', async () => {
    onWideScreen()
    const namesakes = [ofCustomer(44, 'فاطمه الانصاري', null, '290012340996'), ...orders.slice(0, 1)]
    open(
      answering({
        '': orders,
        [`q=${encodeURIComponent('فاطمة')}`]: namesakes,
        'q=290087654321': orders.slice(1, 2),
      }),
    )
    await row(43)
    await userEvent.type(searchBox(), '290087654321{Enter}')
    await detail(42)
    expect(document.activeElement).toBe(searchBox())
    await userEvent.clear(searchBox())
    await userEvent.type(searchBox(), 'فاطمة{Enter}')
    expect(await screen.findByText(t('search.namesakes', { count: 2 }))).toBeTruthy()
    expect(screen.queryByRole('article')).toBeNull()
  })
})

describe('the list refreshes by itself', () => {
  const refreshed = () => act(() => vi.advanceTimersByTimeAsync(21_000))

  it('and keeps rows, selection and focus', async () => {
    onWideScreen()
    vi.useFakeTimers()
    let list = orders.slice(1)
    stubGateway({
      [path]: () => pageOf(list),
      'GET /api/orders/42': { body: { success: true, order: refunded(orders[1] ?? orderOf()) } },
    })
    renderPage(<AgentOrdersPage agentId={5} />)
    const before = await row(42)
    fireEvent.click(before)
    before.focus()
    list = orders
    await refreshed()
    await row(43)
    expect(await row(42)).toBe(before)
    expect(document.activeElement).toBe(before)
    await detail(42)
    // The order leaves the list while it is on screen: it stays next to the list, and the focus stays in the list.
    list = [orders[0], orders[2]].filter((order) => order !== undefined)
    await refreshed()
    expect(shown()).toEqual(['OD-43', 'OD-41'])
    expect((await detail(42)).getByText(textOf('order-card', 'doNotAccept.title'))).toBeTruthy()
    expect(document.activeElement).toBe(await row(41))
  })

  it('not while there is no network, and says since when it is as it is', async () => {
    vi.useFakeTimers()
    const calls = open(pageOf(orders))
    await row(43)
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(await screen.findByText(/No internet connection\. This list is as of \d/)).toBeTruthy()
    calls.length = 0
    await refreshed()
    await refreshed()
    expect(listed(calls)).toEqual([])
    expect(shown()).toHaveLength(3)
    onLine.mockRestore()
    act(() => void window.dispatchEvent(new Event('online')))
    await refreshed()
    expect(listed(calls).length).toBeGreaterThan(0)
    expect(screen.queryByText(/No internet connection/)).toBeNull()
  })

  it('not while the page is hidden', async () => {
    vi.useFakeTimers()
    const calls = open(pageOf(orders))
    await row(43)
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    calls.length = 0
    await refreshed()
    expect(listed(calls)).toEqual([])
    state.mockRestore()
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await waitFor(() => expect(listed(calls)).toHaveLength(1))
  })
})

describe('without a network, after a reload', () => {
  const kept = [
    ...orders.slice(0, 2),
    orderOf({
      orderId: 40,
      user: { name: 'Omar Idris', phone: '+966500000040' },
      bookings: [bookingOf({ awb: '290012340974', state: 'HANDED_OVER' })],
    }),
  ]
  beforeEach(() => {
    localStorage.clear()
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-05-18T07:05:00.000Z'))
    beginShift(5)
    keepBags(5, kept, Date.now(), { waiting: 2, received: 1, refused: 0 })
    vi.restoreAllMocks()
  })
  // The shift that has begun continues.
  const inShift = () => vi.useFakeTimers({ now: Date.parse('2027-05-18T08:00:00.000Z'), toFake: ['Date'] })

  it('the list and its search are what was kept, with its time', async () => {
    inShift()
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    open(() => undefined)
    await waitFor(() => expect(shown()).toEqual(['OD-42', 'OD-43']))
    expect(screen.getByText(/No internet connection\. This list is as of 10:05/)).toBeTruthy()
    for (const [text, found] of [
      ['0974', ['OD-40']],
      ['الأنصاري', ['OD-43']],
      ['966500000040', []],
    ] as const) {
      await userEvent.clear(searchBox())
      await userEvent.type(searchBox(), `${text}{Enter}`)
      await waitFor(() => expect(shown()).toEqual(found))
      if (text !== '0974') continue
      await detail(40)
      await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'close') }))
      await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    }
    onLine.mockRestore()
  })

  it('is shown where the server fails, too, and gives way to its answer', async () => {
    inShift()
    let isDown = true
    open(() => (isDown ? problem(503, 'OVERLOADED', 'Later') : pageOf(orders)))
    await waitFor(() => expect(shown()).toEqual(['OD-42', 'OD-43']))
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    await waitFor(() => expect(shown()).toHaveLength(3))
    expect(screen.queryByText(/as of/)).toBeNull()
  })
})

it('has a place for the scanner and for the action on a bag', async () => {
  stubGateway({ [path]: pageOf(orders) })
  renderPage(
    <AgentOrdersPage
      agentId={5}
      scan={<a href="/agent-scan">Scan</a>}
      actionFor={({ orderId }, awb) => (
        <button type="button">
          Received {orderId} {awb}
        </button>
      )}
    />,
  )
  expect(screen.getByRole('link', { name: 'Scan' })).toBeTruthy()
  expect((await opened(43)).getByRole('button', { name: /^Received 43 \d{12}$/ })).toBeTruthy()
})

it('has the action on each bag below that bag’s tag, and neither on one that is not carried any more', async () => {
  const bookings = [
    bookingOf({ awb: '290012345678' }),
    bookingOf({ awb: '290012345679' }),
    bookingOf({ awb: '290012345670', state: 'CANCELLED' }),
  ]
  stubGateway({ [path]: pageOf([{ ...(orders[0] as Order), bookings }]) })
  renderPage(
    <AgentOrdersPage agentId={5} actionFor={(_, awb) => <button type="button">Receive {awb}</button>} />,
  )
  const order = await opened(43)
  const found = [...order.getAllByRole('img'), ...order.getAllByRole('button', { name: /^Receive/ })]
  const inOrder = ['290012345678', '290012345679'].flatMap((awb) => [
    order.getByRole('img', { name: textOf('awb', 'barcode', { awb }) }),
    order.getByRole('button', { name: `Receive ${awb}` }),
  ])
  expect(found).toHaveLength(inOrder.length)
  for (const [index, element] of inOrder.slice(1).entries())
    expect(inOrder[index]?.compareDocumentPosition(element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it('loads more on request', async () => {
  const next = Promise.withResolvers<ReturnType<typeof pageOf>>()
  open(({ query }) => (query.cursor ? next.promise : pageOf(orders.slice(0, 1), 'c2')))
  await row(43)
  await userEvent.click(screen.getByRole('button', { name: t('more') }))
  expect(isBusy(await screen.findByRole('button', { name: t('loadingMore') }))).toBe(true)
  next.resolve(pageOf(orders.slice(1)))
  await row(41)
  expect(screen.queryByRole('button', { name: t('more') })).toBeNull()
})

it('shows a text when nothing is assigned', async () => {
  open(pageOf([]))
  expect(await screen.findByText('No assigned orders found.')).toBeTruthy()
})

it('shows that the orders cannot be loaded, and retries', async () => {
  let isDown = true
  open(() => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders)))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Unable to load agent orders')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await row(43)
})

it('keeps the list when a refresh fails, and says of when it is', async () => {
  let isDown = false
  open(() => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders)))
  await row(43)
  isDown = true
  await userEvent.click(screen.getByRole('button', { name: t('refresh') }))
  expect(await screen.findByText(/Not refreshed\. This list is as of \d/)).toBeTruthy()
  // The wait ends without an action of the agent, so the note is no alert.
  expect(screen.queryByRole('alert')).toBeNull()
  expect(shown()).toHaveLength(3)
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
  await waitFor(() => expect(screen.queryByText(/Not refreshed/)).toBeNull())
})

it('keeps text and filters when a search fails', async () => {
  let isDown = true
  open(({ query }) => {
    if (query.q === undefined) return pageOf(orders)
    return isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf(orders.slice(1, 2))
  })
  await row(43)
  await userEvent.type(searchBox(), 'Ahmad{Enter}')
  const alert = await screen.findByRole('alert')
  expect(shown()).toEqual([])
  expect(searchBox()).toHaveProperty('value', 'Ahmad')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await waitFor(() => expect(shown()).toEqual(['OD-42']))
})

describe('a refunded order', () => {
  const [first] = orders
  if (!first) throw new Error('an order is needed')

  it('shows that the bag must not be accepted, and no barcode', async () => {
    open(pageOf([refunded(first)]))
    const order = await opened(43)
    expect(order.getByText(textOf('order-card', 'doNotAccept.title'))).toBeTruthy()
    expect(order.getByText(textOf('order-card', 'awbVoid'))).toBeTruthy()
    expect(order.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
    expect(order.queryByRole('img')).toBeNull()
  })

  it.each(['pending', 'done', 'needs-help'] as const)(
    'of a second payment alone is accepted, without payment details: %s',
    async (state) => {
      open(pageOf([{ ...first, refund: { state, amount: 49, reason: 'second-payment' } }]))
      const order = await opened(43)
      expect(order.queryByText(textOf('order-card', 'doNotAccept.title'))).toBeNull()
      expect(order.getByRole('link', { name: textOf('awb', 'download') })).toBeTruthy()
      expect(order.queryByText(/49\.00/)).toBeNull()
      expect(order.queryByText(textOf('refund-note', `title.${state}`, { amount: 'SAR 49.00' }))).toBeNull()
    },
  )
})
