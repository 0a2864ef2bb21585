// @vitest-environment jsdom
import { beforeAll, expect, it, vi } from 'vitest'
import { reloadDocument } from '#client/platform/document.ts'
import { isChunkGone, watchForGoneChunks } from './release.ts'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  reloadDocument: vi.fn(),
}))

beforeAll(watchForGoneChunks)

const chunkFails = (payload: Error) => {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload })
  window.dispatchEvent(event)
  // The failure reaches the page that needs the chunk.
  expect(event.defaultPrevented).toBe(false)
  // Something may be half typed on the page on screen.
  expect(reloadDocument).not.toHaveBeenCalled()
}

it('a chunk that is gone is known as such', () => {
  const problem = new Error('the chunk is gone')
  chunkFails(problem)
  expect(isChunkGone(problem)).toBe(true)
  expect(isChunkGone(new Error('something else'))).toBe(false)
})

it('offline, a missing chunk is no sign of a release', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const problem = new Error('no network')
  chunkFails(problem)
  expect(isChunkGone(problem)).toBe(false)
})
