import { describe, expect, it } from 'vitest'
import { brand } from '#shared/platform/brand.ts'
import { noSeller } from '#test/kit/orders/no-seller.ts'
import {
  correctionOf,
  issuerOf,
  type Purchase,
  receiptOf,
  returnedReceiptOf,
  shownSellerOf,
} from './receipts.rules.ts'

const seller = {
  SELLER_NAME: 'شركة نقل الأمتعة',
  SELLER_ADDRESS: 'مكة المكرمة',
  SELLER_VAT_NUMBER: '310000000000013',
  SELLER_CR_NUMBER: '4030000001',
}
const place = (city: string) => ({ city, coordinates: null })
const purchase: Purchase = {
  orderId: 42,
  transactionId: '9000001',
  amountHalalas: 5_000,
  legs: [{ origin: place('Makkah'), destination: place('Riyadh') }],
}
const issue = { number: 7, uuid: 'u', issuedAt: Date.UTC(2027, 4, 18, 12, 30) }
const demo = issuerOf({ ...noSeller, MODE: 'demo' })

describe('what is issued', () => {
  it('is a marked invoice of the example seller in demo', () => {
    expect(demo).toMatchObject({ kind: 'invoice', isDemo: true, seller: { vatNumber: '300000000000003' } })
    expect(receiptOf(demo, purchase, issue)).toMatchObject({
      kind: 'invoice',
      isDemo: true,
      orderNumber: 'OD-42',
      totalHalalas: 5_000,
      vat: { percent: 15, netHalalas: 4_348, vatHalalas: 652 },
      code: expect.stringMatching(/^A/),
    })
  })

  it.each([
    ['without a VAT number', {}],
    ['without a VAT number, with the phase', { INVOICE_PHASE: '1' as const }],
    ['with a VAT number, without the phase', seller],
  ])('is a plain receipt in live %s: no VAT and no QR code', (_, change) => {
    const issuer = issuerOf({ ...noSeller, ...change, MODE: 'live' })
    expect(issuer).toMatchObject({ kind: 'receipt', isDemo: false })
    const receipt = receiptOf(issuer, purchase, issue)
    expect(receipt).toMatchObject({ kind: 'receipt', vat: null, code: null, seller: { vatNumber: null } })
    expect(correctionOf(receipt, 5_000, 'whole', issue)).toMatchObject({ kind: 'refund-receipt', vat: null })
  })

  it('is an unmarked invoice in live with a VAT number and the phase', () => {
    const issuer = issuerOf({ ...noSeller, ...seller, INVOICE_PHASE: '1', MODE: 'live' })
    expect(receiptOf(issuer, purchase, issue)).toMatchObject({
      kind: 'invoice',
      isDemo: false,
      seller: { name: 'شركة نقل الأمتعة', vatNumber: '310000000000013', registrationNumber: '4030000001' },
    })
  })

  it('describes each way, in both languages', () => {
    const back = { origin: place('Riyadh'), destination: place('Makkah') }
    const { lines } = receiptOf(demo, { ...purchase, legs: [...purchase.legs, back] }, issue)
    expect(lines).toEqual([
      {
        ar: 'نقل حقيبة واحدة حتى 15 كجم من مكة المكرمة إلى الرياض',
        en: 'Transport of one bag up to 15 kg from Makkah to Riyadh',
      },
      {
        ar: 'نقل حقيبة واحدة حتى 15 كجم من الرياض إلى مكة المكرمة',
        en: 'Transport of one bag up to 15 kg from Riyadh to Makkah',
      },
    ])
  })
})

it('a credit note names its invoice and the reason, with the VAT of the returned amount', () => {
  const invoice = receiptOf(demo, purchase, issue)
  const note = correctionOf(invoice, 2_000, 'part', { ...issue, number: 8, issuedAt: issue.issuedAt + 1 })
  expect(note).toMatchObject({
    kind: 'credit-note',
    number: 8,
    seller: invoice.seller,
    totalHalalas: 2_000,
    vat: { netHalalas: 1_739, vatHalalas: 261 },
    corrects: {
      number: 'INV-000007',
      issuedAt: issue.issuedAt,
      reason: { en: 'A part of the amount was returned.' },
    },
  })
  expect(note.code).not.toBe(invoice.code)
})

describe('the paper', () => {
  const invoice = receiptOf(demo, purchase, issue)
  const tagAfter = (reason: 'part' | 'whole' | 'cancelled') =>
    correctionOf(invoice, 5_000, reason, issue).paper.tag

  it('has the tag of the bag, whose city a bag leaves when its price goes back', () => {
    const tag = { letters: 'RUH', city: { ar: 'الرياض', en: 'Riyadh' }, isVoid: false }
    expect(invoice.paper).toEqual({
      name: brand.name,
      support: { phone: brand.contact.phone, email: brand.contact.email },
      hijriDay: '12 ذو الحجة 1448',
      tag,
    })
    expect(tagAfter('part')).toEqual(tag)
    for (const reason of ['whole', 'cancelled'] as const)
      expect(tagAfter(reason)).toEqual({ ...tag, isVoid: true })
  })

  it('has the day of a note, in Riyadh, and no tag where no bag was paid for', () => {
    const next = { ...issue, issuedAt: Date.UTC(2027, 4, 18, 21, 30) }
    expect(correctionOf(invoice, 5_000, 'whole', next).paper.hijriDay).toBe('13 ذو الحجة 1448')
    expect(returnedReceiptOf(demo, purchase, issue).paper.tag).toBeNull()
  })
})

describe('the seller shown before paying', () => {
  it('is the example in demo, and what is configured in live', () => {
    expect(shownSellerOf({ ...noSeller, MODE: 'demo' })).toEqual({
      vatNumber: '300000000000003',
      registrationNumber: '1010000000',
      isExample: true,
    })
    expect(shownSellerOf({ ...noSeller, ...seller, MODE: 'live' })).toEqual({
      vatNumber: '310000000000013',
      registrationNumber: '4030000001',
      isExample: false,
    })
    expect(shownSellerOf({ ...noSeller, MODE: 'live' })).toEqual({ isExample: false })
  })
})
