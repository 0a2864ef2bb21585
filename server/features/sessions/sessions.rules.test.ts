import { describe, expect, it } from 'vitest'
import { day, hour, minute, noon } from '#test/kit/clock.ts'
import { idleLimit, sessionLife, tidyName } from './sessions.rules.ts'

describe('sessionLife', () => {
  it('is what the design promises to pilgrims and to agents', () => {
    expect(sessionLife).toEqual({
      user: { idleMs: 7 * day, absoluteMs: 30 * day },
      agent: { idleMs: hour, absoluteMs: 12 * hour },
    })
  })
})

describe('idleLimit', () => {
  it.each([
    ['user', noon + 30 * day, noon + 7 * day],
    ['agent', noon + 12 * hour, noon + hour],
    ['user', noon + 2 * day, noon + 2 * day],
    ['agent', noon + minute, noon + minute],
  ] as const)('of a session of %s that ends at %i is %i', (role, endsAt, limit) => {
    expect(idleLimit(role, noon, endsAt)).toBe(limit)
  })
})

describe('tidyName', () => {
  it.each([
    ['  عبد   الله ', 'عبد الله'],
    ['Abdullah', 'Abdullah'],
    ['A\u00A0\u00A0B', 'A B'],
    ['   ', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('makes of %j %j', (typed, name) => {
    expect(tidyName(typed)).toBe(name)
  })
})
