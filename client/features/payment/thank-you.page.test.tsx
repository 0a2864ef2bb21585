// @vitest-environment jsdom

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownKeptOrders } from '#client/entities/order/kept-orders.ts'
import { openDocument } from '#client/platform/document.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { isBusy, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { lateAfterMs } from './order-screen.tsx'
import { ThankYouPage } from './thank-you.page.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

const at = '/thank-you?success=true&merchant_order_id=OD-42-1'
const t = (key: string, values?: Record<string, unknown>) => textOf('payment', `thankYou.${key}`, values)
const ofCard = (key: string) => textOf('order-card', key)
const ofPass = (key: string, values?: Record<string, unknown>) => textOf('pass', key, values)

const origin = {
  name: 'Agent A1',
  address: 'Jamarat side',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: { latitude: 21.4, longitude: 39.9 },
}

function orderWith(status: string, ...awbs: (string | null)[]) {
  const order = orderOf({
    status: status as OrderStatus,
    ...(status === 'PAID' ? { transactionId: '990011' } : {}),
    bookings: awbs.map((awb) => bookingOf({ awb, origin, state: status === 'PAID' ? 'READY' : null })),
  })
  return { body: { success: true, order } }
}

function thankYou(
  callbacks: {
    onPaid?: (orderId: number) => void
    onClose?: () => void
    onBookAgain?: (order: { orderId: number; status: string }) => void
  } = {},
) {
  return <ThankYouPage onPaid={() => {}} onClose={() => {}} onBookAgain={() => {}} {...callbacks} />
}

/** The result page with an address that says the payment succeeded. @returns the calls. */
function succeeded(answer: StubbedRoute, callbacks?: Parameters<typeof thankYou>[0]) {
  const calls = stubGateway({ 'GET /api/config': { body: configOf() }, 'GET /api/orders/OD-42-1': answer })
  renderPage(thankYou(callbacks), { at })
  return calls
}

