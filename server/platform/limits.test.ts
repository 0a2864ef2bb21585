import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day, hour, minute, noon, second } from '#test/kit/clock.ts'
import { freeAt, groupFreeAt, limitList, longestMs } from './limits.ts'

describe('limitList', () => {
  it('reads counts and windows', () => {
    expect(limitList('1/60s,3/10m, 5/1h,10/1d')).toEqual([
      { count: 1, windowMs: minute },
      { count: 3, windowMs: 10 * minute },
      { count: 5, windowMs: hour },
      { count: 10, windowMs: day },
    ])
    expect(limitList('0/1m')).toEqual([{ count: 0, windowMs: minute }])
  })

  it.each(['', '3', '3/', '/10m', '3/10', '3/0m', '-3/10m', '3/10w', '3/10m,', '3.5/10m', '3/10m;5/1h'])(
    'does not read %j',
    (text) => {
      expect(() => limitList(text)).toThrow('count/window')
    },
  )

  it('knows its longest window', () => {
    expect(longestMs(limitList('3/10m,10/1d,5/1h'))).toBe(day)
    expect(longestMs([])).toBe(0)
  })
})

describe('freeAt', () => {
  const limit = { count: 3, windowMs: 10 * minute }

  it('is now while there is a place', () => {
    expect(freeAt(limit, [], noon)).toBe(noon)
    expect(freeAt(limit, [noon - minute, noon], noon)).toBe(noon)
  })

  it('is when the oldest of a full window leaves it', () => {
    expect(freeAt(limit, [noon - 4 * minute, noon - minute, noon], noon)).toBe(noon + 6 * minute)
  })

  it('waits for as many to leave as are too many', () => {
    const times = [noon - 4 * minute, noon - 3 * minute, noon - 2 * minute, noon - minute]
    expect(freeAt(limit, times, noon)).toBe(noon + 7 * minute)
  })

  it('forgets at the very end of the window, and not a millisecond before', () => {
    const times = [noon, noon, noon]
    expect(freeAt(limit, times, noon + 10 * minute - 1)).toBe(noon + 10 * minute)
    expect(freeAt(limit, times, noon + 10 * minute)).toBe(noon + 10 * minute)
    expect(freeAt(limit, times, noon + 11 * minute)).toBe(noon + 11 * minute)
  })

  it('counts what another clock says is still to come', () => {
    expect(freeAt({ count: 1, windowMs: minute }, [noon + second], noon)).toBe(noon + minute + second)
  })

  it('has no place at all where none is allowed', () => {
    expect(freeAt({ count: 0, windowMs: minute }, [], noon)).toBe(noon + minute)
    expect(freeAt({ count: 0, windowMs: minute }, [noon - second, noon], noon)).toBe(noon + minute)
  })

  it('never answers a time at which the window is still full', () => {
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

describe('groupFreeAt', () => {
  const limit = { count: 2, windowMs: 10 * minute }

  it('is now while successes make room', () => {
    const spent = [noon - 3 * minute, noon - 2 * minute, noon - minute]
    expect(groupFreeAt(limit, { spent, earned: [noon, noon] }, 1, noon)).toBe(noon)
    expect(groupFreeAt(limit, { spent, earned: [noon] }, 1, noon)).toBe(noon + 7 * minute)
    expect(groupFreeAt(limit, { spent, earned: [noon, noon] }, 0, noon)).toBe(noon + 8 * minute)
  })

  it('knows that room leaves with the success that made it', () => {
    const spent = [noon - 3 * minute, noon - 2 * minute, noon - minute]
    // At +6 min the success goes and takes its place with it: two must go before one is free.
    expect(groupFreeAt(limit, { spent, earned: [noon - 4 * minute] }, 1, noon)).toBe(noon + 8 * minute)
  })

  it('looks no further than it is told of the past', () => {
    const spent = [noon - 3 * minute, noon - 2 * minute]
    expect(groupFreeAt(limit, { spent, earned: [] }, 1, noon, { spent: 500, earned: 0 })).toBe(
      noon + 8 * minute,
    )
  })

  it('has no place at all where none is allowed', () => {
    expect(groupFreeAt({ count: 0, windowMs: minute }, { spent: [], earned: [] }, 0, noon)).toBe(
      noon + minute,
    )
  })

  it('never answers a time at which there is still no place', () => {
    const times = fc
      .array(fc.nat(10 * minute - 1), { maxLength: 15 })
      .map((ages) => ages.map((age) => noon - age).sort((a, b) => a - b))
    fc.assert(
      fc.property(times, times, fc.nat(3), (spent, earned, room) => {
        const at = groupFreeAt(limit, { spent, earned }, room, noon)
        const inside = (list: readonly number[], then: number) =>
          list.filter((each) => each > then - limit.windowMs).length
        const isFull = (then: number) => inside(spent, then) >= limit.count + room * inside(earned, then)
        return !isFull(at) && (at === noon || isFull(at - 1))
      }),
    )
  })
})
