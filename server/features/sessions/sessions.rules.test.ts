import { describe, expect, it } from 'vitest'
import { day, hour, minute, noon } from '#test/kit/basics/clock.ts'
import { idleLimit } from './sessions.rules.ts'

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
