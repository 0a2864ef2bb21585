import { describe, expect, it } from 'vitest'
import { csvField, csvOf, inFours } from './csv.ts'

describe('a field of a CSV', () => {
  it.each([
    ['=1+2', `"'=1+2"`],
    ['+966', `"'+966"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['  =1', `"'  =1"`],
    ['\u00a0=1', `"'\u00a0=1"`],
    ['＝1', `"'＝1"`],
    ['＋1', `"'＋1"`],
    ['－1', `"'－1"`],
    ['＠x', `"'＠x"`],
    // A hidden mark before it does not hide a formula.
    ['\u202e=1', `"'=1"`],
    ['\u0000=1', `"'=1"`],
  ])('of text that begins as a formula is none: %j', (value, written) => {
    expect(csvField(value)).toBe(written)
  })

  it('is quoted, without what hides or reorders it', () => {
    expect(csvField('a "b", c; d')).toBe('"a ""b"", c; d"')
    expect(csvField('أ\u200fب\u2066\u061c\u0000')).toBe('"أب"')
    expect(csvField('a=b')).toBe('"a=b"')
    expect(csvField(null)).toBe('""')
  })

  it('of a number keeps its sign, and not its quotes', () => {
    expect(csvField('-12.50', true)).toBe('"-12.50"')
    expect(csvField('"=1', true)).toBe('"""=1"')
  })
})

describe('a CSV', () => {
  const columns = [
    { title: '=title', value: ({ name }: { name: string; sum: string }) => name },
    { title: 'sum', value: ({ sum }: { name: string; sum: string }) => sum, isNumber: true },
  ] as const
  const rows = [{ name: 'x\r\ny', sum: '-5.00' }]

  it('has a BOM, CRLF and the separator of its language', () => {
    expect(csvOf(columns, rows, 'en')).toBe(`\uFEFF"'=title","sum"\r\n"x\r\ny","-5.00"\r\n`)
    expect(csvOf(columns, [], 'ar')).toBe(`\uFEFF"'=title";"sum"\r\n`)
  })

  it('has long numbers in groups of four', () => {
    expect(['231200021879', '12345', '1234', ''].map(inFours)).toEqual([
      '2312 0002 1879',
      '1234 5',
      '1234',
      '',
    ])
  })
})
