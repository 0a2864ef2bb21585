import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import type { Claim } from '#shared/claims/claims.schemas.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import { codeChannels } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { Stop } from '#shared/platform/stop.ts'
import type { CodeSent } from '#shared/sessions/sessions.schemas.ts'
import { sharesErrors } from '#shared/shares/shares.errors.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { refunded, sentCodeOf } from '#test/builders/answer.builder.ts'
import { startOrder } from '#test/kit/browser/page-orders.ts'
import { cards } from '#test/kit/browser/steps.ts'
import type { Words } from '#test/kit/browser/words.ts'
import type { Control } from '#test/kit/programs/control.ts'
import {
  agents,
  bagPicture,
  centers,
  claimOffer,
  claimsIn,
  claimTexts,
  counterOrders,
  draftOf,
  friday,
  journeyOrders,
  lateOrder,
  longNameEn,
  namedOrder,
  namedReceiver,
  orderIn,
  orders,
  promises,
  sessions,
  sharedIn,
} from './fixtures.ts'

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

type Play = (stage: Stage) => Promise<unknown>

export interface Scene {
  readonly name: string
  readonly who: Visitor
  /** `screen` for elements positioned at the viewport; `paper` for the print. */
  readonly on?: 'screen' | 'paper'
  /** Brings the page into the state; resolves when it is shown. */
  readonly play: Play
}

const scene = (name: string, who: Visitor, play: Play): Scene => ({ name, who, play })
const onScreen = (name: string, who: Visitor, play: Play): Scene => ({ name, who, play, on: 'screen' })
const onPaper = (name: string, who: Visitor, play: Play): Scene => ({ name, who, play, on: 'paper' })

/** A page as it opens, until a text is shown. `before` says what the server answers. */
const opened = (
  name: string,
  who: Visitor,
  address: string,
  key: string,
  before: Play = async () => undefined,
): Scene =>
  scene(name, who, async (stage) => {
    await before(stage)
    await stage.page.goto(address)
    await shown(stage, key)
  })

const isApi = (path: string) => (url: URL) => url.pathname.startsWith(path)

function answer(route: Route, body: unknown, status = 200): Promise<void> {
  // A stream that says nothing.
  if (route.request().resourceType() === 'eventsource' && status === 200)
    return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n\n' })
  return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
}

const answering = (stage: Stage, path: string, body: object) =>
  stage.page.route(isApi(path), (route) => answer(route, { success: true, ...body }))

const problem = (code: string, message: string) => ({ success: false, code, message, requestId: 'a1b2c3' })

const refusalTexts: Record<LanguageCode, string> = {
  ar: 'الخدمة لا تستجيب الآن. أعد المحاولة بعد دقيقة.',
  en: 'The service does not answer right now. Try again in a minute.',
}

const refuse = ({ page, language }: Stage, path: string, status = 503) =>
  page.route(isApi(path), (route) =>
    answer(route, problem('PARTNER_UNAVAILABLE', refusalTexts[language]), status),
  )

/** Never answers, like a lost connection. */
const hang = ({ page }: Stage, path: string) => page.route(isApi(path), () => undefined)

const hanging = (path: string) => (stage: Stage) => hang(stage, path)
const refusing = (path: string, status?: number) => (stage: Stage) => refuse(stage, path, status)

type Within = Pick<Page, 'getByRole' | 'getByText'>
type Role = Parameters<Page['getByRole']>[0]

const named = ({ page, t }: Stage, role: Role, key: string, within: Within = page): Locator =>
  within.getByRole(role, { name: t(key), exact: true })
const press = (stage: Stage, key: string, within?: Within) => named(stage, 'button', key, within).click()
const fill = (stage: Stage, key: string, text: string) => named(stage, 'textbox', key).fill(text)
const heading = (stage: Stage, key: string) => named(stage, 'heading', key).first().waitFor()

const openData = ({ page, t }: Stage) => page.getByText(t('account:data'), { exact: true }).click()

/** A text that stands alone; `seen` for a text within another one. */
const shown = ({ page, t }: Stage, key: string, within: Within = page) =>
  within.getByText(t(key), { exact: true }).first().waitFor()
const seen = ({ page, t }: Stage, key: string, values?: Parameters<Words>[1], within: Within = page) =>
  within.getByText(t(key, values)).first().waitFor()

/** Presses a button that stays at the edge of the screen, without scrolling to its place in the page as `click` does. */
const pressDocked = (button: Locator) => button.evaluate((element) => (element as HTMLButtonElement).click())

/** On the page of a paid order the link is folded away. */
const toOrders = ({ page }: Stage) =>
  page
    .locator(`main a[href="${paths.orders}"], dialog a[href="${paths.orders}"]`)
    .first()
    .waitFor({ state: 'attached' })

async function openCountries({ page, t }: Stage): Promise<void> {
  await page.goto(paths.auth)
  await page.getByRole('button', { name: new RegExp(`^${t('sessions:country')}`) }).click()
}

async function listsOfFixtures(stage: Stage): Promise<void> {
  await answering(stage, '/api/partner/centers', { centers })
  await answering(stage, '/api/partner/agents', { agents })
}

/** The hours of branches are those of a moment. */
async function onFriday(stage: Stage): Promise<void> {
  await stage.page.clock.setFixedTime(friday)
  await listsOfFixtures(stage)
}

const sessionsOfFixtures = (stage: Stage) => answering(stage, '/api/auth/sessions', { sessions })

type Choice = Parameters<typeof draftOf>[0]

const chosen = { agentCode: 'AG-1', toCity: 'Riyadh', centerCode: 'RUH-1' }
const withoutBranch = { agentCode: 'AG-1', toCity: 'Riyadh' }

