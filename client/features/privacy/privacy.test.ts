import { expect, it } from 'vitest'
import { maxKeptOrders } from '#client/entities/order/kept-orders.rules.ts'
import { receiptRetention, retentionDays } from '#shared/platform/retention.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { shareEndsAfterDays, shareEndsAfterQuietDays } from '#shared/shares/shares.operations.ts'
import ar from './privacy.ar.json'
import en from './privacy.en.json'

it.each(Object.entries(retentionDays))('the page says in both languages how long %s are kept', (_, days) => {
  for (const { retention } of [ar, en]) expect(retention.old).toMatch(new RegExp(`\\b${days}\\b`))
})

it('the short text states the longest of these periods and the years of receipts', () => {
  const longest = Math.max(...Object.values(retentionDays))
  for (const { short } of [ar, en]) expect(short.period).toMatch(new RegExp(`\\b${longest}\\b`))
  expect(ar.short.period).toContain('ست سنوات من نهاية السنة')
  expect(en.short.period).toContain('six years from the end of the year')
})

it('the page says how long the number before a change is kept', () => {
  for (const { kept } of [ar, en])
    expect(kept.email).toMatch(new RegExp(`\\b${retentionDays.messageTexts}\\b`))
})

it('the page says in both languages how many orders the phone keeps, and how long', () => {
  const days = sessionLife.user.absoluteMs / 86_400_000
  for (const { device } of [ar, en])
    for (const number of [maxKeptOrders, days])
      expect(device.keptOrders).toMatch(new RegExp(`\\b${number}\\b`))
})

it('the page says that receipts are kept for the years of the tax law, from the end of their year', () => {
  expect(receiptRetention.years).toBe(6)
  // A year that has just begun when the receipt is issued, and six more with two leap days.
  expect(receiptRetention.days).toBe(366 + 6 * 365 + 2)
  expect(ar.retention.receipts).toContain('ست سنوات من نهاية السنة')
  expect(en.retention.receipts).toContain('six years from the end of the year')
})

it('the page names all that is kept of the courier’s scans', () => {
  // The rows of `events` keep a scan's time, place, code and text.
  for (const word of ['وقت', 'مدين', 'رمز', 'نص']) expect(ar.kept.scans).toContain(word)
  for (const word of ['time', 'city', 'code', 'text']) expect(en.kept.scans).toContain(word)
})

it('the page says when a shared link ends', () => {
  expect(shareEndsAfterDays).toBe(7)
  expect(ar.recipients.family).toContain('بعد الاستلام بسبعة أيام')
  expect(en.recipients.family).toContain('seven days after collection')
  expect(ar.recipients.family).toContain(`بعد ${shareEndsAfterQuietDays} يومًا من إلغاء الطلب`)
  expect(en.recipients.family).toContain(`${shareEndsAfterQuietDays} days after the order was cancelled`)
})

it('the page says that looks of staff are kept, and for how long', () => {
  for (const text of [ar.kept.operators, ar.retention.old]) expect(text).toContain('اطّلعوا عليه')
  for (const text of [en.kept.operators, en.retention.old]) expect(text).toContain('looked at')
})
