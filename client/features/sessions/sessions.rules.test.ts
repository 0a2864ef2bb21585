import { describe, expect, it } from 'vitest'
import {
  initialSessions,
  isRestoring,
  isUnknown,
  type SessionsAction,
  type SessionsState,
  sessionsReducer,
} from './sessions.rules.ts'

const user = { id: 7, name: 'Amina', phone: '+966501234567' }
const agent = { id: 3, name: 'Counter 1', phone: '+966500000101' }
const times = { sentAt: 0, expiresAt: 300_000, resendAt: 60_000 }

const visitor = (): SessionsState =>
  sessionsReducer(sessionsReducer(initialSessions(), { type: 'checkFailed', role: 'user', error: null }), {
    type: 'checkFailed',
    role: 'agent',
    error: null,
  })

const waitingForCode = (mode: 'login' | 'signup'): SessionsState => {
  const chosen = sessionsReducer(visitor(), { type: 'modeChosen', mode })
  const requested = sessionsReducer(chosen, { type: 'codeRequested', phone: user.phone, name: '' })
  return sessionsReducer(requested, { type: 'codeSent', times })
}

describe('start-up', () => {
  it('starts without a role, in login mode, waiting for both calls', () => {
    const state = initialSessions()
    expect(state).toMatchObject({ role: null, isAuthenticated: false, mode: 'login', status: 'idle' })
    expect(isRestoring(state)).toBe(true)
  })

  it('treats a stored token as authenticated until the calls have answered', () => {
    const start = initialSessions({ hasAgentToken: true })
    expect(start.isAuthenticated).toBe(true)
    const userAnswered = sessionsReducer(start, { type: 'checkFailed', role: 'user', error: null })
    expect(userAnswered.isAuthenticated).toBe(true)
    const bothAnswered = sessionsReducer(userAnswered, { type: 'checkFailed', role: 'agent', error: null })
    expect(bothAnswered).toMatchObject({ isAuthenticated: false, role: null })
  })

  it('changes nothing when the calls begin, so that a served page is taken over in slices', () => {
    const start = initialSessions()
    expect(sessionsReducer(start, { type: 'checkStarted' })).toBe(start)
    const checked = sessionsReducer(start, { type: 'checkFailed', role: 'agent', error: null })
    expect(isRestoring(sessionsReducer(checked, { type: 'checkStarted' }))).toBe(true)
  })

  it('waits while one of the two calls is pending', () => {
    const state = sessionsReducer(initialSessions(), { type: 'userChecked', user })
    expect(isRestoring(state)).toBe(true)
    expect(isRestoring(sessionsReducer(state, { type: 'checkFailed', role: 'agent', error: null }))).toBe(
      false,
    )
  })

  it('takes the role and the identity of the call that succeeded', () => {
    expect(sessionsReducer(initialSessions(), { type: 'userChecked', user })).toMatchObject({
      role: 'user',
      user,
      isAuthenticated: true,
    })
    expect(sessionsReducer(initialSessions(), { type: 'agentChecked', agent })).toMatchObject({
      role: 'agent',
      agent,
      isAuthenticated: true,
    })
  })

  it.each(['user first', 'agent first'])('keeps the role of the other call on a failure (%s)', (order) => {
    const actions: SessionsAction[] = [
      { type: 'checkFailed', role: 'user', error: null },
      { type: 'agentChecked', agent },
    ]
    if (order === 'agent first') actions.reverse()
    const state = actions.reduce(sessionsReducer, initialSessions())
    expect(state).toMatchObject({ role: 'agent', agent, user: null, isAuthenticated: true })
  })

  it('records every failure but a 401', () => {
    expect(visitor().error).toBeNull()
    expect(visitor().checks).toEqual({ user: 'done', agent: 'done' })
    const broken = sessionsReducer(initialSessions(), {
      type: 'checkFailed',
      role: 'user',
      error: 'No network',
    })
    expect(broken).toMatchObject({ error: 'No network', role: null, checks: { user: 'failed' } })
  })

  it('distinguishes a pending check from a failed one', () => {
    const failed = (role: 'user' | 'agent') => ({ type: 'checkFailed', role, error: 'No network' }) as const
    const start = initialSessions()
    expect([isRestoring(start), isUnknown(start)]).toEqual([true, false])
    const half = sessionsReducer(start, failed('agent'))
    expect([isRestoring(half), isUnknown(half)]).toEqual([true, true])
    const rest = sessionsReducer(half, { type: 'checkFailed', role: 'user', error: null })
    expect([isRestoring(rest), isUnknown(rest)]).toEqual([false, true])
    const other = sessionsReducer(visitor(), failed('user'))
    expect([isRestoring(other), isUnknown(other)]).toEqual([false, true])
    expect([isRestoring(visitor()), isUnknown(visitor())]).toEqual([false, false])
  })

  it('clears user and agent when a later check finds no session', () => {
    const signedIn = sessionsReducer(visitor(), { type: 'userChecked', user })
    const ended = sessionsReducer(signedIn, { type: 'checkFailed', role: 'user', error: null })
    expect(ended).toMatchObject({ role: null, user: null, isAuthenticated: false })
  })
})

