import { expect, it } from 'vitest'
import { handoverPhotoLongestSide, handoverPhotoMaxBytes } from '#shared/orders/handovers.operations.ts'
import { photoTries, shownPart } from './bag-photo.rules.ts'

const frame = { width: 1280, height: 720 }

it.each([
  [
    'a view that is higher than the frame',
    frame,
    { width: 360, height: 480 },
    { x: 370, y: 0, width: 540, height: 720 },
  ],
  ['a view that is wider', frame, { width: 640, height: 180 }, { x: 0, y: 180, width: 1280, height: 360 }],
  ['a view of the same form', frame, { width: 640, height: 360 }, { x: 0, y: 0, ...frame }],
  ['a view without a size', frame, { width: 0, height: 0 }, { x: 0, y: 0, ...frame }],
])('a picture is what is seen: %s', (_, size, view, expected) => {
  expect(shownPart(size, view)).toEqual(expected)
})

it('each try writes fewer points or a lower quality than the one before, within the limits', () => {
  const weights = photoTries.map(({ side, quality }) => side * side * quality)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  for (const { side, mostBytes } of photoTries) {
    expect(side).toBeLessThanOrEqual(handoverPhotoLongestSide)
    expect(mostBytes).toBe(handoverPhotoMaxBytes)
  }
})
