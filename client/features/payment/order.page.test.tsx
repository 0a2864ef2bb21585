// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keepingOrders } from '#client/entities/order/kept-orders.queries.ts'
import { ownKeptOrders, readKeptOrders } from '#client/entities/order/kept-orders.ts'
import { formatMoment, formatMomentInBoth } from '#client/platform/dates.ts'
import { openDocument } from '#client/platform/document.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { BookingEvent, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { stubEventSource } from '#test/kit/client/event-source.ts'
import { reading } from '#test/kit/client/plain-text.ts'
import { problem, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { OrderPage } from './order.page.tsx'
import { ThankYouPage } from './thank-you.page.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

const t = (key: string, values?: Record<string, unknown>) => textOf('payment', `thankYou.${key}`, values)
const ofPass = (key: string, values?: Record<string, unknown>) => textOf('pass', key, values)
const ofAwb = (key: string) => textOf('awb', key)

const awb = '290012345678'
const barcode = () => ({ name: textOf('awb', 'barcode', { awb }) })
const paid = orderOf({
  transactionId: '990011',
  bookings: [bookingOf({ awb, receiver: 'Maryam Al-Harbi' })],
})
const answerOf = (order: Order) => ({ body: { success: true, order } })

/** Makes the page read its order again. */
function readAgain(): void {
  act(() => {
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
  })
}

function orderPage(orderId = '42') {
  return <OrderPage orderId={orderId} onPaid={() => {}} onBookAgain={() => {}} />
}

/** The page with this answer for its order. */
function open(answer: StubbedRoute) {
  stubGateway({ 'GET /api/orders/42': answer })
  renderPage(orderPage())
}

beforeEach(() => {
  vi.mocked(openDocument).mockReset()
})

describe('the page of an order', () => {
  it('is the pass of a paid one, as a page that leads to the list', async () => {
    open(answerOf(paid))
    expect(await screen.findByRole('heading', { level: 1, name: t('titles.PAID') })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('button', { name: t('close') })).toBeNull()
    expect(screen.getByText(awb)).toBeTruthy()
    expect(screen.getByText('Maryam Al-Harbi')).toBeTruthy()
    expect(screen.getByRole('link', { name: textOf('payment', 'toOrders') }).getAttribute('href')).toBe(
      '/orders',
    )
  })

  it('leads to another bag over the same way, with its price, while it is paid', async () => {
    stubGateway({ 'GET /api/orders/42': answerOf(paid), 'GET /api/config': { body: configOf() } })
    renderPage(orderPage())
    const link = await screen.findByRole('link', {
      name: textOf('again', 'priced', { price: 'SAR\u00a050.00' }),
    })
    expect(link.getAttribute('href')).toBe('/checkout?again=42')
    cleanup()
    open(answerOf(orderOf({ status: 'CANCELLED' })))
    await screen.findByRole('heading', { level: 1, name: t('titles.CANCELLED') })
    expect(screen.queryByRole('link', { name: textOf('again', 'action') })).toBeNull()
  })

  it('reads again when its stream says that it has changed, whatever an older request is answered with', async () => {
    const sources = stubEventSource()
    const late = Promise.withResolvers<void>()
    const bookings = paid.bookings.map((booking) => ({ ...booking, state: 'HANDED_OVER' as const }))
    const said = answerOf({ ...paid, bookings })
    let isHeld = false
    let older = 1
    open(async () => {
      if (!isHeld) return answerOf(paid)
      older -= 1
      if (older < 0) return said
      await late.promise
      return answerOf(paid)
    })
    await screen.findByText(awb)
    await act(async () => sources.at(-1)?.open())
    isHeld = true
    readAgain()
    await waitFor(() => expect(older).toBe(0))
    await act(async () => sources.at(-1)?.send('changed', { orderId: 42 }))
    const title = { level: 1, name: textOf('tag', 'title.handedOver') }
    expect(await screen.findByRole('heading', title)).toBeTruthy()
    late.resolve()
    await act(async () => {})
    expect(screen.getByRole('heading', title)).toBeTruthy()
    expect(sources.at(-1)?.url).toBe('/api/orders/42/events')
  })

  it('names the ETag of the answer that it has, and stays as it is where that is still the answer', async () => {
    const sources = stubEventSource()
    const asked: (string | undefined)[] = []
    let etag = '"one"'
    open(({ headers }) => {
      const known = headers['if-none-match']
      asked.push(known)
      if (known === etag) return { status: 304, body: undefined }
      const bookings = [bookingOf({ awb, receiver: etag === '"one"' ? 'Maryam' : 'Huda' })]
      return { ...answerOf({ ...paid, bookings }), etag }
    })
    await screen.findByText('Maryam')
    const askedAfterNotice = async () => {
      asked.length = 0
      act(() => sources.at(-1)?.send('changed', { orderId: 42 }))
      await waitFor(() => expect(asked).not.toEqual([]))
      await act(async () => {})
      return asked
    }
    expect(await askedAfterNotice()).toEqual(['"one"'])
    expect(screen.getByText('Maryam')).toBeTruthy()
    etag = '"two"'
    expect(await askedAfterNotice()).toEqual(['"one"'])
    expect(await screen.findByText('Huda')).toBeTruthy()
    expect(await askedAfterNotice()).toEqual(['"two"'])
    expect(screen.getByText('Huda')).toBeTruthy()
  })

  it.each([
    ['too-heavy', undefined, true],
    ['other', 'Leaking oil', false],
  ])('of a bag that was not accepted (%s) says why, and keeps its barcode', async (code, text, isFree) => {
    const refusal = { kind: 'not-accepted', source: 'agent', at: '2027-05-19T06:00:00.000Z', code } as const
    const events = [{ ...refusal, ...(text !== undefined && { text }) }]
    open(answerOf({ ...paid, cancellable: isFree, bookings: [bookingOf({ awb, events })] }))
    const ofJourney = (key: string) => textOf('journey', key)
    const said = await screen.findByText(ofJourney('refusal.title'))
    // The refusal stands in the live region that announces a change of state, and no text above it says that all is well.
    expect(said.closest('[role=status]')?.querySelector('h1')).toBeTruthy()
    expect(screen.queryByText(textOf('pass', 'booked'))).toBeNull()
    const why = screen.getByText(text ?? ofJourney(`reason.${code}`)).closest('div')
    expect(why?.textContent).toContain(ofJourney('refusal.next'))
    expect(why?.textContent?.includes(ofJourney('refusal.cancel'))).toBe(isFree)
    expect(screen.getByText(awb)).toBeTruthy()
  })

  const at = '2027-05-19T06:00:00.000Z'
  const taken = { kind: 'handed-over', source: 'agent', at, place: 'Agent A1' } as const
  const scanned = (kind: EventKind) => ({ kind, source: 'courier' as const, at, place: 'Taif' })
  const bagIn = (state: TravelState, ...events: BookingEvent[]) => ({
    ...paid,
    bookings: paid.bookings.map((booking) => ({
      ...booking,
      destination: { ...booking.destination, coordinates: { latitude: 24.7, longitude: 46.68 } },
      state,
      lastEventAt: at,
      events,
    })),
  })
  const ofTag = (key: string, values?: Record<string, unknown>) => textOf('tag', key, values)

  it('that was collected says when, whatever is scanned later by mistake', async () => {
    const later = '2027-05-21T06:00:00.000Z'
    const order = bagIn('COLLECTED', taken, scanned('collected'), { ...scanned('in-transit'), at: later })
    open(answerOf({ ...order, bookings: order.bookings.map((bag) => ({ ...bag, lastEventAt: later })) }))
    expect(await screen.findByText(reading(formatMomentInBoth(at, 'en')))).toBeTruthy()
  })

  it('that was collected says so once, and offers one share', async () => {
    open(answerOf(bagIn('COLLECTED', taken, scanned('collected'))))
    await screen.findByRole('heading', { level: 1, name: ofTag('title.collected') })
    const page = document.body.cloneNode(true) as HTMLElement
    for (const folded of page.querySelectorAll('details')) folded.remove()
    expect(page.textContent?.match(/collected|received/gi)).toHaveLength(1)
    const acts = [...page.querySelectorAll('a, button')].map(({ textContent }) => textContent)
    expect(acts.filter((act) => /share|send/i.test(act ?? ''))).toEqual([ofPass('shareTag')])
    // The bag has been handed in. The link to its journey can still be ended.
    expect(screen.queryByRole('link', { name: ofAwb('share') })).toBeNull()
    expect(screen.getByText(textOf('share', 'open')).closest('details')).toBeTruthy()
  })

  it.each<[string, Order, string, string, boolean]>([
    ['torn', bagIn('HANDED_OVER', taken), 'title.torn', 'follow', false],
    ['travelling', bagIn('IN_TRANSIT', taken, scanned('picked-up')), 'title.travelling', 'family', false],
    ['delayed', bagIn('EXCEPTION', taken, scanned('exception')), 'title.delayedIn', 'support', false],
    ['here', bagIn('AT_BRANCH', taken, scanned('at-branch')), 'title.here.center', 'way.center', true],
    ['collected', bagIn('COLLECTED', taken, scanned('collected')), 'title.collected', 'shareTag', false],
  ])(
    'of a bag whose tag is %s has one next thing to do, and its barcode only where it is needed',
    async (state, order, title, action, hasCode) => {
      open(answerOf(order))
      const values = { agent: 'Agent A1', city: state === 'delayed' ? 'Taif' : 'Riyadh' }
      await screen.findByRole('heading', { level: 1, name: ofTag(title, values) })
      const primary = [...document.querySelectorAll('[data-look="primary"]')].map(
        ({ textContent }) => textContent,
      )
      expect(primary).toEqual([action === 'family' ? textOf('share', 'open') : ofPass(action)])
      expect(screen.queryByRole('img', barcode()) !== null).toBe(hasCode)
      // The barcode is one tap away.
      const shows = screen.queryByRole('button', { name: ofPass('showBarcode') })
      expect(shows !== null).toBe(!hasCode && state !== 'collected')
    },
  )

  it.each<[string, string | null]>([
    ['with its airway bill', awb],
    ['before it was issued', null],
  ])('of a bag whose money is on its way back offers nothing to hand over, %s', async (_, number) => {
    const refund = { state: 'pending', amount: 50, reason: 'operator' } as const
    const bookings = [bookingOf({ awb: number, state: 'CANCELLED' })]
    open(answerOf(orderOf({ refund, bookings, transactionId: '990011' })))
    await screen.findByRole('heading', { level: 1, name: t('titles.refund-pending') })
    expect(screen.getByText(t('notCarried'))).toBeTruthy()
    expect(screen.queryByText(t('void')) !== null).toBe(number !== null)
    expect(screen.getByText(textOf('refund-note', 'title.pending', { amount: 'SAR 50.00' }))).toBeTruthy()
    expect(document.querySelector('[data-state=over]')).toBeTruthy()
    expect(screen.getByText(ofTag('badge.cancelled'))).toBeTruthy()
    expect(screen.queryByText(awb)).toBeNull()
    expect(screen.queryByRole('region', { name: textOf('payment', 'receiver.title') })).toBeNull()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      t('pending.bookAgain'),
    ])
  })

  it('of two bags of which one is not carried any more shows the barcode and the files of the other', async () => {
    const [bag] = bagIn('IN_TRANSIT', taken, scanned('picked-up')).bookings
    const voided = bookingOf({ awb: '290012345679', state: 'CANCELLED' })
    const bookings = bag === undefined ? [] : [bag, voided]
    open(answerOf({ ...paid, status: 'REFUNDED', type: 'TO_AND_FROM_MINA', bookings }))
    await screen.findByRole('heading', { level: 1, name: ofTag('title.travelling', { city: 'Riyadh' }) })
    expect(screen.getByText(ofTag('badge.cancelled'))).toBeTruthy()
    expect(screen.getAllByRole('button', { name: ofPass('showBarcode') })).toHaveLength(1)
    expect(document.body.textContent).not.toContain('290012345679')
    const files = screen.getAllByRole('link', { name: ofAwb('download') })
    expect(files.map((link) => link.getAttribute('href'))).toEqual([
      expect.stringContaining('/290012345678.pdf'),
    ])
  })

  it('is shared with its way, and without one where a city is not known', async () => {
    const shared = async (order: Order) => {
      open(answerOf(order))
      const link = await screen.findByRole('link', { name: ofPass('shareTag') })
      cleanup()
      return new URL(link.getAttribute('href') ?? '').searchParams.get('text')
    }
    const order = bagIn('COLLECTED', taken, scanned('collected'))
    const bookings = order.bookings.map((bag) => ({ ...bag, origin: { coordinates: null } }))
    const words = ofTag('back.say.own').replace('\n', ' ')
    const sender = ` · ${brand.name.en} ${window.location.origin}`
    expect(await shared(order)).toBe(`${words} From Mina to Riyadh${sender}`)
    expect(await shared({ ...order, bookings })).toBe(`${words}${sender}`)
  })

  it('of a bag that was handed over is a receipt, then its timeline, and its barcode in one tap', async () => {
    open(answerOf(bagIn('HANDED_OVER', taken)))
    const receipt = (await screen.findByText(ofTag('receipt.title'))).parentElement?.parentElement
    for (const text of ['Agent A1', '09:00', awb]) expect(receipt?.textContent).toContain(text)
    expect(within(receipt as HTMLElement).queryByRole('img')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: ofPass('follow') }))
    const timeline = screen.getByRole('list', { name: textOf('journey', 'title') })
    expect(timeline.parentElement?.parentElement).toBe(document.activeElement)
    expect(screen.queryByText(ofTag('receipt.title'))).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: ofPass('showBarcode') }))
    const full = within(screen.getByRole('dialog', { name: ofAwb('full.title') }))
    expect(full.getByRole('img', barcode())).toBeTruthy()
  })

  it('has the picture that the agent took beside the receipt, whole in one tap, with the way to say that it is another bag', async () => {
    const takenAt = '2027-05-19T06:01:00.000Z'
    const order = bagIn('HANDED_OVER', taken)
    open(answerOf({ ...order, bookings: order.bookings.map((bag) => ({ ...bag, photo: { takenAt } })) }))
    await userEvent.click(await screen.findByRole('button', { name: textOf('handover-photo', 'open') }))
    const whole = within(screen.getByRole('dialog', { name: textOf('handover-photo', 'title') }))
    expect(whole.getByRole('img').getAttribute('src')).toBe(`/api/orders/42/bookings/${awb}/photo`)
    expect(whole.getByText('Agent A1')).toBeTruthy()
    const days = { count: retentionDays.handoverPhotos }
    expect(whole.getByText(textOf('handover-photo', 'seenBy', days))).toBeTruthy()
    const notMine = whole.getByRole('link', { name: textOf('handover-photo', 'notMine') })
    expect(notMine.getAttribute('href')).toBe('/order-claims/42?kind=other&bag=0')
  })

  it('offers to cancel first of the rarely needed acts, and repeats no news that it shows', async () => {
    open(answerOf({ ...bagIn('READY'), cancellable: true }))
    const more = (await screen.findByText(ofPass('more'))).closest('details')
    const acts = more?.querySelectorAll('a, button')
    expect(acts?.item(0).textContent).toBe(textOf('cancel-order', 'open'))
    cleanup()
    open(answerOf(bagIn('HANDED_OVER', taken)))
    await screen.findByText(ofTag('receipt.title'))
    expect(screen.queryByText(textOf('journey', 'all', { number: 1 }))).toBeNull()
  })

  it('tears its tag when the agent confirms, and has the stub again when that is undone, each said once', async () => {
    let order: Order = bagIn('READY')
    open(() => answerOf(order))
    await screen.findByRole('img', barcode())
    order = bagIn('HANDED_OVER', taken)
    readAgain()
    await screen.findByText(ofTag('receipt.title'))
    expect(screen.queryByRole('img', barcode())).toBeNull()
    // Only one live region speaks of the hand-over.
    const speaking = screen
      .getAllByRole('status')
      .filter(({ textContent }) => textContent?.includes('Agent A1'))
    expect(speaking).toHaveLength(1)
    order = bagIn('READY', taken, { ...taken, kind: 'hand-over-undone' })
    readAgain()
    expect(await screen.findByRole('img', barcode())).toBeTruthy()
    expect(screen.getByText(ofTag('note.untorn')).closest('[role="status"]')).toBeTruthy()
    expect(screen.queryByText(ofTag('receipt.title'))).toBeNull()
  })

  it('leaves the full screen when the agent confirms: the receipt has the focus, and an undo opens nothing', async () => {
    let order: Order = bagIn('READY')
    open(() => answerOf(order))
    await userEvent.click(await screen.findByRole('button', { name: ofAwb('full.open') }))
    order = bagIn('HANDED_OVER', taken)
    readAgain()
    const receipt = await screen.findByText(ofTag('receipt.title'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement?.contains(receipt)).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
    order = bagIn('READY', taken, { ...taken, kind: 'hand-over-undone' })
    readAgain()
    expect(await screen.findByRole('img', barcode())).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each([
    ['before it is handed over', null],
    ['on its way', 'AT_BRANCH'],
  ] as const)('tells today’s hours of the branch where the bag is collected, %s', async (_, state) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-16T12:00:00+03:00') })
    try {
      const shift = { days: [3], from: '08:00' }
      const centers = [
        { code: 'R1', city: 'Riyadh', hours: { week: [{ ...shift, to: '20:00' }] } },
        { code: 'R2', city: 'Riyadh', hours: { week: [{ ...shift, to: '23:00' }] } },
      ]
      const bookings = [bookingOf({ awb, ...(state ? { state } : {}) })]
      stubGateway({
        'GET /api/orders/42': answerOf({ ...paid, centerCode: 'R2', bookings }),
        'GET /api/partner/centers': { body: { success: true, centers } },
      })
      renderPage(orderPage())
      const said = await screen.findAllByText(/^Open now until/)
      expect(new Set(said.map(({ textContent }) => textContent))).toEqual(new Set(['Open now until 23:00']))
    } finally {
      vi.useRealTimers()
    }
  })

  it('leads from an unpaid one to its payment', async () => {
    stubGateway({
      'GET /api/orders/42': answerOf({ ...paid, status: 'PENDING_PAYMENT', payable: true }),
      'POST /api/orders/42/payment': {
        body: { success: true, orderId: 42, clientSecret: 'cs_2', publicKey: 'pk_1' },
      },
    })
    renderPage(orderPage())
    expect(await screen.findByRole('heading', { level: 1, name: t('titles.unpaid') })).toBeTruthy()
    expect(screen.queryByText(t('pending.text'))).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: t('failure.pay') }))
    await waitFor(() => expect(openDocument).toHaveBeenCalledOnce())
  })

  it.each(['abc', '0', '1.5', '42x', ''])(
    'says that there is no such order, without a call: %j',
    (orderId) => {
      const calls = stubGateway({})
      renderPage(orderPage(orderId))
      expect(screen.getByRole('alert').textContent).toContain(t('notFound'))
      expect(calls).toEqual([])
    },
  )

  it('says that the order cannot be loaded, and retries', async () => {
    let isDown = true
    open(() => (isDown ? problem(500, 'UNEXPECTED', 'Later') : answerOf(paid)))
    const alert = await screen.findByRole('alert')
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    expect(await screen.findByText(awb)).toBeTruthy()
  })
})

