import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sharesErrors } from '#shared/shares/shares.errors.ts'
import type { Control } from '#test/kit/control.ts'
import { startOrder } from '#test/kit/page-orders.ts'
import { cards } from '#test/kit/steps.ts'
import type { Words } from '#test/kit/words.ts'
import { agents, centers, counterOrders, draftOf, orderIn, orders, sessions, shared } from './fixtures.ts'

export type Visitor = 'visitor' | 'user' | 'agent'

export interface Stage {
  readonly page: Page
  readonly context: BrowserContext
  readonly language: LanguageCode
  readonly t: Words
  readonly control: Control
  /** A number that no other scene uses. */
  readonly phone: string
  readonly gatewayUrl: string
}

export interface Scene {
  readonly name: string
  readonly who: Visitor
  /** `screen` for elements positioned at the viewport; `paper` for the print. */
  readonly on?: 'screen' | 'paper'
  /** Brings the page into the state; resolves when it is shown. */
  readonly play: (stage: Stage) => Promise<void>
}

const isApi = (path: string) => (url: URL) => url.pathname.startsWith(path)

function answer(route: Route, body: unknown, status = 200): Promise<void> {
  return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
}

const problem = (code: string, message: string) => ({ success: false, code, message, requestId: 'a1b2c3' })

const refusalTexts: Record<LanguageCode, string> = {
  ar: 'الخدمة لا تستجيب الآن. أعد المحاولة بعد دقيقة.',
  en: 'The service does not answer right now. Try again in a minute.',
}

const refuse =
  ({ page, language }: Stage) =>
  (path: string, status = 503) =>
    page.route(isApi(path), (route) =>
      answer(route, problem('PARTNER_UNAVAILABLE', refusalTexts[language]), status),
    )

/** Never answers, like a lost connection. */
const hang = (page: Page, path: string) => page.route(isApi(path), () => undefined)

type Text = Parameters<Words>[0]

const shown = ({ page, t }: Stage, text: Text) => page.getByText(t(text), { exact: true }).first().waitFor()

/** A page as it opens, until a text is shown. `before` says what the server answers. */
const opened = (
  name: string,
  who: Visitor,
  address: string,
  text: Text,
  before: (stage: Stage) => Promise<unknown> = async () => undefined,
): Scene => ({
  name,
  who,
  play: async (stage) => {
    await before(stage)
    await stage.page.goto(address)
    await shown(stage, text)
  },
})
const hanging = (path: string) => (stage: Stage) => hang(stage.page, path)
const refusing = (path: string, status?: number) => (stage: Stage) => refuse(stage)(path, status)

const named = ({ page }: Stage, role: Parameters<Page['getByRole']>[0], name: string): Locator =>
  page.getByRole(role, { name, exact: true })

/** Presses a button that stays at the edge of the screen, without scrolling to its place in the page as `click` does. */
const pressDocked = (button: Locator) => button.evaluate((element) => (element as HTMLButtonElement).click())

const inMain = ({ page }: Stage, link: string): Locator =>
  page.getByRole('main').getByRole('link', { name: link, exact: true })

const heading = (stage: Stage, name: string) => named(stage, 'heading', name).first().waitFor()

async function openCountries({ page, t }: Stage): Promise<void> {
  await page.goto(paths.auth)
  await page.getByRole('button', { name: new RegExp(`^${t('sessions:country')}`) }).click()
}

async function listsOfFixtures({ page }: Stage): Promise<void> {
  await page.route(isApi('/api/partner/centers'), (route) => answer(route, { success: true, centers }))
  await page.route(isApi('/api/partner/agents'), (route) => answer(route, { success: true, agents }))
}

const sessionsOfFixtures = ({ page }: Stage) =>
  page.route(isApi('/api/auth/sessions'), (route) => answer(route, { success: true, sessions }))

async function withDraft({ page }: Stage, draft: string): Promise<void> {
  await page.addInitScript(`sessionStorage.setItem('booking', ${JSON.stringify(draft)})`)
}

async function openBooking(stage: Stage): Promise<void> {
  await listsOfFixtures(stage)
  await stage.page.goto(paths.booking)
  await heading(stage, stage.t('booking:title'))
  await question(stage, 'agentCode').waitFor()
}

const question = ({ page }: Stage, field: string): Locator => page.locator(`#booking-${field}`)

/** Opens the list of answers to a question. */
async function openSheet(stage: Stage, field: string): Promise<Locator> {
  await question(stage, field).click()
  const sheet = named(stage, 'dialog', stage.t(`booking:labels.FROM_MINA.${field}`))
  await sheet.getByRole('radio').first().waitFor()
  return sheet
}

async function pick(stage: Stage, field: string, text: RegExp): Promise<void> {
  const sheet = await openSheet(stage, field)
  await sheet.getByRole('radio', { name: text }).first().check()
  await sheet.locator('button[type="submit"]').click()
  await sheet.waitFor({ state: 'detached' })
}

async function thankYou(stage: Stage, order: unknown, success = true): Promise<void> {
  await stage.page.route(isApi('/api/orders/'), (route) => answer(route, { success: true, order }))
  await stage.page.goto(paths.thankYou({ success, merchantOrderId: 1042 }))
}

