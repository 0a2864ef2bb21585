import { describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { languages } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { appHasStarted } from '#test/kit/chromium.ts'
import { eventually } from '#test/kit/eventually.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { startOrder } from '#test/kit/page-orders.ts'
import { siteForFile } from '#test/kit/site.ts'
import { stepsOf } from '#test/kit/steps.ts'
import { words } from '#test/kit/words.ts'

const site = siteForFile()

const pathAndQuery = (url: string) => new URL(url).pathname + new URL(url).search

describe('the language', () => {
  it('is Arabic for a new visitor, changes without leaving the page, and is remembered', async () => {
    const visit = await site.open({})
    const { page } = visit
    const html = page.locator('html')
    await page.goto('/privacy-policy?from=chat')
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl'])

    await page.getByRole('button', { name: languages.en.label, exact: true }).click()
    await page
      .getByRole('banner')
      .getByRole('link', { name: words('en')('shell:login'), exact: true })
      .waitFor()
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['en', 'ltr'])
    // The app may still be on its way: then the server answers, and the app takes the language out of the address.
    await page.waitForURL((url) => pathAndQuery(url.href) === '/privacy-policy?from=chat')

    await page.reload()
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['en', 'ltr'])
    await page.getByRole('button', { name: languages.ar.label, exact: true }).click()
    await page
      .getByRole('banner')
      .getByRole('link', { name: words('ar')('shell:login'), exact: true })
      .waitFor()
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl'])
  })
})

