import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import type { Visit } from '#test/kit/browser/chromium.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { words } from '#test/kit/browser/words.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

/**
 * The provider's own widget under our policy: the bundle of the npm package `paymob-pixel-alpha`, byte for byte, as
 * its CDN would serve it. Its hosts are stubbed: the intention it reads and the page of its card frame.
 */

const bundle = readFileSync(createRequire(import.meta.url).resolve('paymob-pixel-alpha'))
const script = 'https://cdn.jsdelivr.net/npm/paymob-pixel-alpha@1.2.14/main.js'
/** The origins that this build of the bundle calls and frames; the released one uses the hosts of the country. */
const api = 'https://accept-alpha.paymob.com'
const frames = 'https://alpha.checkout.paymob.com'

const site = siteForFile({
  env: { PAYMENT_WIDGET_SCRIPT: script, PAYMENT_WIDGET_FRAMES: `${frames},${api}` },
})

const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

/** The fields that the bundle reads of an unpaid intention (its `fetchPayments`). */
const intention = {
  payment_keys: { card: 'token-1' },
  payment_methods: [
    {
      integration_id: 1,
      name: 'card',
      method_type: 'online',
      currency: 'SAR',
      live: false,
      use_cvc_with_moto: false,
    },
  ],
  intention_detail: { amount: 5000, currency: 'SAR' },
  card_tokens: [],
  client_info: null,
  customization: { customization_data: { branding: {} } },
  merchant_name: 'Amtiati',
}

/** Sends the bundle the messages of the provider's frame: loaded, filled in, and the answer to a payment. */
const framePage = `<!doctype html><title>card</title><script>
const tell = (message) => parent.postMessage(message, '*')
addEventListener('message', async ({ data }) => {
  if (data?.type === 'cardData' && data.payload.shouldSubmitData)
    tell({ type: 'paymentResponse', loading: false, response: { res: await nextAnswer() } })
})
tell({ type: 'isIframeLoaded', iframeCardHight: 120 })
tell({ type: 'validity', shouldDisableActionBtn: false })
</script>`

interface Widget {
  readonly page: Page
  readonly secrets: readonly string[]
  /** Returns the frame's answer to the next payment; called when the payment is made. */
  answer(response: () => unknown): void
  readonly violations: readonly string[]
}

async function stubProvider({ page }: Visit): Promise<Widget> {
  let response: () => unknown = () => undefined
  const secrets: string[] = []
  const violations: string[] = []
  await page.exposeBinding('nextAnswer', () => response())
  await page.exposeBinding('violated', ({ frame }: { frame: Frame }, what: unknown) => {
    if (frame === page.mainFrame()) violations.push(String(what))
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { violated } = window as unknown as { violated(what: string): void }
      violated(`${effectiveDirective} ${blockedURI}`)
    })
  })
  await page.route(script, (route) =>
    route.fulfill({ body: bundle, contentType: 'text/javascript', headers: cors }),
  )
  await page.route(`${api}/**`, (route) => {
    const secret = /\/v1\/intention\/element\/[^/]+\/([^/]+)\//.exec(route.request().url())?.[1]
    if (secret !== undefined) secrets.push(secret)
    return route.fulfill({ json: intention, headers: cors })
  })
  await page.route(`${frames}/**`, (route) => route.fulfill({ body: framePage, contentType: 'text/html' }))
  return {
    page,
    secrets,
    violations,
    answer: (next) => {
      response = next
    },
  }
}

/** An unpaid order of a new user, and that user's visit of its payment page. */
async function openPayment(language: 'ar' | 'en') {
  const person: Person = newPerson(site.stack, { lang: language })
  const user = await person.signUp(newPhone(), 'Maryam Al-Harbi')
  const payment = await person.checkout(user.id)
  const visit = await site.open({ language })
  await visit.page
    .context()
    .addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: site.stack.gatewayUrl })))
  const widget = await stubProvider(visit)
  await visit.page.goto(paths.payment(payment))
  return { ...widget, visit, payment, t: words(language) }
}

/** The pay button, shown when the intention is read: the widget adds the amount to its text. */
const payButton = (page: Page) => page.locator('#pay-button', { hasText: '50.00' })

