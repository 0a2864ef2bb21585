import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'

export type Role = 'user' | 'agent'
export type Mode = 'login' | 'signup'
type RequestStatus = 'idle' | 'loading' | 'succeeded' | 'failed'

/** State of one of the two start-up calls. A 401 is `done`; `failed` is any other error. */
type CheckStatus = 'pending' | 'done' | 'failed'

/** Epoch milliseconds. `resendAt`: when another code may be requested. */
export interface CodeTimes {
  readonly sentAt: number
  readonly expiresAt: number
  readonly resendAt: number
  /** True when the request sent nothing, because the code sent before is still valid. */
  readonly isEarlier?: boolean
}

/** The auth state of spec §3, with what the screens need in addition. */
export interface SessionsState {
  readonly user: User | null
  readonly agent: Agent | null
  readonly role: Role | null
  readonly isAuthenticated: boolean
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
  /** This tab had a session when the page was loaded, and no sign-out since. */
  readonly wasSignedIn: boolean
  /** The server ended the session of this tab; the sign-in page then gives that as the reason. */
  readonly hasEnded: boolean
  readonly checks: Readonly<Record<Role, CheckStatus>>
}

export type SessionsAction =
  | { type: 'checkStarted' }
  | { type: 'userChecked'; user: User }
  | { type: 'agentChecked'; agent: Agent }
  /** `error` is null for a 401: not signed in, which is no error (spec §8). */
  | { type: 'checkFailed'; role: Role; error: string | null }
  /** The session expired or was ended elsewhere. */
  | { type: 'sessionEnded'; role: Role }
  /** Another tab has signed in. */
  | { type: 'userFound'; user: User }
  | { type: 'agentFound'; agent: Agent }
  /** The signed-in user changed their name. */
  | { type: 'renamed'; user: User }
  | { type: 'modeChosen'; mode: Mode }
  | { type: 'codeRequested'; phone: string; name: string }
  | { type: 'codeSent'; times: CodeTimes }
  | { type: 'codeNotSent'; error: string }
  | { type: 'verifyStarted' }
  | { type: 'userVerified'; user: User }
  | { type: 'agentVerified'; agent: Agent }
  | { type: 'verifyFailed'; error: string }
  /** The server asks to wait. The screens show it for as long as it lasts, unlike an error, which is shown once. */
  | { type: 'limited' }
  | { type: 'codeUsedUp'; resendAt: number }
  /** The code was correct, but the phone is unknown and no name was given. */
  | { type: 'signUpRequired'; code: string }
  | { type: 'provenCodeDropped' }
  | { type: 'otpReset' }
  | { type: 'errorCleared' }
  | { type: 'loggedOut' }

const signedOut = {
  user: null,
  agent: null,
  role: null,
  isAuthenticated: false,
  phone: '',
  name: '',
  mode: 'login',
  otpSent: false,
  status: 'idle',
  error: null,
  codeTimes: null,
  isCodeUsedUp: false,
  provenCode: null,
  wasSignedIn: false,
  hasEnded: false,
} as const satisfies Omit<SessionsState, 'checks'>

/** A code that was requested before the page was loaded. */
interface SentCode {
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly times: CodeTimes
  readonly isUsedUp?: boolean
}

/** What the browser stores of an earlier visit. */
interface StoredSession {
  readonly hasAgentToken?: boolean
  readonly wasSignedIn?: boolean
  readonly pendingCode?: SentCode | undefined
  readonly provenCode?: { readonly phone: string; readonly code: string } | undefined
}

/** A stored agent token means authenticated (spec §4) until the two start-up calls have answered. */
export function initialSessions({
  hasAgentToken = false,
  wasSignedIn = false,
  pendingCode,
  provenCode,
}: StoredSession = {}): SessionsState {
  return {
    ...signedOut,
    wasSignedIn,
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
    isAuthenticated: hasAgentToken,
    checks: bothPending,
  }
}