describe.each(languagesOrOne('ar'))('in %s', (language) => {
  it('public pages need no session, and an unknown address leads home', async () => {
    const visit = await site.open({ language })
    const { page, t, heading } = stepsOf(visit, site.stack)
    visit.expectAnswer(404, /^\/no\/such\/page$/)
    await page.goto('/no/such/page')
    await heading(t('shell:notFound.title'))
    await page.getByRole('link', { name: t('shell:notFound.home'), exact: true }).click()
    await heading(t('home:services.title'))
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: t('shell:footer.privacy'), exact: true })
      .click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(pathAndQuery(page.url())).toBe(paths.privacyPolicy)
  })

  it('a visitor is asked to sign in and then reaches the requested page', async () => {
    const visit = await site.open({ language })
    const { page, t, heading, named } = stepsOf(visit, site.stack)
    const phone = newPhone()
    await page.goto(paths.orders)
    await heading(t('sessions:login.title'))
    expect(new URL(page.url()).pathname).toBe(paths.auth)

    // A login of an unknown phone: after the code a name is asked for, without a second message.
    await named('textbox', t('sessions:phone')).fill(phone.replace('+966', '0'))
    await named('button', t('sessions:send')).click()
    const dialog = named('dialog', t('sessions:code.title'))
    const field = dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true })
    visit.expectAnswer(409, /^\/api\/auth\/verify-otp$/)
    await field.fill(await site.stack.control.codeFor(phone))
    await named('textbox', t('sessions:name')).fill('Sara')
    await named('button', t('sessions:finish')).click()

    await heading(t('orders:title'))
    await page.getByText(t('orders:empty.title'), { exact: true }).waitFor()
    expect(await site.stack.control.inbox(phone)).toHaveLength(1)
  })

  it('a signed-in user is not asked again, and is kept out of the agents’ pages', async () => {
    const visit = await site.open({ language })
    const { page, t, heading, signUp } = stepsOf(visit, site.stack)
    await signUp(newPhone(), 'Sara')
    await page.goto(paths.auth)
    await heading(t('booking:title'))
    await page.goto(paths.agentOrders)
    await heading(t('sessions:agent.title'))
    expect(new URL(page.url()).pathname).toBe(paths.agentAuth)
  })

  it('the result page shows an unpaid order as unpaid, whatever its address says', async () => {
    const visit = await site.open({ language })
    const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
    await signUp(newPhone(), 'Sara')
    const order = await startOrder(page)
    await page.goto(paths.thankYou({ success: true, merchantOrderId: order.orderId }))
    await named('dialog', t('payment:thankYou.claim.PENDING_PAYMENT')).waitFor()

    // The callback arrives, and the page updates itself.
    await site.stack.control.replay(order.orderId, 'success')
    await named('dialog', t('payment:thankYou.claim.PAID')).waitFor()

    await page.goto('/thank-you?success=true')
    await heading(t('payment:thankYou.failure.title'))
    await page.goto('/payment')
    await page.getByText(t('payment:missingCredentials'), { exact: true }).waitFor()
  })

  it('a wrong code can be corrected, and an incomplete form says what is missing', async () => {
    const visit = await site.open({ language })
    const { page, t, named, heading } = stepsOf(visit, site.stack)
    const phone = newPhone()
    await page.goto(paths.auth)
    await appHasStarted(page)
    await named('button', t('sessions:send')).click()
    await page.getByText(t('sessions:errors.phone'), { exact: true }).first().waitFor()
    await page.getByRole('radio', { name: t('sessions:mode.signup'), exact: true }).check()
    await named('textbox', t('sessions:phone')).fill(phone)
    await named('button', t('sessions:send')).click()
    await page.getByText(t('sessions:errors.NAME_REQUIRED'), { exact: true }).first().waitFor()

    await named('textbox', t('sessions:name')).fill('Sara')
    await named('button', t('sessions:send')).click()
    const dialog = named('dialog', t('sessions:code.title'))
    const field = dialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true })
    const code = await site.stack.control.codeFor(phone)
    visit.expectAnswer(400, /^\/api\/auth\/verify-otp$/)
    // One digit is wrong: the corrected code is typed, not filled in at once, so it is submitted by the button.
    await field.fill(code.slice(0, -1) + String((Number(code.at(-1)) + 1) % 10))
    await eventually(async () => ((await field.getAttribute('aria-invalid')) === 'true' ? true : undefined))
    await field.fill(code)
    await dialog.getByRole('button', { name: t('sessions:code.verify'), exact: true }).click()
    await heading(t('booking:title'))
  })

  it('an incomplete booking does not continue to checkout', async () => {
    const visit = await site.open({ language })
    const { page, t, named, signUp, heading } = stepsOf(visit, site.stack)
    await signUp(newPhone(), 'Sara')
    await named('button', t('booking:continue')).click()
    await page.getByText(t('booking:incomplete'), { exact: true }).first().waitFor()
    await page.getByText(t('booking:required.agentCode'), { exact: true }).waitFor()
    await page.goto(paths.checkout)
    await heading(t('booking:title'))
  })

  it('a list is sorted by distance when asked for, and Back closes it without leaving the booking', async () => {
    const visit = await site.open({ language })
    const { page, t, named, signUp, question, heading } = stepsOf(visit, site.stack)
    // The header Permissions-Policy must allow it, too.
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 21.4226, longitude: 39.8729 })
    await signUp(newPhone(), 'Sara')
    const label = t('booking:labels.FROM_MINA.agentCode')
    await question(label).click()
    const sheet = named('dialog', label)
    await sheet.getByRole('button', { name: t('booking:nearest.label'), exact: true }).click()
    await sheet.getByText(t('booking:nearest.known'), { exact: true }).waitFor()
    const nearest = await sheet
      .getByRole('radio')
      .evaluateAll((rows) =>
        rows
          .slice(0, 3)
          .map((row) => Number.parseFloat(row.closest('label')?.lastElementChild?.textContent ?? '')),
      )
    expect(nearest).toEqual(nearest.toSorted((a, b) => a - b))
    expect(nearest[0]).toBeLessThan(20)
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    await heading(t('booking:title'))
    await expect
      .poll(() => question(label).evaluate((button) => button === document.activeElement))
      .toBe(true)
  })
})
