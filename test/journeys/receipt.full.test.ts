import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { brand } from '#shared/platform/brand.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { startOrder } from '#test/kit/page-orders.ts'
import { readPages } from '#test/kit/pdf.ts'
import { siteForFile } from '#test/kit/site.ts'
import { stepsOf } from '#test/kit/steps.ts'

const site = siteForFile()

/** The bytes behind a link of the page, with the cookies of its browser. */
async function load(page: Page, href: string): Promise<Uint8Array> {
  const answer = await page.request.get(new URL(href, page.url()).href)
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf'])
  return answer.body()
}

/** The fields of a QR code of phase 1, by their tags (docs/wires/invoices.md I5). */
function fieldsOf(code: string): string[] {
  const bytes = Buffer.from(code, 'base64')
  const fields: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at + 1] ?? 0
    expect(bytes[at]).toBe(fields.length + 1)
    fields.push(bytes.subarray(at + 2, at + 2 + length).toString('utf8'))
    at += 2 + length
  }
  return fields
}

describe.each(languagesOrOne('en'))('in %s', (language) => {
  it('the claim leads to an invoice whose QR code reads, and after a refund to its credit note, too', async () => {
    const visit = await site.open({ language })
    const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
    await signUp(newPhone(), 'Sara Bilal')
    const { orderId } = await startOrder(page)
    await page.goto(paths.order(orderId))
    await heading(t('claim:unpaid.title'))
    expect(await named('link', t('payment:receipt')).count()).toBe(0)

    await site.stack.control.replay(orderId, 'success')
    await page.goto(paths.order(orderId))
    await heading(t('payment:thankYou.claim.PAID'))
    const href = (await named('link', t('payment:receipt')).getAttribute('href')) ?? ''
    const [invoice, ...none] = await readPages(await load(page, href))
    expect(none).toEqual([])
    const [seller, vatNumber, time, total, vat] = fieldsOf(invoice?.code ?? '')
    expect(seller).toBe(`${brand.exampleSellerName.ar} · ${brand.exampleSellerName.en}`)
    expect([vatNumber, total, vat]).toEqual([brand.purchase.seller.vatNumber, '50.00', '6.52'])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(invoice?.text).not.toContain('Sara')

    await site.stack.control.replay(orderId, 'refund')
    await page.goto(paths.order(orderId))
    await heading(t('payment:thankYou.claim.refund-done'))
    const pages = await readPages(
      await load(page, (await named('link', t('payment:receipt')).getAttribute('href')) ?? ''),
    )
    expect(pages[0]).toEqual(invoice)
    expect(fieldsOf(pages[1]?.code ?? '').slice(3)).toEqual(['50.00', '6.52'])
    const [, number = ''] = /INV-(\d+)/.exec(invoice?.text ?? '') ?? []
    expect(pages[1]?.text).toContain(number)
  })
})
