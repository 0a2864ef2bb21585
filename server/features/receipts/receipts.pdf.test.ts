import { describe, expect, it } from 'vitest'
import { noSeller } from '#test/kit/no-seller.ts'
import { readPages } from '#test/kit/pdf.ts'
import { drawReceipts } from './receipts.pdf.ts'
import { correctionOf, issuerOf, type Purchase, receiptOf } from './receipts.rules.ts'

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
const issue = { number: 7, previousHash: 'before', uuid: 'u', issuedAt: Date.UTC(2027, 4, 18, 21, 30) }
const later = { ...issue, number: 8, issuedAt: Date.UTC(2027, 4, 20, 7, 5) }
const invoice = receiptOf(issuerOf({ ...noSeller, MODE: 'demo' }), purchase, issue)
const note = correctionOf(invoice, 5_000, 'whole', later)
const plain = receiptOf(issuerOf({ ...noSeller, MODE: 'live' }), purchase, issue)

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
      // Half past nine in the evening in UTC is the next day in Riyadh. A viewer copies the words of a line with Arabic in
      // another order, so they are looked for one by one.
      '2027-05-19',
      '00:30',
      '300000000000003',
      '1010000000',
      '43.48',
      '6.52',
      '50.00',
      'Demo, not a tax document',
    ])
      expect(first).toContain(text)
    for (const text of ['إشعار دائن', 'Credit note', '000008', '000007', 'was returned in full'])
      expect(second).toContain(text)
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
