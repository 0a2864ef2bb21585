// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import { reloadDocument } from '#client/platform/document.ts'
import { reloadOnceAfterRelease } from './release.ts'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  reloadDocument: vi.fn(),
}))

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ now: 1_000_000 })
  return () => vi.useRealTimers()
})

const chunkIsGone = () => {
  const event = new Event('vite:preloadError', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

it('reloads once when a chunk is gone, and lets the error through when that did not help', () => {
  reloadOnceAfterRelease()
  expect(chunkIsGone()).toBe(true)
  vi.setSystemTime(1_010_000)
  expect(chunkIsGone()).toBe(false)
  expect(reloadDocument).toHaveBeenCalledTimes(1)
  vi.setSystemTime(1_100_000)
  expect(chunkIsGone()).toBe(true)
})