async function withDraft({ page }: Stage, draft: string): Promise<void> {
  await page.addInitScript(`sessionStorage.setItem('booking', ${JSON.stringify(draft)})`)
}

async function openBooking(stage: Stage, choice?: Choice): Promise<void> {
  if (choice !== undefined) await withDraft(stage, draftOf(choice))
  await onFriday(stage)
  await stage.page.goto(paths.booking)
  await heading(stage, 'booking:title')
  await question(stage, 'agentCode').waitFor()
}

const question = ({ page }: Stage, field: string): Locator => page.locator(`#booking-${field}`)

/** Opens the list of answers to a question. */
async function openSheet(stage: Stage, field: string): Promise<Locator> {
  const sheet = named(stage, 'dialog', `booking:labels.FROM_MINA.${field}`)
  // An answer opens the next question by itself.
  if (!(await sheet.isVisible())) await question(stage, field).click()
  await sheet.locator('[data-row], summary').first().waitFor()
  return sheet
}

async function openBranches(stage: Stage): Promise<Locator> {
  await openBooking(stage, withoutBranch)
  return openSheet(stage, 'centerCode')
}

/** @param answer to the browser's question; who has answered yes before is not asked, and sees the nearest without a press */
async function askNearest(stage: Stage, outcome: string, answer?: () => Promise<void>): Promise<void> {
  await openBooking(stage)
  const sheet = await openSheet(stage, 'agentCode')
  await answer?.()
  await sheet.getByRole('button', { name: stage.t('booking:nearest.label') }).click()
  await seen(stage, `booking:nearest.${outcome}`, {}, sheet)
}

async function orderPage(
  stage: Stage,
  order: { readonly orderId: number },
  claims: readonly Claim[] = [],
): Promise<void> {
  await answering(stage, '/api/orders/', { order })
  await claimsOf(stage, order, claims)
  await stage.page.goto(paths.order(order.orderId))
}

/** After the route of the order, which it is a part of. */
const claimsOf = (stage: Stage, { orderId }: { readonly orderId: number }, claims: readonly Claim[]) =>
  answering(stage, `/api/orders/${orderId}/claims`, { claims, offer: claimOffer })

/** The claims of a bag that was collected. */
async function claimsPage(stage: Stage, claims: readonly Claim[] = []): Promise<void> {
  const order = orderIn('COLLECTED')
  await onFriday(stage)
  await answering(stage, '/api/orders/', { order })
  await claimsOf(stage, order, claims)
  await answering(stage, '/api/auth/user', {
    userId: 7,
    name: longNameEn,
    phone: stage.phone,
    messages: true,
  })
  const photo = { contentType: 'image/svg+xml', body: bagPicture }
  await stage.page.route(isApi('/api/claims/'), (route) => route.fulfill(photo))
  await stage.page.goto(paths.claims(order.orderId))
}

const openMore = ({ page, t }: Stage) => page.getByText(t('pass:more'), { exact: true }).click()

