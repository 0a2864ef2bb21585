import { beforeAll, describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import type { Visit } from '#test/kit/chromium.ts'
import { inFull, languagesOrOne } from '#test/kit/full-run.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { siteForFile } from '#test/kit/site.ts'
import { cards, type Steps, stepsOf } from '#test/kit/steps.ts'

interface Known {
  readonly phone: string
  readonly person: Person
}

// With the default limit each test would wait a minute for the next code.
const site = siteForFile({ env: { OTP_SENDS_PER_PHONE: '1/2s' } })
let known: Record<LanguageCode, Known>

beforeAll(async () => {
  known = { ar: await signedUp('ar'), en: await signedUp('en') }
})

async function signedUp(lang: LanguageCode): Promise<Known> {
  const phone = newPhone()
  const person = newPerson(site.stack, { lang })
  await person.signUp(phone, 'Bilal Khan')
  return { phone, person }
}

/** Removes the session cookies, as when the session ends. */
async function endSession({ page }: Visit): Promise<void> {
  await page.context().clearCookies({ name: /^(?!lang$)/ })
}

/** Requests a code, as soon as the limit allows, and enters it. */
async function signIn({ page, t, named }: Steps, phone: string): Promise<void> {
  const before = (await site.stack.control.inbox(phone)).length
  await named('textbox', t('sessions:phone')).fill(phone)
  const send = named('button', t('sessions:send'))
  const dialog = named('dialog', t('sessions:code.title'))
  await send.click()
  const limit = page.getByRole('timer')
  await dialog.or(limit).first().waitFor()
  // The button is enabled when the time is over; the click waits for it.
  if ((await dialog.count()) === 0) await send.click()
  await dialog.waitFor()
  const field = dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true })
  expect((await site.stack.control.inbox(phone)).length).toBe(before + 1)
  await field.fill(await site.stack.control.codeFor(phone))
}

