// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useConnection, whileWaiting } from './connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
afterEach(cleanup)

it('is slow after eight seconds of a wait until the last long wait has ended', async () => {
  const { result } = renderHook(useConnection)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  void whileWaiting(first.promise)
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  void whileWaiting(second.promise)
  await act(() => vi.advanceTimersByTimeAsync(3_999))
  expect(result.current).toBe('good')
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(result.current).toBe('slow')

  first.resolve()
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(result.current).toBe('good')
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(result.current).toBe('slow')
  second.reject(new Error('the line broke'))
  await expect(second.promise).rejects.toThrow('the line broke')
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(result.current).toBe('good')
})

it('returns the result of the work', async () => {
  await expect(whileWaiting(Promise.resolve(7))).resolves.toBe(7)
  await expect(whileWaiting(Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('is offline when the browser says so, and good again afterwards', () => {
  const { result } = renderHook(useConnection)
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(result.current).toBe('offline')
  onLine.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(result.current).toBe('good')
})