async function thankYou(stage: Stage, order: unknown, success = true): Promise<void> {
  await onFriday(stage)
  await answering(stage, '/api/orders/', { order })
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

async function listWith(stage: Stage, list: readonly unknown[]): Promise<void> {
  await orderList(stage, paths.orders, list)
  await stage.page.getByRole('article').first().waitFor()
}

/** The orders page of a user whose browser kept it; then the gateway fails and another page is opened. */
async function keptThen(stage: Stage, address: string, key: string): Promise<void> {
  await listWith(stage, [orders.paid])
  await refuse(stage, '/api/')
  await stage.page.goto(address)
  await seen(stage, key)
}

/** The agents' page with bags of all kinds. */
async function counter(stage: Stage): Promise<void> {
  await listsOfFixtures(stage)
  await orderList(stage, paths.agentOrders, counterOrders(Date.now()))
  await counterRow(stage, 'OD-1038').waitFor()
}

const counterRow = ({ page }: Stage, number: string): Locator =>
  page.getByRole('button', { name: new RegExp(`${number}$`) })

async function openRow(stage: Stage, number: string): Promise<void> {
  await counterRow(stage, number).click()
  await stage.page.getByRole('article', { name: number, exact: true }).waitFor()
}

const dialog = (stage: Stage, key: string) => named(stage, 'dialog', key).waitFor()

async function askForCode(stage: Stage): Promise<Locator> {
  await stage.page.goto(paths.auth)
  await fill(stage, 'sessions:phone', stage.phone)
  await press(stage, 'sessions:send')
  await dialog(stage, 'sessions:code.title')
  return named(stage, 'dialog', 'sessions:code.title')
}

const ownEmail = 'maryam2027@example.com'

async function askForTwoCodes(stage: Stage): Promise<void> {
  await stage.page.goto(paths.recoverThen(paths.orders))
  await fill(stage, 'emails:email', ownEmail)
  await fill(stage, 'sessions:phone', stage.phone)
  await press(stage, 'emails:recovery.send')
  await seen(stage, 'emails:recovery.sent')
}

/** A user with an address. */
const withEmail = (stage: Stage) =>
  answering(stage, '/api/auth/user', {
    userId: 7,
    name: longNameEn,
    phone: stage.phone,
    messages: true,
    email: ownEmail,
  })

/** Presses a button, and confirms with a code. */
async function confirmBy(stage: Stage, key: string): Promise<void> {
  await answering(stage, '/api/auth/confirm/verify', {
    confirmedUntil: new Date(Date.now() + 300_000).toISOString(),
  })
  await stage.page.route(
    (url) => url.pathname === '/api/auth/confirm',
    (route) => answer(route, sentCodeOf()),
  )
  await press(stage, key)
  await named(stage, 'dialog', 'sessions:confirm.title')
    .getByRole('button', { name: stage.t('sessions:send'), exact: true })
    .click()
  await fillCode(stage, named(stage, 'dialog', 'sessions:code.title'), '1234')
}

const fillCode = (stage: Stage, sheet: Locator, code: string) =>
  sheet.getByRole('textbox', { name: stage.t('sessions:code.label') }).fill(code)

/** The dialog of a code that the server says it sent so. */
async function codeSentSo(stage: Stage, sent: Partial<CodeSent>): Promise<Locator> {
  const changes = { channels: [...codeChannels], resendInSeconds: 55, ...sent }
  await stage.page.route(isApi('/api/auth/request-otp'), (route) => answer(route, sentCodeOf(changes)))
  return askForCode(stage)
}

/** A refusal by a limit: its code and the seconds to wait. */
const limit = ({ page, language }: Stage, path: string, code: string, retryAfterSeconds: number) =>
  page.route(isApi(path), (route) =>
    answer(route, { ...problem(code, refusalTexts[language]), retryAfterSeconds }, 429),
  )

async function limitedSending(stage: Stage, code: string, seconds: number): Promise<void> {
  await limit(stage, '/api/auth/request-otp', code, seconds)
  await stage.page.goto(paths.auth)
  await fill(stage, 'sessions:phone', stage.phone)
  await press(stage, 'sessions:send')
  await shown(stage, `sessions:limits.${code}`)
}

async function refusedName(stage: Stage): Promise<void> {
  await press(stage, 'sessions:own.correct')
  await fill(stage, 'sessions:own.name', '12')
  await press(stage, 'sessions:own.save')
  await seen(stage, 'sessions:errors.NAME_INVALID')
}

async function reviewOf(stage: Stage, draft: string = draftOf(chosen)): Promise<void> {
  await onFriday(stage)
  await withDraft(stage, draft)
  await stage.page.goto(paths.checkout)
  await heading(stage, 'checkout:title')
}

const configured = ({ page }: Stage, change: Partial<PublicConfig>) =>
  page.route(isApi('/api/config'), async (route) => {
    const config = await (await route.fetch()).json()
    await answer(route, { ...config, ...change })
  })

/** What is not sold, with the usual sentences. */
const stoppedAre = (stage: Stage, stops: readonly Omit<Stop, 'text'>[]) =>
  configured(stage, { stops: stops.map((stop) => ({ ...stop, text: usualSentences[stop.what] })) })

const payButton = ({ page, t }: Stage) =>
  page.getByRole('button', {
    name: t('checkout:pay', { amount: t('platform:money', { amount: '50.00' }) }),
    exact: true,
  })

const isPaymentCall = (url: URL) => /\/api\/orders\/\d+\/payment$/.test(url.pathname)

const credentials = { orderId: 1042, clientSecret: 'sau_csk_test_none', publicKey: 'sau_pk_test_none' }

/** The payment page, whose secret the server confirms. */
async function confirmedPayment(stage: Stage): Promise<void> {
  await stage.page.route(isPaymentCall, (route) => answer(route, { success: true, ...credentials }))
  await stage.page.goto(paths.payment(credentials))
}

/** The payment page of an order that the server does not take a payment for. */
async function notPayable(stage: Stage, order: unknown): Promise<void> {
  const message = paymentsErrors.ORDER_NOT_PAYABLE.text[stage.language]
  await answering(stage, '/api/orders/', { order })
  await stage.page.route(isPaymentCall, (route) => answer(route, problem('ORDER_NOT_PAYABLE', message), 409))
  await stage.page.goto(paths.payment(credentials))
}

/** The page of an order on a Friday afternoon. */
const orderScene = (name: string, order: Order): Scene =>
  scene(name, 'user', async (stage) => {
    await onFriday(stage)
    await orderPage(stage, order)
    await toOrders(stage)
  })

export const scenes: readonly Scene[] = [
  scene('home', 'visitor', async (stage) => {
    await stage.page.goto(paths.home)
    await heading(stage, 'home:services.title')
    await stage.page
      .getByRole('banner')
      .getByRole('link', { name: stage.t('shell:login') })
      .waitFor()
  }),
  scene('home-signed-in-menu', 'user', async (stage) => {
    await stage.page.goto(paths.home)
    const account = named(stage, 'navigation', 'shell:account')
    await account.waitFor()
    const toggle = named(stage, 'button', 'shell:menu', account)
    if (await toggle.isVisible()) await toggle.click()
  }),
  opened('privacy', 'visitor', paths.privacyPolicy, 'privacy:title'),
  opened('terms', 'visitor', paths.terms, 'terms:complaints.title'),
  opened('not-found', 'visitor', '/no/such/page', 'shell:notFound.title'),
  opened('session-unknown', 'visitor', paths.orders, 'shell:unknown.title', refusing('/api/auth/user')),
  opened('auth-login', 'visitor', paths.auth, 'sessions:send'),
  onScreen('auth-signup-errors', 'visitor', async (stage) => {
    await stage.page.goto(paths.auth)
    await named(stage, 'radio', 'sessions:mode.signup').check()
    await press(stage, 'sessions:send')
    await shown(stage, 'sessions:errors.NAME_REQUIRED')
  }),
  onScreen('auth-countries', 'visitor', async (stage) => {
    await openCountries(stage)
    await stage.page.getByRole('dialog').locator('[data-row]').first().waitFor()
  }),
  scene('recover', 'visitor', async (stage) => {
    await stage.page.goto(paths.recoverThen(paths.orders))
    await seen(stage, 'emails:recovery.intro')
  }),
  scene('recover-codes', 'visitor', askForTwoCodes),
  scene('auth-code', 'visitor', askForCode),
  onScreen('auth-code-wrong', 'visitor', async (stage) => {
    const sheet = await askForCode(stage)
    const code = await stage.control.codeFor(stage.phone)
    await fillCode(stage, sheet, String((Number(code) + 1) % 10_000).padStart(4, '0'))
    await stage.page.getByRole('alert').first().waitFor()
  }),
  onScreen('auth-code-channels', 'visitor', async (stage) => {
    await codeSentSo(stage, {})
    await named(stage, 'button', 'sessions:channels.call').scrollIntoViewIfNeeded()
  }),
  scene('auth-channel-refused', 'visitor', async (stage) => {
    const { page, language } = stage
    const refusal = {
      ...problem('CHANNEL_UNAVAILABLE', refusalTexts[language]),
      channels: ['whatsapp', 'call'],
    }
    await page.route(isApi('/api/auth/request-otp'), (route) => answer(route, refusal, 409))
    await page.goto(paths.auth)
    await fill(stage, 'sessions:phone', stage.phone)
    await press(stage, 'sessions:send')
    await shown(stage, 'sessions:channels.title')
  }),
  scene('auth-new-number', 'visitor', async (stage) => {
    await fillCode(stage, await askForCode(stage), await stage.control.codeFor(stage.phone))
    await named(stage, 'button', 'sessions:finish').waitFor()
  }),
  scene('auth-limit-codes', 'visitor', (stage) => limitedSending(stage, 'TOO_MANY_CODES', 272)),
  scene('auth-limit-locked', 'visitor', (stage) => limitedSending(stage, 'PHONE_LOCKED', 5400)),
  opened('trial', 'user', paths.home, 'platform:paymentTest', (stage) =>
    configured(stage, { paymentTest: true }),
  ),
  opened('agent-auth', 'visitor', paths.agentAuth, 'sessions:send'),
  scene('booking-empty', 'user', (stage) => openBooking(stage)),
  ...(
    [
      ['agents', 'agentCode'],
      ['cities', 'toCity'],
    ] as const
  ).map(([list, field]) =>
    onScreen(`booking-${list}-open`, 'user', async (stage) => {
      await openBooking(stage)
      await openSheet(stage, field)
    }),
  ),
  onScreen('booking-agents-nearest', 'user', (stage) =>
    askNearest(stage, 'known', async () => {
      await stage.context.setGeolocation({ latitude: 21.4226, longitude: 39.8729 })
      await stage.context.grantPermissions(['geolocation'])
    }),
  ),
  onScreen('booking-branches-districts', 'user', async (stage) => {
    const sheet = await openBranches(stage)
    await sheet.locator('summary').first().click()
  }),
  onScreen('booking-branches-near', 'user', async (stage) => {
    await configured(stage, { promises: { transitDays: {}, storageDays: 7 } })
    const sheet = await openBranches(stage)
    await named(stage, 'button', 'booking:branch.places.airport', sheet).click()
    await shown(stage, 'booking:branch.near.airport', sheet)
  }),
  onScreen('booking-branches-none-found', 'user', async (stage) => {
    const sheet = await openBranches(stage)
    await sheet.getByRole('searchbox').fill('zzz')
    await seen(stage, 'booking:branch.none', {}, sheet)
  }),
  scene('booking-chosen', 'user', (stage) => openBooking(stage, chosen)),
  onScreen('booking-errors', 'user', async (stage) => {
    await openBooking(stage)
    await press(stage, 'booking:continue')
    await seen(stage, 'booking:required.agentCode')
  }),
  opened('booking-failing', 'user', paths.booking, 'booking:failed', refusing('/api/partner/')),
  scene('home-stopped', 'visitor', async (stage) => {
    await stoppedAre(stage, [{ what: 'all' }])
    await stage.page.goto(paths.home)
    await stage.page.getByText(usualSentences.all[stage.language]).waitFor()
  }),
  scene('home-city-stopped', 'visitor', async (stage) => {
    await stoppedAre(stage, [{ what: 'city', code: 'Jeddah' }])
    await stage.page.goto(paths.home)
    await stage.page.getByText(usualSentences.city[stage.language]).waitFor()
  }),
  scene('booking-stopped', 'user', async (stage) => {
    await stoppedAre(stage, [{ what: 'branch', code: chosen.centerCode }])
    await openBooking(stage, chosen)
    await press(stage, 'booking:continue')
    await seen(stage, 'booking:notSold')
  }),
  onScreen('booking-agents-stopped', 'user', async (stage) => {
    await stoppedAre(stage, [{ what: 'agent', code: chosen.agentCode }])
    await openBooking(stage)
    await openSheet(stage, 'agentCode')
  }),
  scene('booking-again', 'user', async (stage) => {
    await answering(stage, '/api/orders/', { order: { ...orders.paid, agentCode: 'AG-9' } })
    await listsOfFixtures(stage)
    await stage.page.goto(paths.checkoutAgain(1042))
    await seen(stage, 'booking:again.agentGone')
  }),
  scene('booking-all-stopped', 'user', async (stage) => {
    await stoppedAre(stage, [{ what: 'all' }])
    await onFriday(stage)
    await stage.page.goto(paths.booking)
    await stage.page.getByText(usualSentences.all[stage.language]).waitFor()
  }),
  scene('checkout', 'user', (stage) => reviewOf(stage)),
  scene('checkout-deadline', 'user', async (stage) => {
    await configured(stage, { promises })
    await reviewOf(stage)
    await seen(stage, 'checkout:until', { day: '' }, named(stage, 'region', 'checkout:route'))
  }),
  onScreen('checkout-email-open', 'user', async (stage) => {
    await reviewOf(stage)
    await press(stage, 'emails:addLine')
    await seen(stage, 'emails:hint')
  }),
  onScreen('checkout-name-open', 'user', async (stage) => {
    await reviewOf(stage)
    await refusedName(stage)
    await payButton(stage).click()
    await seen(stage, 'checkout:receiver.unsaved')
  }),
  onScreen('checkout-short-name', 'user', async (stage) => {
    const name = stage.language === 'ar' ? 'سارة' : 'Sara'
    await stage.page.route(isApi('/api/auth/user'), async (route) => {
      const response = await route.fetch()
      await answer(route, { ...(await response.json()), name })
    })
    await reviewOf(stage)
    await payButton(stage).click()
    await seen(stage, 'receiver:short', { name })
  }),
  scene('checkout-receiver', 'user', (stage) => {
    const kept = JSON.parse(draftOf(chosen)) as object
    return reviewOf(stage, JSON.stringify({ ...kept, named: namedReceiver }))
  }),
  scene('checkout-again', 'user', (stage) => {
    const kept = JSON.parse(draftOf(chosen)) as object
    const again = { orderId: 1042, receiver: namedReceiver }
    const aside = { draft: { ...chosen, type: 'FROM_MINA', fromCity: null, centerCode: null } }
    return reviewOf(stage, JSON.stringify({ ...kept, again, aside }))
  }),
  scene('checkout-receiver-form', 'user', async (stage) => {
    await reviewOf(stage)
    await press(stage, 'receiver:other')
    await fill(stage, 'receiver:form.phone', '0512')
    await press(stage, 'receiver:form.save')
    await seen(stage, 'receiver:faults.PHONE_INVALID')
  }),
  scene('order-receiver', 'user', async (stage) => {
    await orderPage(stage, namedOrder)
    await seen(stage, 'payment:receiver.title')
  }),
  scene('checkout-two-legs', 'user', (stage) => {
    const choice = { fromCity: 'Riyadh', agentCode: 'AG-2', centerCode: 'RUH-2' }
    return reviewOf(stage, draftOf({ type: 'TO_AND_FROM_MINA', ...choice }))
  }),
  onScreen('checkout-refused', 'user', async (stage) => {
    await refuse(stage, '/api/checkout')
    await reviewOf(stage)
    await pressDocked(payButton(stage))
    await stage.page.getByText(refusalTexts[stage.language]).waitFor()
  }),
  scene('payment-failed', 'user', async (stage) => {
    await stage.page.route(/\.js(\?|$)/, (route) =>
      route.request().url().startsWith(stage.gatewayUrl) ? route.continue() : route.abort(),
    )
    await confirmedPayment(stage)
    await seen(stage, 'payment:widgetFailed')
  }),
  scene('payment-card', 'user', cardForm),
  scene('payment-declined', 'user', async (stage) => {
    await payWith(stage, cards.declined)
    await stage.page.getByRole('alert').waitFor()
  }),
  scene('payment-bank-asks', 'user', async (stage) => {
    await payWith(stage, cards['asked-by-bank'])
    await seen(stage, 'payment:bankWaits')
    await stage.page.frameLocator('iframe').locator('#challenge').waitFor()
  }),
  opened(
    'payment-link-refused',
    'user',
    paths.payment({ ...credentials, orderId: 'no order' }),
    'payment:linkRefused.title',
  ),
  onScreen('payment-retries-used', 'user', async (stage) => {
    const form = stage.page.frameLocator('iframe')
    await payWith(stage, cards['retry-limit'], () => form.locator('summary').click())
    await seen(stage, 'payment:outcome.retries-used')
    await form.locator('#form').waitFor()
  }),
  scene('payment-expired', 'user', async (stage) => {
    await notPayable(stage, orders.expired)
    await seen(stage, 'payment:thankYou.expired')
  }),
  opened('thank-you-failure', 'user', '/thank-you?success=false', 'payment:thankYou.failure.title'),
  scene('thank-you-cancelled', 'user', async (stage) => {
    await thankYou(stage, orders.pending, false)
    await named(stage, 'button', 'payment:thankYou.failure.payAgain').waitFor()
  }),
  ...(
    [
      ['pending', orders.pending, 'PENDING_PAYMENT'],
      ['paid', orders.paid, 'PAID'],
      ['issuing', orders.issuing, 'issuing'],
      ['two-legs', orders.twoLegs, 'atBranch'],
      ['expired', orders.expired, 'EXPIRED'],
      ['refunded', orders.refunded, 'refund-done'],
      ['amount-stuck', orders.amountStuck, 'refund-needs-help'],
      ['paid-twice', orders.paidTwice, 'PAID'],
      ['unknown', orders.unknown, 'other'],
    ] as const
  ).map(([state, order, status]) =>
    scene(`thank-you-${state}`, 'user', async (stage) => {
      await thankYou(stage, order)
      await dialog(stage, status === 'issuing' ? 'pass:issuing' : `payment:thankYou.titles.${status}`)
    }),
  ),
  ...(
    [
      ['', orders.paid],
      ['-unpaid', orders.pending],
      ['-two-legs', orders.twoLegs],
    ] as const
  ).map(([state, order]) => orderScene(`order${state}`, order)),
  ...(['HANDED_OVER', 'IN_TRANSIT', 'EXCEPTION', 'AT_BRANCH', 'COLLECTED'] as const).flatMap((state) => {
    const name = state.toLowerCase().replace('_', '-')
    return [
      orderScene(`order-${name}`, orderIn(state)),
      scene(`shared-${name}`, 'visitor', async (stage) => {
        await answering(stage, '/api/track/', { bookings: [sharedIn(state)] })
        await stage.page.goto(paths.track('A'.repeat(43)))
        await shown(stage, 'track:note')
      }),
    ]
  }),
  ...(
    [
      ['promised-tied', { ...orders.paid, promises }],
      ['promised-handed-over', { ...orderIn('HANDED_OVER'), promises }],
      ['promised-in-transit', { ...orderIn('IN_TRANSIT'), promises }],
      ['promised-at-branch', { ...orderIn('AT_BRANCH'), promises }],
      ['late', lateOrder],
    ] as const
  ).map(([name, order]) => orderScene(`order-${name}`, order)),
  ...(
    [
      ['in-transit', { ...sharedIn('IN_TRANSIT'), arrives: { first: '2027-06-18', last: '2027-06-20' } }],
      ['at-branch', { ...sharedIn('AT_BRANCH'), keptUntil: '2027-06-25' }],
    ] as const
  ).map(([name, bag]) =>
    scene(`shared-promised-${name}`, 'visitor', async (stage) => {
      await onFriday(stage)
      await answering(stage, '/api/track/', { bookings: [bag] })
      await stage.page.goto(paths.track('A'.repeat(43)))
      await shown(stage, 'track:note')
    }),
  ),
  scene('claims-form', 'user', async (stage) => {
    await claimsPage(stage)
    await press(stage, 'claims:kinds.damaged')
    await fill(stage, 'claims:text.label', claimTexts[stage.language].text)
    const buffer = await stage.page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 150 } })
    await stage.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bag.png', mimeType: 'image/png', buffer })
    await stage.page.getByAltText(stage.t('claims:photos.photo', { number: 1 })).waitFor()
  }),
  scene('claims-list', 'user', async (stage) => {
    await claimsPage(stage, claimsIn(stage.language))
    await stage.page.getByRole('article').last().waitFor()
  }),
  scene('order-with-claims', 'user', async (stage) => {
    await onFriday(stage)
    await orderPage(stage, orderIn('EXCEPTION'), claimsIn(stage.language))
    await stage.page.getByText('CL-118').waitFor()
  }),
  scene('order-returning-void', 'user', async (stage) => {
    const bookings = orders.paid.bookings.map((booking) => ({ ...booking, state: 'CANCELLED' as const }))
    const refund = { state: 'pending', amount: 50, reason: 'operator' } as const
    const order: Order = { ...orders.paid, refund, bookings }
    await orderPage(stage, order)
    await seen(stage, 'payment:thankYou.notCarried')
  }),
  scene('order-more', 'user', async (stage) => {
    const order: Order = { ...orders.paid, hasReceipt: true, cancellable: true }
    await orderPage(stage, order)
    await openMore(stage)
    await named(stage, 'button', 'cancel-order:open').waitFor()
  }),
  scene('order-not-accepted', 'user', async (stage) => {
    const { bookings, ...paid } = orders.paid
    const refusal = { kind: 'not-accepted', source: 'agent', at: '2027-05-19T06:00:00.000Z' } as const
    const refused = bookings.map((booking) => ({ ...booking, events: [{ ...refusal, code: 'too-heavy' }] }))
    const order: Order = { ...paid, cancellable: true, bookings: refused }
    await orderPage(stage, order)
    await seen(stage, 'journey:refusal.title')
  }),
  ...['', '-whole'].map((state) =>
    scene(`order-photo${state}`, 'user', async (stage) => {
      await onFriday(stage)
      const { bookings, ...order } = orderIn('HANDED_OVER')
      const pictured = bookings.map((booking) => ({
        ...booking,
        photo: { takenAt: '2027-06-16T13:21:00.000Z' },
      }))
      await answering(stage, '/api/orders/', { order: { ...order, bookings: pictured } })
      // Parts of the route of the order, so they come after it.
      await claimsOf(stage, order, [])
      const photo = { contentType: 'image/svg+xml', body: bagPicture }
      await stage.page.route(isApi(`/api/orders/${order.orderId}/bookings/`), (route) => route.fulfill(photo))
      await stage.page.goto(paths.order(order.orderId))
      await seen(stage, 'handover-photo:title')
      if (state === '') return
      await press(stage, 'handover-photo:open')
      await seen(stage, 'handover-photo:notMine')
    }),
  ),
  scene('order-keep-it', 'user', async (stage) => {
    await onFriday(stage)
    await answering(stage, '/api/push/', { publicKey: 'B-key', isOn: false })
    await orderPage(stage, orderIn('AT_BRANCH'))
    await toOrders(stage)
    await stage.page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt')))
    await stage.page.getByText(stage.t('keep:title'), { exact: true }).click()
    for (const key of ['install', 'wallet', 'calendar']) await shown(stage, `keep:${key}.action`)
  }),
  onScreen('share-link', 'user', async (stage) => {
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
    await openMore(stage)
    await press(stage, 'share:open')
    await named(stage, 'button', 'share:send').waitFor()
  }),
  scene('shared-journey-ended', 'visitor', async (stage) => {
    const { page, language } = stage
    const message = sharesErrors.SHARE_NOT_FOUND.text[language]
    await page.route(isApi('/api/track/'), (route) => answer(route, problem('SHARE_NOT_FOUND', message), 404))
    await page.goto(paths.track('A'.repeat(43)))
    await seen(stage, 'track:ended.title')
  }),
  onScreen('claim-full', 'user', async (stage) => {
    await thankYou(stage, orders.paidTwice)
    await press(stage, 'awb:full.open')
    await dialog(stage, 'awb:full.title')
  }),
  ...(
    [
      ['print-label', orders.paid],
      ['print-two-labels', orders.twoLegs],
      ['print-issuing', orders.issuing],
    ] as const
  ).map(([name, order]) =>
    onPaper(name, 'user', async (stage) => {
      await thankYou(stage, order)
      await toOrders(stage)
    }),
  ),
  onPaper('print-orders', 'user', (stage) => listWith(stage, Object.values(orders))),
  onPaper('print-agent-orders', 'agent', counter),
  scene('orders', 'user', (stage) => listWith(stage, Object.values(orders))),
  scene('orders-journey', 'user', (stage) => listWith(stage, [...journeyOrders, orders.pending])),
  onScreen('orders-journey-codes', 'user', async (stage) => {
    await listWith(stage, journeyOrders)
    await press(stage, 'orders:journey.showBoth')
    await seen(stage, 'awb:full.place', { number: 1, total: 2 })
  }),
  scene('orders-empty', 'user', async (stage) => {
    await orderList(stage, paths.orders, [])
    await seen(stage, 'orders:empty.title')
  }),
  opened('orders-failing', 'user', paths.orders, 'orders:failed', refusing('/api/orders/', 404)),
  scene('orders-offline', 'user', async (stage) => {
    await listWith(stage, [orders.paid])
    await stage.context.setOffline(true)
    await seen(stage, 'shell:connection.offline')
  }),
  scene('orders-kept', 'user', (stage) => keptThen(stage, paths.orders, 'kept-note:why.unreachable')),
  opened('orders-slow', 'user', paths.orders, 'shell:connection.slow', hanging('/api/orders/')),
  onScreen('bar-logout-failed', 'user', async (stage) => {
    await listWith(stage, [orders.paid])
    await refuse(stage, '/api/auth/logout')
    const menu = named(stage, 'button', 'shell:menu')
    if (await menu.isVisible()) await menu.click()
    await press(stage, 'shell:logout')
    await seen(stage, 'shell:logoutFailed')
  }),
  onScreen('bar-unknown', 'visitor', async (stage) => {
    await refuse(stage, '/api/auth/user')
    await stage.page.goto(paths.terms)
    await named(stage, 'button', 'shell:unknown.retry').waitFor()
  }),
  scene('page-chunk-gone', 'visitor', async (stage) => {
    await stage.page.goto(paths.terms)
    await heading(stage, 'terms:complaints.title')
    await stage.page.route(/privacy-policy.*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
    await stage.page
      .getByRole('contentinfo')
      .getByRole('link', { name: stage.t('shell:footer.privacy') })
      .click()
    await seen(stage, 'shell:release.text')
  }),
  scene('auth-session-ended', 'user', async (stage) => {
    await listWith(stage, [orders.paid])
    await stage.context.clearCookies({ name: /sid|session/ })
    await stage.page.unrouteAll()
    await stage.page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await seen(stage, 'sessions:ended')
  }),
  opened('account', 'user', paths.account, 'account:sessions.end', sessionsOfFixtures),
  opened('account-email', 'user', paths.account, 'emails:remove', withEmail),
  onScreen('account-email-code', 'user', async (stage) => {
    // A user gets few of these codes, and there are many pictures.
    await answering(stage, '/api/auth/email', sentCodeOf())
    await stage.page.goto(paths.account)
    await press(stage, 'emails:add')
    await fill(stage, 'emails:email', ownEmail)
    await confirmBy(stage, 'emails:send')
    await seen(stage, 'emails:look')
  }),
  onScreen('account-confirm', 'user', async (stage) => {
    await sessionsOfFixtures(stage)
    await stage.page.goto(paths.account)
    await openData(stage)
    await press(stage, 'account:export.download')
    await dialog(stage, 'sessions:confirm.title')
  }),
  opened('email-stop', 'visitor', paths.emailStop('A'.repeat(22)), 'emails:stop.text'),
  onScreen('account-name-refused', 'user', async (stage) => {
    await sessionsOfFixtures(stage)
    await stage.page.goto(paths.account)
    await refusedName(stage)
  }),
  onScreen('account-delete', 'user', async (stage) => {
    await stage.page.goto(paths.account)
    await openData(stage)
    await press(stage, 'account:remove.open')
    await dialog(stage, 'account:remove.dialog')
  }),
  onScreen('account-delete-refused', 'user', async (stage) => {
    const message = accountErrors.ACCOUNT_HAS_OPEN_ORDERS.text[stage.language]
    await stage.page.route(isApi('/api/auth/user'), (route) =>
      route.request().method() === 'DELETE'
        ? answer(route, problem('ACCOUNT_HAS_OPEN_ORDERS', message), 409)
        : route.fallback(),
    )
    await stage.page.goto(paths.account)
    await openData(stage)
    await press(stage, 'account:remove.open')
    await confirmBy(stage, 'account:remove.confirm')
    await stage.page.getByRole('dialog').getByRole('alert').waitFor()
  }),
  opened('account-agent', 'agent', paths.account, 'account:sessions.empty'),
  scene('agent-orders', 'agent', counter),
  ...(
    [
      ['detail', 'OD-1038'],
      ['refused', 'OD-1043'],
      ['issuing', 'OD-1047'],
    ] as const
  ).map(([state, number]) =>
    onScreen(`agent-orders-${state}`, 'agent', async (stage) => {
      await counter(stage)
      await openRow(stage, number)
    }),
  ),
  onScreen('agent-orders-two-legs', 'agent', async (stage) => {
    await orderList(stage, paths.agentOrders, [orders.twoLegs])
    await openRow(stage, 'OD-1043')
  }),
  onScreen('agent-orders-journey', 'agent', async (stage) => {
    const list = counterOrders(Date.now())
    const [{ user, bookings: [bag] = [] } = orders.paid] = list
    const ofFamily = (order: (typeof list)[number]) => ({
      ...order,
      user,
      bookings: order.bookings.map((booking) => ({ ...booking, destination: bag?.destination })),
    })
    await orderList(stage, paths.agentOrders, [...list.slice(0, 3).map(ofFamily), ...list.slice(3)])
    await counterRow(stage, 'OD-1038').waitFor()
  }),
  onScreen('agent-orders-offline', 'agent', async (stage) => {
    await counter(stage)
    await stage.context.setOffline(true)
    await stage.page.locator('main [role="status"] svg + span').waitFor()
  }),
  scene('agent-orders-none-found', 'agent', async (stage) => {
    await orderList(stage, paths.agentOrders, [orders.paid])
    await stage.page.getByRole('searchbox').fill('zzz')
    await seen(stage, 'agent-orders:search.none')
  }),
  onScreen('agent-orders-bar', 'agent', async (stage) => {
    await counter(stage)
    await answering(stage, '/api/handovers', {})
    await openRow(stage, 'OD-1038')
    await press(stage, 'handovers:confirm')
    // The clock of the undo runs.
    const undo = new RegExp(stage.t('handovers:kept.undoLeft', { left: '\\d+:\\d\\d' }))
    await stage.page.getByText(undo).first().waitFor()
  }),
  onScreen('agent-orders-reasons', 'agent', async (stage) => {
    await counter(stage)
    await openRow(stage, 'OD-1038')
    await press(stage, 'handovers:refuse.open')
    await press(stage, 'handovers:refuse.reasons.other')
  }),
  onScreen('agent-orders-namesakes', 'agent', async (stage) => {
    const [first, second, ...others] = counterOrders(Date.now())
    await counter(stage)
    const namesakes = [first, { ...second, user: first?.user }, ...others.slice(0, 1)]
    await answering(stage, '/api/orders/agent/', { orders: namesakes, counts: noCounts, nextCursor: null })
    await stage.page.getByRole('searchbox').fill('a')
    const form = stage.language === 'ar' ? 'two' : 'other'
    await seen(stage, `agent-orders:search.namesakes_${form}`, { count: 2 })
  }),
  scene('agent-scan', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await seen(stage, 'handovers:kept.empty')
  }),
  scene('agent-scan-offer', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await seen(stage, 'handovers:kept.empty')
    await stage.page.keyboard.type(`${orders.paid.bookings[0]?.awb}\n`)
    await seen(stage, 'handovers:offer.text')
    await named(stage, 'button', 'handovers:confirm').waitFor()
  }),
  scene('agent-scan-receive', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await enterNumber(stage)
    await named(stage, 'button', 'handovers:confirm').waitFor()
  }),
  scene('agent-scan-received', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await receive(stage)
    await shown(stage, 'handovers:kept.recorded')
  }),
  ...(
    [
      ['not-accepted', 'refunded', [refunded(orders.paid)]],
      ['not-yours', 'not-yours', []],
    ] as const
  ).map(([name, outcome, found]) =>
    scene(`agent-scan-${name}`, 'agent', async (stage) => {
      await openScanner(stage, found)
      await enterNumber(stage)
      await named(stage, 'heading', `handovers:check.${outcome}.title`).waitFor()
    }),
  ),
  scene('agent-scan-waiting', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await refuse(stage, '/api/handovers')
    await receive(stage)
    await seen(stage, 'handovers:kept.unreachable')
  }),
  scene('agent-scan-refused', 'agent', async (stage) => {
    await openScanner(stage, [orders.paid])
    await stage.page.route(isApi('/api/handovers'), (route) =>
      answer(route, problem('DO_NOT_ACCEPT', refusalTexts[stage.language]), 409),
    )
    await receive(stage)
    await seen(stage, 'handovers:kept.refusal.DO_NOT_ACCEPT')
  }),
  opened(
    'agent-orders-failing',
    'agent',
    paths.agentOrders,
    'agent-orders:failed',
    refusing('/api/orders/', 404),
  ),
]