/** True until both start-up calls have finished. */
export function isRestoring(state: SessionsState): boolean {
  return state.checks.user === 'pending' || state.checks.agent === 'pending'
}

/** True when the check of at least one role failed. */
export function isUnknown(state: SessionsState): boolean {
  return state.checks.user === 'failed' || state.checks.agent === 'failed'
}

export function sessionsReducer(state: SessionsState, action: SessionsAction): SessionsState {
  switch (action.type) {
    case 'checkStarted':
      // The same object when the app starts: whatever else the page waits for need not render again.
      return state.error === null && state.checks === bothPending
        ? state
        : { ...state, error: null, checks: bothPending }
    case 'userChecked':
      return {
        ...state,
        user: action.user,
        role: 'user',
        isAuthenticated: true,
        checks: { ...state.checks, user: 'done' },
      }
    case 'agentChecked':
      return {
        ...state,
        agent: action.agent,
        role: 'agent',
        isAuthenticated: true,
        checks: { ...state.checks, agent: 'done' },
      }
    case 'checkFailed':
      return afterFailedCheck(state, action.role, action.error)
    case 'sessionEnded':
      return { ...afterFailedCheck(state, action.role, null), hasEnded: true }
    case 'userFound':
      return {
        ...state,
        user: action.user,
        agent: null,
        role: 'user',
        isAuthenticated: true,
        hasEnded: false,
        checks: bothDone,
      }
    case 'agentFound':
      return {
        ...state,
        agent: action.agent,
        user: null,
        role: 'agent',
        isAuthenticated: true,
        hasEnded: false,
        checks: bothDone,
      }
    case 'renamed':
      // The response also proves who is signed in, so checks under way are done.
      return state.user?.id === action.user.id ? { ...state, user: action.user, checks: bothDone } : state
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
    // The server keeps one session per browser: signing in ends the session of the other role.
    case 'userVerified':
      return {
        ...state,
        ...afterSignIn,
        user: action.user,
        agent: null,
        role: 'user',
      }
    case 'agentVerified':
      return { ...state, ...afterSignIn, agent: action.agent, user: null, role: 'agent' }
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
      return {
        ...state,
        mode: 'signup',
        status: 'idle',
        error: null,
        otpSent: false,
        codeTimes: null,
        isCodeUsedUp: false,
        provenCode: action.code,
      }
    case 'provenCodeDropped':
      return { ...state, provenCode: null }
    case 'otpReset':
      return { ...state, otpSent: false, codeTimes: null, isCodeUsedUp: false, status: 'idle', error: null }
    case 'errorCleared':
      return { ...state, error: null }
    case 'loggedOut':
      return { ...signedOut, checks: bothDone }
  }
}

const bothPending = { user: 'pending', agent: 'pending' } as const

const bothDone = { user: 'done', agent: 'done' } as const

const afterSignIn = {
  isAuthenticated: true,
  otpSent: false,
  codeTimes: null,
  isCodeUsedUp: false,
  provenCode: null,
  hasEnded: false,
  status: 'succeeded',
  error: null,
  checks: bothDone,
} as const satisfies Partial<SessionsState>

/** The role is cleared only if the other role is not held (spec §4). */
function afterFailedCheck(state: SessionsState, role: Role, error: string | null): SessionsState {
  const checks = { ...state.checks, [role]: error === null ? 'done' : 'failed' }
  const other = role === 'user' ? 'agent' : 'user'
  const recorded = error ?? state.error
  if (state[other] !== null) {
    return { ...state, [role]: null, role: other, isAuthenticated: true, error: recorded, checks }
  }
  // The stored token counts as an agent's session until the agent's call has answered.
  const isTokenUndecided = role === 'user' && checks.agent === 'pending' && state.isAuthenticated
  const isSignedOut = checks.user === 'done' && checks.agent === 'done'
  return {
    ...state,
    hasEnded: state.hasEnded || (state.wasSignedIn && isSignedOut),
    [role]: null,
    role: null,
    isAuthenticated: isTokenUndecided,
    error: recorded,
    checks,
  }
}
