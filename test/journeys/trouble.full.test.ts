import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { type LanguageCode, languages as languageTable } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { type Visit, workerIsReady } from '#test/kit/chromium.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { siteForFile } from '#test/kit/site.ts'
import { type Steps, stepsOf } from '#test/kit/steps.ts'
import { words } from '#test/kit/words.ts'

// With the product's own limits of sign-in.
const site = siteForFile({ env: {} })

interface Known {
  readonly phone: string
  readonly person: Person
  readonly userId: number
}
let known: Record<LanguageCode, Known>

beforeAll(async () => {
  known = { ar: await signedUp('ar'), en: await signedUp('en') }
})
afterEach(async () => {
  await site.stack.control.endFaults()
})

async function signedUp(lang: LanguageCode): Promise<Known> {
  const phone = newPhone()
  const person = newPerson(site.stack, { lang })
  const { id: userId } = await person.signUp(phone, 'Bilal Khan')
  return { phone, person, userId }
}

/** A visit of a signed-in user. */
async function visitOf(language: LanguageCode, { person }: Known): Promise<Steps & { visit: Visit }> {
  const opened = await site.open({ language })
  const cookies = [...person.cookies].filter(([name]) => name !== 'lang')
  await opened.page
    .context()
    .addCookies(cookies.map(([name, value]) => ({ name, value, url: site.stack.gatewayUrl })))
  return { ...stepsOf(opened, site.stack), visit: opened }
}

/** An agent, and a branch in a city that has several. */
async function someRoute({ person }: Known) {
  const [agents, centers] = await Promise.all([person.agents(), person.centers()])
  const [agent] = agents
  const center = centers.find(({ city }) => city === 'Riyadh')
  if (agent === undefined || center === undefined) throw new Error('the route is not on offer')
  return { agent, center }
}

const languages = languagesOrOne('en')

