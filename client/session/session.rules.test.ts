import { describe, expect, it } from 'vitest'
import { emptySession, sessionOf } from './session.rules.ts'

const user = { id: 7, name: 'Amina', phone: '+966501234567' }
const agent = { id: 3, name: 'Counter 1', phone: '+966500000101' }
const nothing = { hasAgentToken: false, wasSignedIn: false, documentRole: null }

describe('a session', () => {
  it('is being restored until both start-up calls have answered', () => {
    expect(sessionOf(undefined, nothing)).toMatchObject({
      role: null,
      isAuthenticated: false,
      isRestoring: true,
      isUnknown: false,
    })
    expect(sessionOf(emptySession, nothing)).toMatchObject({
      role: null,
      isAuthenticated: false,
      isRestoring: false,
    })
  })

  it('counts as authenticated with a stored token, until the calls have answered', () => {
    const stored = { ...nothing, hasAgentToken: true }
    expect(sessionOf(undefined, stored).isAuthenticated).toBe(true)
    expect(sessionOf(emptySession, stored).isAuthenticated).toBe(false)
  })

  it('is likely that of the person whose data is kept, until the calls have answered', () => {
    const stored = { ...nothing, documentRole: 'agent' } as const
    expect(sessionOf(undefined, stored)).toMatchObject({ role: null, likelyRole: 'agent' })
    expect(sessionOf(emptySession, stored).likelyRole).toBeNull()
    expect(sessionOf({ ...emptySession, user }, stored).likelyRole).toBe('user')
  })

  it('has the role and the identity of the call that succeeded', () => {
    expect(sessionOf({ ...emptySession, user }, nothing)).toMatchObject({
      role: 'user',
      user,
      isAuthenticated: true,
    })
    expect(sessionOf({ ...emptySession, agent }, nothing)).toMatchObject({
      role: 'agent',
      agent,
      isAuthenticated: true,
    })
  })

  it.each(['user', 'agent'] as const)(
    'keeps the role of the other call when that of the %s failed',
    (role) => {
      const failures = { [role]: new Error('No network') }
      const held = role === 'user' ? { agent } : { user }
      expect(sessionOf({ ...emptySession, ...held, failures }, nothing)).toMatchObject({
        role: role === 'user' ? 'agent' : 'user',
        isUnknown: true,
        error: failures[role],
      })
    },
  )
})
