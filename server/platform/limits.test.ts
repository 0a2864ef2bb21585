import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day, hour, minute, noon, second } from '#test/kit/basics/clock.ts'
import { createCallLimit, freeAt, limitList, longestMs } from './limits.ts'

describe('limitList', () => {
  it('parses counts and windows', () => {
    expect(limitList('1/60s,3/10m, 5/1h,10/1d')).toEqual([
      { count: 1, windowMs: minute },
      { count: 3, windowMs: 10 * minute },
      { count: 5, windowMs: hour },
      { count: 10, windowMs: day },
    ])
    expect(limitList('0/1m')).toEqual([{ count: 0, windowMs: minute }])
  })

  it.each(['', '3', '3/', '/10m', '3/10', '3/0m', '-3/10m', '3/10w', '3/10m,', '3.5/10m', '3/10m;5/1h'])(
    'refuses %j',
    (text) => {
      expect(() => limitList(text)).toThrow('count/window')
    },
  )

  it('returns the longest window', () => {
    expect(longestMs(limitList('3/10m,10/1d,5/1h'))).toBe(day)
    expect(longestMs([])).toBe(0)
  })
})

describe('freeAt', () => {
  const limit = { count: 3, windowMs: 10 * minute }

  it('drops a call exactly at the end of its window', () => {
    const times = [noon, noon, noon]
    expect(freeAt(limit, times, noon + 10 * minute - 1)).toBe(noon + 10 * minute)
    expect(freeAt(limit, times, noon + 10 * minute)).toBe(noon + 10 * minute)
    expect(freeAt(limit, times, noon + 11 * minute)).toBe(noon + 11 * minute)
  })

  it('counts calls with times in the future', () => {
    expect(freeAt({ count: 1, windowMs: minute }, [noon + second], noon)).toBe(noon + minute + second)
  })

  it('never allows a call when the count is 0', () => {
    expect(freeAt({ count: 0, windowMs: minute }, [], noon)).toBe(noon + minute)
    expect(freeAt({ count: 0, windowMs: minute }, [noon - second, noon], noon)).toBe(noon + minute)
  })

  it('never returns a time at which the window is still full', () => {
    const times = fc
      .array(fc.nat(20 * minute), { maxLength: 20 })
      .map((ages) => ages.map((age) => noon - age).sort((a, b) => a - b))
    fc.assert(
      fc.property(times, (ordered) => {
        const at = freeAt(limit, ordered, noon)
        const inside = (then: number) => ordered.filter((each) => each > then - limit.windowMs).length
        return inside(at) < limit.count && (at === noon || inside(at - 1) >= limit.count)
      }),
    )
  })
})

describe('createCallLimit', () => {
  const open = () => {
    const clock = { time: noon, now: () => clock.time }
    return { clock, calls: createCallLimit<string>(limitList('2/1m,3/1h'), clock) }
  }

  it('counts each key separately and returns the remaining wait', () => {
    const { clock, calls } = open()
    expect([calls.take('a'), calls.take('b'), calls.take('a')]).toEqual([undefined, undefined, undefined])
    clock.time += 10 * second
    expect(calls.take('a')).toBe(50 * second)
    expect(calls.take('b')).toBeUndefined()
  })

  it('does not count refused calls, and drops calls after the longest window', () => {
    const { clock, calls } = open()
    calls.take('a')
    calls.take('a')
    for (let tries = 0; tries < 10; tries += 1) expect(calls.take('a')).toBe(minute)
    clock.time += minute
    expect(calls.take('a')).toBeUndefined()
    expect(calls.take('a')).toBe(59 * minute)
    clock.time += 59 * minute
    expect(calls.take('a')).toBeUndefined()
  })

  it('deletes a key after its window', () => {
    const { clock, calls } = open()
    for (let key = 0; key < 1_000; key += 1) calls.take(String(key))
    expect(calls.size()).toBe(1_000)
    clock.time += hour
    calls.take('a')
    expect(calls.size()).toBe(1)
  })
})
