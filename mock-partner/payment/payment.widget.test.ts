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
/** A variable, so that neither the compiler nor Vite looks for more in it than a browser would. */
const script = './widget/main.js'
const channel = 'mock-payment-widget'
const mounted: { unmount(): void }[] = []

beforeAll(async () => {
  // As the page does: the script has no export, it leaves a global behind.
  await import(script)
})

beforeEach(() => {
  for (const widget of mounted.splice(0)) widget.unmount()
  document.body.innerHTML = '<div id="box"></div>'
})

const readGlobal = () =>
  (window as unknown as { Pixel: new (options: PixelOptions) => { unmount(): void } }).Pixel

function mount(options: PixelOptions = {}) {
  const Pixel = readGlobal()
  const widget = new Pixel({ publicKey: 'pk', clientSecret: 'cs', elementId: 'box', ...options })
  mounted.push(widget)
  const frame = document.querySelector('iframe')
  const view = frame?.contentWindow
  if (!frame || !view) throw new Error('no frame')
  const told: unknown[] = []
  const post = vi.spyOn(view, 'postMessage').mockImplementation((message: unknown) => void told.push(message))
  const say = (data: object, from: { origin?: string; source?: Window } = {}) =>
    window.dispatchEvent(
      new MessageEvent('message', {
        data: { channel, ...data },
        origin: from.origin ?? new URL(frame.src).origin,
        source: from.source ?? view,
      }),
    )
  return { widget, frame, told, post, say, query: new URL(frame.src).searchParams }
}

describe('the widget', () => {
  it('mounts the card form at once, with what it needs to know in the address', () => {
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
    // Vite turns the address into that of the file it finds, hence no end of the pattern.
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
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('hands the result to afterPaymentComplete', async () => {
    const afterPaymentComplete = vi.fn(async () => {})
    const { say } = mount({ afterPaymentComplete })
    say({ type: 'ended', data: { success: 'true' }, redirectUrl: 'http://shop.example/' })
    expect(afterPaymentComplete).toHaveBeenCalledExactlyOnceWith({ data: { success: 'true' } })
  })

  it('asks the page before it pays, and pays when the page does not mind', async () => {
    const { say, told } = mount()
    say({ type: 'before-payment' })
    await vi.waitFor(() => expect(told).toEqual([{ channel, type: 'proceed' }]))
    const beforePaymentComplete = vi.fn(async () => true)
    mounted.splice(0)[0]?.unmount()
    const asked = mount({ beforePaymentComplete })
    asked.say({ type: 'before-payment' })
    await vi.waitFor(() => expect(asked.told).toEqual([{ channel, type: 'proceed' }]))
    expect(beforePaymentComplete).toHaveBeenCalledExactlyOnceWith('card')
  })

  it('does not pay when the page says no', async () => {
    const { say, told } = mount({ beforePaymentComplete: async () => false })
    say({ type: 'before-payment' })
    await vi.waitFor(() => expect(told).toEqual([{ channel, type: 'abort' }]))
  })

  it('tells of cancelling, of validity and grows with the form', () => {
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
    const { told, post, frame } = mount()
    window.dispatchEvent(new Event('payFromOutside'))
    window.dispatchEvent(new Event('updateIntentionData'))
    expect(told).toEqual([
      { channel, type: 'pay' },
      { channel, type: 'refresh' },
    ])
    expect(post).toHaveBeenLastCalledWith(expect.anything(), new URL(frame.src).origin)
  })

  it('listens to its own frame at its own origin only', () => {
    const afterPaymentComplete = vi.fn(async () => {})
    const { say } = mount({ afterPaymentComplete })
    say({ type: 'ended', data: {} }, { origin: 'https://evil.example' })
    say({ type: 'ended', data: {} }, { source: window })
    say({ type: 'ended', data: {}, channel: 'another' })
    expect(afterPaymentComplete).not.toHaveBeenCalled()
  })

  it('is gone without a trace after unmount', () => {
    const onPaymentCancel = vi.fn()
    const { widget, say, told } = mount({ onPaymentCancel })
    widget.unmount()
    say({ type: 'cancelled' })
    window.dispatchEvent(new Event('payFromOutside'))
    expect(onPaymentCancel).not.toHaveBeenCalled()
    expect(told).toEqual([])
    expect(document.querySelector('iframe')).toBeNull()
  })
})
