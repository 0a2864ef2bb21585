import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'

/** Cancelling on the screens: the money comes back, and what was cancelled opens nothing. */

const site = siteForFile()

/** Halalas that the provider has returned of an order. */
async function returnedOf(orderId: number): Promise<number> {
  const transactions = (await site.stack.control.paymentsOf(orderId)).flatMap(
    (payment) => payment.transactions,
  )
  return transactions.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0)
}

const idIn = (url: string) => Number(new URL(url).searchParams.get('orderId'))

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    test('a paid order is cancelled on its page, and the money is seen coming back', async () => {
      const visit = await site.open({ language })
      const { page, t, named, heading, signUp, chooseRoute, goToPayment, payWith } = stepsOf(
        visit,
        site.stack,
      )
      await signUp(newPhone(), 'Maryam')
      await chooseRoute(await firstRoute(page))
      // The terms are read before paying.
      await page.getByText(t('checkout:seller'), { exact: true }).click()
      await page.getByText(t('purchase:cancellation.untilHandOver'), { exact: false }).waitFor()
      const form = await goToPayment()
      const orderId = idIn(page.url())
      await payWith(form, cards.approved)
      await named('dialog', t('payment:thankYou.titles.PAID')).waitFor()
      await page.goto(paths.order(orderId))
      await heading(t('payment:thankYou.titles.PAID'))

      await page.getByText(t('pass:more'), { exact: true }).click()
      await named('button', t('cancel-order:open')).click()
      const dialog = named('dialog', t('cancel-order:title'))
      await dialog.getByRole('button', { name: t('cancel-order:keep'), exact: true }).click()
      await heading(t('payment:thankYou.titles.PAID'))
      await named('button', t('cancel-order:open')).click()
      await dialog.getByRole('button', { name: t('cancel-order:confirm.paid'), exact: true }).click()
      // On its way, then back: the page updates by itself.
      await heading(t('payment:thankYou.titles.refund-done'))
      expect(await returnedOf(orderId)).toBe(5_000)
      expect(await page.getByRole('main').getByRole('img').count()).toBe(0)

      await page.goto(paths.orders)
      await heading(t('orders:past', { number: 1 }))
      await page.getByText(t('order-card:status.REFUNDED'), { exact: true }).first().waitFor()
      await page.goBack()
      await heading(t('payment:thankYou.titles.refund-done'))
    })
  })
