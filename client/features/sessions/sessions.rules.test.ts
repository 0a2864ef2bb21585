import { describe, expect, it } from 'vitest'
import {
  initialSessions,
  isRestoring,
  type SessionsAction,
  type SessionsState,
  sessionsReducer,
} from './sessions.rules.ts'

const user = { id: 7, name: 'Amina', phone: '+966501234567' }
const agent = { id: 3, name: 'Counter 1', phone: '+966500000101' }
const times = { sentAt: 0, expiresAt: 300_000, resendAt: 60_000 }

const visitor = (): SessionsState =>
  sessionsReducer(
    sessionsReducer(initialSessions(false), { type: 'checkFailed', role: 'user', error: null }),
    { type: 'checkFailed', role: 'agent', error: null },
  )

const waitingForCode = (mode: 'login' | 'signup'): SessionsState => {
  const chosen = sessionsReducer(visitor(), { type: 'modeChosen', mode })
  const requested = sessionsReducer(chosen, { type: 'codeRequested', phone: user.phone, name: '' })
  return sessionsReducer(requested, { type: 'codeSent', times })
}

describe('start-up', () => {
  it('begins without a role, in login mode, waiting for both calls', () => {
    const state = initialSessions(false)
    expect(state).toMatchObject({ role: null, isAuthenticated: false, mode: 'login', status: 'idle' })
    expect(isRestoring(state)).toBe(true)
  })

  it('takes a locally stored token as authenticated until the calls have answered', () => {
    const start = initialSessions(true)
    expect(start.isAuthenticated).toBe(true)
    const userAnswered = sessionsReducer(start, { type: 'checkFailed', role: 'user', error: null })
    expect(userAnswered.isAuthenticated).toBe(true)
    const bothAnswered = sessionsReducer(userAnswered, { type: 'checkFailed', role: 'agent', error: null })
    expect(bothAnswered).toMatchObject({ isAuthenticated: false, role: null })
  })

  it('still waits while one of the two calls is out', () => {
    const state = sessionsReducer(initialSessions(false), { type: 'userChecked', user })
    expect(isRestoring(state)).toBe(true)
    expect(isRestoring(sessionsReducer(state, { type: 'checkFailed', role: 'agent', error: null }))).toBe(
      false,
    )
  })

  it('takes the role and the identity of the call that succeeded', () => {
    expect(sessionsReducer(initialSessions(false), { type: 'userChecked', user })).toMatchObject({
      role: 'user',
      user,
      isAuthenticated: true,
    })
    expect(sessionsReducer(initialSessions(false), { type: 'agentChecked', agent })).toMatchObject({
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
    const state = actions.reduce(sessionsReducer, initialSessions(false))
    expect(state).toMatchObject({ role: 'agent', agent, user: null, isAuthenticated: true })
  })

  it('does not call a 401 an error, and records every other failure', () => {
    expect(visitor().error).toBeNull()
    expect(visitor().checks).toEqual({ user: 'done', agent: 'done' })
    const broken = sessionsReducer(initialSessions(false), {
      type: 'checkFailed',
      role: 'user',
      error: 'No network',
    })
    expect(broken).toMatchObject({ error: 'No network', role: null, checks: { user: 'failed' } })
  })

  it('forgets who was here when a later check finds nobody', () => {
    const signedIn = sessionsReducer(visitor(), { type: 'userChecked', user })
    const ended = sessionsReducer(signedIn, { type: 'checkFailed', role: 'user', error: null })
    expect(ended).toMatchObject({ role: null, user: null, isAuthenticated: false })
  })
})

describe('the code', () => {
  it('is loading while it is being sent, and remembers phone and name', () => {
    const state = sessionsReducer(visitor(), { type: 'codeRequested', phone: user.phone, name: 'Amina' })
    expect(state).toMatchObject({ status: 'loading', phone: user.phone, name: 'Amina', otpSent: false })
  })

  it('opens its step when it was sent', () => {
    expect(waitingForCode('login')).toMatchObject({ otpSent: true, status: 'succeeded', codeTimes: times })
  })

  it('opens nothing when it could not be sent', () => {
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

  it('drops the proof when a code is asked for again', () => {
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

describe('a session that ends while its person is here', () => {
  it('is remembered until somebody signs in again or leaves', () => {
    const signedIn = sessionsReducer(visitor(), { type: 'userVerified', user })
    const ended = sessionsReducer(signedIn, { type: 'sessionEnded', role: 'user' })
    expect(ended).toMatchObject({ hasEnded: true, user: null, role: null, isAuthenticated: false })
    expect(sessionsReducer(ended, { type: 'userVerified', user }).hasEnded).toBe(false)
    expect(sessionsReducer(ended, { type: 'agentVerified', agent }).hasEnded).toBe(false)
    expect(sessionsReducer(ended, { type: 'loggedOut' }).hasEnded).toBe(false)
  })

  it('is not what a visitor is told', () => {
    expect(visitor().hasEnded).toBe(false)
  })
})
