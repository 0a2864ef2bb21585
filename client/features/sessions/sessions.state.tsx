import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { call, isCallProblem, onUnauthorized } from '#client/platform/call.ts'
import { logFailure } from '#client/platform/log.ts'
import {
  logout,
  readAgentSession,
  readUserSession,
  requestOtp,
  sendAgentOtp,
  verifyAgentOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import type { CodeSent } from '#shared/sessions/sessions.schemas.ts'
import { dropAgentToken, hasAgentToken, keepAgentToken } from './agent-token.ts'
import { dropPendingCode, findPendingCode, keepPendingCode } from './pending-code.ts'
import {
  initialSessions,
  isRestoring,
  type Mode,
  type Role,
  type SessionsState,
  sessionsReducer,
} from './sessions.rules.ts'
import './sessions.texts.ts'

/** What an action on the auth screens came to; `field` names the field the server refused, if it named one. */
export type Outcome = { ok: true } | { ok: false; message: string; field?: string }

export interface Sessions {
  readonly state: SessionsState
  readonly isRestoring: boolean
  /** Asks again who is signed in; the spinner shows meanwhile. */
  restore(): void
  chooseMode(mode: Mode): void
  requestCode(request: { role: Role; phone: string; name?: string }): Promise<Outcome>
  /** Verifies the code sent to the phone of the last request; the name goes along in sign-up mode. */
  verifyCode(request: { role: Role; code: string }): Promise<Outcome>
  /** Finishes sign-up with the code that was proven before the name was known. */
  finishSignUp(name: string): Promise<Outcome>
  dropProvenCode(): void
  resetOtp(): void
  clearError(): void
  /** Ends the session; `leave` moves away from pages that need one. Never fails: a silent server is only logged. */
  logout(leave: () => void): Promise<void>
}

const SessionsContext = createContext<Sessions | null>(null)

export function useSessions(): Sessions {
  const sessions = useContext(SessionsContext)
  if (sessions === null) throw new Error('useSessions needs a SessionsProvider above it')
  return sessions
}

export function SessionsProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('sessions')
  const [state, dispatch] = useReducer(sessionsReducer, undefined, () =>
    initialSessions(hasAgentToken(), findPendingCode(window.location.pathname, Date.now())),
  )

  // The functions below outlive the render that made them; what they read must be of now.
  const latest = useRef({ state, t })
  useEffect(() => {
    latest.current = { state, t }
  })

  const check = useCallback(async (role: Role, signal: AbortSignal) => {
    try {
      if (role === 'user') {
        const { userId, name, phone } = await call(readUserSession, { signal })
        dispatch({ type: 'userChecked', user: { id: userId, name, phone } })
      } else {
        const { agentId, name, phone } = await call(readAgentSession, { signal })
        dispatch({ type: 'agentChecked', agent: { id: agentId, name, phone } })
      }
    } catch (error) {
      if (signal.aborted) return
      const isNobody = isCallProblem(error) && error.status === 401
      if (isNobody && role === 'agent') dropAgentToken()
      dispatch({ type: 'checkFailed', role, error: isNobody ? null : messageOf(error, '') })
    }
  }, [])

  const running = useRef<AbortController | null>(null)
  const restore = useCallback(() => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    dispatch({ type: 'checkStarted' })
    void check('user', controller.signal)
    void check('agent', controller.signal)
  }, [check])

  useEffect(() => {
    restore()
    return () => running.current?.abort()
  }, [restore])

  // Any call of any page may find out that the session has ended meanwhile. The page stays while that is being
  // asked, and only a clear 401 ends the session here: bad signal must not throw anybody out.
  useEffect(() => {
    let isAsking = false
    return onUnauthorized(() => {
      const { role } = latest.current.state
      if (role === null || isRestoring(latest.current.state) || isAsking) return
      isAsking = true
      void hasEnded(role).then((ended) => {
        isAsking = false
        if (!ended) return
        if (role === 'agent') dropAgentToken()
        dispatch({ type: 'sessionEnded', role })
      })
    })
  }, [])

  const isCodeOut = state.otpSent
  useEffect(() => {
    if (!isCodeOut) dropPendingCode()
  }, [isCodeOut])

  const actions = useMemo(() => {
    async function requestCode(request: { role: Role; phone: string; name?: string }): Promise<Outcome> {
      const { role, phone, name = '' } = request
      dispatch({ type: 'codeRequested', phone, name })
      try {
        const sent =
          role === 'user'
            ? await call(requestOtp, { body: name === '' ? { phone } : { phone, name } })
            : await call(sendAgentOtp, { body: { phone } })
        const times = timesOf(sent, Date.now())
        keepPendingCode({ role, phone, name, mode: latest.current.state.mode, times })
        dispatch({ type: 'codeSent', times })
        return { ok: true }
      } catch (error) {
        const outcome = refusalOf(error, latest.current.t('errors.sendFailed'))
        dispatch({ type: 'codeNotSent', error: outcome.message })
        return outcome
      }
    }

    async function verifyUser(phone: string, code: string, name: string): Promise<Outcome> {
      dispatch({ type: 'verifyStarted' })
      try {
        const body = name === '' ? { phone, code } : { phone, code, name }
        const { user } = await call(verifyOtp, { body })
        dropAgentToken()
        dispatch({ type: 'userVerified', user })
        return { ok: true }
      } catch (error) {
        if (isCallProblem(error) && error.code === 'SIGN_UP_REQUIRED') {
          dispatch({ type: 'signUpRequired', code })
          return { ok: false, message: error.message, field: 'name' }
        }
        const outcome = refusalOf(error, latest.current.t('errors.verifyFailed'))
        dispatch({ type: 'verifyFailed', error: outcome.message })
        return outcome
      }
    }

    async function verifyAgent(phone: string, code: string): Promise<Outcome> {
      dispatch({ type: 'verifyStarted' })
      try {
        const { agent, token } = await call(verifyAgentOtp, { body: { phone, code } })
        keepAgentToken(token)
        dispatch({ type: 'agentVerified', agent })
        return { ok: true }
      } catch (error) {
        const outcome = refusalOf(error, latest.current.t('errors.verifyFailed'))
        dispatch({ type: 'verifyFailed', error: outcome.message })
        return outcome
      }
    }

    async function verifyCode({ role, code }: { role: Role; code: string }): Promise<Outcome> {
      const { phone, name, mode } = latest.current.state
      if (role === 'agent') return verifyAgent(phone, code)
      return verifyUser(phone, code, mode === 'signup' ? name : '')
    }

    async function finishSignUp(name: string): Promise<Outcome> {
      const { phone, provenCode } = latest.current.state
      if (provenCode === null) return requestCode({ role: 'user', phone, name })
      const outcome = await verifyUser(phone, provenCode, name)
      // A proof lives ten minutes on the server. Refused once, it is spent: the next try sends a new code.
      if (!outcome.ok && outcome.field === 'code') dispatch({ type: 'provenCodeDropped' })
      return outcome
    }

    async function leaveSession(leave: () => void): Promise<void> {
      try {
        await call(logout)
      } catch (error) {
        logFailure('logout', error)
      }
      dropAgentToken()
      // One transition, so that both are drawn together: a guard that saw only the second would ask to sign in again.
      startTransition(() => {
        leave()
        dispatch({ type: 'loggedOut' })
      })
    }

    return {
      requestCode,
      verifyCode,
      finishSignUp,
      logout: leaveSession,
      chooseMode: (mode: Mode) => dispatch({ type: 'modeChosen', mode }),
      dropProvenCode: () => dispatch({ type: 'provenCodeDropped' }),
      resetOtp: () => dispatch({ type: 'otpReset' }),
      clearError: () => dispatch({ type: 'errorCleared' }),
    }
  }, [])

  const sessions = useMemo<Sessions>(
    () => ({ state, isRestoring: isRestoring(state), restore, ...actions }),
    [state, restore, actions],
  )
  return <SessionsContext value={sessions}>{children}</SessionsContext>
}

async function hasEnded(role: Role): Promise<boolean> {
  try {
    await call(role === 'user' ? readUserSession : readAgentSession)
    return false
  } catch (error) {
    return isCallProblem(error) && error.status === 401
  }
}

function timesOf(sent: CodeSent, now: number) {
  return {
    sentAt: now,
    expiresAt: now + sent.expiresInSeconds * 1000,
    resendAt: now + sent.resendInSeconds * 1000,
  }
}

/** The server's message, else the error's own text, else the given words (spec §8). */
function messageOf(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message !== '' ? error.message : otherwise
}

function refusalOf(error: unknown, otherwise: string): { ok: false; message: string; field?: string } {
  const message = messageOf(error, otherwise)
  const refused = isCallProblem(error) ? error.fields[0] : undefined
  return refused === undefined ? { ok: false, message } : { ok: false, message, field: refused.field }
}
