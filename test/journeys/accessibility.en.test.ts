import { expect, it } from 'vitest'
import { tourEveryState } from '#test/kit/accessibility-tour.ts'

// One file per language, so that the two longest journeys run side by side.
it('every state of every page passes WCAG 2.2 AA and shows one language: en', async () => {
  const { wrongs, states } = await tourEveryState('en')
  expect(wrongs).toEqual([])
  expect(states.length).toBeGreaterThanOrEqual(45)
})