/** The result page with an address that says the payment failed. */
function failed(answer: StubbedRoute) {
  stubGateway({ 'GET /api/orders/42': answer })
  renderPage(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
}

beforeEach(() => {
  localStorage.clear()
  vi.mocked(openDocument).mockReset()
})

afterEach(() => {
  vi.useRealTimers()
})

const helpLink = () => screen.getByRole('link', { name: '+966 920 000 000' })

describe('a failure', () => {
  it.each(['', '?success=true', '?success=false', '?merchant_order_id='])(
    'is shown without asking the server when no order is named: %j',
    (query) => {
      const calls = stubGateway({})
      renderPage(thankYou(), { at: `/thank-you${query}` })
      const alert = screen.getByRole('alert')
      expect(within(alert).getByRole('heading', { name: 'Payment Failed' })).toBeTruthy()
      expect(alert.textContent).toContain('Your payment did not go through')
      expect(
        screen.getByRole('link', { name: textOf('payment', 'backToBooking') }).getAttribute('href'),
      ).toBe('/booking')
      expect(helpLink()).toBeTruthy()
      expect(screen.queryByRole('button')).toBeNull()
      expect(calls).toEqual([])
    },
  )

  it('offers to pay again for an order that is still open', async () => {
    const calls = stubGateway({
      'GET /api/orders/42': orderWith('PENDING_PAYMENT', null),
      'POST /api/orders/42/payment': {
        body: { success: true, orderId: 42, clientSecret: 'cs_2', publicKey: 'pk_1' },
      },
    })
    renderPage(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
    expect((await screen.findByRole('alert')).textContent).toContain('Payment Failed')
    for (const key of ['failure.notCharged', 'failure.text']) expect(screen.getByText(t(key))).toBeTruthy()
    expect(helpLink()).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('failure.payAgain') }))
    await waitFor(() =>
      expect(openDocument).toHaveBeenCalledWith('/payment?clientSecret=cs_2&publicKey=pk_1&orderId=42'),
    )
    expect(isBusy(screen.getByRole('button', { name: t('failure.opening') }))).toBe(true)
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('shows the order when the server says that it is paid', async () => {
    failed(orderWith('PAID', '290012345678'))
    expect(await screen.findByRole('dialog', { name: t('titles.PAID') })).toBeTruthy()
  })
})

describe('a success', () => {
  it('shows a loading state first', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    succeeded(() => answer.promise)
    expect(await screen.findByRole('heading', { level: 1, name: t('titles.PENDING_PAYMENT') })).toBeTruthy()
    expect(screen.queryByText(ofPass('booked'))).toBeNull()
    answer.resolve(orderWith('PAID', '290012345678'))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('shows order, status, airway bill, barcode, locations and a PDF link', async () => {
    succeeded(orderWith('PAID', '290012345678'))
    const shown = within(await screen.findByRole('dialog', { name: t('titles.PAID') }))
    for (const fact of [
      'OD-42',
      '990011',
      ofCard('types.FROM_MINA'),
      ofCard('status.PAID'),
      '290012345678',
    ]) {
      expect(shown.getByText(fact)).toBeTruthy()
    }
    expect(shown.getByText('290012345678').getAttribute('dir')).toBe('ltr')
    expect(shown.getByRole('img', { name: textOf('awb', 'barcode', { awb: '290012345678' }) })).toBeTruthy()
    const file = shown.getByRole('link', { name: textOf('awb', 'download') })
    expect(file.getAttribute('href')).toBe('/api/orders/barcode/290012345678.pdf?download=1')
    expect(file.getAttribute('download')).toBe('AWB-290012345678.pdf')
    // The place of the hand-over, and the origin among the facts.
    expect(shown.getAllByText('Agent A1')).toHaveLength(2)
    expect(shown.getAllByText('Malaz')).toHaveLength(2)
    expect(await shown.findByText(ofPass('weight', { kg: 15 }))).toBeTruthy()
  })

  it('leads to the agent: the way, a call, and the map of a branch with coordinates', async () => {
    const { body } = orderWith('PAID', '290012345678')
    const coordinates = { latitude: 24.7, longitude: 46.7 }
    const bookings = body.order.bookings.map((booking) => ({
      ...booking,
      destination: { ...booking.destination, coordinates },
    }))
    succeeded({ body: { ...body, order: { ...body.order, bookings } } })
    const shown = within(await screen.findByRole('dialog'))
    const hrefOf = (name: string) => shown.getByRole('link', { name }).getAttribute('href')
    expect(hrefOf(ofPass('way.agent'))).toContain('query=21.4,39.9')
    expect(hrefOf(ofPass('call.agent'))).toBe('tel:+966500000101')
    const maps = shown.getAllByRole('link', { name: textOf('location', 'map') })
    expect(maps.at(-1)?.getAttribute('href')).toContain('query=24.7,46.7')
    expect(hrefOf(textOf('payment', 'toOrders'))).toBe('/orders')
  })

  it('names the branch where the bag starts there', async () => {
    const { body } = orderWith('PAID', '290012345678')
    const bookings = body.order.bookings.map((booking) => ({
      ...booking,
      origin: { ...booking.destination, phone: '+966112345678' },
      destination: origin,
    }))
    const order = { ...body.order, type: 'TO_MINA', bookings }
    succeeded({ body: { ...body, order } })
    expect(await screen.findByRole('link', { name: ofPass('call.center') })).toBeTruthy()
  })

  it('lists both airway bills of a return trip', async () => {
    succeeded(orderWith('PAID', '290000000001', '290000000002'))
    expect(await screen.findByRole('heading', { name: t('leg', { number: 1, total: 2 }) })).toBeTruthy()
    expect(screen.getByRole('heading', { name: t('leg', { number: 2, total: 2 }) })).toBeTruthy()
    expect(screen.getAllByRole('link', { name: textOf('awb', 'download') })).toHaveLength(2)
  })

  it('is not shown as paid before the server says so', async () => {
    const onBookAgain = vi.fn()
    succeeded(orderWith('PENDING_PAYMENT', null), { onBookAgain })
    expect(await screen.findByRole('dialog', { name: t('titles.PENDING_PAYMENT') })).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain(t('pending.text'))
    expect(screen.getByText(t('noTransaction'))).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('pending.bookAgain') }))
    expect(onBookAgain).toHaveBeenCalledOnce()
  })

  it('that stays unpaid offers to pay: the address alone proves no payment', async () => {
    vi.useFakeTimers()
    succeeded(orderWith('PENDING_PAYMENT', null))
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(screen.getByRole('button', { name: t('pending.refresh') })).toBeTruthy()
    expect(helpLink()).toBeTruthy()
    // The user has just paid, and the confirmation is awaited.
    expect(screen.queryByRole('button', { name: t('failure.pay') })).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(lateAfterMs))
    expect(screen.getByRole('button', { name: t('failure.pay') })).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain(t('pending.unconfirmed'))
    for (const key of ['refresh', 'bookAgain'])
      expect(screen.getByRole('button', { name: t(`pending.${key}`) })).toBeTruthy()
  })

  it('changes from pending to paid to issued by polling, then asks every ten seconds until it is collected', async () => {
    vi.useFakeTimers()
    let answer = orderWith('PENDING_PAYMENT', null)
    const calls = succeeded(() => answer)
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(screen.getByRole('dialog', { name: t('titles.PENDING_PAYMENT') })).toBeTruthy()
    answer = orderWith('PAID', null)
    await act(() => vi.advanceTimersByTimeAsync(8_000))
    expect(screen.getByRole('dialog', { name: ofPass('issuing') })).toBeTruthy()
    expect(screen.getByText(t('issuing'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: textOf('awb', 'full.open') })).toBeNull()
    answer = orderWith('PAID', '290012345678')
    await act(() => vi.advanceTimersByTimeAsync(8_000))
    expect(screen.getByText('290012345678')).toBeTruthy()
    const countAsked = () => calls.filter(({ path }) => path.startsWith('/api/orders/')).length
    const asked = countAsked()
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(countAsked()).toBe(asked + 6)
    answer = orderWith('PAID', '290012345678')
    Object.assign(answer.body.order.bookings[0] ?? {}, { state: 'COLLECTED' })
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    expect(countAsked()).toBe(asked + 7)
  })

  it('polls quickly again for the airway bill, however long the payment took', async () => {
    vi.useFakeTimers()
    let answer = orderWith('PENDING_PAYMENT', null)
    const calls = succeeded(() => answer)
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    answer = orderWith('PAID', null)
    calls.length = 0
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(screen.getByText(t('issuing'))).toBeTruthy()
    // With one poll a minute there would be two or three.
    expect(calls.length).toBeGreaterThan(5)
  })

  it('calls onPaid for a paid order only', async () => {
    let status = 'PENDING_PAYMENT'
    const onPaid = vi.fn()
    succeeded(() => orderWith(status, null), { onPaid })
    const refresh = await screen.findByRole('button', { name: t('pending.refresh') })
    expect(onPaid).not.toHaveBeenCalled()
    status = 'PAID'
    await userEvent.click(refresh)
    await waitFor(() => expect(onPaid.mock.calls).toEqual([[42]]))
  })

  it.each([
    ['EXPIRED', 'expired', true],
    ['REFUNDED', 'refunded', true],
    ['PENDING_PAYMENT', 'pending.text', false],
  ])(
    'is explained, and cannot be mistaken for a pass, when no bag may travel on it: %s',
    async (status, text, isCrossed) => {
      succeeded(orderWith(status, '290012345678'))
      await screen.findByRole('dialog', { name: t(`titles.${status}`) })
      expect(document.body.textContent).toContain(t(text))
      expect(screen.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
      expect(document.querySelector('[data-shape=whole]')).toBeNull()
      expect(screen.queryByRole('img')).toBeNull()
      expect(screen.queryByText('290012345678')).toBeNull()
      expect(document.querySelector('[data-state=over]') !== null).toBe(isCrossed)
    },
  )

  it('shows that a paid order has no transaction id yet', async () => {
    const { body } = orderWith('PAID', '290012345678')
    const { transactionId: _, ...order } = body.order
    succeeded({ body: { ...body, order } })
    expect(await screen.findByText(t('noTransaction'))).toBeTruthy()
    expect(screen.getByText('290012345678')).toBeTruthy()
  })
})

