import { describe, expect, it } from 'vitest'
import { figure, tableOf } from './table.ts'

describe('the printed table', () => {
  it('has columns as wide as their widest cell, with numbers right-aligned', () => {
    expect(
      tableOf(
        ['operation', 'ms'],
        [
          ['order list', '1.5'],
          ['checkout', '120'],
          ['agent list', '–'],
        ],
      ),
    ).toBe(
      ['operation   ms', '----------  ---', 'order list  1.5', 'checkout    120', 'agent list  –'].join('\n'),
    )
  })

  it('accepts rows that are too short', () => {
    expect(tableOf(['a', 'b'], [['x']])).toBe('a  b\n-  -\nx')
  })

  it.each([
    [0.1734, '0.173'],
    [1.234, '1.23'],
    [12.34, '12.3'],
    [4_560.4, '4560'],
    [0, '0.000'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('formats %d as %s', (value, text) => {
    expect(figure(value)).toBe(text)
  })
})
