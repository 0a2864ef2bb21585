import type { Locator, Page } from 'playwright-core'
import { isolated } from '#client/desk/isolated.ts'
import { paths } from '#client/platform/paths.ts'
import { findPerson } from '#mock/identity/identity.people.ts'
import type { Line } from '#server/desk/orders/timeline.rules.ts'
import { timelineText } from '#server/desk/orders/timeline.texts.ts'
import { workText } from '#server/desk/work/work.texts.ts'
import { claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import { whyNot } from '#shared/operators/why-not.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { deskPath } from '#shared/platform/pages.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { issuedAwb, newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { keyboardOf } from '#test/kit/browser/keyboard.ts'
import { firstRoute, startOrder } from '#test/kit/browser/page-orders.ts'
import { drawnPicture } from '#test/kit/browser/page-photo.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'
import { openWalk, type Walk } from '#test/kit/browser/walk.ts'
import { words } from '#test/kit/browser/words.ts'

/** The day of docs/desk-day.md, each of its sections as it stands there, in both languages. */

const site = siteForFile({ isOneWorld: true })

const path = 'docs/desk-day.md'
const fifty = (language: LanguageCode) => words(language)('platform:money', { amount: '50.00' })
const halalas = 5_000
/** Who asks, as the page names them. */
const asker = isolated(findPerson('majed')?.name ?? '')
const isShown = (target: Locator) => target.first().waitFor()

interface DeskWindow {
  readonly page: Page
  named(role: 'button' | 'link' | 'textbox' | 'radio' | 'menuitem' | 'combobox', name: string): Locator
  /** A text that is read somewhere on the page. */
  reads(text: string): Promise<void>
  /** What was done, as the page says it. */
  isTold(text: string): Promise<void>
  press(name: string): Promise<void>
  /** Presses it again where the page asks back so. */
  confirm(question: string, name: string): Promise<void>
  choose(name: string): Promise<void>
  write(field: string, text: string): Promise<void>
  /** In the menu, whose links also have a count. */
  inMenu(name: string): Locator
  goTo(name: string): Promise<void>
  /** One of the actions of an order; each has a hint behind its name. */
  action(name: string): Locator
}

/** A window of its own, in which the person that the walk names signs in. */
async function signIn(walk: Walk, id: string) {
  const visit = await site.open({ language: walk.language, width: 1280 })
  const { page } = visit
  const ownWords = words(walk.language)
  await page.goto(deskPath)
  await page.getByRole('link', { name: ownWords('desk:signIn.go'), exact: true }).click()
  await identify(page, walk, id)
  const beginning = (name: string) => new RegExp(`^${name.replace(/[.…?()]/g, '\\$&')}`)
  const window: DeskWindow = {
    page,
    named: (role, name) => page.getByRole(role, { name, exact: true }),
    reads: (text) => isShown(page.getByRole('main').getByText(text)),
    isTold: (text) => isShown(page.getByRole('status').getByText(text, { exact: true })),
    press: (name) => window.named('button', name).click(),
    confirm: (question, name) =>
      page
        .getByRole('dialog', { name: question, exact: true })
        .getByRole('button', { name, exact: true })
        .click(),
    choose: (name) => page.getByRole('dialog').getByRole('radio', { name, exact: true }).check(),
    write: (field, text) => window.named('textbox', field).fill(text),
    inMenu: (name) =>
      page
        .getByRole('navigation', { name: ownWords('desk:menu'), exact: true })
        .getByRole('link', { name: beginning(name) }),
    async goTo(name) {
      await window.inMenu(name).click()
      await isShown(page.getByRole('heading', { level: 1, name, exact: true }))
    },
    action: (name) => page.getByRole('menuitem', { name: beginning(name) }),
  }
  return { visit, ...window }
}

/** At the company's sign-in. */
async function identify(page: Page, walk: Walk, id: string): Promise<void> {
  const name = walk.text((language) => findPerson(id)?.texts[language].name ?? '')
  await page.getByText(name, { exact: true }).first().click()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith(deskPath))
  // Keys act once the desk is there.
  await page.getByRole('banner').waitFor()
}

/** A line of an order’s story. */
const line = (kind: Line['kind'], data: Line['data']) => (language: LanguageCode) =>
  timelineText({ kind, data } as Line, language)

/** An order whose card form is open, of a pilgrim whose pages no one looks at. */
async function newOrder(walk: Walk, inDocument: string) {
  const pilgrim = await signedUpPilgrim(site.stack)
  const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
  walk.name(inDocument, orderNumber(orderId))
  return { ...pilgrim, orderId }
}

