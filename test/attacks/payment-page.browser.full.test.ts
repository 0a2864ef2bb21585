import { paths } from '#client/platform/paths.ts'
import type { PaymentStart } from '#shared/orders/orders.schemas.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import type { Visit } from '#test/kit/browser/chromium.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'

/**
 * A link to our payment page, written by an attacker and opened by a signed-in pilgrim: it must not make the pilgrim
 * pay another order or another merchant, and the page must show no text from the link.
 */

const site = siteForFile()

let victim: Pilgrim
let attacker: Pilgrim
let own: PaymentStart
let foreign: PaymentStart
test.beforeAll(async () => {
  victim = await signedUpPilgrim(site.stack, { lang: 'en' })
  attacker = await signedUpPilgrim(site.stack)
  own = await victim.person.checkout(victim.user.id)
  foreign = await attacker.person.checkout(attacker.user.id)
})

let visit: Visit
/** Every address that the page or its frames request. */
let asked: string[]
test.beforeEach(async () => {
  visit = await site.open({ language: 'en' })
  asked = []
  visit.page.on('request', (request) => asked.push(request.url()))
  await visit.page
    .context()
    .addCookies(
      [...victim.person.cookies].map(([name, value]) => ({ name, value, url: site.stack.gatewayUrl })),
    )
})

const providerAsked = () => asked.filter((url) => url.startsWith(site.stack.mockUrl))

async function expectRefused(): Promise<void> {
  const { page, t } = stepsOf(visit, site.stack)
  await page
    .getByRole('alert')
    .filter({ hasText: t('payment:linkRefused.title') })
    .waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(providerAsked()).toEqual([])
  await page
    .getByRole('alert')
    .getByRole('link', { name: t('payment:toOrders'), exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: t('orders:title') }).waitFor()
  await visit.close()
}

test.describe('a link that another person has written opens no card form', () => {
  for (const orderId of [
    'Payment refused. Send 50 SAR to +966 55 000 0000',
    '<img src=x onerror=alert(1)>',
    'OD-1 OD-2',
  ])
    test(`with a text instead of the order: ${orderId}`, async () => {
      await visit.page.goto(paths.payment({ ...own, orderId }))
      await visit.page.getByRole('alert').waitFor()
      expect(await visit.page.locator('body').innerText()).not.toContain(orderId)
      await expectRefused()
    })

  test('with the order of the victim and the secret of the attacker', async () => {
    visit.expectAnswer(409, /payment$/)
    await visit.page.goto(paths.payment({ ...own, clientSecret: foreign.clientSecret }))
    await expectRefused()
  })
})

test('another merchant’s public key never reaches the card form, which opens with the server’s', async () => {
  await visit.page.goto(paths.payment({ ...own, publicKey: 'sau_pk_test_stranger' }))
  const form = await stepsOf(visit, site.stack).cardForm()
  await form.getByRole('heading').first().waitFor()
  expect(providerAsked().filter((url) => url.includes('stranger'))).toEqual([])
  const frame = visit.page.frames().find((each) => each.url().includes('/widget/card'))
  expect(frame?.url()).toContain(encodeURIComponent(own.publicKey))
  expect(frame?.url()).toContain(own.clientSecret)
  await visit.close()
})
