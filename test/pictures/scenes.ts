import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { accountErrors } from '#shared/account/account.errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { Control } from '#test/kit/control.ts'
import { cards } from '#test/kit/steps.ts'
import type { Words } from '#test/kit/words.ts'
import { agents, centers, draftOf, orders, sessions } from './fixtures.ts'

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

const refusalTexts: Record<LanguageCode, string> = {
  ar: 'الخدمة لا تستجيب الآن. أعد المحاولة بعد دقيقة.',
  en: 'The service does not answer right now. Try again in a minute.',
}

const refuse =
  ({ page, language }: Stage) =>
  (path: string, status = 503) =>
    page.route(isApi(path), (route) =>
      answer(
        route,
        {
          success: false,
          code: 'PARTNER_UNAVAILABLE',
          message: refusalTexts[language],
          requestId: 'a1b2c3',
        },
        status,
      ),
    )

/** Never answers, like a lost connection. */
const hang = (page: Page, path: string) => page.route(isApi(path), () => undefined)

const named = ({ page }: Stage, role: Parameters<Page['getByRole']>[0], name: string): Locator =>
  page.getByRole(role, { name, exact: true })

const heading = (stage: Stage, name: string) => named(stage, 'heading', name).first().waitFor()

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
  await stage.page.getByRole('combobox').first().waitFor()
}

async function pick(stage: Stage, field: string, text: RegExp): Promise<void> {
  await named(stage, 'combobox', stage.t(`booking:labels.FROM_MINA.${field}`)).click()
  await stage.page.getByRole('option', { name: text }).first().click()
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
        counts: { waiting: list.length, received: 0, refused: list.length > 3 ? 2 : 0 },
      }),
      nextCursor: orders.length > 3 ? 'next' : null,
    })
  })
  await stage.page.goto(path)
}

const claim = (stage: Stage, status: string) =>
  named(stage, 'dialog', stage.t(`payment:thankYou.claim.${status}`)).waitFor()

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
    answer(
      route,
      { success: false, code, message: refusalTexts[language], requestId: 'a1b2c3', retryAfterSeconds },
      429,
    ),
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

const chosen = { agentCode: 'AG-1', toCity: 'Riyadh', centerCode: 'RUH-1' }
const isPaymentCall = (url: URL) => /\/api\/orders\/\d+\/payment$/.test(url.pathname)

/** The server's answer about the secret in the address of the payment page: confirmed, or not payable. */
const confirmed = (stage: Stage) =>
  stage.page.route(isPaymentCall, (route) => answer(route, { success: true, ...credentials }))
const notPayable = (stage: Stage) =>
  stage.page.route(isPaymentCall, (route) =>
    answer(
      route,
      {
        success: false,
        code: 'ORDER_NOT_PAYABLE',
        message: paymentsErrors.ORDER_NOT_PAYABLE.text[stage.language],
        requestId: 'a1b2c3',
      },
      409,
    ),
  )

