import { describe, expect, it } from 'vitest'
import { afterKey, afterSilence, noKeys, type WedgeKeys, type WedgeReading } from './wedge.rules.ts'

const awb = '290012345678'

interface Pressed {
  readonly code: string
  readonly key: string
}

/** A key of a keyboard with an Arabic layout: its character does not help. */
const at = (code: string): Pressed => ({ code, key: 'ل' })
/** A key of an input method: it has no place on the keyboard. */
const typed = (key: string): Pressed => ({ code: '', key })
const digitKeys = (text: string) => [...text].map((digit) => at(`Digit${digit}`))
const typedKeys = (text: string) => [...text].map(typed)
const enter: Pressed = { code: 'Enter', key: 'Enter' }
const star: Pressed = { code: 'Digit8', key: '*' }
const shift: Pressed = { code: 'ShiftLeft', key: 'Shift' }

/** Presses keys `gapMs` apart. @returns the readings, and the keys that were not read yet. */
function press(pressed: readonly Pressed[], gapMs = 6): { readings: WedgeReading[]; keys: WedgeKeys } {
  let keys = noKeys
  const readings: WedgeReading[] = []
  for (const [index, { code, key }] of pressed.entries()) {
    const after = afterKey(keys, { code, key, at: index * gapMs })
    keys = after.keys
    if (after.reading !== undefined) readings.push(after.reading)
  }
  return { readings, keys }
}

const read = { kind: 'awb', awb }
const wrong = { kind: 'wrong' }
const unread = { kind: 'unread' }

describe('a hand scanner that types', () => {
  it.each<[string, Pressed[], object[]]>([
    ['ends a number with Enter', [...digitKeys(awb), enter], [read]],
    ['or with that of the number pad', [...digitKeys(awb), at('NumpadEnter')], [read]],
    ['or with Tab', [...digitKeys(awb), at('Tab')], [read]],
    ['uses the number pad', [...[...awb].map((digit) => at(`Numpad${digit}`)), enter], [read]],
    ['holds Shift for digits', [...digitKeys(awb).flatMap((key) => [shift, key]), enter], [read]],
    ['reads one bag after the other', [...digitKeys(awb), enter, ...digitKeys(awb), enter], [read, read]],
    ['puts stars around it', [shift, star, ...digitKeys(awb), shift, star, enter], [read]],
    [
      'puts the kind of barcode before it',
      [at('BracketRight'), shift, at('KeyC'), at('Digit0'), ...digitKeys(awb), enter],
      [read],
    ],
    ['has keys without a place', [...typedKeys(awb), typed('Enter')], [read]],
    ['has them in Arabic digits', [...typedKeys('٢٩٠٠١٢٣٤٥٦٧٨'), typed('Enter')], [read]],
    ['has them with a prefix', [...typedKeys(`]C1${awb}`), typed('Enter')], [read]],
    ['has them with Shift', [...typedKeys(awb).flatMap((key) => [typed('Shift'), key]), enter], [read]],
    ['has them with stars', [...typedKeys(`*${awb}*`), typed('Enter')], [read]],
    ['has keys without a character', [...[...awb].map(() => typed('Unidentified')), enter], [unread]],
    ['has some of them', [...typedKeys(awb.slice(1)), typed('Process'), typed('Enter')], [unread]],
    ['reads a digit less', [...digitKeys(awb.slice(1)), enter], [wrong]],
    ['reads a digit more', [...digitKeys(`${awb}0`), enter], [wrong]],
    ['reads letters', [at('KeyR'), at('KeyU'), at('KeyH'), ...digitKeys(awb.slice(3)), enter], [wrong]],
    ['reads an address', [...['KeyH', 'Slash', 'Period'].map(at), ...digitKeys(awb), enter], [wrong]],
    ['is not a lone Enter', [enter], []],
    ['is not a few keys', [at('KeyA'), at('KeyB'), enter], []],
    ['is not a few keys without a character', [typed('Unidentified'), typed('Unidentified'), enter], []],
  ])('%s', (_, pressed, readings) => {
    expect(press(pressed).readings).toEqual(readings)
  })

  it.each([6, 80, 100])('with %i ms between keys is a scanner', (gap) => {
    expect(press([...digitKeys(awb), enter], gap).readings).toEqual([read])
  })

  it.each([121, 180])('with %i ms between keys is a person, who is ignored', (gap) => {
    const { readings, keys } = press(digitKeys(awb), gap)
    expect([...readings, afterSilence(keys)]).toEqual([undefined])
    expect(press([...digitKeys(awb), enter], gap).readings).toEqual([])
  })

  it('is told apart from what was typed before', () => {
    let { keys } = press(digitKeys('9'))
    for (const [index, { code, key }] of digitKeys(awb).entries())
      keys = afterKey(keys, { code, key, at: 500 + index * 6 }).keys
    expect(afterKey(keys, { ...enter, at: 580 }).reading).toEqual(read)
  })

  it('that ends without Enter has typed for nothing', () => {
    expect(afterSilence(press(digitKeys(awb)).keys)).toEqual(unread)
    expect(afterSilence(press([...digitKeys(awb), enter]).keys)).toBeUndefined()
    expect(afterSilence(press(digitKeys('29001')).keys)).toBeUndefined()
  })
})
