import { paths } from '#client/platform/paths.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { startOrder } from '#test/kit/browser/page-orders.ts'
import { drawnPicture } from '#test/kit/browser/page-photo.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'

/** A problem is reported with a picture, of which the phone sends nothing but the picture. */

const site = siteForFile()

test('a pilgrim reports a problem, reads when we answer, writes again and withdraws it', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
  const phone = newPhone()
  await signUp(phone, 'Maryam')
  const { orderId } = await startOrder(page)
  await site.stack.control.replay(orderId, 'success')
  await page.goto(paths.order(orderId))
  // A push about a bag that the gateway does not know yet is not stored.
  await page.getByRole('main').getByRole('img').first().waitFor()
  await site.stack.control.advance(orderNumber(orderId), { to: 'at-branch' })
  await named('link', t('claims:title')).click()
  await heading(t('claims:title'))
  await named('button', t('claims:kinds.other')).click()
  await named('textbox', t('claims:text.label')).fill('عجلة حقيبتي مكسورة.')
  await page.locator('input[type=file]').setInputFiles(await drawnPicture(page))
  await page.getByAltText(t('claims:photos.photo', { number: 1 })).waitFor()
  const [opened] = await Promise.all([
    page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && response.url().endsWith(`/orders/${orderId}/claims`),
    ),
    named('button', t('claims:send')).click(),
  ])
  const { claimId } = (await opened.json()).claim

  await page.getByText(t('claims:opened', { number: claimNumber(claimId) })).waitFor()
  const stored = await page.evaluate(async (id) => {
    const answer = await fetch(`/api/claims/${id}/photos/1`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const { width } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    return { width, text: new TextDecoder('latin1').decode(bytes.subarray(0, 400)) }
  }, claimId)
  expect(stored.width).toBe(1_600)
  expect(stored.text).not.toContain('Exif')
  await named('textbox', t('claims:reply.label')).fill('والمقبض أيضًا.')
  await named('button', t('claims:reply.send')).click()
  await page.getByText('والمقبض أيضًا.').waitFor()
  await named('button', t('claims:withdraw.open')).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('claims:withdraw.confirm'), exact: true })
    .click()
  await page.getByText(t('claims:outcome.withdrawn')).waitFor()
  await named('link', t('claims:toOrder', { number: `OD-${orderId}` })).click()
  await page.getByText(t('claims:outcome.withdrawn')).waitFor()
})
