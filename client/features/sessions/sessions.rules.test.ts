import { describe, expect, it } from 'vitest'
import { initialSessions, type SessionsState, sessionsReducer } from './sessions.rules.ts'

const user = { id: 7, name: 'Amina', phone: '+966501234567' }
const times = { sentAt: 0, expiresAt: 300_000, resendAt: 60_000 }

const visitor = (): SessionsState => initialSessions()

const waitingForCode = (mode: 'login' | 'signup'): SessionsState => {
  const chosen = sessionsReducer(visitor(), { type: 'modeChosen', mode })
  const requested = sessionsReducer(chosen, { type: 'codeRequested', phone: user.phone, name: '' })
  return sessionsReducer(requested, { type: 'codeSent', times })
}

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
  it('closes the step', () => {
    expect(sessionsReducer(waitingForCode('login'), { type: 'verified' })).toMatchObject({
      otpSent: false,
      status: 'succeeded',
      error: null,
    })
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
