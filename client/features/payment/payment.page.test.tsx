// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reloadDocument, replaceDocument } from '#client/platform/document.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import { expectConsole } from '#test/kit/console-law.ts'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { PaymentPage } from './payment.page.tsx'
import type { PixelOptions } from './widget.ts'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  replaceDocument: vi.fn(),
  reloadDocument: vi.fn(),
}))

const widget = { script: 'https://cdn.example/main.js', styles: ['https://cdn.example/styles.css'] }
const at = '/payment?clientSecret=cs_1&publicKey=pk_1&orderId=42'
const t = (key: string, values?: Record<string, unknown>) => textOf('payment', key, values)

function orderWith(status: string) {
  const order = {
    orderId: 42,
    status,
    type: 'FROM_MINA',
    creationDate: '2027-05-18T12:30:00.000Z',
    bookings: [],
  }
  return { body: { success: true, order } }
}

/** The provider's class, recording what it was made with. */
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

beforeEach(() => {
  vi.mocked(replaceDocument).mockReset()
  vi.mocked(reloadDocument).mockReset()
  stubGateway({ 'GET /api/orders/42': orderWith('PENDING_PAYMENT') })
})

afterEach(() => {
  document.head.replaceChildren()
  Reflect.deleteProperty(window, 'Pixel')
  vi.useRealTimers()
})

describe('opening', () => {
  it.each(['clientSecret', 'publicKey', 'orderId'])('refuses an address without %s', (name) => {
    const query = new URLSearchParams(at.slice(at.indexOf('?')))
    query.delete(name)
    renderRoom(<PaymentPage widget={widget} />, { at: `/payment?${query}` })
    expect(screen.getByRole('alert').textContent).toContain('Missing payment credentials in the URL.')
    expect(document.head.querySelector('script')).toBeNull()
  })

  it('loads script and styles, and makes the widget once, for cards alone', async () => {
    const { made } = installPixel()
    renderRoom(<PaymentPage widget={widget} />, { at, language: 'ar' })
    const options = await mountedWith(made)
    expect(options).toMatchObject({
      publicKey: 'pk_1',
      clientSecret: 'cs_1',
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
    renderRoom(<PaymentPage widget={widget} />, { at })
    await mountedWith(made)
    act(() => setLanguage('ar'))
    expect(await screen.findByRole('heading', { name: t('title') })).toBeTruthy()
    expect(made).toHaveLength(1)
    expect(unmount).not.toHaveBeenCalled()
  })

  it('leaves nothing behind', async () => {
    const { made, unmount } = installPixel()
    const room = renderRoom(<PaymentPage widget={widget} />, { at })
    await mountedWith(made)
    room.unmount()
    expect(unmount).toHaveBeenCalledOnce()
  })

  it('gives up after 15 seconds without the script, and offers a fresh start', async () => {
    expectConsole(/payment widget failed/)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderRoom(<PaymentPage widget={widget} />, { at })
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(screen.getByText(t('loading'))).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(15_400))
    expect(screen.getByRole('alert').textContent).toContain('Failed to initialize the payment widget.')
    const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
    await user.click(screen.getByRole('button', { name: t('retry') }))
    expect(reloadDocument).toHaveBeenCalledOnce()
  })

  it('says so when the widget refuses to start', async () => {
    expectConsole(/payment widget failed/)
    installPixel(() => {
      throw new Error('bad key')
    })
    renderRoom(<PaymentPage widget={widget} />, { at })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to initialize the payment widget.',
    )
  })

  it('says so when its place in the page is gone', async () => {
    const { made } = installPixel()
    vi.spyOn(document, 'getElementById').mockReturnValue(null)
    renderRoom(<PaymentPage widget={widget} />, { at })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Cannot find payment container on the page.',
    )
    expect(made).toEqual([])
  })
})

describe('the end of a payment', () => {
  it('goes to the thank-you page with the reference of the answer, in place of this page', async () => {
    const { made } = installPixel()
    renderRoom(<PaymentPage widget={widget} />, { at })
    const options = await mountedWith(made)
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

  it('uses the order of the address when the answer has no reference', async () => {
    const { made } = installPixel()
    renderRoom(<PaymentPage widget={widget} />, { at })
    const options = await mountedWith(made)
    await act(() => options.afterPaymentComplete({ res: { data: { success: 'true' } } }))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })

  it('stays for another card after a decline, with the reason', async () => {
    const { made } = installPixel()
    renderRoom(<PaymentPage widget={widget} />, { at })
    const options = await mountedWith(made)
    await act(() =>
      options.afterPaymentComplete({ data: { success: 'false', 'data.message': 'Insufficient funds' } }),
    )
    expect(screen.getByRole('alert').textContent).toBe(t('declinedBecause', { reason: 'Insufficient funds' }))
    expect(replaceDocument).not.toHaveBeenCalled()
    await act(async () => void (await options.beforePaymentComplete('card')))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(made).toHaveLength(1)
  })

  it('goes to the failed result when the person cancels', async () => {
    const { made } = installPixel()
    renderRoom(<PaymentPage widget={widget} />, { at })
    const options = await mountedWith(made)
    act(() => options.onPaymentCancel())
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=false&merchant_order_id=42')
  })

  it('is noticed at the server when the widget never says a word', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    installPixel()
    let isPaid = false
    stubGateway({
      'GET /api/orders/42': () => orderWith(isPaid ? 'PAID' : 'PENDING_PAYMENT'),
    })
    renderRoom(<PaymentPage widget={widget} />, { at })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).not.toHaveBeenCalled()
    isPaid = true
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(vi.mocked(replaceDocument).mock.calls).toContainEqual([
      '/thank-you?success=true&merchant_order_id=42',
    ])
  })

  it('says that the order has expired in place of the card form, and where to book again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { made, unmount } = installPixel()
    let status = 'PENDING_PAYMENT'
    stubGateway({ 'GET /api/orders/42': () => orderWith(status) })
    renderRoom(<PaymentPage widget={widget} />, { at })
    const { elementId } = await mountedWith(made)
    const form = document.getElementById(elementId)?.closest('.payment-frame')
    expect(form).toHaveProperty('hidden', false)
    status = 'EXPIRED'
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain(t('thankYou.claim.EXPIRED'))
    expect(alert.textContent).toContain(t('thankYou.expired'))
    const again = within(alert).getByRole('link', { name: t('thankYou.pending.bookAgain') })
    expect(again.getAttribute('href')).toBe('/checkout')
    expect(form).toHaveProperty('hidden', true)
    expect(screen.queryByRole('link', { name: t('backToReview') })).toBeNull()
    // A card that was being charged may still pay it: the form ends by itself, and so does the order.
    expect(unmount).not.toHaveBeenCalled()
    status = 'PAID'
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })

  it('leads to the result when the money of the order went back', async () => {
    installPixel()
    stubGateway({ 'GET /api/orders/42': orderWith('REFUNDED') })
    renderRoom(<PaymentPage widget={widget} />, { at })
    await waitFor(() =>
      expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42'),
    )
  })

  it('keeps asking while the server is out of reach', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    installPixel()
    let isDown = true
    stubGateway({
      'GET /api/orders/42': () => (isDown ? problem(503, 'UNEXPECTED', 'Later') : orderWith('PAID')),
    })
    renderRoom(<PaymentPage widget={widget} />, { at })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    isDown = false
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(replaceDocument).toHaveBeenCalledWith('/thank-you?success=true&merchant_order_id=42')
  })
})
