import type { Page } from 'playwright-core'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { axeWrongsOf } from '#test/kit/browser/accessibility.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { holdRequests } from '#test/kit/browser/page-watch.ts'
import { siteForFile } from '#test/kit/browser/site.ts'

/** The panel of the simulator, beside a gateway whose orders it shows. */

const site = siteForFile({ env: { MESSAGES_ENABLED: 'true' }, program: 'simulator' })

test.afterEach(async () => {
  await site.stack.control.endFaults()
})

async function openPanel(hash: string, width: 390 | 1280 = 1280): Promise<Page> {
  const visit = await site.open({ language: 'en', width })
  await visit.page.goto(`/${hash}`)
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor()
  return visit.page
}

const unpaidOrder = async (): Promise<number> => {
  const { person, user } = await signedUpPilgrim(site.stack)
  return (await person.checkout(user.id)).orderId
}

const chosen = (page: Page) => page.getByRole('complementary')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const resultOf = (page: Page) => page.getByRole('status')
const rowOf = (page: Page, orderId: number) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: `OD-${orderId}`, exact: true }) })

/** The table shows what an action did before the action is answered: until then, no other press counts. */
const actionsAreAnswered = (page: Page) =>
  page.waitForFunction(() => document.querySelector('button[aria-busy]') === null)

test('one order has its messages and its timeline beside it, is found by its airway bill, and its refund asks first', async () => {
  const pilgrim = await signedUpPilgrim(site.stack)
  const orderId = await paidOrder(site.stack, pilgrim)
  const awb = await issuedAwb(pilgrim.person, orderId)
  await site.stack.control.advance(awb, { to: 'at-branch' })

  const page = await openPanel('#/orders')
  await page.getByRole('searchbox').fill(awb)
  await button(page, 'All 1').waitFor()
  await rowOf(page, orderId).getByText('Processing for Consignee Collection (CC)', { exact: true }).waitFor()
  await page.getByRole('link', { name: `OD-${orderId}`, exact: true }).click()
  await chosen(page)
    .getByRole('heading', { name: `OD-${orderId} paid`, exact: true })
    .waitFor()

  const story = chosen(page).getByRole('listitem')
  await story
    .filter({ hasText: `OD-${orderId}` })
    .first()
    .waitFor()
  await button(page, 'Timeline').click()
  for (const title of [
    'Send code → 201',
    'Payment callback (send) → 200',
    'Create shipment → 200',
    'PU HOP AF CC',
  ])
    await story.filter({ hasText: title }).first().waitFor()

  const transactions = async () =>
    (await site.stack.control.paymentsOf(orderId)).flatMap((payment) => payment.transactions)
  const refund = rowOf(page, orderId).getByRole('button', { name: `Refund OD-${orderId}`, exact: true })
  page.once('dialog', (dialog) => dialog.dismiss())
  await refund.click()
  expect(await transactions()).toHaveLength(1)
  const asked = Promise.withResolvers<string>()
  page.once('dialog', (dialog) => {
    asked.resolve(dialog.message())
    return dialog.accept()
  })
  await refund.click()
  expect(await asked.promise).toBe(`Refund SAR 50.00 of OD-${orderId}?`)
  await chosen(page)
    .getByRole('heading', { name: `OD-${orderId} refunded`, exact: true })
    .waitFor()
  expect(await transactions()).toHaveLength(2)
  await refund.waitFor({ state: 'detached' })
})

test('three presses while the answer is slow make one charge, and a charge too small is not shown as paid', async () => {
  const [orderId, otherId] = [await unpaidOrder(), await unpaidOrder()]
  const page = await openPanel('#/orders')
  const release = await holdRequests(page, '**/replay')
  const success = button(page, `Success OD-${orderId}`)
  await success.click()
  await page.locator('button[aria-busy]').first().waitFor()
  // Playwright would wait until it can act.
  await success.dispatchEvent('click')
  await success.dispatchEvent('click')
  release()
  await resultOf(page)
    .getByText(`OD-${orderId}: success, the gateway answered 200`, { exact: true })
    .waitFor()
  await actionsAreAnswered(page)
  const [payment] = await site.stack.control.paymentsOf(orderId)
  expect(payment?.transactions).toHaveLength(1)

  await page.getByRole('combobox', { name: 'Callback', exact: true }).selectOption('mismatch')
  await button(page, `Success OD-${otherId}`).click()
  await rowOf(page, otherId).getByText('charged short: SAR 49.00 of SAR 50.00', { exact: true }).waitFor()
})

