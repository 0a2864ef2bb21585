// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reloadDocument, replaceDocument } from '#client/platform/document.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { Known, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { PaymentPage } from './payment.page.tsx'
import type { PixelOptions } from './widget.ts'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  replaceDocument: vi.fn(),
  reloadDocument: vi.fn(),
}))

const widget = { script: 'https://cdn.example/main.js', styles: ['https://cdn.example/styles.css'] }

function Payment() {
  return (
    <Known config={configOf({ widget })} user={{ id: 7, name: 'Maryam Al-Harbi', phone: '+966550000001' }}>
      <PaymentPage />
    </Known>
  )
}

const at = '/payment?clientSecret=cs_1&publicKey=pk_1&orderId=42'
const t = (key: string, values?: Record<string, unknown>) => textOf('payment', key, values)

/** The request for another secret. */
function isSpent(body: unknown, clientSecret: string): boolean {
  return JSON.stringify(body) === JSON.stringify({ clientSecret, spent: true })
}

const orderWith = (status: OrderStatus) => ({
  body: { success: true, order: orderOf({ status, bookings: [] }) },
})

/** The server's response for the secret in the address, with different values. */
const opened = {
  'POST /api/orders/42/payment': {
    body: { success: true, orderId: 42, clientSecret: 'cs_server', publicKey: 'pk_server' },
  },
}

/** The server's response with another secret, after the first one was spent. */
const openedAfresh = {
  'POST /api/orders/42/payment': ({ body }: { body: unknown }) => ({
    body: {
      success: true,
      orderId: 42,
      clientSecret: isSpent(body, 'cs_server') ? 'cs_fresh' : 'cs_server',
      publicKey: 'pk_server',
    },
  }),
}

/** A stub of the provider's class that records its options. */
function installPixel(work: (options: PixelOptions) => void = () => {}) {
  const made: PixelOptions[] = []
  const unmount = vi.fn()
  window.Pixel = class {
    unmount = unmount
    constructor(options: PixelOptions) {
      work(options)
      made.push(options)
    }
  }
  return { made, unmount }
}

async function mountedWith(made: readonly PixelOptions[]): Promise<PixelOptions> {
  await waitFor(() => expect(made).toHaveLength(1))
  const [options] = made
  if (!options) throw new Error('The widget was made with options')
  return options
}

/** Opens the page. @returns the widgets created so far, and the options of the first one. */
async function openWidget() {
  const { made } = installPixel()
  renderPage(<Payment />, { at })
  return { made, options: await mountedWith(made) }
}

beforeEach(() => {
  vi.mocked(replaceDocument).mockReset()
  vi.mocked(reloadDocument).mockReset()
  stubGateway({ ...opened, 'GET /api/orders/42': orderWith('PENDING_PAYMENT') })
})

afterEach(() => {
  document.head.replaceChildren()
  Reflect.deleteProperty(window, 'Pixel')
  vi.useRealTimers()
})