test('keeps its styles and its fonts, and violates nothing', async () => {
  const { page, violations, payment, secrets } = await openPayment('en')
  await payButton(page).waitFor()
  const seen = await page.evaluate(async () => {
    const { __PAYMOB_PIXEL_CSS__: brought } = window as unknown as { __PAYMOB_PIXEL_CSS__: string[] }
    const root = document.querySelector('#payment-widget > div')?.shadowRoot
    const button = root?.getElementById('pay-button')
    const frame = root?.querySelector('iframe')
    const fonts = document.getElementById('paymob-pixel-fonts') as HTMLStyleElement | null
    return {
      brought: brought.filter(Boolean).length,
      applied: [...(root?.querySelectorAll('style') ?? [])].filter(
        ({ sheet }) => (sheet?.cssRules.length ?? 0) > 0,
      ).length,
      // Styles that only the bundle's own sheets set: browsers do not style a button and a frame like this.
      button: button && getComputedStyle(button).display,
      frameBorder: frame && getComputedStyle(frame).borderTopWidth,
      fontRules: fonts?.sheet?.cssRules.length ?? 0,
      fonts: (await document.fonts.load('16px Montserrat')).map(({ status }) => status),
    }
  })
  expect(seen.brought).toBeGreaterThan(0)
  expect(seen.applied).toBe(seen.brought)
  expect(seen.button).toBe('flex')
  expect(seen.fontRules).toBeGreaterThan(0)
  expect(seen.fonts).toContain('loaded')
  expect(new Set(secrets)).toEqual(new Set([payment.clientSecret]))
  expect(violations).toEqual([])
})

/**
 * The refusals as the bundle distinguishes them without a callback (its `handlePaymentResponse`). Consecutive rows have
 * different messages, so that the previous message is not taken for the new one.
 */
const refusals = [
  ['retries-used', { status: 400, data: ['Retry limit reached.'] }],
  ['form-expired', { status: 401, data: { detail: 'Invalid token.' } }],
  ['retries-used', { status: 403, data: {} }],
  ['already-handled', { status: 406, data: { message: 'Already processed' } }],
  ['declined', { status: 400, data: {} }],
  ['already-handled', { status: 422, data: {} }],
  ['unclear', { status: 500, data: {} }],
] as const

for (const language of languagesOrOne('en'))
  test(`every refusal that the widget passes on without a text has one at the form, in ${language}`, async () => {
    const { page, answer, violations, t } = await openPayment(language)
    for (const [kind, response] of refusals) {
      answer(() => response)
      await payButton(page).click()
      const alert = page.getByRole('alert').filter({ hasText: t(`payment:outcome.${kind}`) })
      await alert.waitFor()
      expect(await page.getByRole('alert').count(), kind).toBe(1)
      // The whole message is in the viewport without scrolling.
      await expect
        .poll(
          () =>
            alert.evaluate((element) => {
              const { top, bottom } = element.getBoundingClientRect()
              return top >= 0 && bottom <= window.innerHeight
            }),
          { message: `${kind} in sight` },
        )
        .toBe(true)
    }
    expect(violations).toEqual([])
  })

test('an order that is already paid leads to its result', async () => {
  const { page, answer, payment, t } = await openPayment('en')
  answer(async () => {
    await site.stack.control.replay(payment.orderId, 'success')
    return { status: 400, data: { msg: 'Order has already paid.' } }
  })
  await payButton(page).click()
  await page.getByRole('dialog', { name: t('payment:thankYou.titles.PAID'), exact: true }).waitFor()
})

test('no other file of the script’s host is loaded, and the page may not call or frame that host', async () => {
  const { visit, page } = await openPayment('en')
  await payButton(page).waitFor()
  visit.expectConsole(/Content Security Policy/)
  // Resolves when all three are refused: a frame may report its violation after it has loaded nothing.
  await page.evaluate(async (host) => {
    const refused = ['connect-src', 'frame-src', 'script-src-elem'].map(
      (directive) =>
        new Promise<void>((resolve) =>
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            if (effectiveDirective === directive) resolve()
          }),
        ),
    )
    for (const name of ['script', 'iframe'] as const) {
      const element = document.createElement(name)
      element.src = `${host}/npm/another-package@1.0.0/main.js`
      document.body.append(element)
    }
    await fetch(`${host}/anything`).catch(() => undefined)
    await Promise.all(refused)
  }, new URL(script).origin)
})
