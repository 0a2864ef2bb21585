// @vitest-environment jsdom
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { reloadDocument } from '#client/platform/document.ts'
import { isChunkGone, reloadOnceAfterRelease, withoutReload } from './release.ts'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  reloadDocument: vi.fn(),
}))

beforeAll(reloadOnceAfterRelease)
beforeEach(() => {
  sessionStorage.clear()
  vi.mocked(reloadDocument).mockClear()
  vi.useFakeTimers({ now: 1_000_000 })
  return () => vi.useRealTimers()
})

/** True when the failure was handled and does not reach the error page. */
const chunkFails = (problem = new Error('the chunk is gone')) => {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: problem })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

it('reloads once when a chunk is gone, and lets the error through when that did not help', () => {
  expect(chunkFails()).toBe(true)
  vi.setSystemTime(1_010_000)
  const problem = new Error('still gone')
  expect(chunkFails(problem)).toBe(false)
  expect(reloadDocument).toHaveBeenCalledTimes(1)
  expect(isChunkGone(problem)).toBe(true)
  expect(isChunkGone(new Error('something else'))).toBe(false)
  vi.setSystemTime(1_100_000)
  expect(chunkFails()).toBe(true)
})

it('does not reload while offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const problem = new Error('no network')
  expect(chunkFails(problem)).toBe(false)
  expect(isChunkGone(problem)).toBe(false)
  expect(reloadDocument).not.toHaveBeenCalled()
})

it('does not reload for a chunk that is loaded before it is needed, but knows that it is gone', async () => {
  let fail = (_: Error) => {}
  const early = withoutReload(
    new Promise((_, reject) => {
      fail = reject
    }),
  )
  const problem = new Error('the chunk is gone')
  expect(chunkFails(problem)).toBe(false)
  // A page that waits for the same chunk offers the new version.
  expect(isChunkGone(problem)).toBe(true)
  expect(reloadDocument).not.toHaveBeenCalled()
  fail(problem)
  await early
  expect(chunkFails()).toBe(true)
})
