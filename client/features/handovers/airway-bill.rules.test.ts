import { expect, it } from 'vitest'
import { awbOf, typedAwbOf } from './airway-bill.rules.ts'

it('takes twelve digits from a scanner, and nothing else', () => {
  expect(awbOf('290012345678')).toBe('290012345678')
  for (const text of ['29001234567', '2900123456789', '29001234567A', ' 290012345678', '٢٩٠٠١٢٣٤٥٦٧٨', ''])
    expect(awbOf(text), text).toBeUndefined()
})

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
