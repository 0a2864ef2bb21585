// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useRefocus } from './use-refocus.ts'

const onRefocus = vi.fn()

function Page({ restMs }: { readonly restMs?: number }) {
  useRefocus(onRefocus, restMs)
  return null
}

const focus = () => void window.dispatchEvent(new Event('focus'))

beforeEach(() => {
  vi.useFakeTimers()
  onRefocus.mockReset()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('runs at every focus without a time between', () => {
  render(<Page />)
  for (const _ of [1, 2, 3]) focus()
  expect(onRefocus).toHaveBeenCalledTimes(3)
})

it('runs once within the time between two runs, and once more at its end for the focus that came meanwhile', () => {
  render(<Page restMs={10_000} />)
  for (const _ of Array(10)) focus()
  expect(onRefocus).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(9_999)
  expect(onRefocus).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(onRefocus).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(60_000)
  expect(onRefocus).toHaveBeenCalledTimes(2)
})

it('does not run later for a page that is hidden by then', () => {
  render(<Page restMs={10_000} />)
  focus()
  focus()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  vi.advanceTimersByTime(10_000)
  expect(onRefocus).toHaveBeenCalledTimes(1)
})

it('runs after the clock was set back, and at once for a page that Back restores', () => {
  render(<Page restMs={10_000} />)
  focus()
  vi.setSystemTime(Date.now() - 3_600_000)
  focus()
  expect(onRefocus).toHaveBeenCalledTimes(2)
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(onRefocus).toHaveBeenCalledTimes(3)
})
