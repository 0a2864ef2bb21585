import { expect, it } from 'vitest'
import { awbOf, typedAwbOf } from './airway-bill.rules.ts'

it('takes twelve digits from a scanner, and nothing else', () => {
  expect(awbOf('290012345678')).toBe('290012345678')
  for (const text of ['29001234567', '2900123456789', '29001234567A', ' 290012345678', '٢٩٠٠١٢٣٤٥٦٧٨', ''])
    expect(awbOf(text), text).toBeUndefined()
})

it.each([']C0290012345678', ']c1290012345678', '*290012345678*', ']A0*290012345678*'])(
  'takes a number with what a scanner puts around it, in the field too: %s',
  (text) => {
    expect(awbOf(text)).toBe('290012345678')
    expect(typedAwbOf(` ${text} `)).toBe('290012345678')
  },
)

it.each(['C0290012345678', ']290012345678', ']C290012345678', '**290012345678**', '2900*12345678'])(
  'takes no number with something else around it: %s',
  (text) => {
    expect(awbOf(text)).toBeUndefined()
    expect(typedAwbOf(text)).toBeUndefined()
  },
)

it('takes a typed number with Arabic digits, spaces and dashes', () => {
  for (const text of [
    '290012345678',
    ' 2900 1234 5678 ',
    '2900-1234-5678',
    '٢٩٠٠١٢٣٤٥٦٧٨',
    '۲۹۰۰ ۱۲۳۴ ۵۶۷۸',
    '২৯০০ ১২৩৪ ৫৬৭৮',
  ])
    expect(typedAwbOf(text), text).toBe('290012345678')
  for (const text of ['', '29001234567', 'OD-42', '290012345678x']) expect(typedAwbOf(text)).toBeUndefined()
})
