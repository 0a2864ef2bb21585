import type { Route as WebRoute } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { wrongsOf } from './accessibility.ts'
import { workerIsReady } from './chromium.ts'
import { newPerson } from './person.ts'
import type { Site } from './site.ts'
import { cards, stepsOf } from './steps.ts'

const person = { name: 'Bilal Khan', nonsense: 'zzzz', newStatus: 'ON_HOLD', device: 'Chrome · Linux' }
const agentPhone = '+966500000101'

/**
 * Visits every state of every page in one language, and checks each with axe (WCAG 2.2 AA) and for text in the
 * other language. Returns the faults and the names of the states.
 */
export async function tourEveryState(site: Site, language: LanguageCode) {
  const tour = await startTour(site, language)
  await publicPages(tour)
  await signInStates(tour)
  await bookingStates(tour)
  await bookAndPay(tour)
  await accountStates(tour)
  await orderStates(tour)
  await agentStates(tour)
  return tour.found()
}

async function startTour(site: Site, language: LanguageCode) {
  const { stack } = site
  const visit = await site.open({ language, width: 1280 })
  const steps = stepsOf(visit, stack)
  const { page } = visit
  const wrongs: string[] = []
  const states: string[] = []

  async function look(state: string): Promise<void> {
    states.push(state)
    wrongs.push(...(await wrongsOf(page, state, { language, typed: Object.values(person) })))
  }

  /** Runs `show` while one path of the server answers with `answer`. `ended` runs before the last answers are awaited. */
  async function whileRouted(
    path: RegExp,
    answer: (route: WebRoute) => Promise<void>,
    show: () => Promise<void>,
    ended: () => void = () => undefined,
  ) {
    const matches = (url: URL) => path.test(url.pathname)
    const running = new Set<Promise<void>>()
    let isOver = false
    await page.route(matches, async (route) => {
      const answered = answer(route)
      running.add(answered)
      // The page may navigate away and abort its requests while the last ones are answered.
      await answered.catch((error: unknown) => {
        if (!isOver) throw error
      })
    })
    await show()
    isOver = true
    ended()
    // Unrouting earlier would send these requests to the server and answer them twice.
    await Promise.allSettled(running)
    await page.unroute(matches)
  }

  return {
    ...steps,
    stack,
    agentPhone,
    visit,
    look,
    found: () => ({ wrongs, states }),
    /** One path of the server does not answer until `show` has ended. */
    async whileSilent(path: RegExp, show: () => Promise<void>) {
      const { promise: until, resolve } = Promise.withResolvers<void>()
      await whileRouted(
        path,
        async (route) => {
          await until
          await route.continue().catch(() => undefined)
        },
        show,
        resolve,
      )
    },
    /** One path of the server answers 503 while `show` runs. */
    async whileFailing(path: RegExp, show: () => Promise<void>) {
      visit.expectAnswer(503, path)
      const message = language === 'ar' ? 'الخدمة متوقفة الآن.' : 'The service is down at the moment.'
      await whileRouted(
        path,
        (route) =>
          route.fulfill({
            status: 503,
            json: { success: false, code: 'DOWN', message, requestId: 'r-1' },
          }),
        show,
      )
    },
    /** The answer of one path of the server is changed while `show` runs. */
    whileAnswering: (path: RegExp, change: (body: string) => string, show: () => Promise<void>) =>
      whileRouted(
        path,
        async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, body: change(await response.text()) })
        },
        show,
      ),
  }
}

type Tour = Awaited<ReturnType<typeof startTour>>

async function publicPages({ page, t, heading, visit, look }: Tour): Promise<void> {
  await page.goto(paths.home)
  await heading(t('home:services.title'))
  await look('home')
  await page.goto(paths.privacyPolicy)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await look('privacy policy')
  await page.context().setOffline(true)
  const note = page.getByText(t('shell:connection.offline'), { exact: true })
  await note.waitFor()
  await look('offline')
  await page.context().setOffline(false)
  await note.waitFor({ state: 'detached' })
  visit.expectAnswer(404, /^\/no\/such\/page$/)
  await page.goto('/no/such/page')
  await heading(t('shell:notFound.title'))
  await look('not found')
}

