// Stand-in for the provider's embedded widget, built as the real one is (paymob-pixel-alpha 1.2.14): a module script
// without an export that sets a global, a shadow root with inline styles, a font as data in the head, the card form in
// a frame of the provider's origin, and outcomes as `{ status, data }` without texts of its own. There is no unmount:
// removing the element removes the form. Sources: docs/wires/payment.md P42 to P50.

const formAddress = new URL('./card', import.meta.url)
const channel = 'mock-payment-widget'
const fontsId = 'mock-payment-fonts'

/** An empty font: the page's content policy has to allow fonts as data. */
const fontFace = `@font-face {
  font-family: "mock-payment-currency";
  src: url("data:font/woff2;base64,d09GMgABAAAAAAAA") format("woff2");
}`

const frameStyles = `iframe {
  display: block;
  width: 100%;
  min-height: 300px;
  border: 0;
}`

function textOf(value) {
  return typeof value === 'string' ? value : undefined
}

/** The options the form needs, as a query: the frame is of another origin. */
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

function addStyles(parent, text, id) {
  const style = document.createElement('style')
  if (id !== undefined) style.id = id
  style.textContent = text
  parent.append(style)
}

/** Fonts declared inside a shadow root are ignored by browsers, so they go into the head, once. */
function registerFonts() {
  if (document.getElementById(fontsId) === null) addStyles(document.head, fontFace, fontsId)
}

class Pixel {
  #options
  #frame

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
    window.addEventListener('message', (event) => this.#receive(event))
    window.addEventListener('payFromOutside', () => this.#post({ type: 'pay' }))
    window.addEventListener('updateIntentionData', () => this.#post({ type: 'refresh' }))
  }

  #mount(container) {
    registerFonts()
    container.replaceChildren()
    const host = document.createElement('div')
    container.append(host)
    const shadow = host.attachShadow({ mode: 'open' })
    addStyles(shadow, frameStyles)
    const frame = document.createElement('iframe')
    frame.src = formUrl(this.#options).href
    frame.title = this.#options.customStyle?.Direction === 'rtl' ? 'نموذج البطاقة' : 'Card form'
    frame.style.height = '560px'
    shadow.append(frame)
    return frame
  }

  #post(message) {
    if (!this.#frame.isConnected) return
    this.#frame.contentWindow?.postMessage({ channel, ...message }, formAddress.origin)
  }

  /** Ignores messages of a form that was removed from the page. */
  #receive(event) {
    if (!this.#frame.isConnected || event.source !== this.#frame.contentWindow) return
    if (event.origin !== formAddress.origin) return
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
      this.#post({ type: isAllowed ? 'proceed' : 'abort' })
    }
  }

  async #end({ status, data, redirectUrl }) {
    if (typeof this.#options.afterPaymentComplete === 'function') {
      await this.#options.afterPaymentComplete({ status, data })
      return
    }
    if (typeof redirectUrl === 'string') window.location.assign(redirectUrl)
  }
}

window.Pixel = Pixel
