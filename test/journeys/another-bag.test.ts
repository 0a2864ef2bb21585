import type { Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile()

/** Promised: to the payment of the first bag, and of each further one. Those in the card form are not counted. */
const most = { first: 13, further: 2 }

/** Counts the presses on our own pages. @returns those since the last call. */
async function countTaps(page: Page): Promise<() => number> {
  let taps = 0
  await page.exposeFunction('countTap', () => {
    taps += 1
  })
  await page.addInitScript(() => {
    if (window.top !== window) return
    const { countTap } = window as unknown as { countTap: () => void }
    window.addEventListener('pointerdown', () => countTap(), { capture: true })
  })
  return () => {
    const counted = taps
    taps = 0
    return counted
  }
}

test('a father books three bags: the first by thirteen taps at most, each further one by two and the card', async () => {
  const visit = await site.open({ language: 'ar', width: 390 })
  const { page, t, ...person } = stepsOf(visit, site.stack)
  const tapsSince = await countTaps(page)
  const pay = async () => {
    await person.payWith(await person.goToPayment(), cards.approved)
    await person.named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
  }
  const price = t('platform:money', { amount: '50.00' })
  const another = person.named('link', t('again:priced', { price }))

  await person.signUp(newPhone(), 'عبد الرحمن بن محمد القحطاني')
  await person.chooseRoute(await firstRoute(page))
  await pay()
  expect(tapsSince()).toBeLessThanOrEqual(most.first)

  await another.click()
  await pay()
  expect(tapsSince()).toBe(most.further)

  await page.goto(paths.orders)
  const bags = (form: 'two' | 'few') => page.getByText(t(`orders:journey.bags_${form}`, { count: 3 })).first()
  await bags('two').waitFor()
  await another.click()
  await pay()
  expect(tapsSince()).toBe(most.further)

  await page.goto(paths.orders)
  await bags('few').waitFor()
  const show = person.named('button', t('orders:journey.show_few', { count: 3 }))
  // Until the airway bill of the last bag is issued there are two.
  await show.waitFor()
  await show.click()
  const full = person.named('dialog', t('awb:full.title'))
  const seen = new Set<string | null>()
  for (const number of [1, 2, 3]) {
    await full.getByText(t('awb:full.place', { number, total: 3 }), { exact: true }).waitFor()
    seen.add(await full.getByRole('img').getAttribute('aria-label'))
    if (number < 3) await full.getByRole('button', { name: t('awb:full.next'), exact: true }).click()
  }
  expect(seen.size).toBe(3)
  await page.goBack()
  await full.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(paths.orders)
})
