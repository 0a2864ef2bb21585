// @vitest-environment jsdom

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { ownKeptOrders, readKeptOrders } from '#client/entities/order/kept-orders.ts'
import { formatDayInBoth, formatMomentInBoth } from '#client/platform/dates.ts'
import { openDocument } from '#client/platform/document.ts'
import badgeStyles from '#client/ui/badge.module.css'
import type { Booking, Order, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { plainText } from '#test/kit/client/plain-text.ts'
import {
  isBusy,
  Known,
  problem,
  renderPage,
  type StubbedRoute,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { OrdersPage } from './orders.page.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

const path = 'GET /api/orders/user/7'
const t = (key: string, values?: Record<string, unknown>) => textOf('orders', key, values)
const ofCard = (key: string) => textOf('order-card', key)

const origin = {
  name: 'Agent A1',
  address: 'Jamarat side',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: null,
}

function orderIn(orderId: number, status: string, awb: string | null = null): Order {
  return orderOf({
    orderId,
    // A newer gateway may send a status that this version does not know.
    status: status as OrderStatus,
    ...(status === 'PAID' ? { transactionId: `99${orderId}` } : {}),
    bookings: [bookingOf({ awb, origin, ...(status === 'REFUNDED' ? { state: 'CANCELLED' } : {}) })],
  })
}

function pageOf(orders: readonly Order[], nextCursor: string | null = null) {
  return { body: { success: true, orders, nextCursor } }
}

const card = async (orderId: number) => within(await screen.findByRole('article', { name: `OD-${orderId}` }))

const said = (at: string) => plainText(formatMomentInBoth(at, 'en'))

const ownOrders = (
  <Known user={{ id: 7, name: 'Amina', phone: '+966501234567' }}>
    <OrdersPage />
  </Known>
)

/** Renders the page with this answer for its list. @returns the calls. */
function open(answer: StubbedRoute) {
  const calls = stubGateway({
    [path]: answer,
    'GET /api/orders/barcode/290012345678.pdf': { body: '%PDF-1.7' },
  })
  renderPage(ownOrders)
  return calls
}

beforeEach(() => {
  vi.mocked(openDocument).mockReset()
})

describe('the list', () => {
  it('shows each order with status, transaction, date, locations and airway bill', async () => {
    open(pageOf([orderIn(42, 'PAID', '290012345678')]))
    const order = await card(42)
    const fold = order.getByRole('button', { name: t('journey.files') })
    await userEvent.click(fold)
    expect(fold.ariaExpanded).toBe('true')
    expect(order.getByText('9942').getAttribute('dir')).toBe('ltr')
    // 12:30 UTC is 15:30 in Riyadh.
    expect(order.getByText(/^18 May/).textContent).toMatch(/, 15:30$/)
    const cells = order.getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells[0]).toContain('Agent A1')
    expect(cells[1]).toContain('Malaz')
    expect(cells[2]).toBe('290012345678')
    expect(order.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      ofCard('columns.origin'),
      ofCard('columns.destination'),
      ofCard('columns.awb'),
      ofCard('columns.download'),
    ])
    const file = order.getByRole('link', { name: textOf('awb', 'download') })
    expect(file.getAttribute('href')).toBe('/api/orders/barcode/290012345678.pdf?download=1')
  })

  it('shows a status of a newer server as being reviewed, never its code', async () => {
    open(pageOf([orderIn(1, 'ON_HOLD')]))
    const badge = (await card(1)).getByText(ofCard('status.other'))
    expect(badge.closest('span')?.className).toContain(badgeStyles.waiting)
    expect(document.body.textContent).not.toContain('ON_HOLD')
  })

  it('leads from each order to its own page, and has one filled button', async () => {
    open(
      pageOf([
        orderIn(45, 'PENDING_PAYMENT'),
        orderIn(44, 'PAID', '290012345679'),
        orderIn(43, 'PAID', '290012345678'),
        orderIn(42, 'PAID'),
        orderIn(41, 'EXPIRED'),
      ]),
    )
    for (const [id, name] of [
      [45, 'details'],
      [44, 'show'],
      [43, 'show'],
      [42, 'details'],
      [41, 'details'],
    ] as const)
      expect((await card(id)).getByRole('link', { name: t(name) }).getAttribute('href')).toBe(`/orders/${id}`)
    const filled = [...document.querySelectorAll('[data-look="primary"]')]
    expect(filled.map((button) => button.closest('article')?.textContent?.includes('OD-44'))).toEqual([true])
  })

  it('fills the button of an unpaid order when no bag is ready', async () => {
    open(pageOf([orderIn(42, 'EXPIRED'), orderIn(41, 'PENDING_PAYMENT')]))
    const pay = (await card(41)).getByRole('button', { name: t('payNow') })
    expect(pay.dataset.look).toBe('primary')
    expect(document.querySelectorAll('[data-look="primary"]')).toHaveLength(1)
  })

  it('stand by what is needed of them, and what is over is folded away', async () => {
    const paid = (orderId: number, state: Booking['state']): Order => ({
      ...orderIn(orderId, 'PAID'),
      bookings: [bookingOf({ awb: '290012345678', origin, state })],
    })
    open(
      pageOf([
        orderIn(49, 'PENDING_PAYMENT'),
        orderIn(48, 'REFUNDED'),
        paid(47, 'COLLECTED'),
        paid(46, 'EXCEPTION'),
        paid(45, 'HANDED_OVER'),
        paid(44, 'READY'),
        paid(43, 'AT_BRANCH'),
      ]),
    )
    await card(43)
    const numbers = [...document.querySelectorAll('article h3')].map((number) => number.textContent)
    expect(numbers).toEqual(['OD-43', 'OD-44', 'OD-46', 'OD-45', 'OD-49', 'OD-48', 'OD-47'])
    const past = screen.getByRole('group')
    expect([past.hasAttribute('open'), past.textContent?.includes('(2)')]).toEqual([false, true])
    expect(past.querySelectorAll('[data-state=over]')).toHaveLength(2)
    // The card of a paid order shows the state of its bag; any other card shows the order's status.
    expect((await card(45)).getByText(textOf('tag', 'badge.torn'))).toBeTruthy()
    expect((await card(49)).getByText(ofCard('status.PENDING_PAYMENT'))).toBeTruthy()
    // The order whose bag is ready for collection comes first.
    expect(document.querySelector('[data-look="primary"]')?.closest('article')?.textContent).toContain(
      'OD-43',
    )
  })

  it('uses Arabic addresses and city names in Arabic', async () => {
    stubGateway({ [path]: pageOf([orderIn(42, 'PAID', '290012345678')]) })
    renderPage(ownOrders, { language: 'ar' })
    const order = await card(42)
    expect(order.getByText('الملز')).toBeTruthy()
    expect(order.getAllByText('الرياض')).toHaveLength(2)
  })

  it('loads further pages on request, until there are none', async () => {
    const next = Promise.withResolvers<ReturnType<typeof pageOf>>()
    const calls = open(({ query }) =>
      query.cursor === 'next' ? next.promise : pageOf([orderIn(2, 'EXPIRED')], 'next'),
    )
    await card(2)
    await userEvent.click(screen.getByRole('button', { name: t('more') }))
    expect(isBusy(await screen.findByRole('button', { name: t('loadingMore') }))).toBe(true)
    next.resolve(pageOf([orderIn(1, 'EXPIRED')]))
    await card(1)
    expect(screen.getAllByRole('article')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: t('more') })).toBeNull()
    expect(calls.at(-1)?.query).toEqual({ cursor: 'next' })
  })

  it.each([503, 400])('keeps the list when a further page fails with %i', async (status) => {
    let isDown = true
    open(({ query }) => {
      if (query.cursor !== 'next') return pageOf([orderIn(2, 'EXPIRED')], 'next')
      return isDown ? problem(status, 'UNEXPECTED', 'Later') : pageOf([orderIn(1, 'EXPIRED')])
    })
    await card(2)
    await userEvent.click(screen.getByRole('button', { name: t('more') }))
    const alert = await screen.findByRole('alert')
    expect(screen.getAllByRole('article')).toHaveLength(1)
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    await card(1)
  })
})

