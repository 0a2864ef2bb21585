import { paths } from '#client/platform/paths.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import type { Visit } from '#test/kit/browser/chromium.ts'
import { expect, inFull, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, type Steps, stepsOf } from '#test/kit/browser/steps.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

interface Known {
  readonly phone: string
  readonly person: Person
}

// With the default limit each test would wait a minute for the next code.
const site = siteForFile({ env: { OTP_SENDS_PER_PHONE: '1/2s' } })
let known: Record<LanguageCode, Known>

test.beforeAll(async () => {
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

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    async function open() {
      const opened = await site.open({ language })
      opened.expectAnswer(429, /^\/api\/auth\/request-otp$/)
      return { visit: opened, steps: stepsOf(opened, site.stack) }
    }

    test('a session that ends on the payment page is announced, and signing in leads back to the payment of the same order', async () => {
      const { visit, steps: person } = await open()
      const { page, t, named, heading } = person
      await page.goto(paths.booking)
      await signIn(person, known[language].phone)
      await person.chooseRoute(await firstRoute(page))
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
      await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
    })

    test('a phone that gets no SMS signs up by a call, and later in by WhatsApp', async () => {
      const { visit, steps: person } = await open()
      const { page, t, named } = person
      visit.expectAnswer(409, /^\/api\/auth\/verify-otp$/)
      const phone = `+96650071${newPhone().slice(-4)}`
      const dialog = named('dialog', t('sessions:code.title'))
      const passTime = () => Promise.all([page.clock.fastForward(20_000), site.stack.passTime(20_000)])
      const getCodeBy = async (channel: 'whatsapp' | 'call') => {
        await page.goto(paths.auth)
        await named('textbox', t('sessions:phone')).fill(phone)
        // Before the app runs a press does nothing.
        await eventually(async () => {
          if (!(await dialog.isVisible())) await named('button', t('sessions:send')).dispatchEvent('click')
          return (await dialog.isVisible()) || undefined
        })
        await passTime()
        await dialog.getByText(t('sessions:channels.undelivered'), { exact: true }).last().waitFor()
        await dialog.getByRole('button', { name: t(`sessions:channels.${channel}`), exact: true }).click()
        const [message] = await eventually(async () => {
          const inbox = await site.stack.control.inbox(phone)
          return inbox[0]?.channel === channel ? inbox : undefined
        })
        // As it is heard: digit by digit, twice.
        const heard = (message?.text ?? '').match(/\d/g) ?? []
        if (channel === 'call') expect(heard.slice(4)).toEqual(heard.slice(0, 4))
        await dialog
          .getByRole('textbox', { name: t('sessions:code.label'), exact: true })
          .fill(heard.slice(0, 4).join(''))
      }
      await page.clock.install()
      await getCodeBy('call')
      await named('textbox', t('sessions:name')).fill('Siti Rahmawati')
      await named('button', t('sessions:finish')).click()
      await page.waitForURL((url) => url.pathname !== paths.auth)
      await page.evaluate(() => sessionStorage.clear())
      // A page that is still asking would be refused.
      await page.goto('about:blank')
      await page.context().clearCookies({ name: /^(?!lang$)/ })
      await passTime()
      await getCodeBy('whatsapp')
      await page.waitForURL((url) => url.pathname !== paths.auth)
    })

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
  })