async function orderList(stage: Stage, path: string, list: readonly unknown[]): Promise<void> {
  const kind = path === paths.orders ? 'user' : 'agent'
  await stage.page.route(isApi(`/api/orders/${kind}/`), (route) => {
    // No order of the fixtures matches a search.
    const orders = new URL(route.request().url()).searchParams.has('q') ? [] : list
    return answer(route, {
      success: true,
      orders,
      ...(kind === 'agent' && {
        counts: { waiting: list.length, received: 0, refused: list.length > 3 ? 1 : 0 },
      }),
      nextCursor: orders.length > 3 ? 'next' : null,
    })
  })
  await stage.page.goto(path)
}

async function paidList(stage: Stage): Promise<void> {
  await orderList(stage, paths.orders, [orders.paid])
  await stage.page.getByRole('article').first().waitFor()
}

/** The agents' page with bags of all kinds. */
async function counter(stage: Stage): Promise<void> {
  await listsOfFixtures(stage)
  await orderList(stage, paths.agentOrders, counterOrders(Date.now()))
  await counterRow(stage, 'OD-1038').waitFor()
}

const counterRow = ({ page }: Stage, number: string): Locator =>
  page.getByRole('button', { name: new RegExp(`${number}$`) })

const result = (stage: Stage, status: string) =>
  named(stage, 'dialog', stage.t(`payment:thankYou.titles.${status}`)).waitFor()

async function askForCode(stage: Stage): Promise<Locator> {
  const { page, t, phone } = stage
  await page.goto(paths.auth)
  await named(stage, 'textbox', t('sessions:phone')).fill(phone)
  await named(stage, 'button', t('sessions:send')).click()
  const dialog = named(stage, 'dialog', t('sessions:code.title'))
  await dialog.waitFor()
  return dialog
}

/** A refusal by a limit: its code and the seconds to wait. */
const limit = ({ page, language }: Stage, path: string, code: string, retryAfterSeconds: number) =>
  page.route(isApi(path), (route) =>
    answer(route, { ...problem(code, refusalTexts[language]), retryAfterSeconds }, 429),
  )

async function limitedSending(stage: Stage, code: string, seconds: number): Promise<void> {
  await limit(stage, '/api/auth/request-otp', code, seconds)
  await stage.page.goto(paths.auth)
  await named(stage, 'textbox', stage.t('sessions:phone')).fill(stage.phone)
  await named(stage, 'button', stage.t('sessions:send')).click()
  await stage.page.getByText(stage.t(`sessions:limits.${code}`), { exact: true }).waitFor()
}

async function reviewOf(stage: Stage, draft: string): Promise<void> {
  await listsOfFixtures(stage)
  await withDraft(stage, draft)
  await stage.page.goto(paths.checkout)
  await heading(stage, stage.t('checkout:title'))
}

const payButton = (stage: Stage) =>
  named(stage, 'button', stage.t('checkout:pay', { amount: stage.t('platform:money', { amount: '50.00' }) }))

const chosen = { agentCode: 'AG-1', toCity: 'Riyadh', centerCode: 'RUH-1' }
const isPaymentCall = (url: URL) => /\/api\/orders\/\d+\/payment$/.test(url.pathname)

/** The server's answer about the secret in the address of the payment page: confirmed, or not payable. */
const confirmed = (stage: Stage) =>
  stage.page.route(isPaymentCall, (route) => answer(route, { success: true, ...credentials }))
const notPayable = (stage: Stage) =>
  stage.page.route(isPaymentCall, (route) =>
    answer(route, problem('ORDER_NOT_PAYABLE', paymentsErrors.ORDER_NOT_PAYABLE.text[stage.language]), 409),
  )

const credentials = { orderId: 1042, clientSecret: 'sau_csk_test_none', publicKey: 'sau_pk_test_none' }

const resultPage = paths.thankYou({ success: true, merchantOrderId: 1042 })

