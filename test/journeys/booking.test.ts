import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { isFull, languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { readLabel } from '#test/kit/browser/pdf.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile()

async function labelOf(download: Download) {
  return { name: download.suggestedFilename(), label: await readLabel(await readFile(await download.path())) }
}

const people: { language: LanguageCode; width: 390 | 1280; name: string; agentPhone: string }[] = [
  { language: 'ar', width: 390, name: 'عبد الرحمن بن محمد القحطاني', agentPhone: '+966500000101' },
  { language: 'en', width: 1280, name: 'Maryam Al-Harbi', agentPhone: '+966500000102' },
]
if (isFull)
  people.push({ language: 'ar', width: 1280, name: 'Nur Aisyah binti Abdullah', agentPhone: '+966500000103' })

for (const { language, width, name, agentPhone } of people)
  test.describe(`in ${language} on a screen of ${width} px`, () => {
    test('a user signs up, books, pays and downloads the label, and the agent sees the order', async () => {
      const visit = await site.open({ language, width })
      const { page, t, ...person } = stepsOf(visit, site.stack)
      const phone = newPhone()
      await person.signUp(phone, name)
      await person.chooseRoute(await firstRoute(page, agentPhone))
      const receiver =
        width === 390 ? { name: 'Huda Salem', phone: newPhone(), secondPhone: newPhone() } : undefined
      if (receiver) await person.nameReceiver(receiver)
      const form = await person.goToPayment()
      const orderId = Number(new URL(page.url()).searchParams.get('orderId'))
      await person.payWith(form, cards.approved)

      const claim = person.named('dialog', t('payment:thankYou.titles.PAID'))
      await claim.waitFor()
      await claim.getByText(orderNumber(orderId), { exact: true }).waitFor()
      await claim.getByText(t('pass:more'), { exact: true }).click()
      // Open, closed or not known in this season: that depends on the time of the run.
      const hours = ['openUntil', 'opensOn', 'unsure'].map((key) =>
        t(`branch-hours:${key}`, { day: '', time: '' }).slice(0, 6),
      )
      await claim.getByText(new RegExp(`^(${hours.join('|')})`)).waitFor()
      const downloadLink = claim.getByRole('link', { name: t('awb:download'), exact: true })
      await downloadLink.waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), downloadLink.click()])
      const { name: fileName, label } = await labelOf(download)
      const awb = label.barcode ?? ''
      expect(awb).toMatch(/^\d{12}$/)
      expect(fileName).toMatch(new RegExp(`${awb}\\.pdf$`))
      expect(label.text.replace(/\s/g, '')).toContain(awb)
      const named = Object.values(receiver ?? { name })
      expect(named.filter((text) => !label.text.includes(text))).toEqual([])
      await claim.getByText(awb, { exact: true }).waitFor()
      await claim.getByRole('img', { name: t('awb:barcode', { awb }), exact: true }).waitFor()
      const sheet = await readLabel(await page.pdf({ format: 'A4' }))
      expect(sheet.barcode).toBe(awb)
      expect(sheet.text).not.toContain(t('shell:footer.contact'))
      expect(sheet.text).not.toContain(t('awb:download'))

      await claim.getByRole('button', { name: t('payment:thankYou.close'), exact: true }).click()
      await person.heading(t('booking:title'))
      await (await person.inMenu('link', t('shell:myOrders'))).click()
      await person.heading(t('orders:title'))
      const mine = person.order(orderId)
      await mine.getByText(t('order-card:status.PAID'), { exact: true }).waitFor()
      await mine.getByText(awb, { exact: true }).waitFor()
      expect((await readLabel(await page.pdf({ format: 'A4' }))).barcode).toBe(awb)
      await mine.getByRole('link', { name: t('orders:show'), exact: true }).click()
      await person.heading(t('payment:thankYou.titles.PAID'))
      expect(new URL(page.url()).pathname).toBe(paths.order(orderId))
      const barcode = page.getByRole('img', { name: t('awb:barcode', { awb }), exact: true })
      await barcode.waitFor()
      await page.emulateMedia({ media: 'print' })
      await barcode.waitFor()
      for (const role of ['banner', 'contentinfo', 'button'] as const)
        expect(await page.getByRole(role).count(), role).toBe(0)
      await page.emulateMedia({ media: 'screen' })

      await person.logOut()
      await person.openAgentLogin()
      await person.signInAgent(agentPhone)
      const assigned = await person.openAssigned(orderId)
      // As the customer, and as the receiver printed on the airway bill.
      await assigned.getByText(name, { exact: true }).first().waitFor()
      await assigned
        .getByText(receiver?.name ?? name, { exact: true })
        .nth(1)
        .waitFor()
      for (const called of receiver ? [receiver.phone, receiver.secondPhone] : [])
        await assigned.getByRole('link', { name: called, exact: true }).waitFor()
      await assigned.getByRole('link', { name: phone, exact: true }).waitFor()
      await assigned.getByText(awb, { exact: true }).first().waitFor()
      await assigned.getByRole('button', { name: t('handovers:confirm'), exact: true }).waitFor()
      await person.closeAssigned()
      await person.logOut()
    })
  })

for (const language of languagesOrOne('en'))
  test.describe(`in ${language}`, () => {
    test('a declined and cancelled payment is explained, and can be repeated', async () => {
      const visit = await site.open({ language })
      const { page, t, ...person } = stepsOf(visit, site.stack)
      await person.signUp(newPhone(), 'Bilal Khan')
      await person.chooseRoute(await firstRoute(page))
      const form = await person.goToPayment()
      const orderId = Number(new URL(page.url()).searchParams.get('orderId'))
      await person.payWith(form, cards.declined)
      await page.getByRole('alert').waitFor()
      await form.getByRole('button', { name: language === 'ar' ? 'إلغاء' : 'Cancel', exact: true }).click()

      const failure = page.getByRole('alert').filter({ hasText: t('payment:thankYou.failure.text') })
      await failure.getByRole('heading', { name: t('payment:thankYou.failure.title'), exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('success')).toBe('false')
      await person.named('button', t('payment:thankYou.failure.payAgain')).click()

      await person.payWith(await person.cardForm(), cards.approved)
      const claim = person.named('dialog', t('payment:thankYou.titles.PAID'))
      await claim.getByText(orderNumber(orderId), { exact: true }).waitFor()
      await claim.getByText(t('pass:more'), { exact: true }).click()
      await claim.getByRole('link', { name: t('awb:download'), exact: true }).waitFor()
      expect(
        (await site.stack.control.paymentsOf(orderId)).filter(({ status }) => status === 'paid'),
      ).toHaveLength(1)
    })
  })
