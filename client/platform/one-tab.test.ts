// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stubLocks } from '#test/kit/client/locks.ts'
import { oneTabAtATime } from './one-tab.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('work that runs on one tab at a time', () => {
  it('starts when the work of the other tab has settled', async () => {
    stubLocks()
    const steps: string[] = []
    const first = Promise.withResolvers<string>()
    const one = oneTabAtATime('a', () => first.promise)
    const two = oneTabAtATime('a', async () => steps.push('two'))
    const other = oneTabAtATime('b', async () => steps.push('other'))
    await other
    expect(steps).toEqual(['other'])
    first.reject(new Error('no network'))
    await expect(one).rejects.toThrow('no network')
    await two
    expect(steps).toEqual(['other', 'two'])
  })

  it('runs once, and rejects with its failure', async () => {
    stubLocks()
    const work = vi.fn(async () => {
      throw new Error('refused')
    })
    await expect(oneTabAtATime('a', work)).rejects.toThrow('refused')
    expect(work).toHaveBeenCalledOnce()
  })

  it('does not wait for ever for a suspended tab', async () => {
    vi.useFakeTimers()
    stubLocks()
    void oneTabAtATime('a', () => new Promise(() => {}))
    const work = vi.fn(async () => 'done')
    const waiting = oneTabAtATime('a', work)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(work).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await expect(waiting).resolves.toBe('done')
    expect(work).toHaveBeenCalledOnce()
  })

  it('runs at once without a lock manager', async () => {
    expect('locks' in navigator).toBe(false)
    await expect(oneTabAtATime('a', async () => 'done')).resolves.toBe('done')
  })
})
