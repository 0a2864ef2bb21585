// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSecondsUntil } from './time.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const count = (time: number | undefined) =>
  renderHook(({ time }) => useSecondsUntil(time), { initialProps: { time } })

describe('the seconds until a time', () => {
  it('count down to 0 and then stop the timer', () => {
    const { result } = count(1_003_000)
    expect(result.current).toBe(3)
    act(() => void vi.advanceTimersByTime(1_000))
    expect(result.current).toBe(2)
    act(() => void vi.advanceTimersByTime(2_000))
    expect(result.current).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are correct at once for a new time', () => {
    const { result, rerender } = count(undefined)
    expect(result.current).toBe(0)
    vi.advanceTimersByTime(30_000)
    rerender({ time: 1_040_000 })
    expect(result.current).toBe(10)
    rerender({ time: undefined })
    expect(result.current).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