describe.each(languages)('in %s', (language) => {
  it('the code dialog and its countdown survive a reload, and a request too early sends no second message', async () => {
    const visit = await site.open({ language })
    const { page, t, named } = stepsOf(visit, site.stack)
    const phone = newPhone()
    await page.clock.install()
    await page.goto(paths.auth)
    await named('textbox', t('sessions:phone')).fill(phone)
    await named('button', t('sessions:send')).click()
    const dialog = named('dialog', t('sessions:code.title'))
    await dialog.waitFor()
    const resend = dialog.getByRole('button', { name: t('sessions:code.resend'), exact: true })
    expect(await resend.count()).toBe(0)

    await page.reload()
    await dialog.waitFor()
    await dialog.getByText(phone, { exact: true }).waitFor()
    expect(await resend.count()).toBe(0)

    // The browser's clock was advanced; the server uses its own.
    await page.clock.fastForward(61_000)
    await resend.click()
    await resend.waitFor({ state: 'detached' })
    await dialog.getByText(t('sessions:code.earlier'), { exact: true }).first().waitFor()
    expect(await site.stack.control.inbox(phone)).toHaveLength(1)

    await dialog.getByRole('button', { name: t('sessions:code.changeNumber'), exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await named('textbox', t('sessions:phone')).inputValue()).toBe(phone)
  })

  it('lists that fail can be loaded again, and a payment that does not start can be started again', async () => {
    const {
      page,
      t,
      named,
      heading,
      chooseRoute,
      goToPayment,
      visit: opened,
    } = await visitOf(language, known[language])
    const isPartner = (url: URL) => url.pathname.startsWith('/api/partner/')
    opened.expectAnswer(503, /^\/api\/(partner|checkout)/)
    await page.route(isPartner, (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(paths.booking)
    await page.getByText(t('booking:failed'), { exact: true }).waitFor()
    await page.unroute(isPartner)
    await named('button', t('ui:tryAgain')).click()
    await chooseRoute(await someRoute(known[language]))

    opened.expectAnswer(502, /^\/api\/checkout/)
    opened.expectAnswer(504, /^\/api\/checkout/)
    opened.expectConsole(/^checkout failed/)
    await site.stack.control.setFault('payment', { kind: 'status', status: 500 })
    const amount = t('platform:money', { amount: '50.00' })
    await named('button', t('checkout:pay', { amount })).click()
    await page.getByText(t('checkout:failed'), { exact: true }).waitFor()
    await heading(t('checkout:title'))
    await site.stack.control.endFaults()
    await goToPayment()
  })

  it('a late callback turns the waiting page into the paid one, without a reload', async () => {
    const { person, userId } = known[language]
    const { orderId } = await person.checkout(userId)
    const { page, t, named } = await visitOf(language, known[language])
    await page.goto(paths.thankYou({ success: true, merchantOrderId: orderId }))
    await named('dialog', t('payment:thankYou.claim.PENDING_PAYMENT')).waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''))

    await site.stack.control.replay(orderId, 'success', { callback: 'late' })
    const claim = named('dialog', t('payment:thankYou.claim.PAID'))
    await claim.waitFor()
    await claim.getByRole('link', { name: t('awb:download'), exact: true }).waitFor()
    expect(await page.locator('html[data-same-document]').count()).toBe(1)
  })

  it('the chosen route survives a change of language, a reload and a cancelled payment', async () => {
    const { page, t, heading, chooseRoute } = await visitOf(language, known[language])
    const route = await someRoute(known[language])
    await page.goto(paths.booking)
    await chooseRoute(route)
    const other = language === 'ar' ? languageTable.en : languageTable.ar
    await page.getByRole('button', { name: other.label, exact: true }).click()
    await heading(words(other.code)('checkout:title'))
    await page.reload()
    await heading(words(other.code)('checkout:title'))
    await page.getByRole('button', { name: languageTable[language].label, exact: true }).click()

    await page.goto('/thank-you?success=false')
    await page.getByRole('link', { name: t('payment:backToBooking'), exact: true }).click()
    await heading(t('booking:title'))
    await page.getByRole('link', { name: route.agent.phone, exact: true }).waitFor()
  })

  it('shows that there is no network until it is back', async () => {
    const { page, t, heading } = await visitOf(language, known[language])
    await page.goto(paths.orders)
    await heading(t('orders:title'))
    const note = page.getByText(t('shell:connection.offline'), { exact: true })
    expect(await note.count()).toBe(0)
    await workerIsReady(page)
    await page.context().setOffline(true)
    await note.waitFor()
    await page.context().setOffline(false)
    await note.waitFor({ state: 'detached' })
  })
})

describe.each(languages)('in %s', (language) => {
  it('a page opened offline says so, and opens with its styles when the network is back', async () => {
    const { page, t, heading, inMenu, visit: opened } = await visitOf(language, known[language])
    opened.expectConsole(
      /ERR_INTERNET_DISCONNECTED|Unable to preload CSS|dynamically imported module|fetching the script/,
    )
    await page.goto(paths.home)
    const orders = await inMenu('link', t('shell:myOrders'))
    await page.context().setOffline(true)
    await orders.click()
    await page.getByRole('main').getByText(t('platform:unreachable'), { exact: true }).waitFor()
    await page.context().setOffline(false)
    await heading(t('orders:title'))
    expect(
      await page.evaluate(() =>
        [...document.styleSheets]
          .filter((sheet) => {
            try {
              return sheet.cssRules.length === 0
            } catch {
              // The rules of a style sheet that failed to load cannot be read.
              return true
            }
          })
          .map(({ href }) => href),
      ),
    ).toEqual([])
  })

  it('a session that ends during checkout is announced, and signing in again leads back to it', async () => {
    const { phone } = known[language]
    const {
      page,
      t,
      named,
      heading,
      chooseRoute,
      goToPayment,
      visit: opened,
    } = await visitOf(language, known[language])
    await page.goto(paths.booking)
    await chooseRoute(await someRoute(known[language]))
    await page.context().clearCookies({ name: /^(?!lang$)/ })
    opened.expectAnswer(401, /^\/api\//)
    opened.expectConsole(/^checkout failed/)
    const amount = t('platform:money', { amount: '50.00' })
    const ended = page.getByText(t('sessions:ended'), { exact: true })
    const pressed = named('button', t('checkout:pay', { amount })).click()
    // A request in the background may notice the end before the press, which then has no button any more.
    await Promise.race([ended.waitFor(), pressed.catch(() => undefined)])
    await ended.waitFor()

    await named('textbox', t('sessions:phone')).fill(phone)
    const dialog = named('dialog', t('sessions:code.title'))
    // After the sign-up another code is sent only after a minute.
    opened.expectAnswer(429, /^\/api\/auth\/request-otp$/)
    const send = named('button', t('sessions:send'))
    await send.click()
    await dialog.or(page.getByRole('timer')).first().waitFor()
    // The button is enabled when the time is over; the click waits for it.
    if ((await dialog.count()) === 0) await send.click()
    await dialog.waitFor()
    await dialog
      .getByRole('textbox', { name: t('sessions:code.label'), exact: true })
      .fill(await site.stack.control.codeFor(phone))
    await heading(t('checkout:title'))
    await goToPayment()
  })
})