describe('opening', () => {
  it('refuses an address without all three credentials', () => {
    renderPage(<Payment />, { at: '/payment?clientSecret=cs_1&orderId=42' })
    expect(screen.getByRole('alert').textContent).toContain('Missing payment credentials in the URL.')
    expect(document.head.querySelector('script')).toBeNull()
  })

  it('loads script and styles, and mounts the widget once, for cards only', async () => {
    const { made } = installPixel()
    renderPage(<Payment />, { at, language: 'ar' })
    const options = await mountedWith(made)
    expect(options).toMatchObject({
      publicKey: 'pk_server',
      clientSecret: 'cs_server',
      paymentMethods: ['card'],
      disablePay: false,
      showSaveCard: false,
      forceSaveCard: false,
    })
    expect(options.customStyle).toMatchObject({
      Direction: 'rtl',
      Button_Text: { payBtn: t('widget.pay') },
    })
    expect(document.getElementById(options.elementId)).not.toBeNull()
    await expect(options.beforePaymentComplete('card')).resolves.toBe(true)
    expect(document.head.querySelectorAll('script')).toHaveLength(1)
    expect(document.head.querySelectorAll('link')).toHaveLength(1)
  })

  it('does not mount the widget again when the language changes', async () => {
    const { made, unmount } = installPixel()
    renderPage(<Payment />, { at })
    await mountedWith(made)
    act(() => void setLanguage('ar'))
    expect(await screen.findByRole('heading', { name: t('title') })).toBeTruthy()
    expect(made).toHaveLength(1)
    expect(unmount).not.toHaveBeenCalled()
  })

  it('unmounts the widget', async () => {
    const { made, unmount } = installPixel()
    const view = renderPage(<Payment />, { at })
    await mountedWith(made)
    view.unmount()
    expect(unmount).toHaveBeenCalledOnce()
  })

  it('fails after 15 seconds without the script, and offers a reload', async () => {
    expectConsole(/payment widget failed/)
    vi.useFakeTimers()
    renderPage(<Payment />, { at })
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(screen.getByText(t('loading'))).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(15_400))
    expect(screen.getByRole('alert').textContent).toContain('Failed to initialize the payment widget.')
    const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
    await user.click(screen.getByRole('button', { name: t('retry') }))
    expect(reloadDocument).toHaveBeenCalledOnce()
  })

  it('shows a failure when the container is missing', async () => {
    const { made } = installPixel()
    vi.spyOn(document, 'getElementById').mockReturnValue(null)
    renderPage(<Payment />, { at })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Cannot find payment container on the page.',
    )
    expect(made).toEqual([])
  })
})