/** The same on a phone, by the pilgrim’s own page; the next command pays it. Then it has its airway bill. */
async function paidOnPhone(walk: Walk, inDocument: string) {
  const visit = await site.open({ language: walk.language })
  const steps = stepsOf(visit, site.stack)
  const { page, heading } = steps
  await steps.signUp(newPhone(), 'Fatima Zahra')
  const { orderId } = await startOrder(page)
  walk.name(inDocument, orderNumber(orderId))
  await walk.run()
  await page.goto(paths.order(orderId))
  await heading(words(walk.language)('payment:thankYou.titles.PAID'))
  const number = page.getByRole('main').getByText(/^\d{12}$/)
  await isShown(number)
  walk.name('AIRWAY-BILL', (await number.first().textContent()) ?? '')
  return { ...steps, orderId }
}

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    const open = (heading: string) => openWalk({ path, heading }, { stack: site.stack, language })

    test('an airway bill that does not come is found, taken and made again, by keyboard alone', async () => {
      const walk = open('08:00')
      const { t, text } = walk
      const { person, orderId } = await newOrder(walk, 'OD-1')
      for (let command = 0; command < 4; command += 1) await walk.run()
      const lulwa = await signIn(walk, 'lulwa')
      const { page, reads } = lulwa
      const keys = keyboardOf(page)
      const stuck = (each: LanguageCode) =>
        workText({ reason: 'label-stopped', data: { tries: 2, reason: null } }, each)
      await isShown(page.getByRole('heading', { level: 1, name: t('desk:menuOf.labels'), exact: true }))
      await isShown(
        lulwa.named(
          'link',
          text(() => orderNumber(orderId)),
        ),
      )
      await reads(text(stuck))

      await walk.press(page)
      await keys.expectFocus(page.getByRole('main').getByRole('textbox'))
      await keys.type(walk.typed())
      await walk.press(page)
      await reads(text(line('label-escalated', { creations: 2 })))
      await reads(t('desk-orders:bagCard.noAwb'))
      await walk.press(page)
      await isShown(lulwa.named('button', t('desk-work:release')))
      await walk.press(page)
      await page.getByRole('menuitem').first().waitFor()
      const down = walk.key()
      const again = lulwa.action(t('desk-actions:act.reissue.open'))
      await expect
        .poll(async () => {
          await page.keyboard.press(down)
          return again.evaluate((item) => item === document.activeElement)
        })
        .toBe(true)
      await walk.press(page)
      await keys.expectFocus(page.getByRole('dialog').getByRole('textbox'))
      await keys.type(walk.typed())
      await walk.press(page)
      await lulwa.isTold(t('desk-actions:act.reissue.done'))
      const awb = await issuedAwb(person, orderId)
      walk.name('AIRWAY-BILL', awb)
      await reads(text(line('label-issued', { awb })))
      await walk.press(page)
      await keys.tabTo(lulwa.inMenu(t('desk:menuOf.labels')))
      await walk.press(page)
      await reads(t('desk-work:empty'))
      walk.expectEnd()
    })

    test('a second payment is explained to its payer, handed on, and written off by two', async () => {
      const walk = open('10:00')
      const { t, text } = walk
      const { person, user, orderId } = await newOrder(walk, 'OD-2')
      walk.name('4567', user.phone?.slice(-4) ?? '')
      for (let command = 0; command < 4; command += 1) await walk.run()
      const sara = await signIn(walk, 'sara')
      const majed = await signIn(walk, 'majed')
      const number = () => text(() => orderNumber(orderId))

      await sara.page.keyboard.press('/')
      await sara.page.getByRole('main').getByRole('textbox').fill(walk.typed())
      await sara.page.keyboard.press('Enter')
      await sara.named('link', number()).click()
      const money = t('desk-orders:part.money')
      await sara.page
        .getByRole('main')
        .getByText(new RegExp(`^${money} \\d+$`))
        .click()
      const told = (kind: Line['kind'], data: Line['data'] = {}) =>
        text(line(kind, { halalas, currency: 'SAR', ...data }))
      await sara.reads(told('paid'))
      await sara.reads(told('payment-noted', { outcome: 'second-payment' }))
      await sara.reads(told('refund-ordered', { reason: 'second-payment' }))
      await sara.press(t('desk-work:take'))
      await sara.press(t('desk-work:hand.open'))
      await sara.choose(text(() => findPerson('majed')?.name ?? ''))
      const note = walk.typed()
      await sara.write(words(language)('desk-work:hand.note'), note)
      await sara.press(t('desk-work:hand.ok'))

      await majed.goTo(t('desk:menuOf.refunds'))
      await majed.reads(t('desk-work:handed'))
      await majed.reads(note)
      await majed.page.getByRole('table').getByRole('link', { name: number(), exact: true }).click()
      await majed.press(t('desk-actions:whyNot'))
      await isShown(majed.page.getByText(t('desk-actions:act.refund.open'), { exact: true }))
      const notPossible = (each: LanguageCode) =>
        words(each)('desk-actions:notPossible', { why: whyNot.refundOpen[each] })
      await isShown(majed.page.getByText(text(notPossible), { exact: true }))
      await majed.press(t('desk-actions:title'))
      await majed.action(t('desk-actions:act.write-off.open')).click()
      await majed.write(words(language)('desk-actions:reason'), walk.typed())
      await majed.press(t('desk-actions:act.write-off.ok'))
      await majed.isTold(t('desk-actions:waits'))

      const lulwa = await signIn(walk, 'lulwa')
      await lulwa.goTo(t('desk:menuOf.approvals'))
      await lulwa.reads(t('desk-approvals:unchanged'))
      await lulwa.press(t('desk-approvals:approve.write-off'))
      const act = (each: LanguageCode) => words(each)('desk-approvals:approve.write-off')
      await lulwa.confirm(
        text((each) => words(each)('desk-approvals:ask.approve', { act: act(each), name: asker })),
        t('desk-approvals:approve.write-off'),
      )
      await lulwa.isTold(t('desk-approvals:approved'))
      await majed.reads(told('refund-written-off'))
      await majed.goTo(t('desk:menuOf.refunds'))
      await majed.reads(t('desk-work:empty'))
      expect((await person.order(orderId)).status).toBe('PAID')
      walk.expectEnd()
    })

    test('a lost bag goes from the report on the phone to the answer, and to its end', async () => {
      const walk = open('12:00')
      const { t, text } = walk
      const { page, named, orderId } = await paidOnPhone(walk, 'OD-3')
      await walk.run()
      await walk.run()
      await page.reload()
      await named('link', t('claims:title')).click()
      await named('button', t('claims:kinds.lost')).click()
      await named('textbox', t('claims:text.label')).fill(walk.typed())
      await page.locator('input[type=file]').setInputFiles(await drawnPicture(page))
      await page.getByAltText(t('claims:photos.photo', { number: 1 })).waitFor()
      await named('button', t('claims:send')).click()
      const opened = page.getByText(/CL-\d+/).first()
      await opened.waitFor()
      const [claim = ''] = /CL-\d+/.exec((await opened.textContent()) ?? '') ?? []
      walk.name('CL-1', claim)
      await isShown(page.getByText(t('claims:opened', { number: claim }), { exact: true }))

      const sara = await signIn(walk, 'sara')
      await isShown(sara.page.getByRole('heading', { level: 1, name: t('desk:menuOf.bags'), exact: true }))
      await isShown(
        sara.named(
          'link',
          text(() => orderNumber(orderId)),
        ),
      )
      await sara.reads(text((each) => workText({ reason: 'missing', data: {} }, each)))
      await sara.goTo(t('desk:menuOf.claims'))
      await sara
        .named(
          'link',
          text(() => claim),
        )
        .click()
      await sara.press(t('desk-claims:photoShow', { number: 1 }))
      const photo = sara.page.getByAltText(t('desk-claims:photo', { number: 1 }))
      await expect.poll(() => photo.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_600)
      await sara.press(t('desk-orders:reveal.open'))
      await sara.choose(t('desk-orders:reason.call-back'))
      const dialog = sara.page.getByRole('dialog')
      await dialog.getByRole('button', { name: t('desk-orders:reveal.open'), exact: true }).click()
      await isShown(dialog.getByText(text(() => 'Fatima Zahra')))
      await dialog.getByRole('button', { name: t('desk-orders:reveal.hide'), exact: true }).click()

      await sara.write(t('desk-claims:partner.case'), walk.typed())
      await sara.press(t('desk-claims:partner.told'))
      await sara.isTold(t('desk-claims:partner.toldDone'))
      const field = t('desk-claims:wayOf.answer')
      const answer = walk.typed()
      await sara.write(field, answer)
      await sara.press(t('desk-claims:send.answer'))
      await sara.isTold(t('desk-claims:done.answer'))

      await page.reload()
      await isShown(page.getByText(answer, { exact: true }))
      await isShown(page.getByText(t('claims:status.answered'), { exact: true }))

      await sara.write(t('desk-claims:partner.answer'), walk.typed())
      await sara.press(t('desk-claims:partner.answered'))
      await sara.isTold(t('desk-claims:partner.answeredDone'))
      await sara.press(t('desk-claims:close.open'))
      await sara.choose(text((each) => claimOutcomeNames.found[each]))
      const why = t('desk-claims:close.text')
      const end = walk.typed()
      await sara.write(why, end)
      await sara.press(t('desk-claims:close.ok'))
      await sara.isTold(t('desk-claims:close.done', { number: claim }))

      await page.reload()
      await isShown(page.getByText(t('claims:outcome.found'), { exact: true }))
      await isShown(page.getByText(end, { exact: true }))
      await sara.page.goto(`${deskPath}/orders/${orderId}`)
      await sara.press(t('desk-actions:title'))
      await sara.action(t('desk-actions:act.checked.open')).click()
      await sara.write(words(language)('desk-actions:reason'), walk.typed())
      await sara.press(t('desk-actions:act.checked.ok'))
      await sara.goTo(t('desk:menuOf.bags'))
      await sara.reads(t('desk-work:empty'))
      walk.expectEnd()
    })

    test('a refund needs a second person, who has signed in lately and has nothing changed meanwhile', async () => {
      const walk = open('15:00')
      const { t, text } = walk
      const pilgrim = await paidOnPhone(walk, 'OD-4')
      await walk.run()
      const majed = await signIn(walk, 'majed')
      const reason = words(language)('desk-actions:reason')
      /** To the order by the search, and what is read there first. */
      async function ask(choice: string, readFirst?: () => Promise<void>): Promise<void> {
        await walk.press(majed.page)
        await majed.page.getByRole('main').getByRole('textbox').fill(walk.typed())
        await walk.press(majed.page)
        await readFirst?.()
        await majed.press(t('desk-actions:title'))
        await majed.action(t('desk-actions:act.refund.open')).click()
        await majed.choose(t(`desk-actions:choice.${choice}`))
        await majed.write(reason, walk.typed())
        await majed.press(text((each) => words(each)('desk-actions:act.refund.ok', { sum: fifty(each) })))
        await majed.isTold(t('desk-actions:waits'))
      }
      const approval = (each: LanguageCode) => words(each)('desk-approvals:pay', { sum: fifty(each) })
      await ask('notGiven')
      await majed.goTo(t('desk:menuOf.approvals'))
      await majed.reads(t('desk-approvals:mine'))
      expect(await majed.named('button', approval(language)).count()).toBe(0)
      await walk.run()

      const lulwa = await signIn(walk, 'lulwa')
      await lulwa.goTo(t('desk:menuOf.approvals'))
      await lulwa.reads(
        text((each) => words(each)('desk-approvals:changed', { what: overtakenBy['bag-arrived'][each] })),
      )
      const note = walk.typed()
      await lulwa.page.getByRole('main').getByRole('textbox').fill(note)
      await lulwa.press(t('desk-approvals:refuse'))
      await lulwa.confirm(t('desk-approvals:ask.refuse', { name: asker }), t('desk-approvals:refuse'))
      await lulwa.reads(t('desk-approvals:empty'))

      await ask('goodwill', () =>
        majed.reads(
          text(line('approval-decided', { act: 'refund', halalas, outcome: 'refused', words: note })),
        ),
      )
      await walk.run()
      lulwa.visit.expectAnswer(401, /\/approve$/)
      await lulwa.press(text(approval))
      const question = (each: LanguageCode) =>
        words(each)('desk-approvals:ask.pay', { sum: fifty(each), name: asker })
      await lulwa.confirm(text(question), text(approval))
      await isShown(lulwa.page.getByRole('dialog').getByText(t('desk:act.again')))
      await lulwa.named('link', t('desk:act.againGo')).click()
      await identify(lulwa.page, walk, 'lulwa')
      const pay = text(approval)
      await lulwa.press(pay)
      await lulwa.confirm(question(language), pay)
      await lulwa.isTold(t('desk-approvals:approved'))
      // The bag is at its branch, so the page goes on showing it.
      await isShown(pilgrim.page.getByText(t('refund-note:text.done')))
      const payments = await site.stack.control.paymentsOf(pilgrim.orderId)
      expect(payments[0]?.transactions.map(({ refundedAmount }) => refundedAmount)).toContain(halalas)
      walk.expectEnd()
    })

    test('a paid order is cancelled by two: support asks, and finance approves', async () => {
      const walk = open('16:00')
      const { t, text } = walk
      const pilgrim = await paidOnPhone(walk, 'OD-5')
      const sara = await signIn(walk, 'sara')
      await walk.press(sara.page)
      await sara.page.getByRole('main').getByRole('textbox').fill(walk.typed())
      await walk.press(sara.page)
      await sara.press(t('desk-actions:title'))
      await sara.action(t('desk-actions:act.cancel.open')).click()
      await sara.choose(t('desk-actions:choice.mistake'))
      await sara.write(words(language)('desk-actions:reason'), walk.typed())
      await sara.press(t('desk-actions:act.cancel.ok'))
      await sara.isTold(t('desk-actions:waits'))
      expect(await sara.inMenu(words(language)('desk:menuOf.approvals')).count()).toBe(0)

      const majed = await signIn(walk, 'majed')
      await majed.goTo(t('desk:menuOf.approvals'))
      await majed.reads(t('desk-approvals:unchanged'))
      await majed.press(t('desk-approvals:approve.cancel'))
      const by = isolated(findPerson('sara')?.name ?? '')
      const question = (each: LanguageCode) =>
        words(each)('desk-approvals:ask.approve', {
          act: words(each)('desk-approvals:approve.cancel'),
          name: by,
        })
      await majed.confirm(text(question), t('desk-approvals:approve.cancel'))
      await majed.isTold(t('desk-approvals:approved'))
      const back = { halalas, currency: 'SAR', reason: 'cancelled' }
      await sara.reads(text(line('refund-ordered', back)))
      await pilgrim.heading(t('payment:thankYou.titles.refund-done'))
      walk.expectEnd()
    })

    test('an agent is stopped: no order is made, an open payment is finished, and it is sold again', async () => {
      const walk = open('17:00')
      const { t, text } = walk
      const other = (each: LanguageCode) => (each === 'ar' ? 'en' : 'ar')
      const [payer, buyer] = [await site.open({ language }), await site.open({ language })].map((visit) => ({
        visit,
        ...stepsOf(visit, site.stack),
      }))
      if (payer === undefined || buyer === undefined) throw new Error('two pilgrims')
      for (const { page, signUp, chooseRoute } of [payer, buyer]) {
        await signUp(newPhone(), 'Fatima Zahra')
        await chooseRoute(await firstRoute(page))
      }
      const form = await payer.goToPayment()
      const { agent } = await firstRoute(buyer.page)

      const lulwa = await signIn(walk, 'lulwa')
      await lulwa.goTo(t('desk:menuOf.stops'))
      await lulwa.press(t('desk-stops:new.open'))
      expect(await lulwa.named('radio', t('desk-stops:what.agent')).isChecked()).toBe(true)
      await lulwa.named('combobox', t('desk-stops:which.agent')).fill(agent.id)
      await lulwa.page.keyboard.press('Enter')
      const reason = words(language)('desk-stops:reason')
      await lulwa.write(reason, walk.typed())
      await lulwa.press(t('desk-stops:new.ok'))
      await lulwa.isTold(t('desk-stops:new.done'))
      await lulwa.reads(t('desk-stops:inForce'))

      const pay = (each: LanguageCode) => words(each)('checkout:pay', { amount: fifty(each) })
      const refusal = (sentence: string) =>
        isShown(buyer.page.getByRole('alert').getByText(sentence, { exact: true }))
      buyer.visit.expectAnswer(409, /^\/api\/checkout$/)
      buyer.visit.expectConsole(/checkout failed/)
      // The foot of the page has the button, too.
      const switchTo = (name: string) =>
        buyer.page.getByRole('banner').getByRole('button', { name, exact: true }).click()
      await buyer.named('button', text(pay)).click()
      await refusal(text((each) => usualSentences.agent[each]))
      await switchTo(text((each) => languages[other(each)].label))
      await refusal(text((each) => usualSentences.agent[other(each)]))
      await switchTo(text((each) => languages[each].label))
      await payer.payWith(form, cards.approved)
      await isShown(payer.named('dialog', t('payment:thankYou.titles.PAID')))

      await lulwa.press(t('desk-stops:end.open'))
      await lulwa.write(reason, walk.typed())
      await lulwa.press(t('desk-stops:end.ok'))
      await lulwa.isTold(t('desk-stops:end.done'))
      await lulwa.reads(t('desk-stops:empty'))
      await buyer.named('button', text(pay)).click()
      await buyer.cardForm()
      walk.expectEnd()
    })
  })
