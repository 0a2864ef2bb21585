// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import type { OrderRefund } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { renderPage } from '#test/kit/client/render-page.tsx'
import { RefundNote } from './refund-note.tsx'

const said = (refund: Partial<OrderRefund>, language: LanguageCode) =>
  renderPage(<RefundNote refund={{ state: 'done', amount: 50, reason: 'wrong-amount', ...refund }} />, {
    language,
  }).container.textContent

describe('the amount of a refund', () => {
  it.each(['ar', 'en'] as const)('is in the currency of the payment, in %s', (language) => {
    const text = said({ currency: 'USD' }, language)
    expect(text).toContain('\u206650.00\u00a0USD\u2069')
    expect(text).not.toMatch(/SAR|ر\.س/)
  })

  it.each([
    ['ar', '50.00\u00a0ر.س'],
    ['en', 'SAR\u00a050.00'],
  ] as const)('is in riyals where no currency is named, in %s', (language, sum) => {
    expect(said({}, language)).toContain(sum)
  })
})
