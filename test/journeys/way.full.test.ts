import { languages } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'
import { words } from '#test/kit/browser/words.ts'

const site = siteForFile()

const pathAndQuery = (url: string) => new URL(url).pathname + new URL(url).search

test.describe('the language', () => {
  test('is Arabic for a new visitor, changes without leaving the page, and is remembered', async () => {
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

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    test('a list is sorted by distance when asked for, and Back closes it without leaving the booking', async () => {
      const visit = await site.open({ language })
      const { page, t, named, signUp, question, heading } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Sara')
      const label = t('booking:labels.FROM_MINA.agentCode')
      await question(label).click()
      const sheet = named('dialog', label)
      // Answered when the page asks: who has answered yes before sees the nearest without a press. The header
      // Permissions-Policy must allow it, too.
      await page.context().setGeolocation({ latitude: 21.4226, longitude: 39.8729 })
      await page.context().grantPermissions(['geolocation'])
      await sheet.getByRole('button', { name: t('booking:nearest.label'), exact: true }).click()
      await sheet.getByText(t('booking:nearest.known'), { exact: true }).waitFor()
      const nearest = await sheet
        .locator('[data-row]')
        .evaluateAll((rows) =>
          rows.slice(0, 3).map((row) => Number.parseFloat(row.querySelector('bdi + bdi')?.textContent ?? '')),
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
