import { expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { sandboxFixtures } from '#test/fixtures/playwright.ts'
import type { Sandbox } from '#test/fixtures/sandbox.ts'
import { newPerson } from '#test/kit/person.ts'
import { siteForFile } from '#test/kit/site.ts'
import type { Stack } from '#test/kit/stack.ts'
import { cards, stepsOf } from '#test/kit/steps.ts'

/** Two Playwright workers at one stack, each with a browser context and the fixtures of test/fixtures. */

const site = siteForFile()

/** Runs `work` as a test of the worker with this number. */
function asWorker(parallelIndex: number, work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const [fixture] = sandboxFixtures(site.stack.mockUrl).sandbox
  return fixture({}, work, { parallelIndex })
}

/** The codes of the sandbox's phones are known: no inbox is read. */
const withCodesOf = (sandbox: Sandbox): Stack => ({
  ...site.stack,
  control: { ...site.stack.control, codeFor: async (phone) => sandbox.codeOf(phone) },
})

it('a worker whose SMS service is down sees that, while another one signs up, books and pays', async () => {
  const { promise: isDown, resolve: down } = Promise.withResolvers<void>()
  const { promise: isPaid, resolve: paid } = Promise.withResolvers<void>()

  const first = asWorker(0, async (sandbox) => {
    const visit = await site.open({ language: 'en' })
    visit.expectAnswer(503, /^\/api\/auth\/request-otp$/)
    const { page, t, named, signUp } = stepsOf(visit, withCodesOf(sandbox))
    await sandbox.control.setFault('otp', { kind: 'status', status: 500 })
    await page.goto(paths.auth)
    await named('textbox', t('sessions:phone')).fill(sandbox.newPhone())
    await named('button', t('sessions:send')).click()
    await page.getByText(sessionsErrors.OTP_UNAVAILABLE.text.en, { exact: false }).first().waitFor()
    down()
    await isPaid
    await sandbox.control.endFaults()
    await signUp(sandbox.newPhone(), 'Bilal Khan')
  })

  const second = asWorker(1, async (sandbox) => {
    await isDown
    const visit = await site.open({ language: 'ar' })
    const { t, named, signUp, chooseRoute, goToPayment, payWith } = stepsOf(visit, withCodesOf(sandbox))
    const lists = newPerson(site.stack)
    const [[agent], [center]] = await Promise.all([lists.agents(), lists.centers()])
    if (agent === undefined || center === undefined) throw new Error('the partner lists are empty')
    await signUp(sandbox.newPhone(), 'Maryam Al-Harbi')
    await chooseRoute({ agent, center })
    await payWith(await goToPayment(), cards.approved)
    await named('dialog', t('payment:thankYou.claim.PAID')).waitFor()
    expect(await sandbox.control.faults()).toEqual({})
    paid()
  })

  await Promise.all([first, second])
})
