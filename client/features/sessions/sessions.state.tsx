import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
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
import type { Agent, CodeSent, User } from '#shared/sessions/sessions.schemas.ts'
import { dropAgentToken, hasAgentToken, keepAgentToken } from './agent-token.ts'
import { findLimits, keepLimits } from './kept-limits.ts'
import { type Limit, type Step, withLimit, withoutLimit } from './limits.rules.ts'
import { dropPendingCode, findPendingCode, keepPendingCode, markPendingCodeUsedUp } from './pending-code.ts'
import {
  initialSessions,
  isRestoring,
  type Mode,
  type Role,
  type SessionsState,
  sessionsReducer,
} from './sessions.rules.ts'
import { findTabOwner, leaveTab, takeTab } from './tab-owner.ts'
import { useReturn } from './use-return.ts'
import './sessions.texts.ts'

/** What an action on the auth screens came to; `field` names the field the server refused, if it named one. */
export type Outcome =
  | { ok: true }
  /** `isShown`: the state of the screen says what is wrong, for as long as it is. */
  | { ok: false; message: string; field?: string; isShown?: boolean }

export interface Sessions {
  readonly state: SessionsState
  readonly isRestoring: boolean
  /** What the server asked to wait for on the sign-in screens; some may be over. */
  readonly limits: readonly Limit[]
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
    initialSessions(
      hasAgentToken(),
      findPendingCode(window.location.pathname, Date.now()),
      findTabOwner() !== undefined,
    ),
  )
  const [limits, setLimits] = useState(() => findLimits(Date.now()))
  useEffect(() => keepLimits(limits), [limits])
  const queryClient = useQueryClient()

  // The functions below outlive the render that made them; what they read must be what is on the screen.
  const latest = useRef({ state, t })
  useLayoutEffect(() => {
    latest.current = { state, t }
  })

  // Before anything is drawn for the person: neither orders nor a half-made booking of the one before may greet them.
  const welcome = useCallback(
    (role: Role, id: number) => {
      if (takeTab({ role, id })) queryClient.clear()
    },
    [queryClient],
  )

  const check = useCallback(
    async (role: Role, signal: AbortSignal) => {
      try {
        if (role === 'user') {
          const user = await readUser(signal)
          welcome('user', user.id)
          dispatch({ type: 'userChecked', user })
        } else {
          const agent = await readAgent(signal)
          welcome('agent', agent.id)
          dispatch({ type: 'agentChecked', agent })
        }
      } catch (error) {
        if (signal.aborted) return
        const isNobody = isUnauthorized(error)
        if (isNobody && role === 'agent') dropAgentToken()
        dispatch({ type: 'checkFailed', role, error: isNobody ? null : messageOf(error, '') })
      }
    },
    [welcome],
  )

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

  // Counts who came and went here: what was asked before the last change must not undo it.
  const changes = useRef(0)

  // Asks quietly who is signed in: the page stays meanwhile, and only a clear answer changes anything here, because
  // bad signal must not throw anybody out.
  const isLooking = useRef(false)
  const look = useCallback(async () => {
    if (isLooking.current || isRestoring(latest.current.state)) return
    isLooking.current = true
    const { role: before } = latest.current.state
    const changesBefore = changes.current
    const found = await whoIsHere(before)
    isLooking.current = false
    if (found === undefined || changes.current !== changesBefore) return
    if (found === null) {
      if (before === null) return
      if (before === 'agent') dropAgentToken()
      dispatch({ type: 'sessionEnded', role: before })
    } else if ('user' in found) {
      welcome('user', found.user.id)
      dispatch({ type: 'userFound', user: found.user })
    } else {
      welcome('agent', found.agent.id)
      dispatch({ type: 'agentFound', agent: found.agent })
    }
  }, [welcome])

  // Any call of any page may find out that the session has ended meanwhile.
  useEffect(
    () =>
      onUnauthorized(() => {
        if (latest.current.state.role !== null) void look()
      }),
    [look],
  )

  // Logging in and out in another tab shows here as soon as somebody looks at this one again.
  useReturn(look)

  const isCodeOut = state.otpSent
  useEffect(() => {
    if (!isCodeOut) dropPendingCode()
  }, [isCodeOut])

  const actions = useMemo(() => {
    /** What a refusal means to the screens. Answers nothing where it is an ordinary error. */
    function limitOf(error: unknown, role: Role, step: Step, phone: string): Outcome | undefined {
      if (!isCallProblem(error)) return undefined
      const { code, message, retryAfterSeconds } = error
      const until = Date.now() + (retryAfterSeconds ?? 0) * 1000
      if (code === 'CODE_USED_UP') {
        markPendingCodeUsedUp(until)
        dispatch({ type: 'codeUsedUp', resendAt: until })
        return { ok: false, message, isShown: true }
      }
      if (error.status !== 429) return undefined
      // A locked number names no time: whom to ask is what has to stay on screen.
      if (retryAfterSeconds === undefined && code !== 'PHONE_LOCKED') return undefined
      const limit = { role, step, phone, code, until: retryAfterSeconds === undefined ? null : until }
      setLimits((before) => withLimit(before, limit, Date.now()))
      dispatch({ type: 'limited' })
      return { ok: false, message, isShown: true }
    }

    async function requestCode(request: { role: Role; phone: string; name?: string }): Promise<Outcome> {
      const { role, phone, name = '' } = request
      dispatch({ type: 'codeRequested', phone, name })
      try {
        const sent =
          role === 'user'
            ? await call(requestOtp, { body: name === '' ? { phone } : { phone, name } })
            : await call(sendAgentOtp, { body: { phone } })
        setLimits((before) => withoutLimit(before, { role, step: 'send', phone }))
        const times = timesOf(sent, Date.now())
        keepPendingCode({ role, phone, name, mode: latest.current.state.mode, times })
        dispatch({ type: 'codeSent', times })
        return { ok: true }
      } catch (error) {
        const limited = limitOf(error, role, 'send', phone)
        if (limited !== undefined) return limited
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
        changes.current += 1
        dropAgentToken()
        welcome('user', user.id)
        dispatch({ type: 'userVerified', user })
        return { ok: true }
      } catch (error) {
        if (isCallProblem(error) && error.code === 'SIGN_UP_REQUIRED') {
          dispatch({ type: 'signUpRequired', code })
          return { ok: false, message: error.message, field: 'name' }
        }
        const limited = limitOf(error, 'user', 'check', phone)
        if (limited !== undefined) return limited
        const outcome = refusalOf(error, latest.current.t('errors.verifyFailed'))
        dispatch({ type: 'verifyFailed', error: outcome.message })
        return outcome
      }
    }

    async function verifyAgent(phone: string, code: string): Promise<Outcome> {
      dispatch({ type: 'verifyStarted' })
      try {
        const { agent, token } = await call(verifyAgentOtp, { body: { phone, code } })
        changes.current += 1
        keepAgentToken(token)
        welcome('agent', agent.id)
        dispatch({ type: 'agentVerified', agent })
        return { ok: true }
      } catch (error) {
        const limited = limitOf(error, 'agent', 'check', phone)
        if (limited !== undefined) return limited
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
      changes.current += 1
      dropAgentToken()
      leaveTab()
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
  }, [welcome])

  const sessions = useMemo<Sessions>(
    () => ({ state, isRestoring: isRestoring(state), limits, restore, ...actions }),
    [state, limits, restore, actions],
  )
  return <SessionsContext value={sessions}>{children}</SessionsContext>
}

async function readUser(signal?: AbortSignal): Promise<User> {
  const { userId, name, phone } = await call(readUserSession, { signal })
  return { id: userId, name, phone }
}

async function readAgent(signal?: AbortSignal): Promise<Agent> {
  const { agentId, name, phone } = await call(readAgentSession, { signal })
  return { id: agentId, name, phone }
}

/** Who is signed in on this browser, the role that was held asked for first; `undefined` when nobody could tell. */
async function whoIsHere(before: Role | null): Promise<{ user: User } | { agent: Agent } | null | undefined> {
  for (const role of before === 'agent' ? (['agent', 'user'] as const) : (['user', 'agent'] as const)) {
    try {
      return role === 'user' ? { user: await readUser() } : { agent: await readAgent() }
    } catch (error) {
      if (!isUnauthorized(error)) return undefined
    }
  }
  return null
}

function isUnauthorized(error: unknown): boolean {
  return isCallProblem(error) && error.status === 401
}

function timesOf(sent: CodeSent, now: number) {
  return {
    sentAt: now,
    expiresAt: now + sent.expiresInSeconds * 1000,
    resendAt: now + sent.resendInSeconds * 1000,
    isEarlier: !sent.sent,
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
