import { describe, expect, it } from 'vitest'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { day, hour, minute, noon } from '#test/kit/clock.ts'
import { idleLimit } from './sessions.rules.ts'

describe('sessionLife', () => {
  it('is 7 and 30 days for users, an hour and 12 hours for agents', () => {
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