describe.each(languagesOrOne('ar'))('in %s', (language) => {
  async function open() {
    const opened = await site.open({ language })
    opened.expectAnswer(429, /^\/api\/auth\/request-otp$/)
    return { visit: opened, steps: stepsOf(opened, site.stack) }
  }

  async function someRoute() {
    const { person } = known[language]
    const [agents, centers] = await Promise.all([person.agents(), person.centers()])
    const [agent] = agents
    const center = centers.find(({ city }) => city === 'Riyadh')
    if (agent === undefined || center === undefined) throw new Error('the route is not on offer')
    return { agent, center }
  }

  inFull(
    'another code can be requested, and is required after three wrong ones, also after a reload',
    async () => {
      const { visit, steps: person } = await open()
      const { page, t, named, heading } = person
      const { phone } = known[language]
      await page.goto(paths.auth)
      await named('textbox', t('sessions:phone')).fill(phone)
      const send = named('button', t('sessions:send'))
      const dialog = named('dialog', t('sessions:code.title'))
      const button = (key: Parameters<typeof t>[0]) =>
        dialog.getByRole('button', { name: t(key), exact: true })
      await send.click()
      await dialog.or(page.getByRole('timer')).first().waitFor()
      if ((await dialog.count()) === 0) await send.click()
      await dialog.waitFor()
      const before = (await site.stack.control.inbox(phone)).length
      await button('sessions:code.resend').click()
      await dialog
        .getByRole('status')
        .filter({ hasText: t('sessions:code.resent') })
        .waitFor()
      expect((await site.stack.control.inbox(phone)).length).toBe(before + 1)

      visit.expectAnswer(400, /^\/api\/auth\/verify-otp$/)
      const field = dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true })
      const code = await site.stack.control.codeFor(phone)
      const wrong = (by: number) => code.replace(/\d/g, (digit) => String((Number(digit) + by) % 10))
      for (const by of [1, 2, 3]) {
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url().endsWith('/api/auth/verify-otp')),
          field.fill(wrong(by)),
        ])
        expect(answer.status()).toBe(400)
      }
      await dialog.getByText(t('sessions:code.usedUp'), { exact: true }).first().waitFor()
      expect(await field.inputValue()).toBe('')
      await page.reload()
      await dialog.getByText(t('sessions:code.usedUp'), { exact: true }).first().waitFor()
      expect(await button('sessions:code.verify').isDisabled()).toBe(true)
      await button('sessions:code.sendNew').click()
      await dialog
        .getByRole('status')
        .filter({ hasText: t('sessions:code.resent') })
        .waitFor()
      await field.fill(await site.stack.control.codeFor(phone))
      await heading(t('booking:title'))
    },
  )

  it('a session that ends on the payment page is announced, and signing in leads back to the payment of the same order', async () => {
    const { visit, steps: person } = await open()
    const { page, t, named, heading } = person
    await page.goto(paths.booking)
    await signIn(person, known[language].phone)
    await person.chooseRoute(await someRoute())
    await person.goToPayment()
    const orderId = new URL(page.url()).searchParams.get('orderId')

    visit.expectAnswer(401, /^\/api\//)
    await endSession(visit)
    await page.getByText(t('sessions:ended'), { exact: true }).waitFor()
    await heading(t('sessions:login.title'))
    await signIn(person, known[language].phone)

    const form = await person.cardForm()
    expect(new URL(page.url()).searchParams.get('orderId')).toBe(orderId)
    await person.payWith(form, cards.approved)
    await named('dialog', t('payment:thankYou.claim.PAID')).waitFor()
  })

  inFull('a page reloaded after the session has ended says so, and comes back after sign-in', async () => {
    const { visit, steps: person } = await open()
    const { page, t, heading } = person
    await page.goto(paths.orders)
    expect(await page.getByText(t('sessions:ended'), { exact: true }).count()).toBe(0)
    await signIn(person, known[language].phone)
    await heading(t('orders:title'))
    await endSession(visit)
    // The orders are asked for beside the session.
    visit.expectAnswer(401, /^\/api\/orders\/user\//)
    await page.reload()
    await page.getByText(t('sessions:ended'), { exact: true }).waitFor()
    await signIn(person, known[language].phone)
    await heading(t('orders:title'))
  })

  inFull(
    'a logout in another tab is noticed, and so is the next sign-in, with the chosen route kept',
    async () => {
      const { visit, steps: person } = await open()
      const { page, t, heading } = person
      await page.goto(paths.booking)
      await signIn(person, known[language].phone)
      await person.chooseRoute(await someRoute())
      visit.expectAnswer(401, /^\/api\//)

      const otherPage = await page.context().newPage()
      const other = stepsOf({ ...visit, page: otherPage }, site.stack)
      const comeBack = () => page.evaluate(() => void window.dispatchEvent(new Event('focus')))
      await otherPage.goto(paths.home)
      await other.logOut()
      await comeBack()
      await heading(t('sessions:login.title'))
      await page.getByText(t('sessions:ended'), { exact: true }).waitFor()

      await otherPage.goto(paths.orders)
      await signIn(other, known[language].phone)
      await other.heading(t('orders:title'))
      await comeBack()
      await heading(t('checkout:title'))
      await person.goToPayment()
    },
  )

  inFull('two tabs that request codes for two phones at the same moment keep both', async () => {
    const { visit, steps: person } = await open()
    const other = stepsOf({ ...visit, page: await person.page.context().newPage() }, site.stack)
    const phones = [newPhone(), newPhone()] as const
    const tabs = [person, other].map(async ({ page, t, named }, index) => {
      await page.goto(paths.auth)
      await page.getByRole('radio', { name: t('sessions:mode.signup'), exact: true }).check()
      await named('textbox', t('sessions:name')).fill('Sara')
      await named('textbox', t('sessions:phone')).fill(phones[index] ?? '')
    })
    await Promise.all(tabs)
    // Both requests are sent before one is answered.
    await site.stack.control.setFault('otp', { kind: 'delay', delayMs: 4_000, count: 2 })
    for (const { t, named } of [person, other]) await named('button', t('sessions:send')).click()
    for (const { t, named } of [person, other]) await named('dialog', t('sessions:code.title')).waitFor()
    for (const phone of phones) {
      const body = { phone, name: 'Sara', code: await site.stack.control.codeFor(phone) }
      const status = await person.page.evaluate(async (body) => {
        const answer = await fetch('/api/auth/verify-otp', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        return answer.status
      }, body)
      expect(status).toBe(200)
    }
  })

  inFull('the search of an agent survives a reload, Back and the end of the session', async () => {
    const { visit, steps: person } = await open()
    const { page, t, named, heading } = person
    const phone = language === 'ar' ? '+966500000101' : '+966500000102'
    await page.goto(paths.agentAuth)
    await person.signInAgent(phone)
    const search = named('searchbox', t('agent-orders:search.label'))
    await search.fill('Bilal')
    await page.waitForFunction(() => JSON.stringify(history.state).includes('Bilal'))
    await page.reload()
    await search.waitFor()
    expect(await search.inputValue()).toBe('Bilal')
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: t('shell:footer.privacy'), exact: true })
      .click()
    await search.waitFor({ state: 'detached' })
    await page.goBack()
    await search.waitFor()
    expect(await search.inputValue()).toBe('Bilal')

    await page.goto(`${paths.agentOrders}?state=waiting`)
    await search.waitFor()
    await endSession(visit)
    await page.reload()
    await page.getByText(t('sessions:ended'), { exact: true }).waitFor()
    visit.expectAnswer(429, /^\/api\/auth\/send-agent-otp$/)
    await signIn(person, phone)
    await heading(t('agent-orders:title'))
    expect(new URL(page.url()).search).toBe('?state=waiting')
  })

  inFull.each([
    [
      'a payment of markup',
      '/payment?clientSecret=%3Cscript%3Ealert(1)%3C/script%3E&publicKey=%00&orderId=../../api/auth/logout',
      'payment:title',
    ],
    [
      'a payment of no order',
      '/payment?clientSecret=a&publicKey=b&orderId=999999999999999999999999',
      'payment:title',
    ],
    [
      'a payment named twice',
      '/payment?clientSecret=a&clientSecret=b&publicKey=c&orderId=%F0%9F%98%80',
      'payment:title',
    ],
    [
      'a result that is too long',
      `/thank-you?success=true&merchant_order_id=${'x'.repeat(2_000)}`,
      'payment:thankYou.loadFailed',
    ],
    [
      'a result that climbs',
      '/thank-you?success=true&merchant_order_id=%2e%2e%2f%2e%2e%2fapi',
      'payment:thankYou.loadFailed',
    ],
    [
      'a result named twice',
      '/thank-you?success=true&success=false&merchant_order_id=999999&merchant_order_id=999998',
      'payment:thankYou.title',
    ],
    [
      'a result of nothing',
      '/thank-you?success=TRUE&merchant_order_id=%00',
      'payment:thankYou.failure.title',
    ],
    ['an order that is no number', '/orders/%3Cb%3E', 'payment:thankYou.loadFailed'],
  ])('the hostile address of %s shows a page that says what is wrong', async (_, address, title) => {
    const { visit, steps: person } = await open()
    const { page, t, heading } = person
    const cookies = [...known[language].person.cookies].filter(([name]) => name !== 'lang')
    await page
      .context()
      .addCookies(cookies.map(([name, value]) => ({ name, value, url: site.stack.gatewayUrl })))
    for (const status of [400, 404, 414]) visit.expectAnswer(status, /^\/(api|payment|assets|orders)\//)
    visit.expectConsole(/^payment widget failed/)
    await page.goto(address)
    await heading(t(title))
    await page.getByRole('main').getByRole('link').first().waitFor()
    expect(new URL(page.url()).origin).toBe(site.stack.gatewayUrl)
  })
})