test('a row has the focus while orders arrive, and its last call is copied for a terminal', async () => {
  const orderId = await unpaidOrder()
  const page = await openPanel('#/orders')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const link = page.getByRole('link', { name: `OD-${orderId}`, exact: true })
  await link.focus()
  const next = await unpaidOrder()
  await rowOf(page, next).waitFor()
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)

  await button(page, `Decline OD-${orderId}`).click()
  await rowOf(page, orderId).getByText('declined', { exact: true }).waitFor()
  await actionsAreAnswered(page)
  await button(page, 'Copy as curl').click()
  await resultOf(page).getByText('Copied: the call as curl', { exact: true }).waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(
    command.startsWith(`curl -X POST '${site.stack.mockUrl}/control/payments/OD-${orderId}/replay'`),
  ).toBe(true)
})

test('faults are counted on every screen, and end one by one or all at once', async () => {
  const page = await openPanel('#/faults')
  async function setFault(service: string) {
    await page.getByRole('combobox', { name: 'Service', exact: true }).selectOption(service)
    await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('status')
    await button(page, 'Set fault').click()
    await button(page, `End ${service}: status 503`).waitFor()
    await actionsAreAnswered(page)
  }
  for (const service of ['otp', 'messaging']) await setFault(service)
  for (const screen of ['Orders', 'Messages', 'Requests', 'Faults 2']) {
    const link = page.getByRole('link', { name: screen, exact: true })
    await link.click()
    await link.and(page.locator('[aria-current]')).waitFor()
    await page.getByRole('link', { name: 'Faults 2', exact: true }).waitFor()
    expect(await page.getByText('TEST', { exact: true }).isVisible()).toBe(true)
  }
  await button(page, 'End otp: status 503').click()
  await button(page, 'End otp: status 503').waitFor({ state: 'detached' })
  expect(Object.keys(await site.stack.control.faults())).toEqual(['messaging'])
  // Another fault does not slip under the key that was pressed.
  await page.waitForFunction(() => document.activeElement?.id === 'main')
  await setFault('otp')
  await button(page, 'End all faults').click()
  await button(page, 'End all faults').waitFor({ state: 'detached' })
  expect(await site.stack.control.faults()).toEqual({})
})

test('every screen fits 360 px, shows the result of a press, and has no fault of accessibility in either scheme', async () => {
  const orderId = await unpaidOrder()
  const page = await openPanel(`#/orders/OD-${orderId}`, 390)
  await page.setViewportSize({ width: 360, height: 740 })
  await chosen(page)
    .getByRole('button', { name: `Success OD-${orderId}`, exact: true })
    .click()
  await chosen(page)
    .getByRole('heading', { name: `OD-${orderId} paid`, exact: true })
    .waitFor()
  const result = await resultOf(page).boundingBox()
  expect(result?.height).toBeGreaterThan(0)
  expect((result?.y ?? 0) + (result?.height ?? 0)).toBeLessThanOrEqual(740)
  await site.stack.control.setFault('tracking', { kind: 'delay', delayMs: 1 })

  const wrongs: string[] = []
  for (const scheme of ['light', 'dark'] as const)
    for (const screen of [`orders/OD-${orderId}`, 'orders', 'messages', 'requests', 'faults']) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(`/#/${screen}`)
      await page.getByRole('link', { name: 'Faults 1', exact: true }).waitFor()
      await page.getByRole('table').first().waitFor()
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth: width, clientWidth: fits } = document.documentElement
        return { scrollWidth: width, clientWidth: fits }
      })
      if (scrollWidth > clientWidth) wrongs.push(`${screen} is ${scrollWidth} px wide`)
      wrongs.push(...(await axeWrongsOf(page, `${screen}, ${scheme}`)))
    }
  expect(wrongs).toEqual([])
})
