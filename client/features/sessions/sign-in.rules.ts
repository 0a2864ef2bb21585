import type { Role } from '#client/session/session.rules.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { isActive, type Limit, withLimit, withoutLimit } from './limits.rules.ts'

export type Mode = 'login' | 'signup'
type RequestStatus = 'idle' | 'loading' | 'succeeded' | 'failed'

/** The code of the dialog, without its digits. Times are epoch milliseconds. */
export interface SentCode {
  readonly sentAt: number
  readonly expiresAt: number
  /** When another code may be requested. */
  readonly resendAt: number
  /** The request sent nothing, because the code sent before is still valid. */
  readonly isEarlier: boolean
  /** Too many wrong codes were entered: only a new code helps. */
  readonly isUsedUp: boolean
  readonly channel: SendChannel
  /** The channels that the server offers for the number. */
  readonly channels: readonly SendChannel[]
  /** When another channel may be chosen. */
  readonly nextChannelAt: number
}

/**
 * A code that was verified for the phone before a name was given: sign-up finishes with it, without a second SMS. The server
 * binds it to an HttpOnly cookie, so it is useless in another browser.
 */
interface Proof {
  readonly code: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** The channels that the user may choose at `at` (epoch milliseconds). */
export interface Offered {
  readonly channels: readonly SendChannel[]
  readonly at: number
}

/** A sign-in (spec §3), with the fields that the screens need in addition. */
export interface SignIn {
  readonly role: Role
  /** The phone number of the last request. */
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly status: RequestStatus
  /** Null while no dialog asks for a code. */
  readonly code: SentCode | null
  /**
   * The channels that a refusal offers instead of the refused one, until a code is sent. Null when the server refused no channel.
   */
  readonly offered: Offered | null
  readonly proof: Proof | null
  /** Waits that the server asked for; some may have ended. */
  readonly limits: readonly Limit[]
}

export type SignInAction =
  | { type: 'modeChosen'; mode: Mode }
  | { type: 'codeRequested'; phone: string; name: string }
  | { type: 'codeSent'; code: SentCode }
  | { type: 'verifyStarted' }
  | { type: 'verified' }
  /** The request failed, and the form shows the reason. */
  | { type: 'failed'; isCodeRefused: boolean; offered?: Offered | undefined }
  /** The server asks to wait. The screens show the limit until it ends. */
  | { type: 'limited'; limit: Limit; now: number }
  | { type: 'codeUsedUp'; resendAt: number }
  /** The code was correct, but the phone is unknown and no name was given. */
  | { type: 'signUpRequired'; proof: Proof }
  | { type: 'proofDropped' }
  | { type: 'otpReset' }
  /** The user leaves the page without signing in. */
  | { type: 'left' }

export function startOf(role: Role): SignIn {
  return { role, phone: '', name: '', mode: 'login', limits: [], proof: null, ...withoutDialog }
}

const withoutDialog = {
  code: null,
  status: 'idle',
  offered: null,
} as const satisfies Partial<SignIn>

/** Spec §3: a code was sent, and the dialog asks for it. */
export function otpSent({ code }: SignIn): boolean {
  return code !== null
}

export function signInReducer(state: SignIn, action: SignInAction): SignIn {
  switch (action.type) {
    case 'modeChosen':
      return { ...state, mode: action.mode }
    case 'codeRequested': {
      const { phone, name } = action
      // The buttons for the channels keep their places while one channel is being requested.
      const offered = phone === state.phone ? state.offered : null
      return { ...state, phone, name, status: 'loading', proof: null, offered }
    }
    case 'codeSent': {
      const { role, phone } = state
      const sendable = withoutLimit(state.limits, { role, step: 'send', phone })
      // A new code proves that checking is not limited: the server sends none to a number with too many wrong codes.
      const limits = action.code.isEarlier ? sendable : withoutLimit(sendable, { role, step: 'check', phone })
      return { ...state, status: 'succeeded', offered: null, code: action.code, limits }
    }
    case 'verifyStarted':
      return { ...state, status: 'loading' }
    // The old state belongs to the visitor before the sign-in, not to the user who is signed in now: clear it.
    case 'verified':
      return { ...startOf(state.role), mode: state.mode, status: 'succeeded' }
    // Spec §4 switches to sign-up on every error in login mode. Read here as meant for SIGN_UP_REQUIRED (below): a wrong
    // code or a failing SMS service must not send users with an account to sign-up. Other errors are shown, and the
    // dialog stays open for another try.
    case 'failed': {
      // The server keeps a proof for `signUpProofMs`. Once refused it is spent: the next try requests a new code.
      const proof = action.isCodeRefused ? null : state.proof
      return { ...state, status: 'failed', proof, offered: action.offered ?? state.offered }
    }
    case 'limited':
      return {
        ...state,
        status: 'failed',
        limits: withLimit(state.limits, action.limit, action.now),
      }
    case 'codeUsedUp': {
      const { code } = state
      const resendAt = Math.max(code?.resendAt ?? 0, action.resendAt)
      const usedUp = code === null ? null : { ...code, isUsedUp: true, resendAt }
      return { ...state, status: 'failed', code: usedUp }
    }
    case 'signUpRequired':
      return { ...state, ...withoutDialog, mode: 'signup', proof: action.proof }
    case 'proofDropped':
      return { ...state, proof: null }
    case 'otpReset':
      return { ...state, ...withoutDialog }
    case 'left':
      return { ...startOf(state.role), limits: state.limits }
  }
}

/** The parts of a stored sign-in that are still valid at `now`, on the page of `role`. */
export function restoredSignIn(stored: SignIn, role: Role, now: number): SignIn {
  const limits = stored.limits.filter((limit) => isActive(limit, now))
  // The code was sent before the reload: the dialog must not say that it was just sent.
  const code =
    stored.code !== null && stored.code.expiresAt > now ? { ...stored.code, isEarlier: true } : null
  const proof = stored.proof !== null && stored.proof.until > now ? stored.proof : null
  const goesOn = stored.role === role && (code !== null || proof !== null)
  if (!goesOn) return { ...startOf(role), limits }
  return { ...stored, ...withoutDialog, code, proof, limits }
}
