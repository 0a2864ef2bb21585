import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'

export type Role = 'user' | 'agent'
export type Mode = 'login' | 'signup'
export type RequestStatus = 'idle' | 'loading' | 'succeeded' | 'failed'

/** How far one of the two start-up calls is. `failed` means no answer worth the name; 401 is an answer. */
export type CheckStatus = 'pending' | 'done' | 'failed'

/** When the code of the open dialog runs out, and when another may be asked for (epoch milliseconds). */
export interface CodeTimes {
  readonly sentAt: number
  readonly expiresAt: number
  readonly resendAt: number
  /** True where the request sent nothing, because the code sent before still holds. */
  readonly isEarlier?: boolean
}

/** The auth state of spec §3, and what the screens need beside it. */
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
  /** The code that is out was mistyped too often: only another one helps. */
  readonly isCodeUsedUp: boolean
  /** A code that proved `phone` to be the person's before a name was known; sign-up finishes with it, without a second SMS. */
  readonly provenCode: string | null
  /** Somebody was signed in on this tab when the page was loaded, and has not logged out. */
  readonly wasHere: boolean
  /** Somebody was signed in on this tab until the server said no: the sign-in page then says why it is shown. */
  readonly hasEnded: boolean
  readonly checks: Readonly<Record<Role, CheckStatus>>
}

export type SessionsAction =
  | { type: 'checkStarted' }
  | { type: 'userChecked'; user: User }
  | { type: 'agentChecked'; agent: Agent }
  /** `error` is null for a 401: nobody is signed in, which is no error (spec §8). */
  | { type: 'checkFailed'; role: Role; error: string | null }
  /** A session that was held is over, by age or from elsewhere. */
  | { type: 'sessionEnded'; role: Role }
  /** Somebody was found here whom another tab has signed in. */
  | { type: 'userFound'; user: User }
  | { type: 'agentFound'; agent: Agent }
  | { type: 'modeChosen'; mode: Mode }
  | { type: 'codeRequested'; phone: string; name: string }
  | { type: 'codeSent'; times: CodeTimes }
  | { type: 'codeNotSent'; error: string }
  | { type: 'verifyStarted' }
  | { type: 'userVerified'; user: User }
  | { type: 'agentVerified'; agent: Agent }
  | { type: 'verifyFailed'; error: string }
  /** The server asks to wait. The screens show that for as long as it lasts, so it is no error to be shown once. */
  | { type: 'limited' }
  | { type: 'codeUsedUp'; resendAt: number }
  /** The code was right, but the phone is unknown and no name was given. */
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
  wasHere: false,
  hasEnded: false,
} as const satisfies Omit<SessionsState, 'checks'>

/** What was known of a code before the page was loaded anew. */
interface SentCode {
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly times: CodeTimes
  readonly isUsedUp?: boolean
}

/** A locally stored token means authenticated at start-up (spec §4), until the two calls tell for sure. */
export function initialSessions(hasAgentToken: boolean, sent?: SentCode, wasHere = false): SessionsState {
  return {
    ...signedOut,
    wasHere,
    ...(sent === undefined
      ? {}
      : {
          phone: sent.phone,
          name: sent.name,
          mode: sent.mode,
          otpSent: true,
          codeTimes: sent.times,
          isCodeUsedUp: sent.isUsedUp ?? false,
        }),
    isAuthenticated: hasAgentToken,
    checks: { user: 'pending', agent: 'pending' },
  }
}

/** True until both start-up calls have finished: nobody knows yet who is here. */
export function isRestoring(state: SessionsState): boolean {
  return state.checks.user === 'pending' || state.checks.agent === 'pending'
}

export function sessionsReducer(state: SessionsState, action: SessionsAction): SessionsState {
  switch (action.type) {
    case 'checkStarted':
      return { ...state, error: null, checks: { user: 'pending', agent: 'pending' } }
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
    // The two checks of the start are answered by this as well: whoever could not be asked for then is here now.
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
    // The server keeps one session per browser: whoever signs in ends the other role's session.
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
    // Spec §4 says of every error in login mode: switch to sign-up and clear the error. Taken literally, a mistyped
    // code or a silent SMS service would push people with an account into signing up. We read it as meant for the
    // one error that asks for it, SIGN_UP_REQUIRED (below); all others are shown, and the dialog stays for another try.
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
  // The stored token speaks for an agent until the agent's own call has answered.
  const isTokenUndecided = role === 'user' && checks.agent === 'pending' && state.isAuthenticated
  const isNobodyHere = checks.user === 'done' && checks.agent === 'done'
  return {
    ...state,
    hasEnded: state.hasEnded || (state.wasHere && isNobodyHere),
    [role]: null,
    role: null,
    isAuthenticated: isTokenUndecided,
    error: recorded,
    checks,
  }
}
