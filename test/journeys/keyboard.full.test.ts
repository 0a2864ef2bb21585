import { paths } from '#client/platform/paths.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { keyboardOf } from '#test/kit/browser/keyboard.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { branchRow, cards, stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile()

/** An agent for each language, because a phone gets one code per minute. */
const agentPhones: Record<LanguageCode, string> = { ar: '+966500000101', en: '+966500000102' }

/** The keyboard, and the pages it is used on. */
async function openWithKeyboard(language: LanguageCode) {
  const visit = await site.open({ language, width: 1280 })
  const { page, t, named, question, ...rest } = stepsOf(visit, site.stack)
  const keys = keyboardOf(page)
  const inBar = (role: 'link' | 'button', name: string) =>
    page.getByRole('banner').getByRole(role, { name, exact: true })

  async function pressOn(target: ReturnType<typeof inBar>, key = 'Enter'): Promise<void> {
    await keys.tabTo(target)
    await keys.press(key)
  }

  /** @param shown what the row contains, where it does not begin with `option` */
  async function choose(label: string, option: string, shown?: RegExp): Promise<void> {
    const sheet = named('dialog', label)
    // An answer opens the next question by itself.
    if (!(await sheet.isVisible())) await pressOn(question(label))
    const search = sheet.getByRole('searchbox')
    // A device with a mouse: the search has the focus from the start.
    await keys.expectFocus(search)
    for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab']) {
      await keys.press(key)
      expect(await keys.isKeptIn(sheet), `after ${key}`).toBe(true)
    }
    await keys.tabTo(search)
    await keys.type(option)
    await keys.press('ArrowDown')
    // The accessible name continues with address, city and phone; «agent 2» must not match «agent 20».
    async function isThere() {
      const text = (await sheet.locator('[data-row]:focus').innerText()).replace(/^[A-Z]{3}\s+/, '')
      return shown?.test(text) ?? (text.startsWith(option) && !/^\d/.test(text.slice(option.length)))
    }
    for (let down = 0; down < 20 && !(await isThere()); down += 1) await keys.press('ArrowDown')
    await keys.press('Enter')
    await sheet.waitFor({ state: 'detached' })
  }

  const dialog = named('dialog', t('sessions:code.title'))
  const codeField = dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true })

  async function enterCode(phone: string): Promise<void> {
    await keys.expectFocus(codeField)
    // The last digit sends it.
    await keys.type(await site.stack.control.codeFor(phone))
  }

  return { page, t, named, question, keys, inBar, pressOn, choose, dialog, codeField, enterCode, ...rest }
}

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}, without a mouse`, () => {
    test('a user signs up, books, pays and downloads the label, and the agent finds the order', async () => {
      const {
        page,
        t,
        named,
        question,
        keys,
        inBar,
        pressOn,
        choose,
        dialog,
        codeField,
        enterCode,
        ...person
      } = await openWithKeyboard(language)
      const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
      const phone = newPhone()
      const agentPhone = agentPhones[language]

      // 1. The first tab stop skips the bar; the language switch is a tab stop.
      await page.goto(paths.home)
      await person.heading(t('home:services.title'))
      await keys.press('Tab')
      await keys.expectFocus(named('link', t('shell:skip')))
      await keys.press('Enter')
      await keys.expectFocus(page.getByRole('main'))
      const other = language === 'ar' ? languages.en : languages.ar
      await page.reload()
      await pressOn(inBar('button', other.label))
      await pressOn(inBar('button', languages[language].label))
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)

      // 2. A refused form moves the focus to the first refused field.
      await pressOn(inBar('link', t('shell:login')))
      await keys.expectFocus(title(t('sessions:login.title')))
      await keys.tabTo(page.getByRole('radio', { name: t('sessions:mode.login'), exact: true }))
      await keys.press('ArrowDown')
      await title(t('sessions:signup.title')).waitFor()
      await pressOn(named('button', t('sessions:send')))
      await keys.expectFocus(named('textbox', t('sessions:name')))
      await keys.type('Bilal Khan')
      await keys.tabTo(named('textbox', t('sessions:phone')))
      await keys.type(phone)
      await keys.press('Enter')

      // 3. The dialog traps the focus and restores it when closed.
      await keys.expectFocus(codeField)
      for (const key of [...Array<string>(6).fill('Tab'), ...Array<string>(4).fill('Shift+Tab')]) {
        await keys.press(key)
        expect(await keys.isKeptIn(dialog), `after ${key}`).toBe(true)
      }
      await keys.press('Escape')
      await keys.expectFocus(named('textbox', t('sessions:phone')))
      await keys.press('Enter')
      await enterCode(phone)
      await keys.expectFocus(title(t('booking:title')))

      // 4. The route, in sheets that trap the focus and give it back; Escape closes one without a choice.
      const city = t('booking:labels.FROM_MINA.toCity')
      await pressOn(question(city))
      await named('dialog', city).waitFor()
      await keys.press('Escape')
      await keys.expectFocus(question(city))
      const { agent, center } = await firstRoute(page, agentPhone)
      await choose(t('booking:labels.FROM_MINA.agentCode'), inLanguage(agent.name, language))
      await choose(t('booking:labels.FROM_MINA.toCity'), cityName(center.city, language))
      await choose(
        t('booking:labels.FROM_MINA.centerCode'),
        language === 'ar' ? center.addressAR : center.addressEN,
        branchRow(language === 'ar' ? center.addressAR : center.addressEN),
      )
      await pressOn(named('button', t('booking:continue')))
      await keys.expectFocus(title(t('checkout:title')))
      await pressOn(named('button', t('checkout:pay', { amount: t('platform:money', { amount: '50.00' }) })))

      // 5. The card form is a frame of the provider's.
      const form = await person.cardForm()
      const orderId = Number(new URL(page.url()).searchParams.get('orderId'))
      await pressOn(form.getByRole('button', { name: cards.approved.replace(/(.{4})(?=.)/g, '$1 ') }))
      const pay = form.getByRole('button', { name: t('payment:widget.pay') })
      await keys.tabTo(form.getByRole('textbox').first())
      await pressOn(pay)

      // 6. The label.
      const claim = named('dialog', t('payment:thankYou.titles.PAID'))
      await pressOn(claim.locator('summary', { hasText: t('pass:more') }))
      const downloadLink = claim.getByRole('link', { name: t('awb:download'), exact: true })
      await downloadLink.waitFor()
      await keys.tabTo(downloadLink)
      const [download] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
      expect(download.suggestedFilename()).toMatch(/\d{12}\.pdf$/)
      await pressOn(claim.getByRole('button', { name: t('payment:thankYou.close'), exact: true }))
      await keys.expectFocus(title(t('booking:title')))
      await pressOn(inBar('link', t('shell:myOrders')))
      await keys.expectFocus(title(t('orders:title')))
      await person.order(orderId).waitFor()
      await pressOn(inBar('button', t('shell:logout')))

      // 7. The agent.
      await inBar('link', t('shell:login')).waitFor()
      await pressOn(
        page.getByRole('contentinfo').getByRole('link', { name: t('shell:footer.agentLogin'), exact: true }),
      )
      await keys.expectFocus(title(t('sessions:agent.title')))
      await keys.tabTo(named('textbox', t('sessions:phone')))
      await keys.type(agentPhone)
      await keys.press('Enter')
      await enterCode(agentPhone)
      await keys.expectFocus(title(t('agent-orders:title')))
      await keys.tabTo(page.getByRole('searchbox', { name: t('agent-orders:search.label'), exact: true }))
      await keys.type(orderNumber(orderId))
      await keys.press('Enter')
      await page.getByText(t('agent-orders:search.found_one', { count: 1 }), { exact: true }).waitFor()
      await keys.tabTo(person.order(orderId).getByRole('link', { name: phone, exact: true }))
      await pressOn(inBar('button', t('shell:logout')))
      await inBar('link', t('shell:login')).waitFor()
    })
  })
