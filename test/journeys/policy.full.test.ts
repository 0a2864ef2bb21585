import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { violationsCounted, watchViolations } from '#test/kit/browser/page-watch.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'
import { nameOfScript, paymentScripts } from '../../scripts/ops/payment-scripts.ts'

/** The built app keeps its own Content-Security-Policy on every page, as a browser enforces it. */

const site = siteForFile()

test('a whole booking, from sign-up to the agent, causes no violation', async () => {
  const visit = await site.open({ language: 'en' })
  const violations = await watchViolations(visit.page)
  const policies = new Map<string, string>()
  visit.page.on('response', async (response) => {
    if (response.request().resourceType() === 'document' && response.url().startsWith(site.stack.gatewayUrl))
      policies.set(new URL(response.url()).pathname, response.headers()['content-security-policy'] ?? '')
  })
  const { page, t, ...person } = stepsOf(visit, site.stack)
  await person.signUp(newPhone(), 'Maryam Al-Harbi')
  await person.chooseRoute(await firstRoute(page, '+966500000101'))
  const card = await person.goToPayment()
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .map(({ href, pathname }) => [href, pathname]),
  )
  const scripts = loaded.filter(([, path]) => path?.endsWith('.js')).map(([href = '']) => href)
  const ours = scripts.filter((href) => href.startsWith(site.stack.gatewayUrl)).map(nameOfScript)
  // Of the texts a visit loads those of its language.
  const listed = Object.keys(paymentScripts).filter((name) => !/^texts-.*-(?!en$)/.test(name))
  expect(new Set(ours)).toEqual(new Set(listed))
  expect(scripts.filter((href) => !href.startsWith(site.stack.gatewayUrl))).toEqual([
    expect.stringMatching(/\/payment\/widget\/main\.js$/),
  ])
  await person.payWith(card, cards.approved)
  const claim = person.named('dialog', t('payment:thankYou.titles.PAID'))
  await claim.getByRole('img', { name: /\d{12}/ }).waitFor()
  await claim.getByRole('button', { name: t('payment:thankYou.close'), exact: true }).click()
  await (await person.inMenu('link', t('shell:myOrders'))).click()
  await person.heading(t('orders:title'))
  await page.reload()
  await person.heading(t('orders:title'))
  await person.logOut()
  await person.openAgentLogin()
  await person.signInAgent('+966500000101')
  await page.goto(paths.privacyPolicy)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await visit.close()

  expect(violations).toEqual([])
  expect(await violationsCounted(site.stack)).toBe(0)
  // The policies are strict: Trusted Types are required everywhere but on the page of the widget.
  expect([...policies.keys()].sort()).toEqual(
    expect.arrayContaining(['/', paths.orders, '/payment', '/thank-you']),
  )
  for (const [path, policy] of policies) {
    expect(policy, path).toContain("default-src 'none'")
    expect(policy.includes("require-trusted-types-for 'script'"), path).toBe(path !== '/payment')
  }
})
