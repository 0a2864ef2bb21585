import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brand } from '#shared/platform/brand.ts'
import { readPages } from '#test/kit/browser/pdf.ts'
import { noSeller } from '#test/kit/orders/no-seller.ts'
import { drawReceipts } from './receipts.pdf.ts'
import { correctionOf, issuerOf, type Purchase, type ReceiptDocument, receiptOf } from './receipts.rules.ts'
import stored from './receipts.samples.json' with { type: 'json' }

const purchase: Purchase = {
  orderId: 42,
  transactionId: '9000001',
  amountHalalas: 5_000,
  legs: [
    {
      origin: { city: 'Makkah', coordinates: null },
      destination: { city: 'Riyadh', coordinates: null },
    },
  ],
}
const issue = { number: 7, uuid: 'u', issuedAt: Date.UTC(2027, 4, 18, 21, 30) }
const later = { ...issue, number: 8, issuedAt: Date.UTC(2027, 4, 20, 7, 5) }
const invoice = receiptOf(issuerOf({ ...noSeller, MODE: 'demo' }), purchase, issue)
const note = correctionOf(invoice, 5_000, 'whole', later)
const plain = receiptOf(issuerOf({ ...noSeller, MODE: 'live' }), purchase, issue)

/** A hash of the uncompressed streams of a PDF. */
function contentSum(pdf: Uint8Array): string {
  const sum = createHash('sha256')
  const file = Buffer.from(pdf).toString('latin1')
  for (const [, stream = ''] of file.matchAll(/\nstream\n(.*?)\nendstream/gs))
    sum.update(inflateSync(Buffer.from(stream, 'latin1')))
  return sum.digest('hex')
}

/** A viewer copies a ligature as one character or as its letters. */
const letters = (text: string) => text.normalize('NFKC')

describe('the PDF', () => {
  it('has the invoice and below it the credit note, each with a QR code that reads as what was frozen', async () => {
    const pages = await readPages(await drawReceipts([invoice, note]))
    expect(pages.map(({ code }) => code)).toEqual([invoice.code, note.code])
    const [first = '', second = ''] = pages.map(({ text }) => letters(text))
    for (const text of [
      'فاتورة ضريبية مبسطة',
      'Simplified tax invoice',
      '000007',
      // Half past nine in the evening in UTC is the next day in Riyadh. A viewer copies the words of a line with
      // Arabic in another order, so they are searched one by one.
      '2027-05-19',
      '00:30',
      '300000000000003',
      '1010000000',
      '43.48',
      '6.52',
      '50.00',
      'Demo, not a tax document',
      '13 ذو الحجة 1448',
      'Paid',
      'collected with the barcode',
    ])
      expect(first).toContain(text)
    for (const text of ['إشعار دائن', 'Credit note', '000008', '000007', 'was returned in full'])
      expect(second).toContain(text)
    // No bag is collected after that.
    expect(second).not.toMatch(/Paid|collected with/)
    expect([first, second].map((text) => /([12]) \/ 2/.exec(text)?.[1])).toEqual(['1', '2'])
    const onBoth = ['RUH', 'الرياض', 'OD-42', brand.contact.phone, brand.contact.email, 'تحتاج إلى مساعدة؟']
    for (const text of onBoth) expect([first, second]).toEqual(Array(2).fill(expect.stringContaining(text)))
  })

  it('of stored receipts is as it was when they were issued', async () => {
    const file = await drawReceipts(stored as readonly ReceiptDocument[])
    expect((await readPages(file)).map(({ code }) => code)).toEqual(stored.map(({ code }) => code))
    // Another hash means other bytes for issued receipts, which must stay the same (docs/wires/invoices.md).
    expect(contentSum(file)).toBe('9e93c06e7dc8606cd9c848dac2ca7d3d002e7279ac43aa82c8b5ccde3aac6227')
  })

  it('of a plain receipt states no VAT and has no QR code and no mark', async () => {
    const [page] = await readPages(await drawReceipts([plain]))
    expect(page?.code).toBeUndefined()
    const text = letters(page?.text ?? '')
    expect(text).toContain('000007')
    expect(text).toContain('50.00')
    expect(text).not.toMatch(/VAT|ضريب|Demo|tax/i)
  })

  it('has the same bytes whenever it is drawn', async () => {
    const first = await drawReceipts([invoice, note])
    await drawReceipts([plain])
    expect(Buffer.from(await drawReceipts([invoice, note])).equals(Buffer.from(first))).toBe(true)
  })
})
