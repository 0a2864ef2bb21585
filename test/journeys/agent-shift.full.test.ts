import type { Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile()
const agentPhone = '+966500000101'

const bags = 30
/** By their last four digits, from the list; the others by a hand scanner. */
const listed = 10

/** As a hand scanner types: faster than any person, also on a busy machine. */
const scanByHand = (page: Page, awb: string) =>
  page.evaluate((text) => {
    for (const code of [...[...text].map((digit) => `Digit${digit}`), 'Enter'])
      window.dispatchEvent(new KeyboardEvent('keydown', { code }))
  }, awb)

test('thirty bags take one press each, by scan and by list', async () => {
  const pilgrim = await signedUpPilgrim(site.stack)
  const agentCode = await agentCodeOf(pilgrim.person, agentPhone)
  const awbs: string[] = []
  const orderIds: number[] = []
  for (let count = 0; count < bags; count += 1) {
    const orderId = await paidOrder(site.stack, pilgrim, { agentCode })
    orderIds.push(orderId)
    awbs.push(await issuedAwb(pilgrim.person, orderId))
  }
  // Four digits that another bag or the phone of the pilgrim has, too, leave a choice to the agent.
  const numbers = [...awbs, pilgrim.user.phone ?? '']
  const isUnlike = (awb: string) => numbers.filter((number) => number.includes(awb.slice(-4))).length === 1
  const byList = awbs.filter(isUnlike).slice(0, listed)
  const byScan = awbs.filter((awb) => !byList.includes(awb))

  const opened = await site.open({ language: 'ar' })
  const { page } = opened
  const steps = stepsOf(opened, site.stack)
  const { named, t } = steps
  await page.goto(paths.agentAuth)
  await steps.heading(t('sessions:agent.title'))
  await steps.signInAgent(agentPhone)

  let presses = 0
  const press = async (name: string) => {
    presses += 1
    await named('button', name).click()
  }
  const shift = (received: number) =>
    page.getByText(new RegExp(`استُلمت ${received} · لم تُقبل 0 · تنتظر الإرسال 0$`)).waitFor()

  await page.goto(paths.agentScan)
  await page.getByText(t('handovers:kept.empty'), { exact: true }).waitFor()
  for (const awb of byScan) {
    await scanByHand(page, awb)
    await page.getByText(awb, { exact: true }).first().waitFor()
    await press(t('handovers:confirm'))
    await named('heading', t('handovers:check.receive.title')).waitFor({ state: 'detached' })
  }
  await shift(byScan.length)

  await page.goto(paths.agentOrders)
  await steps.heading(t('agent-orders:title'))
  const search = named('searchbox', t('agent-orders:search.label'))
  for (const awb of byList) {
    // Where the last press has left the focus.
    if (presses > byScan.length)
      await eventually(
        async () => (await search.evaluate((field) => field === document.activeElement)) || undefined,
      )
    else await search.focus()
    await page.keyboard.insertText(awb.slice(-4))
    await press(t('handovers:confirm'))
    await page.getByRole('status').getByText(awb.slice(-4), { exact: true }).waitFor()
  }
  await shift(bags)
  expect(presses).toBe(bags)

  for (const orderId of orderIds)
    expect(await pilgrim.person.order(orderId)).toMatchObject({ bookings: [{ state: 'HANDED_OVER' }] })
})