describe('the end of a payment', () => {
  it('replaces the page with the thank-you page and the reference of the response', async () => {
    const { options } = await openWidget()
    await act(() =>
      options.afterPaymentComplete({
        data: { success: 'true', pending: 'false', merchant_order_id: 'OD-42-2' },
      }),
    )
    expect(vi.mocked(replaceDocument).mock.calls).toEqual([
      ['/thank-you?success=true&merchant_order_id=OD-42-2'],
    ])
    expect(screen.getByText(t('confirming'))).toBeTruthy()
  })

  it('uses the order of the address when the response has no reference', async () => {
    const { options } = await openWidget()
    await act(() => options.afterPaymentComplete({ res: { data: { success: 'true' } } }))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })

  it('stays for another card after a decline, with the reason', async () => {
    const { made, options } = await openWidget()
    const decline = (message: string) =>
      act(() => options.afterPaymentComplete({ data: { success: 'false', 'data.message': message } }))
    await decline('Do not honour')
    expect(screen.getByRole('alert').textContent).toBe(t('declinedBecause', { reason: 'Do not honour' }))
    // A known reason is shown in our words, in the language of the page.
    await decline('Insufficient Funds')
    expect(screen.getByRole('alert').textContent).toBe(t('declined.no-funds'))
    expect(replaceDocument).not.toHaveBeenCalled()
    await act(async () => void (await options.beforePaymentComplete('card')))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(made).toHaveLength(1)
  })

  it('goes to the failed result when the user cancels', async () => {
    const { options } = await openWidget()
    act(() => options.onPaymentCancel())
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=false&merchant_order_id=42')
  })

  it('is found by polling when the widget calls no callback', async () => {
    vi.useFakeTimers()
    installPixel()
    let isPaid = false
    stubGateway({
      ...opened,
      'GET /api/orders/42': () => orderWith(isPaid ? 'PAID' : 'PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).not.toHaveBeenCalled()
    isPaid = true
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(vi.mocked(replaceDocument).mock.calls).toContainEqual([
      '/thank-you?success=true&merchant_order_id=42',
    ])
  })

  it('shows that the order has expired instead of the card form, with a link to book again', async () => {
    vi.useFakeTimers()
    const { made, unmount } = installPixel()
    let status: OrderStatus = 'PENDING_PAYMENT'
    stubGateway({ ...opened, 'GET /api/orders/42': () => orderWith(status) })
    renderPage(<Payment />, { at })
    const { elementId } = await mountedWith(made)
    const form = document.getElementById(elementId)?.parentElement
    expect(form).toHaveProperty('hidden', false)
    status = 'EXPIRED'
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain(t('thankYou.titles.EXPIRED'))
    expect(alert.textContent).toContain(t('thankYou.expired'))
    const again = within(alert).getByRole('link', { name: t('thankYou.pending.bookAgain') })
    expect(again.getAttribute('href')).toBe('/checkout')
    expect(form).toHaveProperty('hidden', true)
    expect(screen.queryByRole('link', { name: t('backToReview') })).toBeNull()
    // A charge under way may still succeed.
    expect(unmount).not.toHaveBeenCalled()
    status = 'PAID'
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })

  it('redirects to the result when the order is refunded', async () => {
    installPixel()
    stubGateway({ ...opened, 'GET /api/orders/42': orderWith('REFUNDED') })
    renderPage(<Payment />, { at })
    await waitFor(() =>
      expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42'),
    )
  })

  it('accepts another card after a wrong amount was refunded', async () => {
    vi.useFakeTimers()
    const { made } = installPixel()
    const { body } = orderWith('PENDING_PAYMENT')
    const refund = { state: 'done', amount: 49, reason: 'wrong-amount' }
    const calls = stubGateway({
      ...opened,
      'GET /api/orders/42': { body: { ...body, order: { ...body.order, payable: true, refund } } },
    })
    renderPage(<Payment />, { at })
    const { elementId } = await mountedWith(made)
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    expect(calls.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1)
    expect(replaceDocument).not.toHaveBeenCalled()
    expect(document.getElementById(elementId)?.parentElement).toHaveProperty('hidden', false)
  })

  it('keeps polling while the server is unreachable', async () => {
    vi.useFakeTimers()
    installPixel()
    let isDown = true
    stubGateway({
      ...opened,
      'GET /api/orders/42': () => (isDown ? problem(503, 'UNEXPECTED', 'Later') : orderWith('PAID')),
    })
    renderPage(<Payment />, { at })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    isDown = false
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })
})

describe('what is paid', () => {
  const known = {
    ...orderWith('PENDING_PAYMENT').body.order,
    amount: 50,
    bookings: [bookingOf({ awb: null, origin: { name: 'وكيل منى 1 · Mina agent 1', coordinates: null } })],
  }

  it('is on the page: destination, receiver, price with its VAT, cards, provider, seller and help', async () => {
    const { made } = installPixel()
    stubGateway({ ...opened, 'GET /api/orders/42': { body: { success: true, order: known } } })
    renderPage(<Payment />, { at })
    await mountedWith(made)
    // On wide screens the price stands beside the form; on a phone it stands in the provider's button.
    const total = await screen.findByText('SAR 50.00')
    expect(total.closest('div')?.textContent).toContain('SAR\u00a06.52 VAT')
    expect(screen.getByText('Maryam Al-Harbi')).toBeTruthy()
    expect(screen.getByText('Mina agent 1')).toBeTruthy()
    expect(screen.getByText('Malaz')).toBeTruthy()
    expect(screen.getByText(t('toCity', { city: 'Riyadh' }))).toBeTruthy()
    const cards = within(screen.getByRole('list', { name: textOf('purchase', 'cards') }))
    expect(cards.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(brand.purchase.cards)
    expect(screen.getByText(t('lead', { provider: 'Paymob' }))).toBeTruthy()
    expect(screen.getByText('300000000000003').parentElement?.textContent).toContain('(example)')
    expect(screen.getByRole('link', { name: '+966 920 000 000' }).getAttribute('href')).toBe(
      'tel:+966920000000',
    )
  })

  it('has neither price nor pass while the order is not read', async () => {
    const { made } = installPixel()
    stubGateway({ ...opened, 'GET /api/orders/42': problem(503, 'UNEXPECTED', 'Later') })
    renderPage(<Payment />, { at })
    await mountedWith(made)
    expect(screen.queryByText(/SAR/)).toBeNull()
    expect(screen.queryByText(textOf('purchase', 'oneBag'))).toBeNull()
  })
})

describe('waiting for the bank', () => {
  it('has words from the press of the button to the outcome', async () => {
    const { options } = await openWidget()
    expect(screen.getByText(t('bankAsks'))).toBeTruthy()
    await act(async () => void (await options.beforePaymentComplete('card')))
    expect(screen.getByRole('status').textContent).toBe(t('bankWaits'))
    expect(screen.queryByText(t('bankAsks'))).toBeNull()
    await act(() => options.afterPaymentComplete({ data: { success: 'false' } }))
    expect(screen.getByRole('status').textContent).toBe('')
    expect(screen.getByText(t('bankAsks'))).toBeTruthy()
  })
})

describe('an untrusted address', () => {
  const injected = 'Your card was refused, call +966 555 000 000'
  const nothingOpened = (made: readonly PixelOptions[]) => {
    expect(made).toEqual([])
    expect(document.head.querySelector('script, link')).toBeNull()
    expect(document.getElementById('payment-widget')).toBeNull()
  }

  it('mounts no widget before the server has confirmed order and secret', async () => {
    const { made } = installPixel()
    const answer = Promise.withResolvers<(typeof opened)['POST /api/orders/42/payment']>()
    const calls = stubGateway({
      'POST /api/orders/42/payment': () => answer.promise,
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    expect(await screen.findByText(t('checking'))).toBeTruthy()
    expect(screen.queryByText('OD-42')).toBeNull()
    nothingOpened(made)
    answer.resolve(opened['POST /api/orders/42/payment'])
    await mountedWith(made)
    expect(screen.getByText('OD-42')).toBeTruthy()
    const posts = calls.filter(({ method }) => method === 'POST')
    expect(posts.map(({ path, body }) => [path, body])).toEqual([
      ['/api/orders/42/payment', { clientSecret: 'cs_1' }],
    ])
  })

  it('gives the widget the server’s secret and key, not those of the address', async () => {
    const { made } = installPixel()
    renderPage(<Payment />, {
      at: '/payment?clientSecret=cs_stranger&publicKey=pk_stranger&orderId=42',
    })
    const options = await mountedWith(made)
    expect(JSON.stringify(options)).not.toContain('stranger')
    expect(document.documentElement.innerHTML).not.toContain('stranger')
  })

  it.each([
    ['a secret of another order', 409, 'PAYMENT_LINK_MISMATCH'],
    ['another person’s order', 404, 'ORDER_NOT_FOUND'],
    ['a value the server cannot read', 400, 'VALIDATION_FAILED'],
  ])('shows that the link cannot be used with %s, with links to other pages', async (_, status, code) => {
    const { made } = installPixel()
    stubGateway({ 'POST /api/orders/42/payment': problem(status, code, 'The server’s words') })
    renderPage(<Payment />, { at })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain(t('linkRefused.title'))
    expect(alert.textContent).toContain(t('linkRefused.text'))
    expect(
      within(alert)
        .getByRole('link', { name: t('toOrders') })
        .getAttribute('href'),
    ).toBe('/orders')
    expect(screen.queryByText('OD-42')).toBeNull()
    nothingOpened(made)
  })

  it.each([injected, '<b>42</b>', ''.padEnd(65, '4')])(
    'is refused without a call, and not shown, with the order %j',
    async (orderId) => {
      const { made } = installPixel()
      const calls = stubGateway({})
      const query = new URLSearchParams({ clientSecret: 'cs_1', publicKey: 'pk_1', orderId })
      renderPage(<Payment />, { at: `/payment?${query}` })
      expect((await screen.findByRole('alert')).textContent).toContain(t('linkRefused.title'))
      expect(document.body.textContent).not.toContain(orderId)
      expect(calls).toEqual([])
      nothingOpened(made)
    },
  )

  it('may hold a merchant reference of the order', async () => {
    const { made } = installPixel()
    stubGateway({
      ...opened,
      'GET /api/orders/OD42-KX1': orderWith('PENDING_PAYMENT'),
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, {
      at: '/payment?clientSecret=cs_1&publicKey=pk_1&orderId=OD42-KX1',
    })
    await mountedWith(made)
    expect(screen.getByText('OD-42')).toBeTruthy()
    expect(screen.queryByText(/KX1/)).toBeNull()
  })

  it.each([
    ['is paid', 'PAID', {}],
    ['went back', 'REFUNDED', {}],
    ['has money on its way back', 'PENDING_PAYMENT', { payable: false, refund: { state: 'pending' } }],
  ] as const)('redirects to the result when the order %s', async (_, status, change) => {
    const { made } = installPixel()
    const { body } = orderWith(status)
    stubGateway({
      'POST /api/orders/42/payment': problem(409, 'ORDER_NOT_PAYABLE', 'Not waiting'),
      'GET /api/orders/42': { body: { ...body, order: { ...body.order, ...change } } },
    })
    renderPage(<Payment />, { at })
    await waitFor(() =>
      expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42'),
    )
    nothingOpened(made)
  })

  it('shows that an order has expired, or that it accepts no payment', async () => {
    const refused = { 'POST /api/orders/42/payment': problem(409, 'ORDER_NOT_PAYABLE', 'Not waiting') }
    stubGateway({ ...refused, 'GET /api/orders/42': orderWith('EXPIRED') })
    const first = renderPage(<Payment />, { at })
    expect((await screen.findByRole('alert')).textContent).toContain(t('thankYou.titles.EXPIRED'))
    first.unmount()
    stubGateway({ ...refused, 'GET /api/orders/42': orderWith('PENDING_PAYMENT') })
    renderPage(<Payment />, { at })
    expect((await screen.findByRole('alert')).textContent).toContain(t('notPayable.title'))
    expect(replaceDocument).not.toHaveBeenCalled()
  })

  it('is checked again when the network returns', async () => {
    const { made } = installPixel()
    let isDown = true
    stubGateway({
      'POST /api/orders/42/payment': () => (isDown ? undefined : opened['POST /api/orders/42/payment']),
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    await screen.findByRole('alert')
    isDown = false
    act(() => {
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    })
    await mountedWith(made)
  })

  it('offers a retry when the check fails', async () => {
    const { made } = installPixel()
    let isDown = true
    stubGateway({
      'POST /api/orders/42/payment': () =>
        isDown ? problem(503, 'PAYMENT_UNAVAILABLE', 'In a moment') : opened['POST /api/orders/42/payment'],
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('In a moment')
    nothingOpened(made)
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    await mountedWith(made)
  })
})

/** Responses as in the provider's bundle (paymob-pixel-alpha 1.2.14). */
describe('a refusal of the widget', () => {
  const scrolled = vi.fn()
  beforeEach(() => {
    scrolled.mockReset()
    Element.prototype.scrollIntoView = scrolled
  })
  afterEach(() => {
    Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  })

  it.each([
    ['retries-used', { status: 403, data: { detail: 'Forbidden' } }],
    ['form-expired', { status: 401, data: { detail: 'Invalid or expired token' } }],
    ['already-handled', { status: 400, data: { message: 'Session Error' } }],
  ] as const)('is shown as %s and gets a fresh form: %j', async (kind, answer) => {
    const { made } = installPixel()
    const calls = stubGateway({
      ...openedAfresh,
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    const options = await mountedWith(made)
    const used = document.getElementById(options.elementId)
    calls.length = 0
    await act(() => options.afterPaymentComplete(answer))
    await waitFor(() => expect(made).toHaveLength(2))
    expect(screen.getByRole('alert').textContent).toBe(t(`outcome.${kind}`))
    expect(scrolled).toHaveBeenCalled()
    expect(made[1]).toMatchObject({ clientSecret: 'cs_fresh', publicKey: 'pk_server' })
    expect(document.getElementById(options.elementId)).not.toBe(used)
    // The order is read before another secret is requested.
    expect(calls.map(({ method, path }) => `${method} ${path}`).slice(0, 2)).toEqual([
      'GET /api/orders/42',
      'POST /api/orders/42/payment',
    ])
    expect(replaceDocument).not.toHaveBeenCalled()
  })

  it('redirects to the result when the order is already paid', async () => {
    const { options } = await openWidget()
    await act(() => options.afterPaymentComplete({ status: 400, data: ['Order has already paid.'] }))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })

  it('of an unknown shape is shown with a general text', async () => {
    const { made, options } = await openWidget()
    await act(() => options.afterPaymentComplete({ status: 500, data: '<html>' }))
    expect(screen.getByRole('alert').textContent).toBe(t('outcome.unclear'))
    expect(made).toHaveLength(1)
  })

  it('opens no fresh form for a paid order', async () => {
    const { made } = installPixel()
    let status: OrderStatus = 'PENDING_PAYMENT'
    const calls = stubGateway({ ...opened, 'GET /api/orders/42': () => orderWith(status) })
    renderPage(<Payment />, { at })
    const options = await mountedWith(made)
    status = 'PAID'
    calls.length = 0
    await act(() => options.afterPaymentComplete({ status: 406, data: { message: 'x' } }))
    await waitFor(() =>
      expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42'),
    )
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('moves the focus to the message, because the focused form was removed', async () => {
    const { made } = installPixel()
    stubGateway({
      ...openedAfresh,
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    const options = await mountedWith(made)
    await act(() => options.afterPaymentComplete({ data: { success: 'false' } }))
    // After a decline the form and the focus stay.
    expect(document.activeElement?.textContent).not.toBe(t('outcome.declined'))
    await act(() => options.afterPaymentComplete({ status: 403, data: {} }))
    await waitFor(() => expect(made).toHaveLength(2))
    expect(document.activeElement?.textContent).toBe(t('outcome.retries-used'))
    expect(document.activeElement?.getAttribute('role')).toBe('alert')
  })

  it('says that nothing was charged only when no card was tried', async () => {
    expectConsole(/payment widget failed/)
    let fails = false
    const { made } = installPixel(() => {
      if (fails) throw new Error('bad key')
    })
    stubGateway({
      ...openedAfresh,
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    const options = await mountedWith(made)
    fails = true
    await act(() => options.afterPaymentComplete({ status: 406, data: {} }))
    expect((await screen.findByText(t('widgetFailed'))).parentElement?.textContent).toContain(
      t('outcome.unclear'),
    )
    expect(screen.queryByText(t('widgetFailedHelp'))).toBeNull()
  })

  it('opens no second form with the secret that was refused', async () => {
    const { made, options } = await openWidget()
    await act(() => options.afterPaymentComplete({ status: 403, data: {} }))
    const words = await screen.findByText(t('widgetFailed'))
    expect(words.closest('[role="alert"]')?.textContent).toContain(t('outcome.retries-used'))
    expect(screen.getByRole('button', { name: t('retry') })).toBeTruthy()
    expect(document.getElementById(options.elementId)?.parentElement).toHaveProperty('hidden', true)
    expect(made).toHaveLength(1)
  })

  it('shows why no fresh form can be opened, with a retry button', async () => {
    const { made } = installPixel()
    stubGateway({
      'POST /api/orders/42/payment': ({ body }) =>
        isSpent(body, 'cs_server')
          ? problem(503, 'PAYMENT_UNAVAILABLE', 'In a moment')
          : opened['POST /api/orders/42/payment'],
      'GET /api/orders/42': orderWith('PENDING_PAYMENT'),
    })
    renderPage(<Payment />, { at })
    const options = await mountedWith(made)
    await act(() => options.afterPaymentComplete({ status: 401, data: { detail: 'expired' } }))
    const alert = await screen.findByText('In a moment')
    expect(alert.closest('[role="alert"]')?.textContent).toContain(t('outcome.form-expired'))
    // Neither the form with the refused secret nor a spinner is shown.
    expect(document.getElementById(options.elementId)?.parentElement).toHaveProperty('hidden', true)
    await userEvent.click(screen.getByRole('button', { name: t('retry') }))
    expect(reloadDocument).toHaveBeenCalledOnce()
  })
})