async function signInStates(tour: Tour): Promise<string> {
  const { page, t, named, heading, visit, look, stack, whileSilent, whileFailing } = tour
  await whileSilent(/^\/api\/auth\/agent$/, async () => {
    await page.goto(paths.orders)
    await page.getByRole('main').getByText(t('shell:restoring'), { exact: true }).waitFor()
    await look('session being restored')
    await page.getByText(t('shell:connection.slow'), { exact: true }).waitFor()
    await look('session being restored, slowly')
  })
  await whileFailing(/^\/api\/auth\/user$/, async () => {
    await page.goto(paths.orders)
    await heading(t('shell:unknown.title'))
    await look('session unknown')
  })

  await page.goto(paths.agentAuth)
  await heading(t('sessions:agent.title'))
  await look('agent login')
  await named('button', t('sessions:send')).click()
  await page.getByText(t('sessions:errors.phone'), { exact: true }).first().waitFor()
  await look('agent login, errors')

  await page.goto(paths.auth)
  await heading(t('sessions:login.title'))
  await look('login')
  await page.getByRole('button', { name: new RegExp(`^${t('sessions:country')}`) }).click()
  await page.getByRole('option').first().waitFor()
  await look('login, countries open')
  await page.getByRole('combobox').fill(person.nonsense)
  await page.getByText(t('sessions:countryNone'), { exact: true }).waitFor()
  await look('login, no country fits')
  // The first empties the search, as in any field of a search.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox').waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: t('sessions:mode.signup'), exact: true }).check()
  await named('button', t('sessions:send')).click()
  await page.getByText(t('sessions:errors.NAME_REQUIRED'), { exact: true }).first().waitFor()
  await look('sign-up, errors')

  const phone = newPhone()
  await named('textbox', t('sessions:name')).fill(person.name)
  await named('textbox', t('sessions:phone')).fill(phone)
  await named('button', t('sessions:send')).click()
  const dialog = named('dialog', t('sessions:code.title'))
  await dialog
    .getByRole('status')
    .filter({ hasText: t('sessions:code.sent') })
    .waitFor()
  await look('code dialog')
  const verify = dialog.getByRole('button', { name: t('sessions:code.verify'), exact: true })
  await verify.click()
  await dialog.getByText(t('sessions:errors.code'), { exact: true }).first().waitFor()
  await look('code dialog, error')
  const code = await stack.control.codeFor(phone)
  await dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true }).fill(code)
  await heading(t('booking:title'))
  // Navigating must not abort the requests of the partner's lists.
  await visit.page.locator('[data-loading]').first().waitFor({ state: 'detached' })
  return phone
}

async function bookingStates({ page, t, named, heading, look, ...tour }: Tour): Promise<void> {
  await tour.whileSilent(/^\/api\/partner\/centers$/, async () => {
    await page.goto(paths.booking)
    await page.getByText(t('booking:loading'), { exact: true }).waitFor()
    await look('booking, loading')
  })
  await tour.whileFailing(/^\/api\/partner\/centers$/, async () => {
    await page.goto(paths.booking)
    await page.getByText(t('booking:failed'), { exact: true }).waitFor()
    await look('booking, failing')
  })
  await page.goto(paths.booking)
  await heading(t('booking:title'))
  const label = t('booking:labels.FROM_MINA.agentCode')
  const agentField = tour.question(label)
  await agentField.waitFor()
  await look('booking')
  await named('button', t('booking:continue')).click()
  await page.getByText(t('booking:required.agentCode'), { exact: true }).waitFor()
  await look('booking, errors')
  await agentField.click()
  const sheet = named('dialog', label)
  await sheet.getByRole('radio').first().waitFor()
  await look('booking, agents open')
  await sheet.getByRole('searchbox').fill(person.nonsense)
  await sheet.getByText(t('booking:noMatch'), { exact: true }).waitFor()
  await look('booking, no agent fits')
  await sheet.getByRole('searchbox').fill('')
  await sheet.getByRole('radio').first().check()
  await sheet.getByRole('button', { name: t('booking:nearest.label'), exact: true }).click()
  await sheet.getByText(t('booking:nearest.refused'), { exact: true }).waitFor()
  await look('booking, position refused')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await tour.question(t('booking:labels.FROM_MINA.toCity')).click()
  await named('dialog', t('booking:labels.FROM_MINA.toCity')).getByRole('radio').first().waitFor()
  await look('booking, cities open')
  await page.goBack()
}