describe('an unpaid order', () => {
  it('opens the payment document with a fresh secret', async () => {
    stubGateway({
      [path]: pageOf([orderIn(42, 'PENDING_PAYMENT'), orderIn(41, 'PAID', '290012345678')]),
      'POST /api/orders/42/payment': {
        body: { success: true, orderId: 42, clientSecret: 'cs_2', publicKey: 'pk_1' },
      },
    })
    renderPage(ownOrders)
    expect((await card(41)).queryByRole('button', { name: t('payNow') })).toBeNull()
    await userEvent.click((await card(42)).getByRole('button', { name: t('payNow') }))
    await waitFor(() =>
      expect(openDocument).toHaveBeenCalledWith('/payment?clientSecret=cs_2&publicKey=pk_1&orderId=42'),
    )
    expect(isBusy((await card(42)).getByRole('button', { name: t('opening') }))).toBe(true)
    // Back from the payment restores the page as it was left.
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect(isBusy((await card(42)).getByRole('button', { name: t('payNow') }))).toBe(false)
  })

  it('shows why it cannot be paid', async () => {
    stubGateway({
      [path]: pageOf([orderIn(42, 'PENDING_PAYMENT')]),
      'POST /api/orders/42/payment': problem(409, 'ORDER_NOT_PAYABLE', 'This order is not waiting.'),
    })
    renderPage(ownOrders)
    await userEvent.click((await card(42)).getByRole('button', { name: t('payNow') }))
    expect((await screen.findByRole('alert')).textContent).toBe('This order is not waiting.')
    expect(isBusy((await card(42)).getByRole('button', { name: t('payNow') }))).toBe(false)
  })
})

