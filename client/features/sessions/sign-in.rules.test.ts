// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import {
  otpSent,
  restoredSignIn,
  type SentCode,
  type SignIn,
  signInReducer,
  startOf,
} from './sign-in.rules.ts'

const user = { id: 7, name: 'Amina', phone: '+966501234567' }
const code: SentCode = {
  sentAt: 0,
  expiresAt: 300_000,
  resendAt: 60_000,
  isEarlier: false,
  isUsedUp: false,
  channel: 'sms',
  channels: ['sms'],
  nextChannelAt: 30_000,
}
const proof = { code: '1234', until: 600_000 }
const limit = {
  role: 'user',
  step: 'send',
  phone: '+966501234567',
  code: 'TOO_MANY_CODES',
  until: 90_000,
} as const

const visitor = (): SignIn => startOf('user')

const waitingForCode = (mode: 'login' | 'signup'): SignIn => {
  const chosen = signInReducer(visitor(), { type: 'modeChosen', mode })
  const requested = signInReducer(chosen, { type: 'codeRequested', phone: user.phone, name: '' })
  return signInReducer(requested, { type: 'codeSent', code })
}

describe('the code', () => {
  it('is loading while it is being sent, and keeps phone and name', () => {
    const state = signInReducer(visitor(), { type: 'codeRequested', phone: user.phone, name: 'Amina' })
    expect(state).toMatchObject({ status: 'loading', phone: user.phone, name: 'Amina' })
    expect(otpSent(state)).toBe(false)
  })

  it('opens the code step when it was sent', () => {
    expect(waitingForCode('login')).toMatchObject({ status: 'succeeded', code })
    expect(otpSent(waitingForCode('login'))).toBe(true)
  })

  it('that is used up can be replaced after the longer of the two waits', () => {
    const usedUp = (resendAt: number) =>
      signInReducer(waitingForCode('login'), { type: 'codeUsedUp', resendAt })
    expect(usedUp(90_000)).toMatchObject({
      status: 'failed',
      code: { ...code, isUsedUp: true, resendAt: 90_000 },
    })
    expect(usedUp(30_000).code).toEqual({ ...code, isUsedUp: true })
    expect(signInReducer(visitor(), { type: 'codeUsedUp', resendAt: 90_000 }).code).toBeNull()
    // A new code resets the used-up state.
    expect(signInReducer(usedUp(90_000), { type: 'codeSent', code }).code).toEqual(code)
  })

  it('that is rate limited records the wait, until it is sent', () => {
    const limited = signInReducer(waitingForCode('login'), { type: 'limited', limit, now: 0 })
    expect(limited).toMatchObject({ status: 'failed', limits: [limit] })
    expect(signInReducer(limited, { type: 'codeSent', code }).limits).toEqual([])
  })

  it('does not open the code step when it could not be sent', () => {
    const state = signInReducer(visitor(), { type: 'failed', isCodeRefused: false })
    expect(state).toMatchObject({ code: null, status: 'failed' })
  })

  it('can be reset', () => {
    expect(signInReducer(waitingForCode('login'), { type: 'otpReset' })).toMatchObject({
      code: null,
      status: 'idle',
      phone: user.phone,
    })
  })
})

describe('verification', () => {
  it('closes the step', () => {
    expect(signInReducer(waitingForCode('login'), { type: 'verified' })).toMatchObject({
      code: null,
      status: 'succeeded',
    })
  })

  it('of a new number in login mode switches to sign-up and keeps phone and code', () => {
    const verifying = signInReducer(waitingForCode('login'), { type: 'verifyStarted' })
    const state = signInReducer(verifying, { type: 'signUpRequired', proof })
    expect(state).toMatchObject({
      mode: 'signup',
      code: null,
      phone: user.phone,
      proof,
    })
  })

  it.each(['login', 'signup'] as const)('keeps the step open for another try in %s mode', (mode) => {
    const state = signInReducer(waitingForCode(mode), { type: 'failed', isCodeRefused: true })
    expect(state).toMatchObject({ mode, code, status: 'failed' })
  })

  it('drops the proof when a code is requested again, and when it is refused', () => {
    const proven = signInReducer(waitingForCode('login'), { type: 'signUpRequired', proof })
    expect(signInReducer(proven, { type: 'modeChosen', mode: 'login' }).proof).toEqual(proof)
    expect(signInReducer(proven, { type: 'codeRequested', phone: '+20100', name: '' }).proof).toBeNull()
    expect(signInReducer(proven, { type: 'proofDropped' }).proof).toBeNull()
    expect(signInReducer(proven, { type: 'failed', isCodeRefused: false }).proof).toEqual(proof)
    expect(signInReducer(proven, { type: 'failed', isCodeRefused: true }).proof).toBeNull()
  })
})

describe('a page that is left', () => {
  it('keeps the waits only', () => {
    const limited = signInReducer(waitingForCode('signup'), { type: 'limited', limit, now: 0 })
    expect(signInReducer(limited, { type: 'left' })).toEqual({ ...startOf('user'), limits: [limit] })
  })
})

describe('a stored sign-in', () => {
  const waiting = { ...waitingForCode('signup'), limits: [limit] }

  it('goes on with its code until that expires', () => {
    const earlier = { ...code, isEarlier: true }
    expect(restoredSignIn(waiting, 'user', 80_000)).toEqual({ ...waiting, status: 'idle', code: earlier })
    expect(restoredSignIn(waiting, 'user', 300_000)).toEqual(startOf('user'))
  })

  it('goes on with its proof until the server has dropped that', () => {
    const proven = signInReducer(waitingForCode('login'), { type: 'signUpRequired', proof })
    expect(restoredSignIn(proven, 'user', 500_000)).toEqual(proven)
    expect(restoredSignIn(proven, 'user', 600_000)).toEqual(startOf('user'))
  })

  it('leaves its waits alone to the page of the other role', () => {
    expect(restoredSignIn(waiting, 'agent', 80_000)).toEqual({ ...startOf('agent'), limits: [limit] })
  })
})
