import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { startVisits, type Visits } from '#test/kit/chromium.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { isInRepo } from '#test/kit/repo-files.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'
import { stepsOf } from '#test/kit/steps.ts'

let stack: Stack
let visits: Visits

beforeAll(async () => {
  if (!isInRepo('dist/client/index.html')) throw new Error('the client is not built: npm run build')
  stack = await startStack()
  visits = await startVisits(stack.gatewayUrl)
})
afterAll(async () => {
  await visits?.close()
  await stack?.close()
})

/** An order of the person signed in, for the first agent and branch on offer. */
function startOrder(page: Page): Promise<{ orderId: number }> {
  return page.evaluate(async () => {
    const read = async (path: string) => (await fetch(path)).json()
    const [{ userId }, { agents }, { centers }] = await Promise.all(
      ['/api/auth/user', '/api/partner/agents', '/api/partner/centers'].map(read),
    )
    const started = await fetch('/api/checkout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ userId, type: 'FROM_MINA', noOfPackages: 1, amount: 50 },
        ...{ agentCode: agents[0].id, centerCode: centers[0].code },
      }),
    })
    return started.json()
  })
}

describe.each(languagesOrOne('ar'))('in %s', (language) => {
  it('a link that the owner makes opens in another browser, until the owner ends it', async () => {
    const owner = await visits.open({ language })
    const family = await visits.open({ language })
    try {
      const { page, t, named, heading, signUp } = stepsOf(owner, stack)
      await signUp(newPhone(), 'Sara Bilal')
      const { orderId } = await startOrder(page)
      await stack.control.replay(orderId, 'success')
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
      const other = stepsOf(family, stack)
      await other.page.goto(url)
      await other.heading(t('track:title'))
      await other.page.getByText(t('track:state.READY'), { exact: true }).waitFor()
      const seen = (await other.page.locator('main').innerText()) ?? ''
      for (const hidden of ['Sara', awb, `OD-${orderId}`, '50.00']) expect(seen).not.toContain(hidden)
      expect(await other.page.evaluate(() => document.referrer)).toBe('')

      await sheet.getByRole('button', { name: t('share:end'), exact: true }).click()
      await sheet.getByText(t('share:ended'), { exact: true }).waitFor()
      await other.page.reload()
      await other.page.getByRole('alert').waitFor()
      expect(await other.page.getByText(t('track:state.READY'), { exact: true }).count()).toBe(0)
    } finally {
      await owner.close()
      await family.close()
    }
  })
})
