import { paths } from '#client/platform/paths.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { day } from '#test/kit/basics/clock.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'

/** The SIM is gone: the account gets a new number on the screens, and the session on the lost phone is dead. */

const site = siteForFile()

for (const language of languagesOrOne('ar'))
  test(`a lost number is replaced by two codes, in ${language}`, async () => {
    const { control } = site.stack
    const email = `${language}-pilgrim@example.com`
    const phone = newPhone()
    const lost = await signedUpPilgrim(site.stack, { lang: language })
    const [[name = '', value = ''] = []] = [...lost.person.cookies].filter(([each]) =>
      each.startsWith('session'),
    )

    // The phone that will be lost proves the address.
    const before = await site.open({ language })
    await before.page.context().addCookies([{ name, value, url: site.stack.gatewayUrl }])
    const own = stepsOf(before, site.stack)
    await before.page.goto(paths.account)
    await own.named('button', own.t('emails:add')).click()
    await own.named('textbox', own.t('emails:email')).fill(email)
    await own.named('button', own.t('emails:send')).click()
    const confirmation = own.named('dialog', own.t('sessions:confirm.title'))
    await confirmation.getByRole('button', { name: own.t('sessions:send'), exact: true }).click()
    const code = own
      .named('dialog', own.t('sessions:code.title'))
      .getByRole('textbox', { name: own.t('sessions:code.label'), exact: true })
    // Until it is there the newest code is that of the sign-up.
    await code.waitFor()
    await code.fill(await control.codeFor(lost.user.phone ?? ''))
    await before.page.getByText(own.t('emails:look'), { exact: true }).waitFor()
    await own.named('textbox', own.t('sessions:code.label')).fill(await control.codeFor(email))
    await before.page.getByText(email, { exact: true }).waitFor()
    await own.named('button', own.t('emails:remove')).waitFor()
    // Its page would be told of the end of the session.
    await before.close()
    // A new address recovers the account after a day.
    await site.stack.passTime(day)

    const visit = await site.open({ language })
    const { page, t, named, heading } = stepsOf(visit, site.stack)
    await page.goto(paths.auth)
    await named('link', t('emails:recovery.link')).click()
    await heading(t('emails:recovery.title'))
    await named('textbox', t('emails:email')).fill(email)
    await named('textbox', t('sessions:phone')).fill(phone)
    const sent = (await control.mails(email)).length
    await named('button', t('emails:recovery.send')).click()
    const emailCode = named('textbox', t('emails:recovery.emailCode'))
    await emailCode.waitFor()
    expect((await control.mails(email)).length).toBe(sent + 1)
    await emailCode.fill(await control.codeFor(email))
    await named('button', t('emails:recovery.next')).click()
    await named('textbox', t('emails:recovery.phoneCode')).fill(await control.codeFor(phone))
    await named('button', t('emails:recovery.confirm')).click()
    await heading(t('orders:title'))
    await page.goto(paths.account)
    await page.getByText(phone, { exact: true }).waitFor()
    expect((await lost.person.refusalOf(readUserSession)).problem.code).toBe('NOT_SIGNED_IN')
  })