/** The scanner of an agent, in a browser without a camera, whose every hand-over is recorded. */
async function openScanner(stage: Stage, found: readonly unknown[]): Promise<void> {
  const counts = { waiting: found.length, received: 0, refused: 0 }
  await answering(stage, '/api/orders/agent/', { orders: found, counts, nextCursor: null })
  await answering(stage, '/api/handovers', {})
  await stage.page.goto(paths.agentScan)
}

/** Types a number, by default the airway bill of the paid order of the fixtures. */
const noCounts = { waiting: 0, received: 0, refused: 0 }

async function enterNumber(stage: Stage, number = orders.paid.bookings[0]?.awb ?? ''): Promise<void> {
  await fill(stage, 'handovers:number.label', number)
  await press(stage, 'handovers:number.check')
}

async function receive(stage: Stage): Promise<void> {
  await enterNumber(stage)
  await press(stage, 'handovers:confirm')
}

/** The payment page of a fresh order; resolves with the button of its card form. */
async function cardForm(stage: Stage): Promise<Locator> {
  const { page } = stage
  await page.goto(paths.booking)
  await heading(stage, 'booking:title')
  const order = await startOrder(page)
  await page.goto(paths.payment(order))
  await heading(stage, 'payment:title')
  await page.locator('iframe').first().waitFor()
  const pay = page.frameLocator('iframe').getByRole('button', { name: stage.t('payment:widget.pay') })
  await pay.waitFor()
  return pay
}

/** Pays a fresh order with a test card of the form. `first` opens the list that the card is in. */
async function payWith(
  stage: Stage,
  number: string,
  first: () => Promise<void> = async () => undefined,
): Promise<void> {
  const pay = await cardForm(stage)
  await first()
  const card = number.replace(/(\d{4})(?=\d)/g, '$1 ')
  await stage.page.frameLocator('iframe').getByRole('button').filter({ hasText: card }).click()
  await pay.click()
}
