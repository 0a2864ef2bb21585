export type Mode = 'login' | 'signup'
type RequestStatus = 'idle' | 'loading' | 'succeeded' | 'failed'

/** Epoch milliseconds. `resendAt`: when another code may be requested. */
export interface CodeTimes {
  readonly sentAt: number
  readonly expiresAt: number
  readonly resendAt: number
  /** True when the request sent nothing, because the code sent before is still valid. */
  readonly isEarlier?: boolean
}

/** A sign-in (spec §3), with what the screens need in addition. */
export interface SessionsState {
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly otpSent: boolean
  readonly status: RequestStatus
  readonly error: string | null
  readonly codeTimes: CodeTimes | null
  /** Too many wrong codes were entered: only a new code helps. */
  readonly isCodeUsedUp: boolean
  /** A code that was verified for `phone` before a name was given; sign-up finishes with it, without a second SMS. */
  readonly provenCode: string | null
}

export type SessionsAction =
  | { type: 'modeChosen'; mode: Mode }
  | { type: 'codeRequested'; phone: string; name: string }
  | { type: 'codeSent'; times: CodeTimes }
  | { type: 'codeNotSent'; error: string }
  | { type: 'verifyStarted' }
  | { type: 'verified' }
  | { type: 'verifyFailed'; error: string }
  /** The server asks to wait. The screens show it for as long as it lasts, unlike an error, which is shown once. */
  | { type: 'limited' }
  | { type: 'codeUsedUp'; resendAt: number }
  /** The code was correct, but the phone is unknown and no name was given. */
  | { type: 'signUpRequired'; code: string }
  | { type: 'provenCodeDropped' }
  | { type: 'otpReset' }
  | { type: 'errorCleared' }

const start: SessionsState = {
  phone: '',
  name: '',
  mode: 'login',
  otpSent: false,
  status: 'idle',
  error: null,
  codeTimes: null,
  isCodeUsedUp: false,
  provenCode: null,
}

/** A code that was requested before the page was loaded. */
interface SentCode {
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly times: CodeTimes
  readonly isUsedUp?: boolean
}

/** What the browser stores of an earlier visit. */
interface StoredSignIn {
  readonly pendingCode?: SentCode | undefined
  readonly provenCode?: { readonly phone: string; readonly code: string } | undefined
}

export function initialSessions({ pendingCode, provenCode }: StoredSignIn = {}): SessionsState {
  return {
    ...start,
    ...(pendingCode === undefined
      ? {}
      : {
          phone: pendingCode.phone,
          name: pendingCode.name,
          mode: pendingCode.mode,
          otpSent: true,
          codeTimes: pendingCode.times,
          isCodeUsedUp: pendingCode.isUsedUp ?? false,
        }),
    ...(provenCode === undefined
      ? {}
      : { phone: provenCode.phone, mode: 'signup', provenCode: provenCode.code }),
  }
}

export function sessionsReducer(state: SessionsState, action: SessionsAction): SessionsState {
  switch (action.type) {
    case 'modeChosen':
      return { ...state, mode: action.mode, error: null }
    case 'codeRequested':
      return {
        ...state,
        phone: action.phone,
        name: action.name,
        status: 'loading',
        error: null,
        provenCode: null,
      }
    case 'codeSent':
      return {
        ...state,
        status: 'succeeded',
        otpSent: true,
        codeTimes: action.times,
        isCodeUsedUp: false,
        error: null,
      }
    case 'codeNotSent':
      return { ...state, status: 'failed', error: action.error }
    case 'verifyStarted':
      return { ...state, status: 'loading', error: null }
    case 'verified':
      return { ...state, ...closed, status: 'succeeded', provenCode: null }
    // Spec §4 switches to sign-up on every error in login mode. Read here as meant for SIGN_UP_REQUIRED (below): a wrong
    // code or a failing SMS service must not send users with an account to sign-up. Other errors are shown, and the
    // dialog stays open for another try.
    case 'verifyFailed':
      return { ...state, status: 'failed', error: action.error }
    case 'limited':
      return { ...state, status: 'failed', error: null }
    case 'codeUsedUp': {
      const { codeTimes } = state
      const resendAt = Math.max(codeTimes?.resendAt ?? 0, action.resendAt)
      return {
        ...state,
        status: 'failed',
        error: null,
        isCodeUsedUp: true,
        codeTimes: codeTimes === null ? null : { ...codeTimes, resendAt },
      }
    }
    case 'signUpRequired':
      return { ...state, ...closed, mode: 'signup', provenCode: action.code }
    case 'provenCodeDropped':
      return { ...state, provenCode: null }
    case 'otpReset':
      return { ...state, ...closed }
    case 'errorCleared':
      return { ...state, error: null }
  }
}

/** Without the code dialog. */
const closed = {
  otpSent: false,
  codeTimes: null,
  isCodeUsedUp: false,
  status: 'idle',
  error: null,
} as const satisfies Partial<SessionsState>
