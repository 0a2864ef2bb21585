// @vitest-environment jsdom
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

interface PixelOptions {
  publicKey?: string
  clientSecret?: string
  elementId?: string
  paymentMethods?: string[]
  disablePay?: boolean
  customStyle?: Record<string, unknown>
  beforePaymentComplete?: (method: string) => Promise<boolean>
  afterPaymentComplete?: (response: unknown) => Promise<void>
  onPaymentCancel?: () => void
  cardValidationChanged?: (isValid: boolean) => void
}
/** A variable, so that neither the compiler nor Vite resolves the import. */
const script = './widget/main.js'
const channel = 'mock-payment-widget'

beforeAll(async () => {
  // As the page does: the script has no export, it sets a global.
  await import(script)
})

beforeEach(() => {
  document.body.innerHTML = '<div id="box"></div>'
})

const readGlobal = () => (window as unknown as { Pixel: new (options: PixelOptions) => object }).Pixel

const shadow = () => document.querySelector('#box > div')?.shadowRoot

function mount(options: PixelOptions = {}) {
  const Pixel = readGlobal()
  const widget = new Pixel({ publicKey: 'pk', clientSecret: 'cs', elementId: 'box', ...options })
  const frame = shadow()?.querySelector('iframe')
  const view = frame?.contentWindow
  if (!frame || !view) throw new Error('no frame')
  const posted: unknown[] = []
  const post = vi
    .spyOn(view, 'postMessage')
    .mockImplementation((message: unknown) => void posted.push(message))
  const say = (data: object, from: { origin?: string; source?: Window } = {}) =>
    window.dispatchEvent(
      new MessageEvent('message', {
        data: { channel, ...data },
        origin: from.origin ?? new URL(frame.src).origin,
        source: from.source ?? view,
      }),
    )
  return { widget, frame, posted, post, say, query: new URL(frame.src).searchParams }
}

describe('the widget', () => {
  it('mounts the card form at once, with its options in the address of the frame', () => {
    const { frame, query } = mount({
      disablePay: true,
      customStyle: {
        Direction: 'rtl',
        Button_Text: { payBtn: 'ادفع الآن' },
        Label_Text: { cardLabel: 'البطاقة' },
        Placeholder_Text: { cardNumber: '0000' },
        Color_Primary: '#0B5D51',
        Radius_Border: 12,
      },
    })
    // Vite rewrites the address, so the pattern does not match its end.
    expect(new URL(frame.src).pathname).toMatch(/\/widget\/card/)
    expect(Object.fromEntries(query)).toEqual({
      publicKey: 'pk',
      clientSecret: 'cs',
      parent: window.location.origin,
      dir: 'rtl',
      lang: 'ar',
      hidePay: '1',
      button: 'ادفع الآن',
      cardLabel: 'البطاقة',
      cardNumber: '0000',
      primary: '#0B5D51',
      radius: '12',
    })
    expect(frame.title).toBe('نموذج البطاقة')
  })

  it.each([
    [{ elementId: 'elsewhere' }, /no element with the id "elsewhere"/],
    [{ publicKey: '' }, /publicKey is required/],
    [{ clientSecret: '' }, /clientSecret is required/],
    [{ paymentMethods: ['apple-pay'] }, /"card" only/],
  ])('refuses %j', (options, reason) => {
    expect(() => mount(options)).toThrow(reason)
    expect(shadow()).toBeUndefined()
  })

  it('renders in a shadow root with styles of its own, and puts its font into the head once', () => {
    const { frame } = mount()
    expect(document.querySelector('iframe')).toBeNull()
    expect(shadow()?.mode).toBe('open')
    expect(shadow()?.querySelector('style')?.textContent).toContain('iframe')
    mount()
    expect(document.head.querySelectorAll('#mock-payment-fonts')).toHaveLength(1)
    expect(document.getElementById('mock-payment-fonts')?.textContent).toContain('url("data:font/woff2')
    // A second widget in the same element replaces the first, as with the real one.
    expect(frame.isConnected).toBe(false)
    expect(document.querySelectorAll('#box > div')).toHaveLength(1)
  })

  it('passes the result to afterPaymentComplete', async () => {
    const afterPaymentComplete = vi.fn(async () => {})
    const { say } = mount({ afterPaymentComplete })
    say({ type: 'ended', status: 200, data: { success: 'true' }, redirectUrl: 'http://shop.example/' })
    expect(afterPaymentComplete).toHaveBeenCalledExactlyOnceWith({ status: 200, data: { success: 'true' } })
  })

  it('asks the page before it pays, and pays when the page agrees', async () => {
    const { say, posted } = mount()
    say({ type: 'before-payment' })
    await vi.waitFor(() => expect(posted).toEqual([{ channel, type: 'proceed' }]))
    const beforePaymentComplete = vi.fn(async () => true)
    const asked = mount({ beforePaymentComplete })
    asked.say({ type: 'before-payment' })
    await vi.waitFor(() => expect(asked.posted).toEqual([{ channel, type: 'proceed' }]))
    expect(beforePaymentComplete).toHaveBeenCalledExactlyOnceWith('card')
  })

  it('does not pay when the page refuses', async () => {
    const { say, posted } = mount({ beforePaymentComplete: async () => false })
    say({ type: 'before-payment' })
    await vi.waitFor(() => expect(posted).toEqual([{ channel, type: 'abort' }]))
  })

  it('reports cancelling and validity, and grows with the form', () => {
    const onPaymentCancel = vi.fn()
    const cardValidationChanged = vi.fn()
    const { say, frame } = mount({ onPaymentCancel, cardValidationChanged })
    say({ type: 'cancelled' })
    say({ type: 'validity', isValid: true })
    say({ type: 'height', height: 700.2 })
    expect(onPaymentCancel).toHaveBeenCalledOnce()
    expect(cardValidationChanged).toHaveBeenCalledExactlyOnceWith(true)
    expect(frame.style.height).toBe('701px')
  })

  it('passes the page’s own events on to the form', () => {
    const { posted, post, frame } = mount()
    window.dispatchEvent(new Event('payFromOutside'))
    window.dispatchEvent(new Event('updateIntentionData'))
    expect(posted).toEqual([
      { channel, type: 'pay' },
      { channel, type: 'refresh' },
    ])
    expect(post).toHaveBeenLastCalledWith(expect.anything(), new URL(frame.src).origin)
  })

  it('accepts messages only from its own frame at its own origin', () => {
    const afterPaymentComplete = vi.fn(async () => {})
    const { say } = mount({ afterPaymentComplete })
    say({ type: 'ended', data: {} }, { origin: 'https://evil.example' })
    say({ type: 'ended', data: {} }, { source: window })
    say({ type: 'ended', data: {}, channel: 'another' })
    expect(afterPaymentComplete).not.toHaveBeenCalled()
  })

  it('reports nothing once its element is removed', () => {
    const onPaymentCancel = vi.fn()
    const { say, posted } = mount({ onPaymentCancel })
    document.getElementById('box')?.remove()
    say({ type: 'cancelled' })
    window.dispatchEvent(new Event('payFromOutside'))
    expect(onPaymentCancel).not.toHaveBeenCalled()
    expect(posted).toEqual([])
  })
})