async function bookAndPay(tour: Tour): Promise<void> {
  const { page, t, named, heading, visit, look, stack, whileSilent, whileFailing } = tour
  const lists = newPerson(stack)
  const [agents, centers] = await Promise.all([lists.agents(), lists.centers()])
  const agent = agents.find(({ phone }) => phone.replace(/\s/g, '') === tour.agentPhone)
  const center = centers.find(({ city }) => city === 'Riyadh')
  if (agent === undefined || center === undefined) throw new Error('the route is not on offer')
  await page.goto(paths.booking)
  await tour.chooseRoute({ agent, center })
  await look('checkout')
  await page.getByRole('link', { name: t('checkout:change'), exact: true }).click()
  await heading(t('booking:title'))
  await look('booking, chosen')
  await named('button', t('booking:continue')).click()
  await heading(t('checkout:title'))
  const pay = named('button', t('checkout:pay', { amount: t('platform:money', { amount: '50.00' }) }))
  visit.expectConsole(/^checkout failed/)
  await whileFailing(/^\/api\/checkout$/, async () => {
    await pay.click()
    await page.getByText(t('checkout:failed'), { exact: true }).waitFor()
    await look('checkout, refused')
  })
  await whileSilent(/^\/api\/checkout$/, async () => {
    await pay.click()
    await named('button', t('checkout:processing')).waitFor()
    await look('checkout, processing')
  })
  await tour.cardForm()
  await look('payment')
  const paymentUrl = page.url()
  // In the loading state, too: on a slow machine the page gives up waiting while its state is examined.
  visit.expectConsole(/^payment widget failed/)

  const widgetScript = /\/main\.js$/
  await whileSilent(widgetScript, async () => {
    await page.goto(paymentUrl)
    await page.getByText(t('payment:loading'), { exact: true }).waitFor()
    await look('payment, loading')
  })
  await whileFailing(widgetScript, async () => {
    await page.goto(paymentUrl)
    await page.getByText(t('payment:widgetFailed'), { exact: true }).waitFor()
    await look('payment, failing')
  })
  await page.goto('/payment')
  await page.getByText(t('payment:missingCredentials'), { exact: true }).waitFor()
  await look('payment, missing credentials')
  await page.goto(paths.payment({ orderId: 'no order', clientSecret: 'a', publicKey: 'b' }))
  await page.getByText(t('payment:linkRefused.title'), { exact: true }).waitFor()
  await look('payment, link refused')

  await page.goto(paymentUrl)
  const form = await tour.cardForm()
  await tour.payWith(form, cards.declined)
  await page.getByRole('alert').waitFor()
  await look('payment, declined')

  const orderId = Number(new URL(paymentUrl).searchParams.get('orderId'))
  const order = /^\/api\/orders\/\d+$/
  await tour.whileAnswering(
    order,
    (body) => body.replace('"PENDING_PAYMENT"', '"EXPIRED"'),
    async () => {
      await page.goto(paymentUrl)
      await page.getByText(t('payment:thankYou.expired'), { exact: true }).waitFor()
      await look('payment, expired')
    },
  )
  await page.goto(paths.thankYou({ success: false, merchantOrderId: orderId }))
  await heading(t('payment:thankYou.failure.title'))
  await look('thank you, failure')
  const result = paths.thankYou({ success: true, merchantOrderId: orderId })
  await whileSilent(order, async () => {
    await page.goto(result)
    await page.getByText(t('payment:thankYou.loading'), { exact: true }).waitFor()
    await look('thank you, loading')
  })
  await whileFailing(order, async () => {
    await page.goto(result)
    await page.getByText(t('payment:thankYou.loadFailed'), { exact: true }).waitFor()
    await look('thank you, failing')
  })
  await page.goto(result)
  await named('dialog', t('payment:thankYou.titles.PENDING_PAYMENT')).waitFor()
  await look('thank you, pending')
  await stack.control.replay(orderId, 'success')
  const claim = named('dialog', t('payment:thankYou.titles.PAID'))
  await claim.getByRole('link', { name: t('awb:download'), exact: true }).waitFor()
  await look('thank you, paid')
  await named('button', t('awb:full.open')).click()
  const fullScreen = named('dialog', t('awb:full.title'))
  await fullScreen.waitFor()
  await look('barcode in full screen')
  await fullScreen.getByRole('button', { name: t('awb:full.close'), exact: true }).click()
  await fullScreen.waitFor({ state: 'detached' })
  await page.goto(paths.order(orderId))
  await heading(t('payment:thankYou.titles.PAID'))
  await look('order, paid')
  await named('button', t('share:open')).click()
  const share = named('dialog', t('share:title'))
  await share.getByRole('button', { name: t('share:create'), exact: true }).click()
  await share.getByRole('button', { name: t('share:end'), exact: true }).waitFor()
  const link = (await share.locator('bdi[dir="ltr"]').textContent()) ?? ''
  await look('order, link to share')
  await page.goto(link)
  await heading(t('track:title'))
  await page.getByText(t('track:notSeen'), { exact: true }).waitFor()
  await look('shared journey')
  visit.expectAnswer(404, /^\/api\/track\//)
  await page.goto(link.replace(/.{43}$/, 'A'.repeat(43)))
  await page.getByRole('alert').waitFor()
  await look('shared journey, ended')
  for (const [state, kind] of journeyStates)
    await tour.whileAnswering(
      order,
      (body) =>
        body.replace(
          /"state":"(?:READY|AWAITING_LABEL)","lastEventAt":null,"events":\[\]/,
          `"state":"${state}","lastEventAt":"${seenAt}","events":[
            {"kind":"handed-over","at":"${seenAt}","source":"agent","place":"${person.name}"},
            {"kind":"${kind}","at":"${seenAt}","source":"courier","place":"Riyadh","code":"AF"}]`,
        ),
      async () => {
        await page.goto(paths.order(orderId))
        await heading(t(`journey:state.${state}`))
        await look(`order, ${state}`)
      },
    )
  for (const status of ['REFUNDED', 'EXPIRED'] as const)
    await tour.whileAnswering(
      order,
      (body) => body.replace('"PAID"', `"${status}"`),
      async () => {
        await page.goto(result)
        await named('dialog', t(`payment:thankYou.titles.${status}`)).waitFor()
        await look(`thank you, ${status}`)
      },
    )
}

const seenAt = '2027-05-19T06:00:00.000Z'
const journeyStates = [
  ['HANDED_OVER', 'unknown'],
  ['EXCEPTION', 'exception'],
  ['COLLECTED', 'collected'],
] as const

async function orderStates(tour: Tour): Promise<void> {
  const { page, t, heading, look, whileSilent, whileFailing, whileAnswering } = tour
  const list = /^\/api\/orders\/user\/\d+$/
  const dropKeptOrders = () => page.evaluate(() => localStorage.removeItem('keptOrders'))
  await dropKeptOrders()
  await whileSilent(list, async () => {
    await page.goto(paths.orders)
    await page.getByText(t('orders:loading'), { exact: true }).waitFor()
    await look('orders, loading')
  })
  await dropKeptOrders()
  await whileFailing(list, async () => {
    await page.goto(paths.orders)
    await page.getByText(t('orders:failed'), { exact: true }).waitFor()
    await look('orders, failing')
  })
  await page.goto(paths.orders)
  await page.getByRole('article').first().waitFor()
  await look('orders')
  await whileFailing(list, async () => {
    await page.goto(paths.orders)
    await page.getByText(t('kept-note:unreachable'), { exact: true }).waitFor()
    await look('orders, kept on the phone')
  })
  await page.goto(paths.orders)
  await page.getByRole('article').first().waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  await tour.inMenu('link', t('shell:myOrders'))
  await look('orders, menu open')
  await whileAnswering(
    list,
    (body) => body.replaceAll('"PAID"', '"PENDING_PAYMENT"').replaceAll('"payable":false', '"payable":true'),
    async () => {
      await page.goto(paths.orders)
      await page.getByRole('button', { name: t('orders:payNow'), exact: true }).waitFor()
      await look('orders, unpaid')
    },
  )
  await whileAnswering(
    list,
    (body) => {
      const page: { orders: object[] } = JSON.parse(body)
      const refund = { state: 'needs-help', amount: 49, reason: 'wrong-amount' }
      return JSON.stringify({
        ...page,
        orders: page.orders.map((order) => ({ ...order, status: 'REFUNDED', refund })),
      })
    },
    async () => {
      await page.goto(paths.orders)
      await page.getByText(t('refund-note:title.needs-help'), { exact: true }).first().waitFor()
      await look('orders, refunded')
    },
  )
  await whileAnswering(
    list,
    () => JSON.stringify({ success: true, orders: [], nextCursor: null }),
    async () => {
      await page.goto(paths.orders)
      await page.getByText(t('orders:empty.title'), { exact: true }).waitFor()
      await look('orders, none')
    },
  )

  // The session ends while the booking page is shown.
  await page.goto(paths.booking)
  await heading(t('booking:title'))
  await page.context().clearCookies({ name: /^(?!lang$)/ })
  tour.visit.expectAnswer(401, /^\/api\//)
  await (await tour.inMenu('link', t('shell:myOrders'))).click()
  await page.getByText(t('sessions:ended'), { exact: true }).waitFor()
  await look('login, session ended')
}

async function accountStates({ page, t, named, heading, look, whileSilent, whileFailing }: Tour) {
  const list = /^\/api\/auth\/sessions$/
  await whileSilent(list, async () => {
    await page.goto(paths.account)
    await page.getByText(t('account:sessions.loading'), { exact: true }).waitFor()
    await look('account, loading')
  })
  await whileFailing(list, async () => {
    await page.goto(paths.account)
    await page.getByText(t('account:sessions.failed'), { exact: true }).waitFor()
    await look('account, failing')
  })
  await page.goto(paths.account)
  await heading(t('account:title'))
  await page.getByText(t('account:sessions.current'), { exact: true }).waitFor()
  await look('account')
  await named('button', t('sessions:own.correct')).click()
  const name = named('textbox', t('sessions:own.name'))
  await name.fill('')
  await named('button', t('sessions:own.save')).click()
  await page.getByText(t('sessions:errors.NAME_REQUIRED'), { exact: true }).waitFor()
  await look('account, name refused')
  await name.press('Escape')
  await named('button', t('account:remove.open')).click()
  const dialog = named('dialog', t('account:remove.dialog'))
  await dialog.waitFor()
  await look('account, before deleting')
  await whileFailing(/^\/api\/auth\/user$/, async () => {
    await dialog.getByRole('button', { name: t('account:remove.confirm'), exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await look('account, not deleted')
  })
  await dialog.getByRole('button', { name: t('account:remove.keep'), exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function agentStates(tour: Tour): Promise<void> {
  const { page, t, look, whileSilent, whileFailing, whileAnswering } = tour
  const list = /^\/api\/orders\/agent\/\d+$/
  await tour.openAgentLogin()
  await tour.signInAgent(tour.agentPhone)
  const row = page.getByRole('button', { name: /OD-\d+$/ }).first()
  await row.waitFor()
  await look('agent orders')
  await row.click()
  await page.getByRole('article').first().waitFor()
  await look('agent orders, details')
  await tour.closeAssigned()
  await tour.named('button', t('agent-orders:filter.fold')).click()
  await look('agent orders, filters')
  tour.visit.expectConsole(/ERR_INTERNET_DISCONNECTED/)
  await workerIsReady(page)
  await page.context().setOffline(true)
  await page.locator('main [role="status"] > svg + span').waitFor()
  await look('agent orders, offline')
  await page.context().setOffline(false)
  await whileAnswering(
    list,
    (body) => body.replaceAll('"PAID"', '"REFUNDED"'),
    async () => {
      await page.goto(paths.agentOrders)
      await row.click()
      await page.getByText(t('order-card:doNotAccept.title'), { exact: true }).waitFor()
      await look('agent orders, do not accept')
      await tour.closeAssigned()
    },
  )
  await whileAnswering(
    list,
    (body) => body.replaceAll('"PAID"', `"${person.newStatus}"`).replaceAll(/"awb":"\d+"/g, '"awb":null'),
    async () => {
      await page.goto(paths.agentOrders)
      await row.waitFor()
      await look('agent orders, unknown status')
    },
  )
  await page.goto(paths.agentOrders)
  await row.waitFor()
  const search = page.getByRole('searchbox', { name: t('agent-orders:search.label'), exact: true })
  await search.fill(person.nonsense)
  await page.getByText(t('agent-orders:search.none'), { exact: true }).waitFor()
  await look('agent orders, none fits')
  await search.fill('')
  await whileAnswering(
    list,
    () =>
      JSON.stringify({
        success: true,
        orders: [],
        counts: { waiting: 0, received: 0, refused: 0 },
        nextCursor: null,
      }),
    async () => {
      await page.goto(paths.agentOrders)
      await page.getByText(t('agent-orders:empty.title'), { exact: true }).waitFor()
      await look('agent orders, none')
    },
  )
  await scannerStates(tour)
  await page.goto(paths.account)
  await page.getByText(t('account:sessions.current'), { exact: true }).waitFor()
  await look('account of an agent')
  await whileSilent(list, async () => {
    await page.goto(paths.agentOrders)
    await page.getByText(t('agent-orders:loading'), { exact: true }).waitFor()
    await look('agent orders, loading')
  })
  await whileFailing(list, async () => {
    await page.goto(paths.agentOrders)
    await page.getByText(t('agent-orders:failed'), { exact: true }).waitFor()
    await look('agent orders, failing')
  })
}

/** In a browser without a camera: the number by hand, all results, and confirmations in each state. */
async function scannerStates({ page, t, named, look, whileFailing, whileAnswering }: Tour): Promise<void> {
  const list = /^\/api\/orders\/agent\/\d+$/
  const orders = await page.evaluate(async () => {
    const { agentId } = await (await fetch('/api/auth/agent')).json()
    return (await (await fetch(`/api/orders/agent/${agentId}`)).json()).orders
  })
  const awb: string = orders[0].bookings[0].awb
  const field = named('textbox', t('handovers:number.label'))
  const check = async (number: string) => {
    await field.fill(number)
    await named('button', t('handovers:number.check')).click()
  }
  const result = (key: string) => named('heading', t(`handovers:check.${key}.title`)).waitFor()

  await page.goto(paths.agentScan)
  await page.getByText(t('handovers:camera.problem.none'), { exact: true }).waitFor()
  await look('scanner')
  await check('42')
  await page.getByText(t('handovers:number.error'), { exact: true }).waitFor()
  await look('scanner, wrong number')
  await check('999999999999')
  await result('not-yours')
  await look('scanner, not accepted')
  await whileFailing(list, async () => {
    await check(awb)
    await result('unchecked')
    await look('scanner, cannot be checked')
  })
  await whileAnswering(
    list,
    (body) => body.replaceAll('"PAID"', '"REFUNDED"'),
    async () => {
      await check(awb)
      await result('refunded')
      await look('scanner, refunded')
    },
  )
  await check(awb)
  await result('receive')
  await look('scanner, receive')
  await whileFailing(/^\/api\/handovers$/, async () => {
    await named('button', t('handovers:confirm')).click()
    await page.getByText(t('handovers:kept.unreachable'), { exact: true }).waitFor()
    await look('scanner, waiting')
  })
  await named('button', t('handovers:kept.send')).click()
  await page.getByText(t('handovers:kept.recorded'), { exact: true }).waitFor()
  await look('scanner, received')
}