describe('the code', () => {
  it('is loading while it is being sent, and keeps phone and name', () => {
    const state = sessionsReducer(visitor(), { type: 'codeRequested', phone: user.phone, name: 'Amina' })
    expect(state).toMatchObject({ status: 'loading', phone: user.phone, name: 'Amina', otpSent: false })
  })

  it('opens the code step when it was sent', () => {
    expect(waitingForCode('login')).toMatchObject({ otpSent: true, status: 'succeeded', codeTimes: times })
  })

  it('that is used up can be replaced after the longer of the two waits', () => {
    const usedUp = (resendAt: number) =>
      sessionsReducer(waitingForCode('login'), { type: 'codeUsedUp', resendAt })
    expect(usedUp(90_000)).toMatchObject({
      isCodeUsedUp: true,
      status: 'failed',
      error: null,
      otpSent: true,
      codeTimes: { ...times, resendAt: 90_000 },
    })
    expect(usedUp(30_000).codeTimes).toEqual(times)
    expect(sessionsReducer(visitor(), { type: 'codeUsedUp', resendAt: 90_000 }).codeTimes).toBeNull()
    // A new code resets it.
    expect(sessionsReducer(usedUp(90_000), { type: 'codeSent', times }).isCodeUsedUp).toBe(false)
  })

  it('that is rate limited records no error', () => {
    const limited = sessionsReducer(waitingForCode('login'), { type: 'limited' })
    expect(limited).toMatchObject({ status: 'failed', error: null })
  })

  it('does not open the code step when it could not be sent', () => {
    const state = sessionsReducer(visitor(), { type: 'codeNotSent', error: 'Failed to send OTP' })
    expect(state).toMatchObject({ otpSent: false, status: 'failed', error: 'Failed to send OTP' })
  })

  it('clears an error that has been shown', () => {
    const failed = sessionsReducer(visitor(), { type: 'codeNotSent', error: 'Failed to send OTP' })
    expect(sessionsReducer(failed, { type: 'errorCleared' })).toMatchObject({ error: null, status: 'failed' })
  })

  it('can be reset', () => {
    expect(sessionsReducer(waitingForCode('login'), { type: 'otpReset' })).toMatchObject({
      otpSent: false,
      codeTimes: null,
      status: 'idle',
      phone: user.phone,
    })
  })
})

describe('verification', () => {
  it('of a user signs in with role user and closes the step', () => {
    const state = sessionsReducer(waitingForCode('login'), { type: 'userVerified', user })
    expect(state).toMatchObject({
      role: 'user',
      user,
      agent: null,
      isAuthenticated: true,
      otpSent: false,
      status: 'succeeded',
    })
  })

  it('of an agent signs in with role agent and clears the user', () => {
    const asUser = sessionsReducer(visitor(), { type: 'userChecked', user })
    const state = sessionsReducer(asUser, { type: 'agentVerified', agent })
    expect(state).toMatchObject({ role: 'agent', agent, user: null, isAuthenticated: true, otpSent: false })
  })

  it('of a new number in login mode switches to sign-up, clears the error and keeps phone and code', () => {
    const verifying = sessionsReducer(waitingForCode('login'), { type: 'verifyStarted' })
    const state = sessionsReducer(verifying, { type: 'signUpRequired', code: '1234' })
    expect(state).toMatchObject({
      mode: 'signup',
      error: null,
      otpSent: false,
      phone: user.phone,
      provenCode: '1234',
    })
  })

  it.each(['login', 'signup'] as const)('keeps the step open for another try in %s mode', (mode) => {
    const state = sessionsReducer(waitingForCode(mode), { type: 'verifyFailed', error: 'Wrong code' })
    expect(state).toMatchObject({ mode, otpSent: true, status: 'failed', error: 'Wrong code' })
    expect(sessionsReducer(state, { type: 'errorCleared' })).toMatchObject({ error: null, otpSent: true })
  })

  it('drops the proof when a code is requested again', () => {
    const proven = sessionsReducer(waitingForCode('login'), { type: 'signUpRequired', code: '1234' })
    expect(sessionsReducer(proven, { type: 'modeChosen', mode: 'login' }).provenCode).toBe('1234')
    expect(
      sessionsReducer(proven, { type: 'codeRequested', phone: '+20100', name: '' }).provenCode,
    ).toBeNull()
    expect(sessionsReducer(proven, { type: 'provenCodeDropped' }).provenCode).toBeNull()
  })
})

describe('logout', () => {
  it('clears everything and goes back to login mode', () => {
    const signedIn = sessionsReducer(waitingForCode('signup'), { type: 'userVerified', user })
    expect(sessionsReducer(signedIn, { type: 'loggedOut' })).toEqual(visitor())
  })
})

describe('a session that the server ends', () => {
  it('is recorded until the next sign-in or logout', () => {
    const signedIn = sessionsReducer(visitor(), { type: 'userVerified', user })
    const ended = sessionsReducer(signedIn, { type: 'sessionEnded', role: 'user' })
    expect(ended).toMatchObject({ hasEnded: true, user: null, role: null, isAuthenticated: false })
    expect(sessionsReducer(ended, { type: 'userVerified', user }).hasEnded).toBe(false)
    expect(sessionsReducer(ended, { type: 'agentVerified', agent }).hasEnded).toBe(false)
    expect(sessionsReducer(ended, { type: 'loggedOut' }).hasEnded).toBe(false)
  })

  it.each([
    [null, null, true],
    ['No network', null, false],
    [null, 'No network', false],
    ['No network', 'No network', false],
  ])(
    'is recorded after a reload only when both calls found no session: %j and %j',
    (ofUser, ofAgent, hasEnded) => {
      const actions: SessionsAction[] = [
        { type: 'checkFailed', role: 'user', error: ofUser },
        { type: 'checkFailed', role: 'agent', error: ofAgent },
      ]
      const start = initialSessions({ wasSignedIn: true })
      expect(actions.reduce(sessionsReducer, start).hasEnded).toBe(hasEnded)
      expect(actions.reverse().reduce(sessionsReducer, start).hasEnded).toBe(hasEnded)
      expect(sessionsReducer(start, { type: 'checkFailed', role: 'user', error: ofUser }).hasEnded).toBe(
        false,
      )
    },
  )

  it('is not recorded for a visitor', () => {
    expect(visitor().hasEnded).toBe(false)
  })
})
