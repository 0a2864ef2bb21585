import type { Locator, Page } from 'playwright-core'
import { bookingVersion } from '#client/features/booking/booking.rules.ts'
import { paths } from '#client/platform/paths.ts'
import { brand } from '#shared/platform/brand.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { isFull, languagesOrOne } from '#test/kit/basics/full-run.ts'
import { appHasStarted } from '#test/kit/browser/chromium.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { doubleText } from '#test/kit/browser/large-text.ts'
import { firstRoute, startOrder } from '#test/kit/browser/page-orders.ts'
import { holdRequests } from '#test/kit/browser/page-watch.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile({ env: { ENABLED_BOOKING_TYPES: 'FROM_MINA,TO_AND_FROM_MINA' } })

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    test('a return trip shows its two legs side by side, and the card form has 300 px reserved before it loads', async () => {
      const visit = await site.open({ language, width: 1280 })
      const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Bilal Khan')
      const { agent, center } = await firstRoute(page)
      const draft = {
        type: 'TO_AND_FROM_MINA',
        fromCity: center.city,
        toCity: null,
        centerCode: center.code,
        agentCode: agent.id,
      }
      await page.evaluate(
        (state) => sessionStorage.setItem('booking', state),
        JSON.stringify({ version: bookingVersion, step: 0, draft, history: [] }),
      )
      await page.goto(paths.checkout)
      await heading(t('checkout:title'))
      await heading(t('checkout:legs.fromMina'))
      // Both are measured in one call, because the page may still be animated.
      const [there, back] = await page
        .getByRole('heading', { level: 3 })
        .evaluateAll((legs) => legs.map((leg) => leg.getBoundingClientRect().toJSON()))
      expect(there.y).toBe(back.y)
      expect(language === 'ar' ? there.x > back.x : there.x < back.x).toBe(true)

      const release = await holdRequests(page, (url) => url.pathname.endsWith('/main.js'))
      await named('button', t('checkout:pay', { amount: t('platform:money', { amount: '100.00' }) })).click()
      await page.getByText(t('payment:loading'), { exact: true }).waitFor()
      expect(
        await page.evaluate(() => document.getElementById('payment-widget')?.offsetHeight),
      ).toBeGreaterThanOrEqual(300)
      release()
      await page.getByTitle(language === 'ar' ? 'نموذج البطاقة' : 'Card form', { exact: true }).waitFor()
    })

    test('the number of a bag is on the first screen of a short phone, and the orders scroll no pixel sideways where text is twice as large', async () => {
      // The longest words of the two languages.
      const visit = await site.open({ language: 'en', width: 390 })
      const { page, t, named, heading, ...person } = stepsOf(visit, site.stack)
      await person.signUp(newPhone(), 'Maryam Al-Harbi')
      await person.chooseRoute(await firstRoute(page))
      // In two lines on the tag.
      const name = 'Muhammad Abdurrahman bin Abdulmuhsin Alfa'
      await person.nameReceiver({ name, phone: newPhone(), secondPhone: newPhone() })
      await person.payWith(await person.goToPayment(), cards.approved)
      await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
      await page.setViewportSize({ width: 360, height: 640 })
      const [number, dock] = [
        named('dialog', t('payment:thankYou.titles.PAID')).getByText(/^\d{12}$/),
        named('link', t('pass:way.agent')),
      ]
      await expect
        .poll(async () => {
          const [above, below] = [await number.boundingBox(), await dock.boundingBox()]
          return above !== null && below !== null && above.y + above.height <= below.y
        })
        .toBe(true)
      await page.goto(paths.orders)
      await heading(t('orders:title'))
      const show = named('link', t('orders:show'))
      await show.waitFor()
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      const [shown, width] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        window.innerWidth,
      ])
      expect(shown).toBeLessThanOrEqual(width ?? 0)
    })

    test('a name of eighty letters scrolls no page sideways, and in large text the scanner has bars and number', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, t, named, signUp } = stepsOf(visit, site.stack)
      const phone = newPhone()
      await signUp(phone, 'Abdurrahmanibnmuhammad'.repeat(4).slice(0, 80))
      // An agent gets one code a minute.
      const agentPhone = { ar: '+966500000111', en: '+966500000112' }[language]
      const { orderId } = await startOrder(page, agentPhone)
      await site.stack.control.replay(orderId, 'success')
      const expectNoSidewaysScroll = async (shown: Page) => {
        for (const width of [320, 360]) {
          await shown.setViewportSize({ width, height: 640 })
          expect(await shown.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        }
      }
      for (const address of [paths.orders, paths.order(orderId)]) {
        await page.goto(address)
        await page
          .getByText(/^\d{12}$/)
          .first()
          .waitFor()
        await expectNoSidewaysScroll(page)
      }
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      await named('button', t('awb:full.open')).click()
      const full = named('dialog', t('awb:full.title'))
      const number = await full.getByText(/^\d{12}$/).boundingBox()
      expect((number?.y ?? 640) + (number?.height ?? 0)).toBeLessThanOrEqual(640)
      expect(await full.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true)

      const { page: counter, ...agent } = stepsOf(await site.open({ language, width: 390 }), site.stack)
      await counter.goto(paths.agentAuth)
      await agent.signInAgent(agentPhone)
      const inList = counter.locator('td').getByText(phone, { exact: true })
      await inList.waitFor()
      await expectNoSidewaysScroll(counter)
      await agent.openAssigned(orderId)
      await expectNoSidewaysScroll(counter)
    })

    test('the name of a pilgrim with two bags has the width of its row in large text', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, signUp } = stepsOf(visit, site.stack)
      const name = 'Muhammad Abdurrahman Siddiqui'
      await signUp(newPhone(), name)
      const agentPhone = { ar: '+966500000113', en: '+966500000114' }[language]
      for (let bag = 0; bag < 2; bag += 1) {
        const { orderId } = await startOrder(page, agentPhone)
        await site.stack.control.replay(orderId, 'success')
      }
      const { page: counter, ...agent } = stepsOf(await site.open({ language, width: 390 }), site.stack)
      await counter.goto(paths.agentAuth)
      await agent.signInAgent(agentPhone)
      await counter.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      const row = counter.getByRole('row').filter({ hasText: name })
      await expect
        .poll(() =>
          row.evaluateAll((rows) =>
            rows.map((each) => {
              const cell = each.querySelector('td:nth-child(2)')
              return (cell?.clientWidth ?? 0) > 0.7 * each.clientWidth
            }),
          ),
        )
        .toEqual([true])
    })

    test('phone number and address of the support are each in one piece, also in text twice as large', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, heading, t } = stepsOf(visit, site.stack)
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(paths.recover)
      await heading(t('emails:recovery.title'))
      for (const size of ['16px', '32px']) {
        await page.evaluate((text) => document.documentElement.style.setProperty('font-size', text), size)
        for (const text of [brand.contact.phone, brand.contact.email]) {
          const lines = await page
            .getByText(text, { exact: true })
            .evaluateAll((shown) => shown.map((element) => element.getClientRects().length))
          expect(lines.length).toBeGreaterThan(0)
          expect(lines.every((count) => count === 1)).toBe(true)
        }
      }
    })

    test('the number that a code was sent to is as large as the text around it, and in one piece, in text twice as large', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, t, named } = stepsOf(visit, site.stack)
      await page.goto(paths.auth)
      const phone = newPhone()
      await named('textbox', t('sessions:phone')).fill(phone)
      await named('button', t('sessions:send')).click()
      const number = named('dialog', t('sessions:code.title')).getByText(phone, { exact: true })
      await number.waitFor()
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      const [lines, size, around] = await number.evaluate((digits) => [
        digits.getClientRects().length,
        Number.parseFloat(getComputedStyle(digits).fontSize),
        Number.parseFloat(getComputedStyle(digits.closest('p') ?? digits).fontSize),
      ])
      expect(lines).toBe(1)
      expect(size).toBeGreaterThan((around ?? 0) * 0.9)
    })

    test('the phones of agents and of the receiver are as large as the text around them, and in one piece, in text twice as large', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, t, named, question, ...person } = stepsOf(visit, site.stack)
      const expectLikeTheText = (phone: Locator) =>
        expect
          .poll(() =>
            phone.evaluate((digits) => {
              const around = digits.parentElement?.parentElement ?? digits
              const size = (of: Element) => Number.parseFloat(getComputedStyle(of).fontSize)
              return [digits.getClientRects().length, size(digits) / size(around) > 0.95]
            }),
          )
          .toEqual([1, true])
      await person.signUp(newPhone(), 'Bilal Khan')
      const route = await firstRoute(page)
      await page.setViewportSize({ width: 360, height: 640 })
      await doubleText(page)
      const agents = t('booking:labels.FROM_MINA.agentCode')
      await question(agents).click()
      await expectLikeTheText(
        named('dialog', agents)
          .getByText(/^\+966\d{9}$/)
          .first(),
      )
      await person.chooseRoute(route)
      const [phone, secondPhone] = [newPhone(), newPhone()]
      await person.nameReceiver({ name: 'Maryam Al-Harbi', phone, secondPhone })
      await expectLikeTheText(page.getByText(phone, { exact: true }))
    })

    test('a branch can be chosen where a phone enlarges the text without its media queries', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, signUp, chooseRoute } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Bilal Khan')
      const route = await firstRoute(page)
      await page.setViewportSize({ width: 360, height: 640 })
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      await chooseRoute(route)
      await expect(page).toHaveURL(paths.checkout)
    })

    test('the words that turn barcodes are in one row in text twice as large', async () => {
      const visit = await site.open({ language, width: 390 })
      const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Bilal Khan')
      for (let bag = 0; bag < 2; bag += 1) {
        const { orderId } = await startOrder(page)
        await site.stack.control.replay(orderId, 'success')
      }
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(paths.orders)
      await heading(t('orders:title'))
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      await named('button', t('orders:journey.showBoth')).click()
      const full = named('dialog', t('awb:full.title'))
      const row = full.getByText(t('awb:full.place', { number: 1, total: 2 }), { exact: true }).locator('..')
      const parts = await row.evaluate(({ children }) =>
        [...children].map((part) => {
          const words = document.createRange()
          words.selectNodeContents(part)
          const { top, bottom } = part.getBoundingClientRect()
          // A change of direction makes another rectangle in the same line.
          const lines = new Set([...words.getClientRects()].map((rect) => Math.round(rect.top)))
          return { lines: lines.size, middle: (top + bottom) / 2 }
        }),
      )
      expect(parts.map(({ lines }) => lines)).toEqual([1, 1, 1])
      const middles = parts.map(({ middle }) => middle)
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
      expect(await full.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true)
    })

    for (const size of [
      { width: 390, height: 640 } as const,
      ...(isFull ? [{ width: 1280, height: 800 } as const] : []),
    ])
      test(`the price and the button that pays are in sight, first and last, at ${size.width} × ${size.height}`, async () => {
        const visit = await site.open({ language, width: size.width })
        const { page, t, named, signUp, chooseRoute, goToPayment } = stepsOf(visit, site.stack)
        await page.setViewportSize(size)
        await signUp(newPhone(), 'Bilal Khan')
        await chooseRoute(await firstRoute(page))
        const amount = t('platform:money', { amount: '50.00' })
        const pay = named('button', t('checkout:pay', { amount }))
        const isInSight = () =>
          pay.evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect()
            return top >= 0 && bottom <= window.innerHeight
          })
        await expect.poll(isInSight).toBe(true)
        if (size.width === 390) {
          await page.setViewportSize({ width: 390, height: 844 })
          const forbidden = named('region', t('purchase:notInTheBag.title')).getByRole('list')
          const dock = pay.locator('..')
          await expect
            .poll(async () => {
              const [above, below] = [await forbidden.boundingBox(), await dock.boundingBox()]
              return above !== null && below !== null && above.y + above.height <= below.y
            })
            .toBe(true)
          await page.setViewportSize(size)
        }
        await page.getByText(t('checkout:seller')).scrollIntoViewIfNeeded()
        await expect.poll(isInSight).toBe(true)
        // The price is beside the card form, and on a phone in its button alone.
        const form = await goToPayment()
        const price =
          size.width > 1000
            ? page.getByText(amount, { exact: true }).filter({ visible: true })
            : form.getByRole('button', { name: /50\.00/ })
        await price.waitFor()
      })

    test('the button that changes the city covers no word of the note about it on a small phone', async () => {
      const visit = await site.open({ language })
      const { page, t, signUp } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Bilal Khan')
      await page.setViewportSize({ width: 360, height: 640 })
      const draft = { type: 'FROM_MINA', fromCity: null, toCity: 'Makkah', centerCode: null, agentCode: null }
      await page.evaluate(
        (state) => sessionStorage.setItem('booking', state),
        JSON.stringify({ version: bookingVersion, step: 0, draft, history: [] }),
      )
      await page.goto(paths.booking)
      const note = page.getByText(t('booking:makkah'), { exact: true })
      await note.waitFor()
      const covered = await note.evaluate((paragraph) => {
        const button = paragraph.parentElement?.parentElement
          ?.querySelector('button')
          ?.getBoundingClientRect()
        const words = document.createRange()
        words.selectNodeContents(paragraph)
        return [...words.getClientRects()].filter(
          ({ left, right, top, bottom }) =>
            button === undefined ||
            (left < button.right && right > button.left && top < button.bottom && bottom > button.top),
        ).length
      })
      expect(covered).toBe(0)
    })

    test('booking is one touch away on the first screen of a small phone, and stays there', async () => {
      const visit = await site.open({ language })
      const { page, t, heading } = stepsOf(visit, site.stack)
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(paths.home)
      await heading(t('home:services.title'))
      await appHasStarted(page)
      const main = page.getByRole('main')
      const book = main.getByRole('link', { name: t('home:book'), exact: true })
      const learnMore = main.getByRole('link', { name: t('home:learnMore'), exact: true })
      for (const link of [book, learnMore]) {
        const box = await link.boundingBox()
        expect(box?.y).toBeGreaterThanOrEqual(0)
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
      }
      await learnMore.click()
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
      const box = await book.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
      // The end of the page is not behind the docked links.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      const rights = await page.getByRole('contentinfo').locator(':scope > p').boundingBox()
      expect((rights?.y ?? 0) + (rights?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
    })

    for (const width of isFull ? ([390, 1280] as const) : ([390] as const))
      test(`a name of forty letters fits the top bar on a screen of ${width} px`, async () => {
        const name =
          language === 'ar'
            ? 'عبدالرحمن بن عبدالمحسن بن عبدالعزيز الغا'
            : 'Muhammad Abdurrahman bin Abdulmuhsin Alfa'
        expect(name.length).toBeGreaterThanOrEqual(40)
        const visit = await site.open({ language, width })
        const { page, t, inMenu, signUp } = stepsOf(visit, site.stack)
        await signUp(newPhone(), name)
        const [box] = await Promise.all([
          (await inMenu('link', t('shell:bookNow'))).boundingBox(),
          page.getByRole('banner').getByText(name, { exact: true }).waitFor(),
        ])
        // Nothing beside the name is pushed out of the bar; `visit.close` checks that the page is not wider than the screen.
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      })
  })
