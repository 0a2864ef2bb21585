import { paths } from '#client/platform/paths.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'
import { expectWhole, translate } from '#test/kit/browser/translated.ts'

/** Most pilgrims read neither language of the product: Chrome translates its pages while they are used. */

const site = siteForFile()
/** One for each language: a phone gets one code a minute. */
const agentPhones = { ar: '+966500000105', en: '+966500000104' } as const

for (const each of ['ar', 'en'] as const)
  test(`a pilgrim books and an agent receives the bag while the browser translates every page from ${each}`, () =>
    bookAndReceive(each))

async function bookAndReceive(language: LanguageCode) {
  const agentPhone = agentPhones[language]
  const visit = await site.open({ language })
  const { page, t, named, heading, ...person } = stepsOf(visit, site.stack)
  const isWhole = () => expectWhole(page, t('shell:failure.title'))
  // A page that is translated before the app has taken it over is rendered anew: here on a slow machine, elsewhere on a slow phone.
  visit.expectConsole(/React error #418/)
  await translate(page)

  // Signs up, with a wrong code first.
  visit.expectAnswer(400, /^\/api\/auth\/verify-(agent-)?otp$/)
  const phone = newPhone()
  await page.goto(paths.auth)
  await isWhole()
  await page.getByRole('radio', { name: t('sessions:mode.signup'), exact: true }).check()
  await named('textbox', t('sessions:name')).fill('Rahim Uddin')
  await named('textbox', t('sessions:phone')).fill(phone)
  await named('button', t('sessions:send')).click()
  const code = page.getByRole('textbox', { name: t('sessions:code.label'), exact: true })
  const enterCodes = async (of: string) => {
    await code.waitFor()
    const right = await site.stack.control.codeFor(of)
    await code.fill(right === '9999' ? '1111' : '9999')
    await page.locator('[aria-invalid="true"]').waitFor()
    await isWhole()
    await code.fill(right)
  }
  await enterCodes(phone)
  await heading(t('booking:title'))

  // Continues with an open question, then answers all.
  await isWhole()
  await named('button', t('booking:continue')).click()
  await page.getByText(t('booking:incomplete')).first().waitFor()
  await isWhole()
  await person.chooseRoute(await firstRoute(page, agentPhone))
  await isWhole()

  // Pays: the order becomes paid, and its barcode comes, while the page is open.
  const form = await person.goToPayment()
  await isWhole()
  const orderId = Number(new URL(page.url()).searchParams.get('orderId'))
  await person.payWith(form, cards.approved)
  const claim = named('dialog', t('payment:thankYou.titles.PAID'))
  await claim.getByRole('img', { name: /\d{12}/ }).waitFor()
  await isWhole()
  await claim.getByRole('button', { name: t('payment:thankYou.close'), exact: true }).click()
  await heading(t('booking:title'))
  await isWhole()
  await page.goto(paths.order(orderId))
  const barcode = page.getByRole('img', { name: /\d{12}/ }).first()
  await barcode.waitFor()
  await isWhole()
  const awb = /\d{12}/.exec((await barcode.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  expect(awb).toHaveLength(12)
  for (const path of [paths.orders, paths.account, paths.home]) {
    await page.goto(path)
    await isWhole()
  }
  await person.logOut()

  // The agent signs in, with a wrong code first, opens the bag in the list and receives it.
  await page.goto(paths.agentAuth)
  await isWhole()
  await named('textbox', t('sessions:phone')).fill(agentPhone)
  await named('button', t('sessions:send')).click()
  await enterCodes(agentPhone)
  await heading(t('agent-orders:title'))
  await isWhole()
  await person.openAssigned(orderId)
  await isWhole()
  await person.closeAssigned()
  await page.goto(paths.agentScan)
  await isWhole()
  await named('textbox', t('handovers:number.label')).fill('2900')
  await named('button', t('handovers:number.check')).click()
  await page.getByText(t('handovers:number.error'), { exact: true }).waitFor()
  await isWhole()
  await named('textbox', t('handovers:number.label')).fill(awb)
  await named('button', t('handovers:number.check')).click()
  await named('button', t('handovers:confirm')).click()
  // In the bar and in the list.
  const undo = page.getByRole('button', { name: new RegExp(`^${t('handovers:kept.undo')} · `) })
  await undo.first().waitFor()
  await isWhole()
  await undo.first().click()
  await eventually(async () => ((await undo.count()) === 0 ? true : undefined))
  await page.getByText(t('handovers:kept.empty'), { exact: true }).waitFor()
  await isWhole()
}
