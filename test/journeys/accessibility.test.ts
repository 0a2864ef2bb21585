import { paths } from '#client/platform/paths.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { wrongsOf } from '#test/kit/browser/accessibility.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

/** The pages in the state in which most people see them; every state is in `accessibility.full.test.ts`. */

const site = siteForFile()
// No other journey gives this agent a bag.
const agentPhone = '+966500000110'
const name = 'Bilal Khan'

test('the pages of a pilgrim and of an agent pass WCAG 2.2 AA on a phone and show one language', async () => {
  const pilgrim = await signedUpPilgrim(site.stack, { name })
  const agentCode = await agentCodeOf(pilgrim.person, agentPhone)
  const orderId = await paidOrder(site.stack, pilgrim, { agentCode })
  await issuedAwb(pilgrim.person, orderId)
  const agent = newPerson(site.stack)
  await agent.signInAgent(agentPhone)

  const visits: [Person | undefined, readonly string[]][] = [
    [undefined, [paths.home, paths.auth, paths.privacyPolicy, paths.terms]],
    [pilgrim.person, [paths.booking, paths.orders, paths.order(orderId), paths.account]],
    [agent, [paths.agentOrders]],
  ]
  const wrongs: string[] = []
  for (const [person, addresses] of visits) {
    const { page } = await site.open({ language: 'ar' })
    const url = site.stack.gatewayUrl
    const cookies = [...(person?.cookies ?? [])].filter(([cookie]) => cookie !== 'lang')
    await page.context().addCookies(cookies.map(([cookie, value]) => ({ name: cookie, value, url })))
    for (const address of addresses) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('[data-loading]').count()).toBe(0)
      wrongs.push(...(await wrongsOf(page, address, { language: 'ar', typed: [name] })))
    }
  }
  expect(wrongs).toEqual([])
})

test('a text with too little contrast on an Arabic page is found', async () => {
  const { page } = await site.open({ language: 'ar' })
  await page.goto(paths.privacyPolicy)
  const text = page.locator('main p').first()
  await text.evaluate(({ style }) => {
    style.color = '#d0c8b8'
  })
  const wrongs = await wrongsOf(page, 'privacy', { language: 'ar', typed: [] })
  expect(wrongs).not.toEqual([])
  for (const wrong of wrongs) expect(wrong).toContain('color-contrast')
})
