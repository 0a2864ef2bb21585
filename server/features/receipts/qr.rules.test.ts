import { expect, it } from 'vitest'
import { invoiceCode } from './qr.rules.ts'

const issued = {
  sellerName: 'شركة نقل الأمتعة',
  vatNumber: '300000000000003',
  issuedAt: Date.UTC(2027, 4, 18, 12, 30),
  totalHalalas: 5_000,
  vatHalalas: 652,
}

// docs/wires/invoices.md I5
it('matches the check vector, whose Arabic name has more bytes than letters', () => {
  expect(invoiceCode(issued)).toBe(
    'AR7YtNix2YPYqSDZhtmC2YQg2KfZhNij2YXYqti52KkCDzMwMDAwMDAwMDAwMDAwMwMUMjAyNy0wNS0xOFQxMjozMDowMFoEBTUwLjAwBQQ2LjUy',
  )
})

it('refuses a value whose length does not fit one byte', () => {
  expect(() => invoiceCode({ ...issued, sellerName: 'ن'.repeat(128) })).toThrow(RangeError)
})
