import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { axeWrongsOf } from '#test/kit/accessibility.ts'
import { holdRequests } from '#test/kit/page-watch.ts'
import { siteForFile } from '#test/kit/site.ts'

/** The panel of the simulator, beside a gateway whose orders it shows. */

const site = siteForFile({ env: { MESSAGES_ENABLED: 'true' }, program: 'simulator' })

afterEach(async () => {
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

const detailOf = (page: Page) => page.locator('.detail')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const resultOf = (page: Page) => page.getByRole('status')

/** The timeline shows what an action did before the action is answered: until then, no other press counts. */
const actionsAreAnswered = (page: Page) =>
  page.waitForFunction(() => document.querySelector('button[aria-busy]') === null)

it('one order is one timeline, found by its airway bill, and its refund asks first', async () => {
  const pilgrim = await signedUpPilgrim(site.stack)
  const orderId = await paidOrder(site.stack, pilgrim)
  const awb = await issuedAwb(pilgrim.person, orderId)
  await site.stack.control.advance(awb, { to: 'at-branch' })

  const page = await openPanel('#/orders')
  await page.keyboard.press('/')
  await page.keyboard.type(awb)
  await page.getByText('1 order', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `OD-${orderId} paid`, exact: true }).waitFor()
  expect(new URL(page.url()).hash).toContain(`#/order/OD-${orderId}`)

  const story = page.locator('.event')
  for (const kind of ['SMS', 'Card', 'Callbacks', 'Courier', 'Tracking', 'Messages'])
    await story.filter({ hasText: kind }).first().waitFor()
  await story.filter({ hasText: /Callback about \d+ \(send\) → gateway answered 200/ }).waitFor()
  await story.filter({ hasText: 'Scan CC' }).waitFor()
  await story
    .filter({ hasText: `OD-${orderId}` })
    .filter({ hasText: 'Messages' })
    .first()
    .waitFor()

  const transactions = async () =>
    (await site.stack.control.paymentsOf(orderId)).flatMap((payment) => payment.transactions)
  await button(page, 'refund').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
  expect(await transactions()).toHaveLength(1)
  await button(page, 'refund').click()
  await page.getByRole('dialog').getByRole('button', { name: 'refund', exact: true }).click()
  await page.getByRole('heading', { name: `OD-${orderId} refunded`, exact: true }).waitFor()
  await story.filter({ hasText: 'Refunded SAR 50.00' }).waitFor()
  expect(await transactions()).toHaveLength(2)

  // What it cannot do any more, it says. Playwright would wait until it can.
  await actionsAreAnswered(page)
  await button(page, 'refund').dispatchEvent('click')
  await resultOf(page).getByText('refund: nothing to give back', { exact: true }).waitFor()

  await page.keyboard.press('Escape')
  await page.waitForFunction(
    (order) => document.activeElement?.getAttribute('href') === `#/order/${order}`,
    `OD-${orderId}`,
  )
})

it('a request in the list is copied for a terminal', async () => {
  const { person, user } = await signedUpPilgrim(site.stack)
  await person.checkout(user.id)
  const page = await openPanel('#/requests')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const row = page.getByRole('listitem').filter({ hasText: 'payment: create-intention' }).first()
  await row.getByText('Request and answer', { exact: true }).click()
  await row.getByRole('button', { name: 'Copy as curl', exact: true }).click()
  await resultOf(page).getByText('Copied: the request as curl', { exact: true }).waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command.startsWith(`curl -X POST '${site.stack.mockUrl}/`)).toBe(true)
})

