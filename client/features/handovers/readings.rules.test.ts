import { describe, expect, it } from 'vitest'
import { afterFrame, noReadings, type Reading, resumed, stripOf } from './readings.rules.ts'

const awb = '290012345678'
const other = '290087654321'

/** Frames 50 ms apart. @returns the reading of each frame. */
function read(frames: readonly (readonly string[])[], start = noReadings) {
  let readings = start
  const taken: (Reading | undefined)[] = []
  for (const [index, texts] of frames.entries()) {
    const after = afterFrame(readings, texts, 1_000 + index * 50)
    readings = after.readings
    taken.push(after.reading)
  }
  return { readings, taken }
}

const seen: Reading = { kind: 'awb', awb }

describe('a reading of the camera', () => {
  it('counts when the next one is the same', () => {
    expect(read([[awb], [awb]]).taken).toEqual([undefined, seen])
  })

  it('counts across frames in which nothing was read', () => {
    expect(read([[awb], [], [], [awb]]).taken.at(-1)).toEqual(seen)
  })

  it('does not count after a different one: one of them was false', () => {
    expect(read([[awb], [other], [awb], [other]]).taken).toEqual(Array(4).fill(undefined))
  })

  it('does not count beside another barcode: which bag is meant is not known', () => {
    expect(read([[awb, other], [awb, other], [awb]]).taken).toEqual(Array(3).fill(undefined))
    expect(read([[awb], [awb, other], [awb]]).taken).toEqual(Array(3).fill(undefined))
  })

  it('counts once while the bag stays in view, and again when it comes back', () => {
    const { readings, taken } = read([[awb], [awb], [awb], [awb], [], [awb], [awb]])
    expect(taken.filter((reading) => reading !== undefined)).toEqual([seen])
    const back = afterFrame(readings, [awb], 4_000)
    expect(afterFrame(back.readings, [awb], 4_050).reading).toEqual(seen)
  })

  it('counts at once for the next bag', () => {
    expect(read([[awb], [awb], [other], [other]]).taken.at(-1)).toEqual({ kind: 'awb', awb: other })
    // The previous barcode is still in view next to the new one.
    expect(read([[awb], [awb], [awb, other], [awb, other]]).taken.at(-1)).toEqual({ kind: 'awb', awb: other })
  })

  it('of the same bag does not count after a pause, however long it was', () => {
    const { readings } = read([[awb], [awb]])
    const again = resumed(readings, 60_000)
    expect(read([], again).readings).toEqual(again)
    const first = afterFrame(again, [awb], 60_050)
    expect(afterFrame(first.readings, [awb], 60_100).reading).toBeUndefined()
  })

  it.each(['0123456789', 'RUH-2900123456', '2900123456789'])('%s is of no airway bill', (text) => {
    expect(read([[text], [text], [text], [text]]).taken).toEqual([
      undefined,
      { kind: 'wrong' },
      undefined,
      undefined,
    ])
  })
})

it('the strip is the middle of the frame, in whole pixels', () => {
  expect(stripOf({ width: 1280, height: 720 })).toEqual({ x: 0, y: 144, width: 1280, height: 432 })
  expect(stripOf({ width: 721, height: 1283 })).toEqual({ x: 0, y: 257, width: 721, height: 770 })
})
