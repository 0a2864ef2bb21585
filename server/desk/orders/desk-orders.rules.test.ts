import { describe, expect, it } from 'vitest'
import { maskedName, maskedPhone, maskedQuery } from '#server/platform/masks.ts'
import { noon } from '#test/kit/basics/clock.ts'
import { cursorOf, cursorText, readQuery, sinceOf } from './desk-orders.rules.ts'

describe('a query', () => {
  it.each([
    ['OD-5604', { orderId: 5604, isOrderNumber: true, phoneEnd: undefined }],
    ['٥٦٠٤', { orderId: 5604, isOrderNumber: false, phoneEnd: '5604', references: ['5604'] }],
    ['OD-৫৬০৪', { orderId: 5604, isOrderNumber: true }],
    ['২৩১২ ০০০২ ১৮৭৯', { references: ['231200021879'] }],
    ['0604', { orderId: undefined, phoneEnd: '0604' }],
    ['2312 0002 1879', { references: ['231200021879'], phone: undefined }],
    ['051 234 5678', { phone: '+966512345678', references: ['0512345678'], phoneEnd: undefined }],
    ['966512345678', { phone: '+966512345678' }],
    ['AM-M1ABC-XYZ', { references: ['AM-M1ABC-XYZ'], orderId: undefined, phone: undefined }],
    ['فاطمة أحمد', { references: [], orderId: undefined, phone: undefined, phoneEnd: undefined }],
    ['a/../b', { references: [] }],
  ])('%s is read', (typed, read) => {
    expect(readQuery(typed)).toMatchObject(read)
  })
})

describe('what is masked', () => {
  it('keeps of a name the first word and a letter', () => {
    expect(['فاطمة أحمد علي', ' Yusuf ', 'Ali  ibn Omar', '𞤀𞤁 𞤂x', ''].map(maskedName)).toEqual([
      ...['فاطمة أ…', 'Yusuf', 'Ali i…', '𞤀𞤁 𞤂…', ''],
    ])
  })

  it('keeps of a phone the calling code and the digits by which it is found', () => {
    expect(['+966512344678', '+12125550123', '+8801712345678', 'deleted-7'].map(maskedPhone)).toEqual([
      ...['+966 ••••• 4678', '+1 ••••• 0123', '+880 ••••• 5678', '••••• ed-7'],
    ])
  })

  it('keeps of a query what tells two apart, and no whole number or name', () => {
    expect(
      ['+966512344678', '٤٦٧٨', 'فاطمة أحمد', 'আব্দুর রহমান', 'Sara 0512344678', '\u0000"x%'].map(maskedQuery),
    ).toEqual([...['•••••4678', '•••••4678', 'ف… أ…', 'আ… র…', 'S… •••••4678', 'x…']])
  })
})

describe('a page of the list', () => {
  it('begins at its cursor, else at the end of the last day in Riyadh', () => {
    expect(cursorOf(undefined, undefined).createdAt).toBeGreaterThan(noon)
    expect(cursorOf(undefined, '2027-01-15')).toEqual({
      createdAt: Date.parse('2027-01-15T21:00:00Z'),
      id: 0,
    })
    expect(sinceOf('2027-01-15')).toBe(Date.parse('2027-01-14T21:00:00Z'))
    expect(sinceOf(undefined)).toBe(0)
    expect(cursorOf(cursorText({ createdAt: noon, id: 7 }), '2027-01-15')).toEqual({
      createdAt: noon,
      id: 7,
    })
  })
})
