import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { workerIsReady } from '#test/kit/browser/chromium.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

/** The main journey and the pass without a network in Firefox: the floor and the newest ESR have one engine. */

const site = siteForFile({ env: {}, isFirefox: true })

test('books and pays, and shows the pass without a network', async () => {
  const opened = await site.open({ language: 'ar' })
  const steps = stepsOf(opened, site.stack)
  const { page, t, named } = steps
  await steps.signUp(newPhone(), 'Maryam Al-Harbi')
  await steps.chooseRoute(await firstRoute(page))
  await steps.payWith(await steps.goToPayment(), cards.approved)
  await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
  await page.getByRole('main').getByRole('img').first().waitFor()
  const result = page.url()
  await workerIsReady(page)

  // The worker has no network either. Firefox says of each request in the console that it failed.
  opened.expectConsole(/NetworkError|NS_ERROR|Failed to load|blocked|Cross-Origin|can.t establish/)
  await site.stack.stopAnswering()
  await page.goto(paths.orders)
  await named('link', t('orders:show')).click()
  await steps.heading(t('pass:kept'))
  expect(await page.getByRole('main').getByRole('img').count()).toBeGreaterThan(0)
  await page.goto(result)
  await named('dialog', t('pass:kept')).waitFor()
  await page.getByRole('main').getByRole('img').first().waitFor()

  await site.stack.answerAgain()
  await page.goto(result)
  await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
})
