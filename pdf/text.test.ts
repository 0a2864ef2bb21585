import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Direction, directionOf, fitText, plainText, runsOf } from './text.ts'

/** A line as printed, from left to right: the font engine reverses right-to-left runs itself. */
function onPaper(line: string, direction: Direction): string {
  return runsOf(line, direction)
    .map((run) => (run.isRightToLeft ? [...run.text].reverse().join('') : run.text))
    .join('')
}

function turned(text: string): string {
  return [...text].reverse().join('')
}

describe('a line on paper', () => {
  it.each<[string, Direction, string, string]>([
    ['Arabic reads from the right', 'rtl', 'حي العليا', turned('حي العليا')],
    ['Latin reads from the left', 'ltr', 'Al Olaya', 'Al Olaya'],
    [
      'digits keep their order inside Arabic',
      'rtl',
      'بوليصة 231200021879 جديدة',
      `${turned('جديدة')} 231200021879 ${turned('بوليصة')}`,
    ],
    ['the plus of a phone stays before it', 'rtl', 'هاتف +966501234567', `+966501234567 ${turned('هاتف')}`],
    [
      'the plus of a spaced phone stays before it',
      'rtl',
      'هاتف +966 50 123 4567',
      `+966 50 123 4567 ${turned('هاتف')}`,
    ],
    ['brackets embrace what they embraced', 'rtl', 'وزن 12.5 (KG)', `(KG) 12.5 ${turned('وزن')}`],
    [
      'brackets around Arabic are mirrored',
      'rtl',
      'علي (أبو خالد)',
      `(${turned('أبو خالد')}) ${turned('علي')}`,
    ],
    [
      'a Latin word stands between its Arabic neighbours',
      'rtl',
      'محمد Ahmed علي',
      `${turned('علي')} Ahmed ${turned('محمد')}`,
    ],
    [
      'an Arabic word stands between its Latin neighbours',
      'ltr',
      'Ahmed محمد Ali',
      `Ahmed ${turned('محمد')} Ali`,
    ],
    [
      'two Arabic words in Latin read from the right',
      'ltr',
      'By محمد علي now',
      `By ${turned('محمد علي')} now`,
    ],
    ['signs without letters are turned too', 'rtl', 'منى - (4)', `(4) - ${turned('منى')}`],
  ])('%s', (_rule, direction, line, paper) => {
    expect(onPaper(line, direction)).toBe(paper)
  })

  it('gives the font engine every right-to-left run in reading order', () => {
    expect(runsOf('حي العليا، محل 3', 'rtl')).toEqual([
      { text: '3', isRightToLeft: false },
      { text: 'حي العليا، محل ', isRightToLeft: true },
    ])
  })

  it('loses and invents no character', () => {
    const pieces = fc.constantFrom('علي', 'Ali', '12', '+966501234567', '(', ')', '-', ' ', '،', '·', '😀')
    const lines = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(''))
    fc.assert(
      fc.property(lines, fc.constantFrom<Direction>('ltr', 'rtl'), (line, direction) => {
        const signs = (text: string) => [...text.replace(/[()]/g, '|')].toSorted().join('')
        expect(
          signs(
            runsOf(line, direction)
              .map(({ text }) => text)
              .join(''),
          ),
        ).toBe(signs(line))
      }),
      { numRuns: 300 },
    )
  })
})

describe('plain text', () => {
  it('has Latin digits, single spaces and no invisible marks', () => {
    expect(plainText(' محل\u00A0١٢ \u200F\n (۳)\u202E\t')).toBe('محل 12 (3)')
  })

  it('keeps the joiners that shape Arabic letters', () => {
    expect(plainText('می\u200Cخواهم')).toBe('می\u200Cخواهم')
  })
})

describe('the direction of a text', () => {
  it.each([
    ['وكيل 1', 'rtl'],
    ['1 وكيل', 'rtl'],
    ['Agent وكيل', 'ltr'],
    ['+966 50', 'ltr'],
    ['', 'ltr'],
  ])('of %j is %s', (text, direction) => {
    expect(directionOf(text)).toBe(direction)
  })
})

describe('fitting', () => {
  const square = {
    direction: 'ltr',
    lineHeight: 1,
    maxSize: 10,
    minSize: 5,
    measure: (run: { text: string }) => [...run.text].length,
  } as const

  it('keeps the largest size if the text fits', () => {
    expect(fitText({ ...square, text: 'abcde', width: 50, height: 10 })).toEqual({
      lines: ['abcde'],
      size: 10,
    })
  })

  it('wraps at spaces where there is height for it', () => {
    expect(fitText({ ...square, text: 'abc def', width: 50, height: 20 })).toEqual({
      lines: ['abc', 'def'],
      size: 10,
    })
  })

  it('shrinks where there is not', () => {
    expect(fitText({ ...square, text: 'abc def', width: 49, height: 10 })).toEqual({
      lines: ['abc def'],
      size: 7,
    })
  })

  it('breaks a word that is too wide by itself only at the smallest size', () => {
    expect(fitText({ ...square, text: 'abcdefghijkl', width: 50, height: 10 })).toEqual({
      lines: ['abcdefghij', 'kl'],
      size: 5,
    })
  })

  it('ends in an ellipsis what does not fit at all', () => {
    expect(fitText({ ...square, text: 'abcdefghijkl', width: 30, height: 5 })).toEqual({
      lines: ['abcde…'],
      size: 5,
    })
  })

  it('does not cut a letter of several code points in two', () => {
    const { lines } = fitText({ ...square, text: '👩‍👩‍👧👩‍👩‍👧', width: 25, height: 20 })
    expect(lines).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
  })

  it('has no lines for an empty text', () => {
    expect(fitText({ ...square, text: '', width: 50, height: 10 }).lines).toEqual([])
  })

  it('never leaves the box', () => {
    const words = fc.array(fc.constantFrom('علي', 'Ali', 'abcdefghijklmnopqrstuvwxyz', '12', 'محمد'), {
      maxLength: 30,
    })
    const boxes = fc.record({
      width: fc.integer({ min: 20, max: 300 }),
      height: fc.integer({ min: 5, max: 60 }),
    })
    fc.assert(
      fc.property(words, boxes, fc.constantFrom<Direction>('ltr', 'rtl'), (some, box, direction) => {
        const { lines, size } = fitText({ ...square, ...box, direction, text: some.join(' ') })
        expect(lines.length * size).toBeLessThanOrEqual(box.height)
        for (const line of lines) expect([...line].length * size).toBeLessThanOrEqual(box.width)
      }),
      { numRuns: 300 },
    )
  })
})
