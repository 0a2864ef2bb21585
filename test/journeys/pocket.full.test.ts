import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

const liability = {
  ar: 'إذا فُقدت الحقيبة يدفع شريك الشحن 75 ريالًا على الأكثر.',
  en: 'For a lost bag the shipping partner pays at most SAR 75.',
}
const site = siteForFile({
  env: { LIABILITY_SENTENCE_AR: liability.ar, LIABILITY_SENTENCE_EN: liability.en },
})

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    test('what is paid for a lost bag is read before paying, and the barcode is kept in the wallet after it', async () => {
      const visit = await site.open({ language })
      const { page, t, named, signUp, chooseRoute, goToPayment, payWith } = stepsOf(visit, site.stack)
      await signUp(newPhone(), 'Maryam')
      await chooseRoute(await firstRoute(page))
      await page.getByText(liability[language], { exact: true }).waitFor()
      await payWith(await goToPayment(), cards.approved)
      await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()

      await page.getByText(t('keep:title'), { exact: true }).click()
      const save = named('button', t('keep:wallet.action'))
      await save.click()
      await page.waitForURL((url) => url.pathname.startsWith('/wallet/gp/v/save/'))
      await page.getByText('Nothing is saved', { exact: false }).waitFor()
      const awb = await page.locator('figcaption').textContent()
      await page.goBack()
      await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
      expect(await page.getByRole('main').textContent()).toContain(awb)
      // A page that was loaded again has its row folded.
      if (!(await save.isVisible())) await page.getByText(t('keep:title'), { exact: true }).click()
      await expect.poll(() => save.getAttribute('aria-disabled')).not.toBe('true')
    })
  })