const credentials = { orderId: 1042, clientSecret: 'sau_csk_test_none', publicKey: 'sau_pk_test_none' }

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
  {
    name: 'privacy',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.privacyPolicy)
      await heading(stage, stage.t('privacy:title'))
    },
  },
  {
    name: 'not-found',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto('/no/such/page')
      await heading(stage, stage.t('shell:notFound.title'))
    },
  },
  {
    name: 'auth-login',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.auth)
      await named(stage, 'button', stage.t('sessions:send')).waitFor()
    },
  },
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
      await stage.page.goto(paths.auth)
      await named(stage, 'combobox', stage.t('sessions:country')).click()
      await stage.page.getByRole('option').first().waitFor()
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
  {
    name: 'agent-auth',
    who: 'visitor',
    play: async (stage) => {
      await stage.page.goto(paths.agentAuth)
      await named(stage, 'button', stage.t('sessions:send')).waitFor()
    },
  },
  { name: 'booking-empty', who: 'user', play: openBooking },
  {
    name: 'booking-agents-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      await named(stage, 'combobox', stage.t('booking:labels.FROM_MINA.agentCode')).click()
      await stage.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'booking-cities-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await openBooking(stage)
      await named(stage, 'combobox', stage.t('booking:labels.FROM_MINA.toCity')).click()
      await stage.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'booking-branches-open',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      await named(stage, 'combobox', stage.t('booking:labels.FROM_MINA.centerCode')).click()
      await stage.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'booking-branches-found',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      const field = named(stage, 'combobox', stage.t('booking:labels.FROM_MINA.centerCode'))
      await field.fill(stage.language === 'ar' ? 'الجامعه ١٤' : 'university 14')
      await stage.page.getByRole('option', { name: /14\d/ }).first().waitFor()
    },
  },
  {
    name: 'booking-branches-none-found',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await withDraft(stage, draftOf({ agentCode: 'AG-1', toCity: 'Riyadh' }))
      await openBooking(stage)
      await named(stage, 'combobox', stage.t('booking:labels.FROM_MINA.centerCode')).fill('zzz')
      await stage.page.getByRole('listbox').getByText(stage.t('booking:noMatch')).first().waitFor()
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
  {
    name: 'booking-failing',
    who: 'user',
    play: async (stage) => {
      await refuse(stage)('/api/partner/')
      await stage.page.goto(paths.booking)
      await stage.page.getByText(stage.t('booking:failed')).waitFor()
    },
  },
  {
    name: 'booking-loading',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/partner/')
      await stage.page.goto(paths.booking)
      await stage.page.getByText(stage.t('booking:loading')).waitFor()
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
      const amount = stage.t('platform:money', { amount: '50.00' })
      await named(stage, 'button', stage.t('checkout:pay', { amount })).click()
      await stage.page.getByText(stage.t('checkout:receiver.unsaved')).waitFor()
    },
  },
  {
    name: 'checkout-name-large-text',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await reviewOf(stage, draftOf(chosen))
      await named(stage, 'button', stage.t('sessions:own.correct')).click()
      await stage.page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      await named(stage, 'button', stage.t('sessions:own.save')).scrollIntoViewIfNeeded()
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
      const amount = stage.t('platform:money', { amount: '50.00' })
      await named(stage, 'button', stage.t('checkout:pay', { amount })).click()
      await stage.page.getByText(refusalTexts[stage.language]).waitFor()
    },
  },
  {
    name: 'checkout-processing',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/checkout')
      await reviewOf(stage, draftOf(chosen))
      const amount = stage.t('platform:money', { amount: '50.00' })
      await named(stage, 'button', stage.t('checkout:pay', { amount })).click()
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
      const amount = stage.t('platform:money', { amount: '50.00' })
      await named(stage, 'button', stage.t('checkout:pay', { amount })).click()
      await stage.page.getByText(stage.t('checkout:redirecting')).waitFor()
    },
  },
  {
    name: 'payment-missing',
    who: 'user',
    play: async (stage) => {
      await stage.page.goto('/payment')
      await stage.page.getByText(stage.t('payment:missingCredentials')).waitFor()
    },
  },
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
      await stage.page
        .frameLocator('iframe')
        .getByRole('button')
        .filter({ hasText: cards.declined.replace(/(\d{4})(?=\d)/g, '$1 ') })
        .click()
      await pay.click()
      await stage.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'payment-link-refused',
    who: 'user',
    play: async (stage) => {
      await stage.page.goto(paths.payment({ ...credentials, orderId: 'no order' }))
      await stage.page.getByText(stage.t('payment:linkRefused.title')).waitFor()
    },
  },
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
        await stage.page
          .frameLocator('iframe')
          .getByRole('button')
          .filter({ hasText: cards[refusal].replace(/(\d{4})(?=\d)/g, '$1 ') })
          .click()
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
  {
    name: 'thank-you-failure',
    who: 'user',
    play: async (stage) => {
      await stage.page.goto('/thank-you?success=false')
      await heading(stage, stage.t('payment:thankYou.failure.title'))
    },
  },
  {
    name: 'thank-you-cancelled',
    who: 'user',
    play: async (stage) => {
      await thankYou(stage, orders.pending, false)
      await named(stage, 'button', stage.t('payment:thankYou.failure.payAgain')).waitFor()
    },
  },
  {
    name: 'thank-you-loading',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/orders/')
      await stage.page.goto(paths.thankYou({ success: true, merchantOrderId: 1042 }))
      await stage.page.getByText(stage.t('payment:thankYou.loading')).waitFor()
    },
  },
  {
    name: 'thank-you-load-failed',
    who: 'user',
    play: async (stage) => {
      await refuse(stage)('/api/orders/', 404)
      await stage.page.goto(paths.thankYou({ success: true, merchantOrderId: 1042 }))
      await stage.page.getByText(stage.t('payment:thankYou.loadFailed')).waitFor()
    },
  },
  ...(
    [
      ['pending', orders.pending, 'PENDING_PAYMENT'],
      ['paid', orders.paid, 'PAID'],
      ['issuing', orders.issuing, 'PAID'],
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
        await claim(stage, status)
      },
    }),
  ),
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
        await claim(stage, 'PAID')
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
      await orderList(stage, paths.agentOrders, Object.values(orders))
      await stage.page.getByRole('article').first().waitFor()
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
  {
    name: 'orders-failing',
    who: 'user',
    play: async (stage) => {
      await refuse(stage)('/api/orders/', 404)
      await stage.page.goto(paths.orders)
      await stage.page.getByText(stage.t('orders:failed')).waitFor()
    },
  },
  {
    name: 'orders-offline',
    who: 'user',
    play: async (stage) => {
      await orderList(stage, paths.orders, [orders.paid])
      await stage.page.getByRole('article').first().waitFor()
      await stage.context.setOffline(true)
      await stage.page.getByText(stage.t('shell:connection.offline')).waitFor()
    },
  },
  {
    name: 'orders-slow',
    who: 'user',
    play: async (stage) => {
      await hang(stage.page, '/api/orders/')
      await stage.page.goto(paths.orders)
      await stage.page.getByText(stage.t('shell:connection.slow')).waitFor()
    },
  },
  {
    name: 'bar-logout-failed',
    who: 'user',
    on: 'screen',
    play: async (stage) => {
      await orderList(stage, paths.orders, [orders.paid])
      await stage.page.getByRole('article').first().waitFor()
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
      await stage.page.evaluate(() => sessionStorage.setItem('reloadedForRelease', String(Date.now())))
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
      await orderList(stage, paths.orders, [orders.paid])
      await stage.page.getByRole('article').first().waitFor()
      await stage.context.clearCookies({ name: /sid|session/ })
      await stage.page.unrouteAll()
      await stage.page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await stage.page.getByText(stage.t('sessions:ended')).waitFor()
    },
  },
  {
    name: 'account',
    who: 'user',
    play: async (stage) => {
      await sessionsOfFixtures(stage)
      await stage.page.goto(paths.account)
      await stage.page.getByText(stage.t('account:sessions.current'), { exact: true }).waitFor()
    },
  },
  {
    name: 'account-failing',
    who: 'user',
    play: async (stage) => {
      await refuse(stage)('/api/auth/sessions', 404)
      await stage.page.goto(paths.account)
      await stage.page.getByText(stage.t('account:sessions.failed')).waitFor()
    },
  },
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
              {
                success: false,
                code: 'ACCOUNT_HAS_OPEN_ORDERS',
                message: accountErrors.ACCOUNT_HAS_OPEN_ORDERS.text[stage.language],
                requestId: 'a1b2c3',
              },
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
  {
    name: 'account-agent',
    who: 'agent',
    play: async (stage) => {
      await stage.page.goto(paths.account)
      await stage.page.getByText(stage.t('account:sessions.current'), { exact: true }).waitFor()
    },
  },
  {
    name: 'agent-orders',
    who: 'agent',
    play: async (stage) => {
      await orderList(stage, paths.agentOrders, Object.values(orders))
      await stage.page.getByRole('article').first().waitFor()
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
    name: 'agent-orders-failing',
    who: 'agent',
    play: async (stage) => {
      await refuse(stage)('/api/orders/', 404)
      await stage.page.goto(paths.agentOrders)
      await stage.page.getByText(stage.t('agent-orders:failed')).waitFor()
    },
  },
]

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

/** An unpaid order of the person signed in, for the first agent and branch on offer. */
function startOrder(page: Page): Promise<{ orderId: number; clientSecret: string; publicKey: string }> {
  return page.evaluate(async () => {
    const read = async (path: string) => (await fetch(path)).json()
    const [{ userId }, { agents: offered }, { centers: branches }] = await Promise.all(
      ['/api/auth/user', '/api/partner/agents', '/api/partner/centers'].map(read),
    )
    const started = await fetch('/api/checkout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        userId,
        type: 'FROM_MINA',
        noOfPackages: 1,
        agentCode: offered[0].id,
        centerCode: branches[0].code,
        amount: 50,
      }),
    })
    return started.json()
  })
}