it('three presses while the answer is slow make one charge, and a charge too small is not shown as paid', async () => {
  const [orderId, otherId] = [await unpaidOrder(), await unpaidOrder()]
  const page = await openPanel(`#/order/OD-${orderId}`)
  const release = await holdRequests(page, '**/replay')
  const success = button(page, 'success')
  await success.click()
  await page.locator('button[aria-busy]').first().waitFor()
  // Playwright would wait until it can act.
  await success.dispatchEvent('click')
  await success.dispatchEvent('click')
  release()
  await page.getByRole('heading', { name: `OD-${orderId} paid`, exact: true }).waitFor()
  await actionsAreAnswered(page)
  await success.dispatchEvent('click')
  await page.getByRole('dialog').getByText(`OD-${orderId} was paid.`, { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  const [payment] = await site.stack.control.paymentsOf(orderId)
  expect(payment?.transactions).toHaveLength(1)

  await page.goto(`/#/order/OD-${otherId}`)
  await page.getByRole('heading', { name: `OD-${otherId} not paid`, exact: true }).waitFor()
  await page.locator('#callback').selectOption('mismatch')
  await button(page, 'success').click()
  await detailOf(page)
    .locator('.badge.bad')
    .filter({ hasText: 'charged short: SAR 49.00 of SAR 50.00' })
    .waitFor()
})

it('a row keeps focus and place while orders arrive, and new ones wait behind a button', async () => {
  const orderId = await unpaidOrder()
  const page = await openPanel('#/orders')
  const row = page.locator(`[data-row][href="#/order/OD-${orderId}"]`)
  await row.waitFor()
  await row.focus()
  const before = await row.boundingBox()
  await unpaidOrder()
  await unpaidOrder()
  await button(page, '2 new').waitFor()
  await site.stack.control.replay(orderId, 'success')
  await row.getByText('paid', { exact: true }).waitFor()
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await row.boundingBox()).toEqual(before)
  await button(page, '2 new').click()
  await page.waitForFunction(
    () =>
      document.activeElement === document.querySelector('[data-row]') && !document.querySelector('.fresh'),
  )
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
})

it('faults are on every screen, each with its end', async () => {
  const page = await openPanel('#/faults')
  await button(page, 'SMS outage').click()
  const banner = page.getByRole('list', { name: 'Active faults', exact: true })
  for (const screen of ['Orders', 'Messages', 'Requests', 'Clock', 'Faults']) {
    await page.getByRole('link', { name: screen, exact: true }).click()
    await page.getByRole('link', { name: screen, exact: true }).and(page.locator('[aria-current]')).waitFor()
    // The first screen is opened while the press is answered.
    await expect.poll(() => banner.getByRole('listitem').count()).toBe(2)
    expect(await page.getByText('TEST', { exact: true }).isVisible()).toBe(true)
  }
  await button(page, 'End otp: status').click()
  await button(page, 'End otp: status').waitFor({ state: 'detached' })
  expect(Object.keys(await site.stack.control.faults())).toEqual(['messaging'])
  // Another fault does not slip under the key that was pressed.
  await page.waitForFunction(() => document.activeElement?.id === 'main')
  await button(page, 'End all faults').click()
  await banner.waitFor({ state: 'detached' })
})

it('every screen fits 360 px, shows the result of a press, and has no fault of accessibility in either scheme', async () => {
  const orderId = await unpaidOrder()
  const page = await openPanel(`#/order/OD-${orderId}`, 390)
  await page.setViewportSize({ width: 360, height: 740 })
  await button(page, 'success').click()
  await page.getByRole('heading', { name: `OD-${orderId} paid`, exact: true }).waitFor()
  const result = await resultOf(page).boundingBox()
  expect(result?.height).toBeGreaterThan(0)
  expect((result?.y ?? 0) + (result?.height ?? 0)).toBeLessThanOrEqual(740)
  await site.stack.control.setFault('tracking', { kind: 'delay', delayMs: 1 })

  const wrongs: string[] = []
  for (const scheme of ['light', 'dark'] as const)
    for (const screen of [`order/OD-${orderId}`, 'orders', 'messages', 'requests', 'faults', 'world']) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(`/#/${screen}`)
      await page.locator('nav [aria-current]').waitFor()
      await page.locator('.banner').waitFor()
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
      if (scrollWidth > clientWidth) wrongs.push(`${screen} is ${scrollWidth} px wide`)
      wrongs.push(...(await axeWrongsOf(page, `${screen}, ${scheme}`)))
    }
  expect(wrongs).toEqual([])
})
