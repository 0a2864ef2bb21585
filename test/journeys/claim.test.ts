import { expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { startOrder } from '#test/kit/page-orders.ts'
import { drawnPicture } from '#test/kit/page-photo.ts'
import { siteForFile } from '#test/kit/site.ts'
import { stepsOf } from '#test/kit/steps.ts'

/** A problem is reported with a picture, of which the phone sends nothing but the picture. */

const site = siteForFile()

it('a pilgrim reports a problem, reads when we answer, writes again and withdraws it', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
  const phone = newPhone()
  await signUp(phone, 'Maryam')
  const { orderId } = await startOrder(page)
  await site.stack.control.replay(orderId, 'success')
  const { reference } = await eventually(async () => (await site.stack.control.shipments(1))[0])
  await eventually(async () => {
    const { scans } = await site.stack.control.advance(reference, { to: 'at-branch' })
    return scans.length > 0 || undefined
  })
  await page.goto(paths.order(orderId))
  await named('link', t('claims:title')).click()
  await heading(t('claims:title'))
  await named('button', t('claims:kinds.other')).click()
  await named('textbox', t('claims:text.label')).fill('عجلة حقيبتي مكسورة.')
  await page.locator('input[type=file]').setInputFiles(await drawnPicture(page))
  await page.getByAltText(t('claims:photos.photo', { number: 1 })).waitFor()
  await named('button', t('claims:send')).click()

  await page.getByText(t('claims:opened', { number: 'CL-1' })).waitFor()
  const stored = await page.evaluate(async () => {
    const answer = await fetch('/api/claims/1/photos/1')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const { width } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    return { width, text: new TextDecoder('latin1').decode(bytes.subarray(0, 400)) }
  })
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
