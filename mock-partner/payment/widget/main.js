// Stand-in for the provider's embedded widget: same global, options and window events, with the card form in a frame
// of the provider's origin. Loaded as a module script; there is no export, as there is none in the real one.

const formAddress = new URL('./card', import.meta.url)
const channel = 'mock-payment-widget'

function textOf(value) {
  return typeof value === 'string' ? value : undefined
}

/** What the form needs to know of the options, as a query: the frame is another origin and sees nothing else. */
function formUrl(options) {
  const style = options.customStyle ?? {}
  const button = textOf(style.Button_Text) ?? textOf(style.Button_Text?.payBtn)
  const direction = style.Direction === 'rtl' ? 'rtl' : 'ltr'
  const fields = {
    publicKey: options.publicKey,
    clientSecret: options.clientSecret,
    parent: window.location.origin,
    dir: direction,
    lang: textOf(options.language) ?? (direction === 'rtl' ? 'ar' : 'en'),
    hidePay: options.disablePay === true ? '1' : undefined,
    button,
    cardLabel: textOf(style.Label_Text?.cardLabel),
    holderName: textOf(style.Placeholder_Text?.holderName),
    cardNumber: textOf(style.Placeholder_Text?.cardNumber),
    expiryDate: textOf(style.Placeholder_Text?.expiryDate),
    securityCode: textOf(style.Placeholder_Text?.securityCode),
    primary: textOf(style.Color_Primary),
    radius:
      textOf(style.Radius_Border) ??
      (Number.isFinite(style.Radius_Border) ? `${style.Radius_Border}` : undefined),
  }
  const url = new URL(formAddress)
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

class Pixel {
  #options
  #frame
  #stop = new AbortController()

  constructor(options = {}) {
    for (const name of ['publicKey', 'clientSecret', 'elementId'])
      if (typeof options[name] !== 'string' || options[name] === '')
        throw new Error(`Pixel: ${name} is required`)
    const container = document.getElementById(options.elementId)
    if (container === null) throw new Error(`Pixel: there is no element with the id "${options.elementId}"`)
    const methods = options.paymentMethods ?? ['card']
    if (!methods.includes('card')) throw new Error('Pixel: this simulator has the payment method "card" only')

    this.#options = options
    this.#frame = this.#mount(container)
    const { signal } = this.#stop
    window.addEventListener('message', (event) => this.#hear(event), { signal })
    window.addEventListener('payFromOutside', () => this.#tell({ type: 'pay' }), { signal })
    window.addEventListener('updateIntentionData', () => this.#tell({ type: 'refresh' }), { signal })
  }

  /** Takes the form out of the page and stops listening. */
  unmount() {
    this.#stop.abort()
    this.#frame.remove()
  }

  #mount(container) {
    const frame = document.createElement('iframe')
    frame.src = formUrl(this.#options).href
    frame.title = this.#options.customStyle?.Direction === 'rtl' ? 'نموذج البطاقة' : 'Card form'
    // Through the object model on purpose: a style attribute would need 'unsafe-inline' in the page's policy.
    Object.assign(frame.style, {
      display: 'block',
      width: '100%',
      border: '0',
      minHeight: '300px',
      height: '560px',
    })
    container.append(frame)
    return frame
  }

  #tell(message) {
    this.#frame.contentWindow?.postMessage({ channel, ...message }, formAddress.origin)
  }

  #hear(event) {
    if (event.source !== this.#frame.contentWindow || event.origin !== formAddress.origin) return
    const message = event.data
    if (message?.channel !== channel) return
    switch (message.type) {
      case 'height':
        this.#frame.style.height = `${Math.ceil(message.height)}px`
        return
      case 'validity':
        this.#options.cardValidationChanged?.(message.isValid)
        return
      case 'before-payment':
        void this.#allow()
        return
      case 'ended':
        void this.#end(message)
        return
      case 'cancelled':
        this.#options.onPaymentCancel?.()
    }
  }

  async #allow() {
    let isAllowed = false
    try {
      isAllowed = (await this.#options.beforePaymentComplete?.('card')) !== false
    } finally {
      this.#tell({ type: isAllowed ? 'proceed' : 'abort' })
    }
  }

  async #end({ data, redirectUrl }) {
    if (typeof this.#options.afterPaymentComplete === 'function') {
      await this.#options.afterPaymentComplete({ data })
      return
    }
    if (typeof redirectUrl === 'string') window.location.assign(redirectUrl)
  }
}

window.Pixel = Pixel
