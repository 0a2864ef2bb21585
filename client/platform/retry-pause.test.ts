// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallProblem } from './call.ts'
import { createQueryClient, retryPauseMs } from './query-client.ts'

const busy = (retryAfterSeconds?: number) =>
  new CallProblem({ code: 'OVERLOADED', status: 503, message: 'Busy.', retryAfterSeconds })

afterEach(() => vi.useRealTimers())

describe('the pause before a retry', () => {
  it('is at least the server’s Retry-After, with random jitter', () => {
    const pauses = Array.from({ length: 50 }, () => retryPauseMs(0, busy(3)))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(4_500)
    expect(new Set(pauses).size).toBeGreaterThan(1)
  })

  it('grows without a Retry-After', () => {
    expect([0, 1, 2].map((failures) => retryPauseMs(failures, busy()))).toEqual([1_000, 2_000, 4_000])
  })

  it('is used by the query client', async () => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const read = vi.fn().mockRejectedValueOnce(busy(7)).mockResolvedValue('orders')
    const pending = createQueryClient().fetchQuery({ queryKey: ['orders'], queryFn: read, retry: 1 })
    await vi.advanceTimersByTimeAsync(6_999)
    expect(read).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await pending).toBe('orders')
  })

  it('is skipped when the Retry-After is too long', () => {
    const { retry } = createQueryClient().getDefaultOptions().queries ?? {}
    expect(typeof retry === 'function' && retry(0, busy(600))).toBe(false)
    expect(typeof retry === 'function' && retry(0, busy(3))).toBe(true)
  })
})