export const scenes: readonly Scene[] = [
  {
    name: 'home',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.home)
      await heading(stage, stage.t('home:services.title'))
      await stage.page
        .getByRole('banner')
        .getByRole('link', { name: stage.t('shell:login') })
        .waitFor()
    },
  },
  {
    name: 'home-signed-in-menu',
    who: 'user',
    play: async (stage) => {
      await stage.page.goto(paths.home)
      const account = named(stage, 'navigation', stage.t('shell:account'))
      await account.waitFor()
      const toggle = account.getByRole('button', { name: stage.t('shell:menu'), exact: true })
      if (await toggle.isVisible()) await toggle.click()
    },
  },
  opened('privacy', 'visitor', paths.privacyPolicy, 'privacy:title'),
  opened('not-found', 'visitor', '/no/such/page', 'shell:notFound.title'),
  {
    name: 'offline',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.privacyPolicy)
      await heading(stage, stage.t('privacy:title'))
      await stage.context.setOffline(true)
      await stage.page.getByText(stage.t('shell:connection.offline'), { exact: true }).waitFor()
    },
  },
  {
    name: 'session-restoring',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/auth/agent')
      await stage.page.goto(paths.orders)
      await stage.page.getByRole('main').getByText(stage.t('shell:restoring'), { exact: true }).waitFor()
    },
  },
  opened('session-unknown', 'visitor', paths.orders, 'shell:unknown.title', refusing('/api/auth/user')),
  opened('auth-login', 'visitor', paths.auth, 'sessions:send'),
  {
    name: 'auth-signup-errors',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      await stage.page.goto(paths.auth)
      await stage.page.getByRole('radio', { name: stage.t('sessions:mode.signup'), exact: true }).check()
      await named(stage, 'button', stage.t('sessions:send')).click()
      await stage.page.getByText(stage.t('sessions:errors.NAME_REQUIRED'), { exact: true }).first().waitFor()
    },
  },
  {
    name: 'auth-foreign-phone',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.auth)
      await named(stage, 'textbox', stage.t('sessions:phone')).fill('+62 812-3456-7890')
    },
  },
  {
    name: 'auth-countries',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      await openCountries(stage)
      await stage.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'auth-no-country',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      await openCountries(stage)
      await stage.page.getByRole('combobox').fill('zzz')
      await stage.page.getByText(stage.t('sessions:countryNone'), { exact: true }).waitFor()
    },
  },
  {
    name: 'auth-code',
    who: 'visitor',
    play: async (stage) => {
      await askForCode(stage)
    },
  },
  {
    name: 'auth-code-wrong',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      const dialog = await askForCode(stage)
      const code = await stage.control.codeFor(stage.phone)
      await dialog
        .getByRole('textbox', { name: stage.t('sessions:code.label') })
        .fill(String((Number(code) + 1) % 10_000).padStart(4, '0'))
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'auth-code-short',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      const dialog = await askForCode(stage)
      await dialog.getByRole('button', { name: stage.t('sessions:code.verify'), exact: true }).click()
      await dialog.getByText(stage.t('sessions:errors.code'), { exact: true }).first().waitFor()
    },
  },
  {
    name: 'auth-new-number',
    who: 'visitor',
    play: async (stage) => {
      const dialog = await askForCode(stage)
      await dialog
        .getByRole('textbox', { name: stage.t('sessions:code.label') })
        .fill(await stage.control.codeFor(stage.phone))
      await named(stage, 'button', stage.t('sessions:finish')).waitFor()
    },
  },
  {
    name: 'auth-limit-codes',
    who: 'visitor',
    play: (stage) => limitedSending(stage, 'TOO_MANY_CODES', 272),
  },
  {
    name: 'auth-limit-locked',
    who: 'visitor',
    play: (stage) => limitedSending(stage, 'PHONE_LOCKED', 5400),
  },
  {
    name: 'auth-limit-wrong-codes',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      const dialog = await askForCode(stage)
      await limit(stage, '/api/auth/verify-otp', 'TOO_MANY_WRONG_CODES', 272)
      await dialog.getByRole('textbox', { name: stage.t('sessions:code.label') }).fill('1234')
      await dialog.getByText(stage.t('sessions:limits.TOO_MANY_WRONG_CODES'), { exact: true }).waitFor()
    },
  },
  opened('agent-auth', 'visitor', paths.agentAuth, 'sessions:send'),
  {
    name: 'agent-auth-errors',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.agentAuth)
      await named(stage, 'button', stage.t('sessions:send')).click()
      await stage.page.getByText(stage.t('sessions:errors.phone'), { exact: true }).first().waitFor()
    },
  },
  { name: 'booking-empty', who: 'user', play: openBooking },
  {
    name: 'booking-agents-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      await openSheet(stage, 'agentCode')
    },
  },
  {
    name: 'booking-agents-nearest',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await stage.context.grantPermissions(['geolocation'])
      await stage.context.setGeolocation({ latitude: 21.4226, longitude: 39.8729 })
      await openBooking(stage)
      const sheet = await openSheet(stage, 'agentCode')
      await sheet.getByRole('button', { name: stage.t('booking:nearest.label') }).click()
      await sheet.getByText(stage.t('booking:nearest.known')).waitFor()
    },
  },
  {
    name: 'booking-agents-position-refused',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      const sheet = await openSheet(stage, 'agentCode')
      await sheet.getByRole('button', { name: stage.t('booking:nearest.label') }).click()
      await sheet.getByText(stage.t('booking:nearest.refused')).waitFor()
    },
  },
  {
    name: 'booking-cities-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      await openSheet(stage, 'toCity')
    },
  },
  {
    name: 'booking-branches-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      const sheet = await openSheet(stage, 'centerCode')
      await sheet.getByRole('radio').first().check()
    },
  },
  {
    name: 'booking-branches-found',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      const sheet = await openSheet(stage, 'centerCode')
      await sheet.getByRole('searchbox').fill(stage.language === 'ar' ? 'الجامعه ١٤' : 'university 14')
      await sheet.getByRole('radio', { name: /14\d/ }).first().waitFor()
    },
  },
  {
    name: 'booking-branches-none-found',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      const sheet = await openSheet(stage, 'centerCode')
      await sheet.getByRole('searchbox').fill('zzz')
      await sheet.getByText(stage.t('booking:noMatch')).waitFor()
    },
  },
  {
    name: 'booking-last-question',
    who: 'user',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
    },
  },
  {
    name: 'booking-chosen',
    who: 'user',
    play: async (stage) => {
      await withDraft(stage, draftOf(chosen))
      await openBooking(stage)
    },
  },
  {
    name: 'booking-chosen-unmapped',
    who: 'user',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-2', toCity: 'Riyadh', centerCode: 'RUH-2' }))
      await openBooking(stage)
    },
  },
  {
    name: 'booking-one-branch',
    who: 'user',
    play: async (stage) => {
      await openBooking(stage)
      await pick(stage, 'agentCode', stage.language === 'ar' ? /^وكيل منى 1/ : /^Mina Agent 1/)
      await pick(stage, 'toCity', stage.language === 'ar' ? /شرورة/ : /Sharurah/)
    },
  },
  {
    name: 'booking-errors',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      await named(stage, 'button', stage.t('booking:continue')).click()
      await stage.page.getByText(stage.t('booking:required.agentCode')).first().waitFor()
    },
  },
  opened('booking-failing', 'user', paths.booking, 'booking:failed', refusing('/api/partner/')),
  {
    name: 'booking-loading',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/partner/')
      await stage.page.goto(paths.booking)
      await stage.page.getByText(stage.t('booking:loading')).waitFor({ state: 'attached' })
    },
  },
  { name: 'checkout', who: 'user', play: (stage) => reviewOf(stage, draftOf(chosen)) },
  {
    name: 'checkout-name-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await reviewOf(stage, draftOf(chosen))
      await named(stage, 'button', stage.t('sessions:own.correct')).click()
      await named(stage, 'textbox', stage.t('sessions:own.name')).fill('12')
      await named(stage, 'button', stage.t('sessions:own.save')).click()
      await stage.page.getByText(stage.t('sessions:errors.NAME_INVALID')).waitFor()
      await payButton(stage).click()
      await stage.page.getByText(stage.t('checkout:receiver.unsaved')).waitFor()
    },
  },
  {
    name: 'checkout-short-name',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      const name = stage.language === 'ar' ? 'سارة' : 'Sara'
      await stage.page.route(isApi('/api/auth/user'), async (route) => {
        const response = await route.fetch()
        await answer(route, { ...(await response.json()), name })
      })
      await reviewOf(stage, draftOf(chosen))
      await payButton(stage).click()
      await stage.page.getByText(stage.t('checkout:receiver.short', { name })).waitFor()
    },
  },
  {
    name: 'checkout-earlier-order',
    who: 'user',
    play: async (stage) => {
      const kept = JSON.parse(draftOf(chosen)) as object
      await reviewOf(stage, JSON.stringify({ ...kept, earlierOrderId: 1041 }))
      await stage.page.getByText('OD-1041').waitFor()
    },
  },
  {
    name: 'checkout-two-legs',
    who: 'user',
    play: (stage) =>
      reviewOf(
        stage,
        draftOf({
          type: 'TO_AND_FROM_MINA',
          fromCity: 'Riyadh',
          agentCode: 'AG-2',
          centerCode: 'RUH-2',
        }),
      ),
  },
  {
    name: 'checkout-unknown-places',
    who: 'user',
    play: (stage) => reviewOf(stage, draftOf({ ...chosen, agentCode: 'GONE', centerCode: 'GONE' })),
  },
  {
    name: 'checkout-refused',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await refuse(stage)('/api/checkout')
      await reviewOf(stage, draftOf(chosen))
      await pressDocked(payButton(stage))
      await stage.page.getByText(refusalTexts[stage.language]).waitFor()
    },
  },
  {
    name: 'checkout-processing',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/checkout')
      await reviewOf(stage, draftOf(chosen))
      await payButton(stage).click()
      await named(stage, 'button', stage.t('checkout:processing')).waitFor()
    },
  },
  {
    name: 'checkout-redirecting',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await stage.page.route(isApi('/api/checkout'), (route) =>
        answer(route, { success: true, ...credentials }),
      )
      // 204: the browser then stays on the page, and the toast stays visible.
      await stage.page.route(
        (url) => url.pathname === '/payment',
        (route) => route.fulfill({ status: 204 }),
      )
      await reviewOf(stage, draftOf(chosen))
      await pressDocked(payButton(stage))
      await stage.page.getByText(stage.t('checkout:redirecting')).waitFor()
    },
  },
  opened('payment-missing', 'user', '/payment', 'payment:missingCredentials'),
  {
    name: 'payment-failed',
    who: 'user',
    play: async (stage) => {
      await stage.page.route(/\.js(\?|$)/, (route) =>
        route.request().url().startsWith(stage.gatewayUrl) ? route.continue() : route.abort(),
      )
      await confirmed(stage)
      await stage.page.goto(paths.payment(credentials))
      await stage.page.getByText(stage.t('payment:widgetFailed')).waitFor()
    },
  },
  {
    name: 'payment-loading',
    who: 'user',
    play: async (stage) => {
      await stage.page.route(/\/main\.js$/, () => undefined)
      await confirmed(stage)
      await stage.page.goto(paths.payment(credentials))
      await stage.page.getByText(stage.t('payment:loading'), { exact: true }).waitFor()
    },
  },
  {
    name: 'payment-card',
    who: 'user',
    play: async (stage) => {
      await cardForm(stage)
    },
  },
  {
    name: 'payment-declined',
    who: 'user',
    play: async (stage) => {
      const pay = await cardForm(stage)
      await chooseCard(stage, cards.declined)
      await pay.click()
      await stage.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'payment-bank-asks',
    who: 'user',
    play: async (stage) => {
      const pay = await cardForm(stage)
      const form = stage.page.frameLocator('iframe')
      await chooseCard(stage, cards['asked-by-bank'])
      await pay.click()
      await stage.page.getByText(stage.t('payment:bankWaits')).waitFor()
      await form.locator('#challenge').waitFor()
    },
  },
  opened(
    'payment-link-refused',
    'user',
    paths.payment({ ...credentials, orderId: 'no order' }),
    'payment:linkRefused.title',
  ),
  {
    name: 'payment-not-payable',
    who: 'user',
    play: async (stage) => {
      await stage.page.route(isApi('/api/orders/'), (route) =>
        answer(route, { success: true, order: orders.pending }),
      )
      await notPayable(stage)
      await stage.page.goto(paths.payment(credentials))
      await stage.page.getByText(stage.t('payment:notPayable.title')).waitFor()
    },
  },
  ...(
    [
      ['retries-used', 'retry-limit'],
      ['form-expired', 'expired'],
      ['already-handled', 'already-processed'],
      ['unclear', 'unreadable'],
    ] as const
  ).map(
    ([kind, refusal]): Scene => ({
      name: `payment-${kind}`,
      who: 'user',
      on: 'screen',
      play: async (stage) => {
        const pay = await cardForm(stage)
        await stage.page.frameLocator('iframe').locator('summary').click()
        await chooseCard(stage, cards[refusal])
        await pay.click()
        await stage.page.getByText(stage.t(`payment:outcome.${kind}`)).waitFor()
        await stage.page.frameLocator('iframe').locator('#form').waitFor()
      },
    }),
  ),
  {
    name: 'payment-expired',
    who: 'user',
    play: async (stage) => {
      await stage.page.route(isApi('/api/orders/'), (route) =>
        answer(route, { success: true, order: orders.expired }),
      )
      await notPayable(stage)
      await stage.page.goto(paths.payment(credentials))
      await stage.page.getByText(stage.t('payment:thankYou.expired')).waitFor()
    },
  },
  opened('thank-you-failure', 'user', '/thank-you?success=false', 'payment:thankYou.failure.title'),
  {
    name: 'thank-you-cancelled',
    who: 'user',
    play: async (stage) => {
      await thankYou(stage, orders.pending, false)
      await named(stage, 'button', stage.t('payment:thankYou.failure.payAgain')).waitFor()
    },
  },
  opened('thank-you-loading', 'user', resultPage, 'payment:thankYou.loading', hanging('/api/orders/')),
  opened(
    'thank-you-load-failed',
    'user',
    resultPage,
    'payment:thankYou.loadFailed',
    refusing('/api/orders/', 404),
  ),
  ...(
    [
      ['pending', orders.pending, 'PENDING_PAYMENT'],
      ['paid', orders.paid, 'PAID'],
      ['issuing', orders.issuing, 'issuing'],
      ['two-legs', orders.twoLegs, 'PAID'],
      ['expired', orders.expired, 'EXPIRED'],
      ['refunded', orders.refunded, 'refund-done'],
      ['wrong-amount', orders.wrongAmount, 'refund-pending'],
      ['amount-returned', orders.amountReturned, 'refund-done'],
      ['amount-stuck', orders.amountStuck, 'refund-needs-help'],
      ['paid-twice', orders.paidTwice, 'PAID'],
      ['unknown', orders.unknown, 'other'],
    ] as const
  ).map(
    ([state, order, status]): Scene => ({
      name: `thank-you-${state}`,
      who: 'user',
      play: async (stage) => {
        await thankYou(stage, order)
        await (status === 'issuing'
          ? named(stage, 'dialog', stage.t('pass:issuing')).waitFor()
          : result(stage, status))
      },
    }),
  ),
  ...(
    [
      ['', orders.paid],
      ['-unpaid', orders.pending],
      ['-two-legs', orders.twoLegs],
    ] as const
  ).map(
    ([state, order]): Scene => ({
      name: `order${state}`,
      who: 'user',
      play: async (stage) => {
        await stage.page.route(isApi('/api/orders/'), (route) => answer(route, { success: true, order }))
        await stage.page.goto(paths.order(order.orderId))
        await inMain(stage, stage.t('payment:toOrders')).waitFor()
      },
    }),
  ),
  ...(['HANDED_OVER', 'EXCEPTION', 'COLLECTED'] as const).map(
    (state): Scene => ({
      name: `order-${state.toLowerCase().replace('_', '-')}`,
      who: 'user',
      play: async (stage) => {
        await stage.page.route(isApi('/api/orders/'), (route) =>
          answer(route, { success: true, order: orderIn(state) }),
        )
        await stage.page.goto(paths.order(orders.paid.orderId))
        await heading(stage, stage.t(`journey:state.${state}`))
      },
    }),
  ),
  {
    name: 'share-link',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await thankYou(stage, { ...orders.paid, orderId: 7 })
      // After the route of the order, which it is a part of.
      await stage.page.route(isApi('/api/orders/7/share'), (route) =>
        answer(
          route,
          route.request().method() === 'POST'
            ? { success: true, url: `https://amtiati.example/track/${'aZ0-_'.repeat(9).slice(0, 43)}` }
            : { success: true, createdAt: null },
        ),
      )
      await named(stage, 'button', stage.t('share:open')).click()
      await named(stage, 'button', stage.t('share:create')).click()
      await named(stage, 'button', stage.t('share:end')).waitFor()
    },
  },
  opened('shared-journey', 'visitor', paths.track('A'.repeat(43)), 'track:note', ({ page }) =>
    page.route(isApi('/api/track/'), (route) => answer(route, { success: true, bookings: [shared] })),
  ),
  {
    name: 'shared-journey-ended',
    who: 'visitor',
    play: async ({ page, language }) => {
      const message = sharesErrors.SHARE_NOT_FOUND.text[language]
      await page.route(isApi('/api/track/'), (route) =>
        answer(route, problem('SHARE_NOT_FOUND', message), 404),
      )
      await page.goto(paths.track('A'.repeat(43)))
      await page.getByText(message).waitFor()
    },
  },
  {
    name: 'claim-full',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await thankYou(stage, orders.paidTwice)
      await named(stage, 'button', stage.t('awb:full.open')).click()
      await named(stage, 'dialog', stage.t('awb:full.title')).waitFor()
    },
  },
  ...(
    [
      ['print-label', orders.paid],
      ['print-two-labels', orders.twoLegs],
      ['print-issuing', orders.issuing],
    ] as const
  ).map(
    ([name, order]): Scene => ({
      name,
      who: 'user',
      on: 'paper',
      play: async (stage) => {
        await thankYou(stage, order)
        await inMain(stage, stage.t('payment:toOrders')).waitFor()
      },
    }),
  ),
  ...(
    [
      ['print-orders', Object.values(orders)],
      ['print-order', [orders.paid]],
    ] as const
  ).map(
    ([name, list]): Scene => ({
      name,
      who: 'user',
      on: 'paper',
      play: async (stage) => {
        await orderList(stage, paths.orders, list)
        await stage.page.getByRole('article').first().waitFor()
      },
    }),
  ),
  {
    name: 'print-agent-orders',
    who: 'agent',
    on: 'paper',
    play: async (stage) => {
      await counter(stage)
    },
  },
  {
    name: 'orders',
    who: 'user',
    play: async (stage) => {
      await orderList(stage, paths.orders, Object.values(orders))
      await stage.page.getByRole('article').first().waitFor()
    },
  },
  {
    name: 'orders-empty',
    who: 'user',
    play: async (stage) => {
      await orderList(stage, paths.orders, [])
      await stage.page.getByText(stage.t('orders:empty.title')).waitFor()
    },
  },
  opened('orders-failing', 'user', paths.orders, 'orders:failed', refusing('/api/orders/', 404)),
  {
    name: 'orders-offline',
    who: 'user',
    play: async (stage) => {
      await paidList(stage)
      await stage.context.setOffline(true)
      await stage.page.getByText(stage.t('shell:connection.offline')).waitFor()
    },
  },
  {
    name: 'orders-kept',
    who: 'user',
    play: async (stage) => {
      await paidList(stage)
      await refuse(stage)('/api/')
      await stage.page.goto(paths.orders)
      await stage.page.getByText(stage.t('kept-note:why.unreachable')).waitFor()
    },
  },
  {
    name: 'orders-kept-offline',
    who: 'user',
    play: async (stage) => {
      await paidList(stage)
      await refuse(stage)('/api/')
      await stage.page.goto(paths.orders)
      await stage.page.getByText(stage.t('kept-note:why.unreachable')).waitFor()
      await stage.context.setOffline(true)
      await stage.page.getByText(stage.t('kept-note:why.offline')).waitFor()
    },
  },
  {
    name: 'booking-unknown-kept',
    who: 'user',
    play: async (stage) => {
      await paidList(stage)
      await refuse(stage)('/api/')
      await stage.page.goto(paths.booking)
      await stage.page.getByText(stage.t('shell:keptOrders')).waitFor()
    },
  },
  {
    name: 'thank-you-kept',
    who: 'user',
    play: async (stage) => {
      await thankYou(stage, orders.paid)
      await result(stage, 'PAID')
      await refuse(stage)('/api/')
      await stage.page.goto(resultPage)
      await stage.page.getByText(stage.t('pass:why.unreachable')).waitFor()
    },
  },
  opened('orders-slow', 'user', paths.orders, 'shell:connection.slow', hanging('/api/orders/')),
  {
    name: 'bar-logout-failed',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await paidList(stage)
      await refuse(stage)('/api/auth/logout', 503)
      const menu = named(stage, 'button', stage.t('shell:menu'))
      if (await menu.isVisible()) await menu.click()
      await named(stage, 'button', stage.t('shell:logout')).click()
      await stage.page.getByText(stage.t('shell:logoutFailed')).waitFor()
    },
  },
  {
    name: 'bar-unknown',
    who: 'visitor',
    on: 'screen',
    play: async (stage) => {
      await refuse(stage)('/api/auth/user', 503)
      await stage.page.goto(paths.home)
      await named(stage, 'button', stage.t('shell:unknown.retry')).waitFor()
    },
  },
  {
    name: 'page-chunk-gone',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.home)
      await heading(stage, stage.t('home:services.title'))
      await stage.page.route(/privacy-policy.*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
      await stage.page
        .getByRole('contentinfo')
        .getByRole('link', { name: stage.t('shell:footer.privacy') })
        .click()
      await stage.page.getByText(stage.t('shell:release.text')).waitFor()
    },
  },
  {
    name: 'auth-session-ended',
    who: 'user',
    play: async (stage) => {
      await paidList(stage)
      await stage.context.clearCookies({ name: /sid|session/ })
      await stage.page.unrouteAll()
      await stage.page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await stage.page.getByText(stage.t('sessions:ended')).waitFor()
    },
  },
  opened('account', 'user', paths.account, 'account:sessions.current', sessionsOfFixtures),
  {
    name: 'account-name-refused',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await sessionsOfFixtures(stage)
      await stage.page.goto(paths.account)
      await named(stage, 'button', stage.t('sessions:own.correct')).click()
      await named(stage, 'textbox', stage.t('sessions:own.name')).fill('12')
      await named(stage, 'button', stage.t('sessions:own.save')).click()
      await stage.page.getByText(stage.t('sessions:errors.NAME_INVALID')).waitFor()
    },
  },
  opened(
    'account-failing',
    'user',
    paths.account,
    'account:sessions.failed',
    refusing('/api/auth/sessions', 404),
  ),
  opened('account-loading', 'user', paths.account, 'account:sessions.loading', hanging('/api/auth/sessions')),
  {
    name: 'account-delete',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await stage.page.goto(paths.account)
      await named(stage, 'button', stage.t('account:remove.open')).click()
      await named(stage, 'dialog', stage.t('account:remove.dialog')).waitFor()
    },
  },
  {
    name: 'account-delete-refused',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await stage.page.route(isApi('/api/auth/user'), (route) =>
        route.request().method() === 'DELETE'
          ? answer(
              route,
              problem('ACCOUNT_HAS_OPEN_ORDERS', accountErrors.ACCOUNT_HAS_OPEN_ORDERS.text[stage.language]),
              409,
            )
          : route.fallback(),
      )
      await stage.page.goto(paths.account)
      await named(stage, 'button', stage.t('account:remove.open')).click()
      await named(stage, 'button', stage.t('account:remove.confirm')).click()
      await stage.page.getByRole('dialog').getByRole('alert').waitFor()
    },
  },
  opened('account-agent', 'agent', paths.account, 'account:sessions.current'),
  {
    name: 'agent-orders',
    who: 'agent',
    play: counter,
  },
  ...(
    [
      ['detail', 'OD-1038'],
      ['refused', 'OD-1043'],
      ['issuing', 'OD-1047'],
    ] as const
  ).map(
    ([state, number]): Scene => ({
      name: `agent-orders-${state}`,
      who: 'agent',
      on: 'screen',
      play: async (stage) => {
        await counter(stage)
        await counterRow(stage, number).click()
        await named(stage, 'article', number).waitFor()
      },
    }),
  ),
  {
    name: 'agent-orders-two-legs',
    who: 'agent',
    on: 'screen',
    play: async (stage) => {
      await orderList(stage, paths.agentOrders, [orders.twoLegs])
      await counterRow(stage, 'OD-1043').click()
      await named(stage, 'article', 'OD-1043').waitFor()
    },
  },
  {
    name: 'agent-orders-filters',
    who: 'agent',
    on: 'screen',
    play: async (stage) => {
      await counter(stage)
      await named(stage, 'button', stage.t('agent-orders:filter.fold')).click()
    },
  },
  {
    name: 'agent-orders-offline',
    who: 'agent',
    on: 'screen',
    play: async (stage) => {
      await counter(stage)
      await stage.context.setOffline(true)
      await stage.page.locator('main [role="status"] > svg + span').waitFor()
    },
  },
  {
    name: 'agent-orders-not-refreshed',
    who: 'agent',
    on: 'screen',
    play: async (stage) => {
      await counter(stage)
      await refuse(stage)('/api/orders/', 403)
      await named(stage, 'button', stage.t('agent-orders:filter.fold')).click()
      await named(stage, 'button', stage.t('agent-orders:refresh')).click()
      await named(stage, 'button', stage.t('agent-orders:filter.fold')).click()
      await named(stage, 'button', stage.t('ui:tryAgain')).waitFor()
    },
  },
  {
    name: 'agent-orders-loading',
    who: 'agent',
    on: 'screen',
    play: async (stage) => {
      await hang(stage.page, '/api/orders/agent/')
      await stage.page.goto(paths.agentOrders)
      await stage.page.getByText(stage.t('agent-orders:loading')).waitFor()
    },
  },
  {
    name: 'agent-orders-none-found',
    who: 'agent',
    play: async (stage) => {
      await orderList(stage, paths.agentOrders, [orders.paid])
      await stage.page.getByRole('searchbox').fill('zzz')
      await stage.page.getByText(stage.t('agent-orders:search.none')).waitFor()
    },
  },
  {
    name: 'agent-orders-empty',
    who: 'agent',
    play: async (stage) => {
      await orderList(stage, paths.agentOrders, [])
      await stage.page.getByText(stage.t('agent-orders:empty.title')).waitFor()
    },
  },
  {
    name: 'agent-scan',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await stage.page.getByText(stage.t('handovers:kept.empty')).waitFor()
    },
  },
  {
    name: 'agent-scan-wrong-number',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await enterNumber(stage, '42')
      await stage.page.getByText(stage.t('handovers:number.error'), { exact: true }).waitFor()
    },
  },
  {
    name: 'agent-scan-receive',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await enterNumber(stage)
      await named(stage, 'button', stage.t('handovers:confirm')).waitFor()
    },
  },
  {
    name: 'agent-scan-received',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await enterNumber(stage)
      await named(stage, 'button', stage.t('handovers:confirm')).click()
      await stage.page.getByText(stage.t('handovers:kept.recorded'), { exact: true }).waitFor()
    },
  },
  {
    name: 'agent-scan-not-accepted',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [{ ...orders.paid, status: 'REFUNDED' }])
      await enterNumber(stage)
      await named(stage, 'heading', stage.t('handovers:check.refunded.title')).waitFor()
    },
  },
  {
    name: 'agent-scan-not-yours',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [])
      await enterNumber(stage)
      await named(stage, 'heading', stage.t('handovers:check.not-yours.title')).waitFor()
    },
  },
  {
    name: 'agent-scan-unchecked',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [])
      await refuse(stage)('/api/orders/agent/')
      await enterNumber(stage)
      await named(stage, 'button', stage.t('handovers:keep')).waitFor()
    },
  },
  {
    name: 'agent-scan-waiting',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await refuse(stage)('/api/handovers')
      await enterNumber(stage)
      await named(stage, 'button', stage.t('handovers:confirm')).click()
      await stage.page.getByText(stage.t('handovers:kept.unreachable')).waitFor()
    },
  },
  {
    name: 'agent-scan-refused',
    who: 'agent',
    play: async (stage) => {
      await openScanner(stage, [orders.paid])
      await stage.page.route(isApi('/api/handovers'), (route) =>
        answer(route, problem('DO_NOT_ACCEPT', refusalTexts[stage.language]), 409),
      )
      await enterNumber(stage)
      await named(stage, 'button', stage.t('handovers:confirm')).click()
      await stage.page.getByText(stage.t('handovers:kept.refusal.DO_NOT_ACCEPT')).waitFor()
    },
  },
  opened(
    'agent-orders-failing',
    'agent',
    paths.agentOrders,
    'agent-orders:failed',
    refusing('/api/orders/', 404),
  ),
]

