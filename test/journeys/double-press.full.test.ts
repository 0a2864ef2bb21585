import type { Locator, Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { continueName, stepsOf } from '#test/kit/browser/steps.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

/** What comes under the finger after a press takes no second press of it. */

const site = siteForFile()
const agentPhone = '+966500000107'

async function opened(person: Person, path: string) {
  const visit = await site.open({ language: 'ar' })
  await visit.page
    .context()
    .addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: site.stack.gatewayUrl })))
  await visit.page.clock.install()
  await visit.page.goto(path)
  return { ...visit, ...stepsOf(visit, site.stack) }
}

/** To where another control will be, by a margin of what is around it. */
async function move(control: Locator, around: string, { y }: { readonly y: number }): Promise<void> {
  await control.evaluate(
    (element, { around, y }) => {
      const { top, height } = element.getBoundingClientRect()
      element
        .closest<HTMLElement>(around)
        ?.style.setProperty('margin-block-start', `${y - top - height / 2}px`)
    },
    { around, y },
  )
}

/** Twice at one place, while the clock of the page stands, so that no machine is too slow for it. */
async function pressTwice(
  page: Page,
  control: Locator,
  opens = page.getByRole('dialog'),
  below = 0,
): Promise<void> {
  const { x, y: middle } = await middleOf(control)
  const y = middle + below
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  await page.touchscreen.tap(x, y)
  // React shows a page that has loaded by a timer.
  await eventually(async () => {
    if (await opens.isVisible()) return true
    await page.clock.runFor(20)
    return undefined
  })
  await page.touchscreen.tap(x, y)
  await page.clock.resume()
}

async function middleOf(control: Locator) {
  const box = await control.boundingBox()
  if (box === null) throw new Error('it is not on the screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('a row that opens a bag does not receive it', async () => {
  const pilgrim = await signedUpPilgrim(site.stack)
  const { person } = pilgrim
  const orderId = await paidOrder(site.stack, pilgrim, { agentCode: await agentCodeOf(person, agentPhone) })
  await issuedAwb(person, orderId)
  const agent = newPerson(site.stack)
  await agent.signInAgent(agentPhone)
  const { page, named, t } = await opened(agent, paths.agentOrders)
  const row = page.getByRole('button', { name: new RegExp(`OD-${orderId}$`) })
  const confirm = named('button', t('handovers:confirm'))
  await row.click()
  const place = await middleOf(confirm)
  await named('button', t('ui:close')).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await move(row, 'table', place)
  await pressTwice(page, row)
  // It can be pressed when it has settled.
  await confirm.click({ trial: true })
  expect((await person.order(orderId)).bookings[0]?.state).toBe('READY')
})

test('a question that is opened is not answered', async () => {
  const { person } = await signedUpPilgrim(site.stack)
  const { page, named, t } = await opened(person, paths.booking)
  const question = page.locator('#booking-agentCode')
  const answers = page.getByRole('dialog').locator('[data-row]')
  await question.click()
  const place = await middleOf(answers.nth(1))
  await named('button', t('ui:close')).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await move(question, 'ol', place)
  await pressTwice(page, question)
  await answers.nth(1).click({ trial: true })
  const name = t('booking:labels.FROM_MINA.agentCode')
  expect(await page.getByRole('dialog', { name, exact: true }).count()).toBe(1)
})

/** Pixels from the middle of the button that continues. */
const onBoth = 16

test('a booking that is continued is not paid', async () => {
  const { person } = await signedUpPilgrim(site.stack)
  const { page, named, t } = await opened(person, paths.booking)
  const answers = page.getByRole('dialog').locator('[data-row]')
  await page.locator('#booking-agentCode').click()
  for (const key of ['agentCode', 'toCity', 'centerCode']) {
    const sheet = named('dialog', t(`booking:labels.FROM_MINA.${key}`))
    await sheet.waitFor()
    if (key === 'centerCode') await sheet.locator('summary').first().click()
    await answers.first().click()
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  const proceed = page.getByRole('button', { name: continueName(t) })
  const pay = page.locator('#pay')
  // Pay stands a little lower or higher: the place of both presses is on either button.
  const place = (await middleOf(proceed)).y + onBoth
  await pressTwice(page, proceed, pay, onBoth)
  const { y } = await middleOf(pay)
  expect(y - place, 'Pay stands elsewhere').toBeLessThan(24)
  expect(place - y, 'Pay stands elsewhere').toBeLessThan(24)
  await pay.click({ trial: true })
  expect(sent).not.toContain(checkout.path)
})