describe('the barcode in full screen', () => {
  it('shows barcode, number, city and receiver, and closes', async () => {
    open(answerOf(paid))
    await userEvent.click(await screen.findByRole('button', { name: ofAwb('full.open') }))
    const full = within(screen.getByRole('dialog', { name: ofAwb('full.title') }))
    expect(full.getByRole('img', { name: textOf('awb', 'barcode', { awb }) })).toBeTruthy()
    for (const text of [awb, 'OD-42', 'Riyadh', 'Maryam Al-Harbi']) expect(full.getByText(text)).toBeTruthy()
    // Bars and number come first, so that they are on the screen at any size of text.
    const name = full.getByText('Maryam Al-Harbi')
    expect(full.getByText(awb).compareDocumentPosition(name)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(name.parentElement?.style.getPropertyValue('--letters')).toBe('8')
    await userEvent.click(full.getByRole('button', { name: ofAwb('full.close') }))
    expect(screen.queryByRole('dialog', { name: ofAwb('full.title') })).toBeNull()
  })

  it('keeps Escape to itself', async () => {
    stubGateway({ 'GET /api/orders/42': answerOf(paid) })
    const onClose = vi.fn()
    renderPage(<ThankYouPage onPaid={() => {}} onBookAgain={() => {}} onClose={onClose} />, {
      at: '/thank-you?success=true&merchant_order_id=42',
    })
    await userEvent.click(await screen.findByRole('button', { name: ofAwb('full.open') }))
    const full = screen.getByRole('dialog', { name: ofAwb('full.title') })
    fireEvent(full, new Event('cancel', { cancelable: true }))
    expect(screen.queryByRole('dialog', { name: ofAwb('full.title') })).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })
})

describe('the receipt', () => {
  const receiptLink = () => screen.queryByRole('link', { name: textOf('payment', 'receipt') })

  it.each<[Order['status'], boolean, string | undefined]>([
    ['PAID', true, '/api/orders/42/receipt.pdf'],
    ['REFUNDED', true, '/api/orders/42/receipt.pdf'],
    ['PAID', false, undefined],
  ])('of a %s order opens where there is one (%s)', async (status, hasReceipt, href) => {
    open(answerOf({ ...paid, status, hasReceipt }))
    await screen.findByText(textOf('order-card', `status.${status}`))
    expect(receiptLink()?.getAttribute('href')).toBe(href)
    if (hasReceipt) expect(receiptLink()?.getAttribute('target')).toBe('_blank')
  })
})

it.each([
  [403, 'FORBIDDEN'],
  [404, 'ORDER_NOT_FOUND'],
])('a pass goes, from the phone too, when the server refuses its order with %i', async (status, code) => {
  ownKeptOrders(7)
  let isRefused = false
  open(() => (isRefused ? problem(status, code, 'Not yours') : answerOf(paid)))
  expect(await screen.findByRole('img', barcode())).toBeTruthy()
  expect(readKeptOrders()?.orders).toHaveLength(1)
  isRefused = true
  readAgain()
  expect((await screen.findByRole('alert')).textContent).toContain('Not yours')
  expect(screen.queryByRole('img', barcode())).toBeNull()
  expect(screen.queryByText(awb)).toBeNull()
  expect(readKeptOrders()?.orders).toEqual([])
})

it('an order of another person is no result of a payment: it leads to the own ones, without another try', async () => {
  open(problem(404, 'ORDER_NOT_FOUND', 'We could not find this order.'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('We could not find this order.')
  expect(screen.getByRole('heading', { level: 1, name: textOf('payment', 'yourOrder') })).toBeTruthy()
  expect(screen.queryByRole('button', { name: textOf('ui', 'tryAgain') })).toBeNull()
  expect(screen.getByRole('link', { name: textOf('payment', 'toOrders') }).dataset.look).toBe('primary')
})

it('a pass stays while a captive portal or a limit answers in place of the server', async () => {
  const answers = [
    { status: 404, body: '<html>Accept the terms</html>' },
    problem(429, 'TOO_MANY_CALLS', 'Later'),
  ]
  let answered = 0
  open(() => (answered === 0 ? answerOf(paid) : answers[(answered - 1) % answers.length]))
  await screen.findByRole('img', barcode())
  for (answered = 1; answered <= answers.length; answered += 1) {
    readAgain()
    await screen.findByText(textOf('pass', 'why.unreachable'))
    expect(screen.getByRole('img', barcode())).toBeTruthy()
  }
})

describe('a pass that is kept on the phone', () => {
  beforeEach(async () => {
    localStorage.clear()
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve({ ...paid, hasReceipt: true }), (order) => [order])
    stubGateway({})
  })

  it('opens when the server cannot be reached', async () => {
    renderPage(orderPage())
    expect(await screen.findByRole('heading', { level: 1, name: ofPass('kept') })).toBeTruthy()
    expect(await screen.findByText(ofPass('why.unreachable'), { exact: false })).toBeTruthy()
    expect(screen.getByRole('img', { name: textOf('awb', 'barcode', { awb }) })).toBeTruthy()
  })

  it('says when it was last known, and does not claim to be new', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    renderPage(orderPage())
    expect(await screen.findByText(ofPass('why.offline'), { exact: false })).toBeTruthy()
    const knownAt = new Date(readKeptOrders()?.orders[0]?.knownAt ?? 0).toISOString()
    expect(screen.getByText(reading(ofPass('knownAt', { time: formatMoment(knownAt, 'en') })))).toBeTruthy()
    expect(screen.queryByText(ofPass('booked'))).toBeNull()
    // Files that could not be loaded are not offered.
    expect(screen.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
    expect(screen.queryByRole('link', { name: textOf('payment', 'receipt') })).toBeNull()
  })
})

describe('who collects the bag', () => {
  const ofReceiver = (key: string) => textOf('receiver', key)
  const path = 'PATCH /api/orders/42/receiver'
  const waiting = orderOf({ bookings: [bookingOf({ awb: null })] })
  const printed = { ...waiting, bookings: [bookingOf({ receiver: 'Maryam Al-Harbi' })] }
  const receiver = { name: 'Sara Omar', phone: '+966512345678' }
  const part = async () =>
    within(await screen.findByRole('region', { name: textOf('payment', 'receiver.title') }))

  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

  async function nameSara(answer: StubbedRoute) {
    let order: Order = waiting
    const calls = stubGateway({
      'GET /api/orders/42': () => answerOf(order),
      [path]: (call) => {
        order = printed
        return typeof answer === 'function' ? answer(call) : answer
      },
    })
    renderPage(orderPage())
    await saveSara()
    return calls
  }

  async function saveSara() {
    await userEvent.click((await part()).getByRole('button', { name: ofReceiver('other') }))
    await userEvent.type(screen.getByRole('textbox', { name: ofReceiver('form.name') }), 'Sara Omar')
    await userEvent.click(screen.getByRole('button', { name: ofReceiver('form.save') }))
  }

  async function expectTooLate() {
    const said = await screen.findByText(textOf('payment', 'receiver.late'))
    const alert = said.closest<HTMLElement>('[role="alert"]')
    expect(alert?.textContent).toContain('Maryam Al-Harbi')
    await waitFor(() => expect(document.activeElement).toBe(alert))
    expect(screen.queryByRole('textbox')).toBeNull()
  }

  it('is named before the airway bill is printed, and stands on the pass', async () => {
    const calls = await nameSara(answerOf({ ...waiting, receiver }))
    expect(await (await part()).findByText('+966512345678')).toBeTruthy()
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
      receiver: { name: 'Sara Omar' },
      secondPhone: null,
    })
    // The receiver's name stands on the pass and in the receiver's section.
    expect(screen.getAllByText(/Sara Omar/)).toHaveLength(2)
  })

  it('is told that it is too late, and what is printed', async () => {
    await nameSara(problem(409, 'RECEIVER_PRINTED', 'Too late.'))
    await expectTooLate()
  })

  it('is told so, too, when it is printed while the form is open, and the form outlives a lost answer', async () => {
    let answer: ReturnType<typeof answerOf> | ReturnType<typeof problem> = answerOf(waiting)
    const calls = stubGateway({ 'GET /api/orders/42': () => answer })
    renderPage(orderPage())
    await userEvent.click((await part()).getByRole('button', { name: ofReceiver('other') }))
    await userEvent.type(screen.getByRole('textbox', { name: ofReceiver('form.name') }), 'Sara')
    answer = problem(429, 'TOO_MANY_CALLS', 'Later')
    readAgain()
    await (await part()).findByText(textOf('platform', 'unreachable'))
    expect(screen.getByDisplayValue('Sara')).toBeTruthy()
    answer = answerOf(printed)
    readAgain()
    await expectTooLate()
    expect(calls.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('is shown where the page asks by the reference of the payment, whatever was asked before', async () => {
    const reference = 'AM-PAY-1'
    const stale = Promise.withResolvers<ReturnType<typeof answerOf>>()
    let isSlow = false
    stubGateway({
      [`GET /api/orders/${reference}`]: () => (isSlow ? stale.promise : answerOf(waiting)),
      [path]: () => {
        isSlow = true
        readAgain()
        return answerOf({ ...waiting, receiver })
      },
    })
    renderPage(<ThankYouPage onPaid={() => {}} onBookAgain={() => {}} onClose={() => {}} />, {
      at: `/thank-you?success=true&merchant_order_id=${reference}`,
    })
    await saveSara()
    expect(await (await part()).findByText('+966512345678')).toBeTruthy()
    stale.resolve(answerOf(waiting))
    // The order is read, parsed and shown by then.
    for (let turn = 0; turn < 30; turn += 1) await act(async () => {})
    expect((await part()).getByText('+966512345678')).toBeTruthy()
  })

  it('is shown without a change once it is printed', async () => {
    open(answerOf({ ...paid, receiver, secondPhone: '+966500000000' }))
    expect((await part()).getByText('+966500000000')).toBeTruthy()
    expect((await part()).queryByRole('button', { name: ofReceiver('change') })).toBeNull()
  })
})