/** The scanner of an agent, in a browser without a camera, whose every hand-over is recorded. */
async function openScanner({ page }: Stage, found: readonly unknown[]): Promise<void> {
  await page.route(isApi('/api/orders/agent/'), (route) =>
    answer(route, {
      success: true,
      orders: found,
      counts: { waiting: found.length, received: 0, refused: 0 },
      nextCursor: null,
    }),
  )
  await page.route(isApi('/api/handovers'), (route) => answer(route, { success: true }))
  await page.goto(paths.agentScan)
}

/** Types a number, by default the airway bill of the paid order of the fixtures. */
async function enterNumber(stage: Stage, number = orders.paid.bookings[0]?.awb ?? ''): Promise<void> {
  await named(stage, 'textbox', stage.t('handovers:number.label')).fill(number)
  await named(stage, 'button', stage.t('handovers:number.check')).click()
}

/** The payment page of a fresh order; resolves with the button of its card form. */
async function cardForm(stage: Stage): Promise<Locator> {
  const { page, t } = stage
  await page.goto(paths.booking)
  await heading(stage, t('booking:title'))
  const order = await startOrder(page)
  await page.goto(paths.payment(order))
  await heading(stage, t('payment:title'))
  await page.locator('iframe').first().waitFor()
  const pay = page.frameLocator('iframe').getByRole('button', { name: t('payment:widget.pay'), exact: true })
  await pay.waitFor()
  return pay
}

/** Chooses a test card of the form by its number. */
const chooseCard = ({ page }: Stage, number: string) =>
  page
    .frameLocator('iframe')
    .getByRole('button')
    .filter({ hasText: number.replace(/(\d{4})(?=\d)/g, '$1 ') })
    .click()
