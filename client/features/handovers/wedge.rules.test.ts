import { describe, expect, it } from 'vitest'
import { afterKey, noKeys, type WedgeReading } from './wedge.rules.ts'

const awb = '290012345678'
const digitKeys = (text: string) => [...text].map((digit) => `Digit${digit}`)

/** Presses keys `gapMs` apart. @returns the reading of each key that had one. */
function press(codes: readonly string[], gapMs = 6): WedgeReading[] {
  let keys = noKeys
  const found: WedgeReading[] = []
  for (const [index, code] of codes.entries()) {
    const after = afterKey(keys, { code, at: index * gapMs })
    keys = after.keys
    if (after.reading !== undefined) found.push(after.reading)
  }
  return found
}

const read = [{ kind: 'awb', awb }]

describe('a hand scanner that types', () => {
  it.each(['Enter', 'NumpadEnter', 'Tab'])('ends a number with %s', (end) => {
    expect(press([...digitKeys(awb), end])).toEqual(read)
  })

  it('may use the number pad, and hold Shift for digits as on a French layout', () => {
    expect(press([...[...awb].map((digit) => `Numpad${digit}`), 'Enter'])).toEqual(read)
    expect(press([...digitKeys(awb).flatMap((code) => ['ShiftLeft', code]), 'Enter'])).toEqual(read)
  })

  it('reads one bag after the other', () => {
    expect(press([...digitKeys(awb), 'Enter', ...digitKeys(awb), 'Enter'])).toHaveLength(2)
  })

  it.each([6, 80])('with %i ms between keys is a scanner', (gap) => {
    expect(press([...digitKeys(awb), 'Enter'], gap)).toEqual(read)
  })

  it.each([81, 120])('with %i ms between keys is a person, who is ignored', (gap) => {
    expect(press([...digitKeys(awb), 'Enter'], gap)).toEqual([])
  })

  it('is told apart from what was typed before', () => {
    const slow = afterKey(noKeys, { code: 'Digit9', at: 0 }).keys
    let keys = slow
    for (const [index, code] of digitKeys(awb).entries())
      keys = afterKey(keys, { code, at: 500 + index * 6 }).keys
    expect(afterKey(keys, { code: 'Enter', at: 580 }).reading).toEqual(read[0])
  })

  it.each([awb.slice(1), `${awb}0`])('that reads another barcode is told so: %s', (text) => {
    expect(press([...digitKeys(text), 'Enter'])).toEqual([{ kind: 'wrong' }])
  })

  it('that reads letters is told so', () => {
    expect(press(['KeyR', 'KeyU', 'KeyH', ...digitKeys(awb.slice(3)), 'Enter'])).toEqual([{ kind: 'wrong' }])
  })

  it('is not a lone Enter or a few keys', () => {
    expect(press(['Enter'])).toEqual([])
    expect(press(['KeyA', 'KeyB', 'Enter'])).toEqual([])
  })
})