describe('without an answer of the server', () => {
  const awb = '290012345678'
  beforeEach(() => {
    localStorage.clear()
    ownKeptOrders(7)
  })

  it('shows the pass that was kept when it was paid, found by the reference in the address', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PAID', awb) })
    const { unmount } = renderPage(thankYou(), { at })
    await screen.findByRole('dialog', { name: t('titles.PAID') })
    unmount()
    stubGateway({})
    renderPage(thankYou(), { at })
    await screen.findByRole('dialog', { name: textOf('pass', 'kept') })
    expect(screen.getByRole('img', { name: textOf('awb', 'barcode', { awb }) })).toBeTruthy()
    expect(await screen.findByText(textOf('pass', 'why.unreachable'), { exact: false })).toBeTruthy()
  })

  it('shows the failure when the order was not paid', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PENDING_PAYMENT', null) })
    const { unmount } = renderPage(thankYou(), { at })
    await screen.findByRole('dialog', { name: t('titles.PENDING_PAYMENT') })
    unmount()
    stubGateway({})
    renderPage(thankYou(), { at })
    expect((await screen.findByRole('alert')).textContent).toContain(t('loadFailed'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a refund', () => {
  const refundOf = (state: string, reason = 'wrong-amount') => ({ state, amount: 49, reason })
  const withRefund = (status: string, refund: object, change: object = {}) => {
    const { body } = orderWith(status, status === 'PAID' || status === 'REFUNDED' ? '290012345678' : null)
    return { body: { ...body, order: { ...body.order, payable: false, refund, ...change } } }
  }
  const ofRefund = (key: string, values?: Record<string, unknown>) => textOf('refund-note', key, values)

  it('of a wrong amount is shown, and offers no payment', async () => {
    succeeded(withRefund('PENDING_PAYMENT', refundOf('pending')))
    const shown = within(await screen.findByRole('dialog', { name: t('titles.refund-pending') }))
    expect(shown.getByText(/49\.00 reached us/).textContent).toContain(
      ofRefund('reason.wrong-amount', { amount: 'SAR\u00a049.00' }),
    )
    expect(shown.getByText(/49\.00 reached us/).textContent).toContain(ofRefund('text.pending'))
    expect(shown.queryByText(t('pending.text'))).toBeNull()
    expect(shown.getAllByRole('button').map((button) => button.textContent)).toEqual([t('close')])
  })

  it.each(['true', 'false'])(
    'changes from pending to done by polling, and the order can then be paid again (success=%s)',
    async (success) => {
      vi.useFakeTimers()
      let answer: { body: unknown } = withRefund('PENDING_PAYMENT', refundOf('pending'))
      stubGateway({ 'GET /api/orders/42': () => answer })
      renderPage(thankYou(), { at: `/thank-you?success=${success}&merchant_order_id=42` })
      await screen.findByRole('dialog', { name: t('titles.refund-pending') })
      expect(screen.queryByText('Payment Failed')).toBeNull()
      answer = withRefund('PENDING_PAYMENT', refundOf('done'), { payable: true })
      await act(() => vi.advanceTimersByTimeAsync(2_000))
      const shown = within(await screen.findByRole('dialog', { name: t('titles.refund-done') }))
      expect(shown.getByText(/49\.00 reached us/).textContent).toContain(ofRefund('text.done'))
      const payAgain = shown.getByRole('button', { name: t('failure.payAgain') })
      // A second, correct payment may be unconfirmed: the text before the button covers that.
      const words = shown.getByText(t('payFull'))
      expect(words.compareDocumentPosition(payAgain)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
      answer = orderWith('PAID', '290012345678')
      await act(() => vi.advanceTimersByTimeAsync(8_000))
      expect(screen.getByRole('dialog', { name: t('titles.PAID') })).toBeTruthy()
    },
  )

  it('is shown for an expired order, without the text that nothing was charged', async () => {
    succeeded(withRefund('EXPIRED', refundOf('needs-help')))
    const shown = within(await screen.findByRole('dialog', { name: t('titles.refund-needs-help') }))
    expect(shown.getByText(t('expiredAfterRefund'))).toBeTruthy()
    expect(shown.queryByText(t('expired'))).toBeNull()
  })

  it('of a second payment leaves the order paid', async () => {
    succeeded(withRefund('PAID', refundOf('pending', 'second-payment')))
    const shown = within(await screen.findByRole('dialog', { name: t('titles.PAID') }))
    const note = shown.getByText(ofRefund('title.pending', { amount: 'SAR 49.00' }))
    // The note about the refund stands below the airway bill.
    const awb = shown.getByText('290012345678')
    expect(awb.compareDocumentPosition(note)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it.each([
    ['with its reason', { refund: refundOf('done', 'operator') }],
    ['without a reason', {}],
  ])('is shown instead of a failed payment at success=false of a refunded order, %s', async (_, change) => {
    const { body } = withRefund('REFUNDED', {}, { refund: undefined, ...change })
    failed({ body })
    // A kept pass may be shown before the server answers.
    await screen.findByText(ofCard('status.REFUNDED'))
    const shown = within(screen.getByRole('dialog'))
    expect(screen.queryByText('Payment Failed')).toBeNull()
    // The airway bill is void: no number, barcode or PDF.
    expect(shown.getByText(t('void'))).toBeTruthy()
    expect(shown.queryByText('290012345678')).toBeNull()
    expect(shown.queryByRole('img')).toBeNull()
    expect(shown.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
  })
})

it('offers to pay again when the server says payable, whatever the status', async () => {
  const { body } = orderWith('PENDING_PAYMENT', null)
  failed({ body: { ...body, order: { ...body.order, payable: false } } })
  await screen.findByRole('alert')
  expect(screen.queryByRole('button', { name: t('failure.payAgain') })).toBeNull()
})

it.each(['no such order!', '<b>1</b>', '../1'])(
  'shows that the order does not exist, without a call and without the reference: %j',
  async (key) => {
    const calls = stubGateway({})
    renderPage(thankYou(), {
      at: `/thank-you?${new URLSearchParams({ success: 'true', merchant_order_id: key })}`,
    })
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain(t('notFound'))
    expect(document.body.textContent).not.toContain(key)
    expect(calls).toEqual([])
  },
)
