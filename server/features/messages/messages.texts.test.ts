import { describe, expect, it } from 'vitest'
import { languages } from '#shared/platform/language.ts'
import { messageKinds } from './messages.rules.ts'
import { messageText, segmentsOf } from './messages.texts.ts'

const facts = { orderId: 1_234_567, awb: '231200021879', place: 'فرع حي الملك عبدالله بن عبدالعزيز، الرياض' }

describe.each(Object.keys(languages))('the texts of messages in %s', (language) => {
  it.each(messageKinds)('%s: at most two parts, without link and phone number', (kind) => {
    const text = messageText(language, { ...facts, kind })
    expect(segmentsOf(text)).toBeLessThanOrEqual(2)
    expect(text).not.toMatch(/https?:|www\.|\.com|\.sa\b|\+\d|\b05\d/)
    expect(text).toMatch(/231200021879|OD-1234567/)
    expect(text).not.toMatch(/\{|undefined|null/)
  })

  it('differ from each other, so that a look-up cannot take one for another', () => {
    expect(new Set(messageKinds.map((kind) => messageText(language, { ...facts, kind }))).size).toBe(
      messageKinds.length,
    )
  })

  it('name the order where there is no airway bill', () => {
    expect(messageText(language, { ...facts, kind: 'exception', awb: null })).toContain('OD-1234567')
  })
})

it('English texts without an Arabic place have one part', () => {
  for (const kind of messageKinds)
    expect(segmentsOf(messageText('en', { ...facts, kind, place: 'Al Malaz, Riyadh' }))).toBe(1)
})

it.each([
  'call 0512345678',
  'اتصل ٠٥٠ ٠٠٠ ٠٠٠٠',
  'https://evil.example',
  'evil.com',
  'www.evil',
  'x'.repeat(41),
])('a place that could be a link or a number, or is too long, is left out: %s', (place) => {
  expect(messageText('en', { ...facts, kind: 'collected', place })).toBe(
    'Amtiati: bag 231200021879 was collected.',
  )
})

it('a person without a known language gets Arabic', () => {
  for (const language of [null, 'fr'])
    expect(messageText(language, { ...facts, kind: 'cancelled' })).toBe('أمتعتي: أُلغي الطلب OD-1234567.')
})

it('parts are counted as networks do', () => {
  expect(['a'.repeat(160), 'a'.repeat(161), 'أ'.repeat(70), 'أ'.repeat(71), '’'].map(segmentsOf)).toEqual([
    1, 2, 1, 2, 1,
  ])
})
