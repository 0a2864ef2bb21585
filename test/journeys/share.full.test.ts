import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { startOrder } from '#test/kit/page-orders.ts'
import { siteForFile } from '#test/kit/site.ts'
import { stepsOf } from '#test/kit/steps.ts'

const site = siteForFile()

/** One for each language, because a phone gets one code per minute. */
const agents = { ar: '+966500000101', en: '+966500000102' } as const

/** How many steps of the bag are behind it. */
const stepsDone = (page: Page): Promise<number> => page.locator('.journey .thread-list > .is-done').count()

describe.each(languagesOrOne('ar'))('in %s', (language) => {
  it('a bag is followed to its collection on the claim, and in another browser until the owner ends the link', async () => {
    const owner = await site.open({ language })
    const family = await site.open({ language })
    const counter = await site.open({ language, width: 1280 })
    const { page, t, named, heading, signUp } = stepsOf(owner, site.stack)
    await signUp(newPhone(), 'Sara Bilal')
    const { orderId } = await startOrder(page, agents[language])
    await site.stack.control.replay(orderId, 'success')
    await page.goto(paths.order(orderId))
    await heading(t('payment:thankYou.claim.PAID'))
    const awb = (await page.locator('.pass .awb-number').textContent()) ?? ''

    await named('button', t('share:open')).click()
    const sheet = named('dialog', t('share:title'))
    await sheet.getByText(t('share:notSeen'), { exact: true }).waitFor()
    await sheet.getByRole('button', { name: t('share:create'), exact: true }).click()
    const url = (await sheet.locator('.share-url').textContent()) ?? ''
    expect(url).toMatch(/\/track\/[\w-]{43}$/)

    family.expectAnswer(404, /\/api\/track\//)
    const other = stepsOf(family, site.stack)
    await other.page.goto(url)
    await other.heading(t('track:title'))
    await other.page.getByText(t('track:state.READY'), { exact: true }).waitFor()
    const seen = (await other.page.locator('main').innerText()) ?? ''
    for (const hidden of ['Sara', awb, `OD-${orderId}`, '50.00']) expect(seen).not.toContain(hidden)
    expect(await other.page.evaluate(() => document.referrer)).toBe('')

    const agent = stepsOf(counter, site.stack)
    await agent.page.goto(paths.agentAuth)
    await agent.heading(t('sessions:agent.title'))
    await agent.signInAgent(agents[language])
    const assigned = await agent.openAssigned(orderId)
    await assigned.getByRole('button', { name: t('handovers:confirm'), exact: true }).click()
    await assigned.getByText(t('handovers:kept.recorded'), { exact: true }).last().waitFor()

    const claim = await owner.openPage()
    await claim.goto(paths.order(orderId))
    await claim.getByText(t('journey:receipt.keep'), { exact: true }).waitFor()
    for (const [to, state, done] of [
      ['picked-up', 'IN_TRANSIT', 1],
      ['at-branch', 'AT_BRANCH', 2],
      ['collected', 'COLLECTED', 4],
    ] as const) {
      await site.stack.control.advance(awb, { to })
      await claim.reload()
      await other.page.reload()
      // What the browser keeps of the order is shown until the answer comes.
      await claim.getByRole('heading', { name: t(`journey:state.${state}`), exact: true }).waitFor()
      await other.page
        .getByRole('status')
        .getByText(t(`track:state.${state}`), { exact: true })
        .waitFor()
      expect([await stepsDone(claim), await stepsDone(other.page)]).toEqual([done, done])
    }
    await claim.close()

    await sheet.getByRole('button', { name: t('share:end'), exact: true }).click()
    await sheet.getByText(t('share:ended'), { exact: true }).waitFor()
    await other.page.reload()
    await other.page.getByRole('alert').waitFor()
    expect(await other.page.getByText(t('track:state.COLLECTED'), { exact: true }).count()).toBe(0)
  })
})