it('shows a loading state, then that there are no orders, with a link to book', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof pageOf>>()
  open(() => answer.promise)
  expect(await screen.findByText(t('loading'))).toBeTruthy()
  answer.resolve(pageOf([]))
  expect(await screen.findByText('No orders found.')).toBeTruthy()
  expect(screen.getByRole('link', { name: t('empty.book') }).getAttribute('href')).toBe('/booking')
})

it('shows that the orders cannot be loaded, and retries', async () => {
  let isDown = true
  open(() => (isDown ? problem(500, 'UNEXPECTED', 'Later') : pageOf([orderIn(1, 'EXPIRED')])))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Error. Failed To Load orders')
  isDown = false
  await userEvent.click(within(alert).getByRole('button'))
  await card(1)
})

describe('without an answer of the server', () => {
  const paid = pageOf([orderIn(42, 'PAID', '290012345678'), orderIn(41, 'PENDING_PAYMENT')])

  beforeEach(() => {
    localStorage.clear()
    ownKeptOrders(7)
  })

  it.each([
    ['cannot be reached', undefined],
    ['fails', problem(503, 'DOWN', 'Later')],
  ])('shows the kept orders with the time they were known, when it %s', async (_, failure) => {
    stubGateway({ [path]: paid })
    const { unmount } = renderPage(ownOrders)
    await card(42)
    unmount()
    stubGateway(failure === undefined ? {} : { [path]: failure })
    renderPage(ownOrders)
    const order = await card(42)
    expect(order.getByRole('link', { name: t('show') }).getAttribute('href')).toBe('/orders/42')
    // A file that could not be loaded is not offered.
    expect(order.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
    // The barcode is printed nevertheless.
    order.getByRole('img', { name: textOf('awb', 'barcode', { awb: '290012345678' }), hidden: true })
    await screen.findByText(textOf('kept-note', 'why.unreachable'))
    expect(screen.getByRole('status').querySelector('time')?.dateTime).toMatch(/^\d{4}-/)
    // Only paid orders are kept.
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  it('says of the list on screen that it may be outdated, and offers no payment', async () => {
    let isDown = false
    open(() => (isDown ? undefined : paid))
    await card(42)
    expect(screen.queryByText(textOf('kept-note', 'why.unreachable'))).toBeNull()
    isDown = true
    await userEvent.click((await card(42)).getByRole('link', { name: textOf('awb', 'download') }))
    await screen.findByText(textOf('kept-note', 'why.unreachable'))
    expect(screen.getAllByRole('article')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: t('payNow') })).toBeNull()
  })

  it('shows the failure when nothing is kept, and after a refusal', async () => {
    stubGateway({ [path]: problem(404, 'ORDER_NOT_FOUND', 'No such order.') })
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(orderIn(42, 'PAID', '290012345678')), (order) => [order])
    renderPage(ownOrders)
    expect((await screen.findByRole('alert')).textContent).toContain('No such order.')
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('shows the kept orders at once, and the answer in their place when it comes', async () => {
    await keepingOrders(Promise.resolve(orderIn(42, 'PAID', '290012345678')), (order) => [order])
    const answer = Promise.withResolvers<typeof paid>()
    open(() => answer.promise)
    expect(screen.getByRole('article', { name: /42/ })).toBeTruthy()
    expect(screen.getByText(textOf('kept-note', 'why.waiting'))).toBeTruthy()
    expect(screen.getByRole('status').querySelector('time')?.dateTime).toMatch(/^\d{4}-/)
    answer.resolve(paid)
    await card(41)
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('replaces the kept orders when the server answers again', async () => {
    await keepingOrders(Promise.resolve(orderIn(42, 'PAID', '290012345678')), (order) => [order])
    let isDown = true
    stubGateway({ [path]: () => (isDown ? undefined : pageOf([orderIn(42, 'REFUNDED', '290012345678')])) })
    vi.useFakeTimers()
    try {
      renderPage(ownOrders)
      await card(42)
      isDown = false
      act(() => void window.dispatchEvent(new Event('online')))
      await act(() => vi.advanceTimersByTimeAsync(20_000))
      expect(await screen.findByText(ofCard('awbVoid'))).toBeTruthy()
      expect(screen.queryByText(textOf('kept-note', 'why.unreachable'))).toBeNull()
      expect(readKeptOrders()?.orders).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('an order with a refund', () => {
  const refunded = (state: 'pending' | 'done' | 'needs-help', change: Partial<Order> = {}): Order => ({
    ...orderIn(42, 'PENDING_PAYMENT'),
    payable: false,
    refund: { state, amount: 49, reason: 'wrong-amount' },
    ...change,
  })
  const ofRefund = (key: string) => textOf('refund-note', key, { amount: 'SAR 49.00' })

  it.each(['pending', 'done', 'needs-help'] as const)('shows a text with the amount: %s', async (state) => {
    open(pageOf([refunded(state)]))
    const order = await card(42)
    expect(order.getByText(ofRefund(`title.${state}`))).toBeTruthy()
    expect(order.getByText(/49\.00 reached us/).textContent).toContain(ofRefund(`text.${state}`))
    expect(order.queryByRole('button', { name: t('payNow') })).toBeNull()
    expect(order.queryAllByRole('link', { name: /care@|920/ })).toHaveLength(state === 'needs-help' ? 2 : 0)
  })

  it('shows the refund above its actions and its shipments', async () => {
    open(pageOf([refunded('done', { payable: true })]))
    const order = await card(42)
    const note = order.getByText(ofRefund('title.done'))
    expect(note.compareDocumentPosition(order.getByRole('table'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    const payNow = order.getByRole('button', { name: t('payNow') })
    expect(note.compareDocumentPosition(payNow)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('has no barcode and no PDF once it is refunded', async () => {
    open(pageOf([orderIn(42, 'REFUNDED', '290012345678')]))
    const order = await card(42)
    expect(order.getByText(ofCard('awbVoid'))).toBeTruthy()
    expect(order.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
    expect(order.queryByRole('img')).toBeNull()
  })

  it('is reloaded when a label is downloaded', async () => {
    let status = 'PAID'
    open(() => pageOf([orderIn(42, status, '290012345678')]))
    const link = (await card(42)).getByRole('link', { name: textOf('awb', 'download') })
    status = 'REFUNDED'
    await userEvent.click(link)
    expect(await screen.findByText(ofCard('awbVoid'))).toBeTruthy()
  })
})

describe('the list’s polling', () => {
  afterEach(() => {
    vi.useRealTimers()
  })
  const pending = { state: 'pending', amount: 49, reason: 'wrong-amount' } as const

  it.each<[string, Order, Order]>([
    ['while an airway bill is issued', orderIn(42, 'PAID'), orderIn(42, 'PAID', '290012345678')],
    [
      'while money goes back',
      { ...orderIn(42, 'PENDING_PAYMENT'), payable: false, refund: pending },
      { ...orderIn(42, 'PENDING_PAYMENT'), refund: { ...pending, state: 'done' } },
    ],
  ])('continues %s, then stops', async (_, before, after) => {
    vi.useFakeTimers()
    let order = before
    const calls = open(() => pageOf([order]))
    await card(42)
    calls.length = 0
    order = after
    await act(() => vi.advanceTimersByTimeAsync(21_000))
    expect(calls).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(calls).toHaveLength(1)
  })
})

it('shows the receiver’s name of the airway bill', async () => {
  const order = orderIn(42, 'PAID', '290012345678')
  const bookings = order.bookings.map((booking) => ({ ...booking, receiver: 'Maryam Al-Harbi' }))
  open(pageOf([{ ...order, bookings }]))
  expect((await card(42)).getByText('Maryam Al-Harbi')).toBeTruthy()
})

describe('orders over one way', () => {
  const config = { 'GET /api/config': { body: configOf() } }
  const names = ['Fatimah bint Ahmed', 'Muhammad Abdurrahman', 'Fatimah bint Ahmed']
  const states: Booking['state'][] = ['HANDED_OVER', 'READY', 'READY']

  /** Three bags of one journey, newest first; the first one is handed in. */
  const journey = (changes: Partial<Order> = {}): Order[] =>
    [0, 1, 2]
      .map((index) =>
        orderOf({
          orderId: 51 + index,
          transactionId: `7${index}`,
          paidAt: `2027-05-18T1${index}:00:00Z`,
          agentCode: 'A1',
          centerCode: 'RUH1',
          bookings: [
            bookingOf({
              awb: `29001234567${index}`,
              origin,
              receiver: names[index] ?? '',
              state: states[index] ?? 'READY',
            }),
          ],
          ...changes,
        }),
      )
      .reverse()
  const count = (count: number) => t('journey.bags', { count })
  const stub = () => screen.findByRole('article', { name: /^Riyadh/ })
  const codeOf = (index: number) => textOf('awb', 'barcode', { awb: `29001234567${index}` })

  function openJourney(orders = journey()) {
    const calls = stubGateway({ [path]: pageOf(orders), ...config })
    return { calls, ...renderPage(ownOrders, { hasEntries: true }) }
  }

  it('are one stub with a row for each bag, which leads to its order', async () => {
    openJourney()
    const article = within(await stub())
    expect(article.getByText(new RegExp(`^${count(3)}`))).toBeTruthy()
    expect(article.getByText(t('journey.handedIn', { count: 1, total: 3 }))).toBeTruthy()
    const rows = article.getAllByRole('link', { name: /OD-5\d/ })
    expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/orders/51', '/orders/52', '/orders/53'])
    expect(article.getAllByText(t('journey.waiting'))).toHaveLength(2)
    const another = await article.findByRole('link', {
      name: textOf('again', 'priced', { price: 'SAR\u00a050.00' }),
    })
    expect(another.getAttribute('href')).toBe('/checkout?again=53')
  })

  const rows = async () => (await stub()).querySelector('ul') ?? document.body

  it('show names that differ at their bags', async () => {
    openJourney()
    const list = within(await rows())
    expect(names.map((name) => list.getAllByText(name).length)).toEqual([2, 1, 2])
  })

  it('show a name that all bags have once, above them', async () => {
    const receiver = 'Fatimah bint Ahmed'
    const ofOne = (order: Order) => order.bookings.map((booking) => ({ ...booking, receiver }))
    openJourney(journey().map((order) => ({ ...order, bookings: ofOne(order) })))
    // The list that the phone kept is shown before it.
    await waitFor(async () => expect(within(await rows()).getAllByText(/^OD-5\d$/)).toHaveLength(3))
    const list = await rows()
    expect(within(list).queryByText(receiver)).toBeNull()
    const above = within(await stub()).getAllByText(receiver)[0]
    expect(above?.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  const first = '2027-05-18T13:00:00Z'
  const second = '2027-05-18T14:00:00Z'

  it.each<[string, Booking['state'], readonly string[], string, readonly string[]]>([
    ['have none that is handed in', 'READY', [], '3 bags', ['', '', '']],
    [
      'were handed in together',
      'HANDED_OVER',
      [first, first, first],
      `3 bags · ${said(first)}`,
      ['', '', ''],
    ],
    [
      'were handed in one by one',
      'HANDED_OVER',
      [first, first, second],
      '3 bags',
      [said(first), said(first), said(second)],
    ],
  ])('that %s say it once, and at their bags only what differs', async (_, state, times, line, atBags) => {
    const ordersIn = journey().map((order, index) => {
      const at = times[2 - index]
      const events = at === undefined ? [] : [{ kind: 'handed-over' as const, source: 'agent' as const, at }]
      const receiver = 'Fatimah bint Ahmed'
      return { ...order, bookings: order.bookings.map((bag) => ({ ...bag, receiver, state, events })) }
    })
    openJourney(ordersIn)
    const numbers = ['OD-51', 'OD-52', 'OD-53']
    const texts = async () =>
      [...(await rows()).querySelectorAll('li')].map(({ textContent }) => plainText(textContent))
    // The list that the phone kept is shown before it.
    await waitFor(async () => {
      expect(await texts()).toEqual(numbers.map((number, index) => `${number}${atBags[index]}567${index}`))
      expect(plainText((await stub()).querySelector('p')?.textContent ?? '')).toBe(line)
    })
  })

  it('say until when the bags are handed in, while that day is not past', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-05-18T13:00:00Z') })
    try {
      const promises = { transitDays: {}, handInUntil: '2027-05-29' }
      openJourney(journey({ promises }))
      const line = (await stub()).querySelector('p')?.textContent
      const day = plainText(formatDayInBoth('2027-05-29', 'en'))
      expect(plainText(line ?? '')).toBe(`${count(3)} · ${t('journey.until', { day })}`)
    } finally {
      vi.useRealTimers()
    }
  })

  it('show the barcodes that are still needed, one after the other, and end at the first and the last', async () => {
    const { goBack } = openJourney()
    const button = within(await stub()).getByRole('button', { name: t('journey.showBoth') })
    expect(button.dataset.look).toBe('primary')
    await userEvent.click(button)
    const full = within(await screen.findByRole('dialog', { name: textOf('awb', 'full.title') }))
    const place = (number: number) => textOf('awb', 'full.place', { number, total: 2 })
    expect([full.getByRole('img', { name: codeOf(1) }), full.getByText(place(1))]).toHaveLength(2)
    for (const [name, index, number] of [
      ['previous', 1, 1],
      ['next', 2, 2],
      ['next', 2, 2],
      ['previous', 1, 1],
    ] as const) {
      const turn = full.getByRole('button', { name: textOf('awb', `full.${name}`) })
      const isOff = turn.ariaDisabled === 'true'
      const before = full.getByRole('status').textContent
      await userEvent.click(turn)
      expect(full.getByRole('status').textContent === before).toBe(isOff)
      expect([full.getByRole('img', { name: codeOf(index) }), full.getByText(place(number))]).toHaveLength(2)
    }
    act(() => goBack())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([
    ['en', 200, 90, 2],
    ['en', 90, 200, 1],
    ['en', 100, 90, 1],
    ['ar', 90, 200, 2],
  ] as const)('turn by a finger: %s from %i to %i', async (language, from, to, index) => {
    stubGateway({ [path]: pageOf(journey()), ...config })
    renderPage(ownOrders, { language })
    await userEvent.click(await screen.findByRole('button', { name: t('journey.showBoth') }))
    const bars = within(await screen.findByRole('dialog')).getByRole('img', { name: codeOf(1) })
    fireEvent.touchStart(bars, { touches: [{ clientX: from, clientY: 10 }] })
    fireEvent.touchEnd(bars, { changedTouches: [{ clientX: to, clientY: 30 }] })
    expect(within(screen.getByRole('dialog')).getByRole('img', { name: codeOf(index) })).toBeTruthy()
  })

  it('ask for the list again when the barcodes are closed, and show the bag that is left', async () => {
    let orders = journey()
    stubGateway({ [path]: () => pageOf(orders), ...config })
    renderPage(ownOrders)
    await userEvent.click(await screen.findByRole('button', { name: t('journey.showBoth') }))
    states[1] = 'HANDED_OVER'
    orders = journey()
    states[1] = 'READY'
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: textOf('awb', 'full.close') }),
    )
    expect(await screen.findByRole('button', { name: t('journey.show', { count: 1 }) })).toBeTruthy()
    expect(screen.getByText(t('journey.handedIn', { count: 2, total: 3 }))).toBeTruthy()
  })

  it('have their numbers and files in a fold', async () => {
    openJourney()
    const article = within(await stub())
    const fold = article.getByRole('button', { name: t('journey.files') })
    expect(fold.getAttribute('aria-expanded')).toBe('false')
    await userEvent.click(fold)
    expect(fold.getAttribute('aria-expanded')).toBe('true')
    const order = within(article.getByRole('article', { name: 'OD-52' }))
    expect(order.getByText('71')).toBeTruthy()
    expect(order.getByRole('link', { name: textOf('awb', 'download') })).toBeTruthy()
  })

  it('stay together without a network, with the barcodes and nothing that needs the server', async () => {
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(journey()), (orders) => orders)
    stubGateway({})
    renderPage(ownOrders)
    const article = within(await stub())
    expect(article.queryByRole('link', { name: new RegExp(textOf('again', 'action')) })).toBeNull()
    await userEvent.click(article.getByRole('button', { name: t('journey.showBoth') }))
    const full = within(await screen.findByRole('dialog'))
    expect(full.getByRole('img', { name: codeOf(1) })).toBeTruthy()
  })
})

it('a paid bag that is not carried any more is not offered for hand-over', async () => {
  const voided = (orderId: number, number: string | null): Order => ({
    ...orderIn(orderId, 'PAID'),
    refund: { state: 'pending', amount: 50, reason: 'operator' },
    bookings: [bookingOf({ awb: number, state: 'CANCELLED' })],
  })
  open(pageOf([voided(43, '290012345678'), voided(42, null), orderIn(41, 'PENDING_PAYMENT')]))
  const again = { name: new RegExp(textOf('again', 'action')) }
  for (const id of [43, 42]) {
    const order = await card(id)
    expect(order.getByText(textOf('tag', 'badge.cancelled'))).toBeTruthy()
    expect(order.getByRole('link', { name: t('details') }).dataset.look).not.toBe('primary')
    expect(order.queryByRole('link', again)).toBeNull()
  }
  expect((await card(43)).getByText(ofCard('awbVoid'))).toBeTruthy()
  expect((await card(42)).getByText(ofCard('noAwb.other'))).toBeTruthy()
  const filled = [...document.querySelectorAll('[data-look="primary"]')].map(({ textContent }) => textContent)
  expect(filled).toEqual([t('payNow')])
})

it('a bag that is not handed in leads to another one over its way, no other bag does', async () => {
  stubGateway({
    [path]: pageOf([
      orderIn(42, 'PAID', '290012345678'),
      orderIn(41, 'EXPIRED'),
      {
        ...orderIn(40, 'PAID'),
        bookings: [bookingOf({ awb: '290012345679', origin, state: 'HANDED_OVER' })],
      },
    ]),
    'GET /api/config': { body: configOf() },
  })
  renderPage(ownOrders)
  const again = { name: new RegExp(textOf('again', 'action')) }
  expect((await card(42)).getByRole('link', again).getAttribute('href')).toBe('/checkout?again=42')
  for (const id of [41, 40]) expect((await card(id)).queryByRole('link', again)).toBeNull()
})
