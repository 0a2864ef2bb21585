import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useReducer, useState } from 'react'
import { paths } from '#client/platform/paths.ts'
import { useLatest } from '#client/platform/use-latest.ts'
import type { Role } from '#client/session/session.rules.ts'
import { hasStoredSession } from '#client/session/session.ts'
import type { Outcome } from './call-outcome.ts'
import type { Limit } from './limits.rules.ts'
import { findPendingCode, removePendingCode } from './pending-code.ts'
import { findProvenCode, removeProvenCode } from './proven-code.ts'
import { type ActionContext, finishSignUp, rename, requestCode, verifyCode } from './sessions.actions.ts'
import { initialSessions, type Mode, type SessionsState, sessionsReducer } from './sessions.rules.ts'
import { readLimits, storeLimits } from './stored-limits.ts'

export interface Sessions {
  readonly state: SessionsState
  /** Waits the server asked for on the sign-in screens; some may be over. */
  readonly limits: readonly Limit[]
  chooseMode(mode: Mode): void
  requestCode(request: { role: Role; phone: string; name?: string }): Promise<Outcome>
  verifyCode(request: { role: Role; code: string }): Promise<Outcome>
  finishSignUp(name: string): Promise<Outcome>
  dropProvenCode(): void
  /** Changes the user's name. */
  rename(name: string): Promise<Outcome>
  resetOtp(): void
  /** The user leaves the sign-in page without signing in: a requested or proven code is dropped. */
  leaveSignIn(): void
  clearError(): void
}

const SessionsContext = createContext<Sessions | null>(null)

export function useSessions(): Sessions {
  const sessions = useContext(SessionsContext)
  if (sessions === null) throw new Error('useSessions needs a SessionsProvider above it')
  return sessions
}

export function SessionsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [state, dispatch] = useReducer(sessionsReducer, undefined, restoredSessions)
  const [limits, setLimits] = useState(() => readLimits(Date.now()))
  useEffect(() => storeLimits(limits), [limits])
  useStoredCodesCleanUp(state)

  const latestState = useLatest(state)
  const actions = useMemo(
    () => actionsIn({ state: () => latestState.current, dispatch, setLimits, client }),
    [latestState, client],
  )
  const sessions = useMemo<Sessions>(() => ({ state, limits, ...actions }), [state, limits, actions])
  return <SessionsContext value={sessions}>{children}</SessionsContext>
}

function actionsIn(context: ActionContext) {
  const { dispatch } = context
  return {
    requestCode: (request) => requestCode(context, request),
    verifyCode: (request) => verifyCode(context, request),
    finishSignUp: (name) => finishSignUp(context, name),
    rename: (name) => rename(context, name),
    chooseMode: (mode) => dispatch({ type: 'modeChosen', mode }),
    dropProvenCode: () => dispatch({ type: 'provenCodeDropped' }),
    resetOtp: () => dispatch({ type: 'otpReset' }),
    leaveSignIn: () => {
      removeProvenCode()
      dispatch({ type: 'otpReset' })
      dispatch({ type: 'provenCodeDropped' })
    },
    clearError: () => dispatch({ type: 'errorCleared' }),
  } satisfies Omit<Sessions, 'state' | 'limits'>
}

/** True when this is a sign-in page, and what the browser stores changes its first render. */
export function hasStoredSignIn(): boolean {
  const { pathname } = window.location
  if (pathname !== paths.auth && pathname !== paths.agentAuth) return false
  const { otpSent, provenCode } = restoredSessions()
  if (otpSent || provenCode !== null || hasStoredSession()) return true
  return readLimits(Date.now()).length > 0
}

/** The state before the first check, from what the browser stores. Prerendered pages are those of a new visitor. */
function restoredSessions(): SessionsState {
  if (typeof window === 'undefined') return initialSessions()
  const { pathname } = window.location
  const now = Date.now()
  return initialSessions({
    pendingCode: findPendingCode(pathname, now),
    provenCode: findProvenCode(pathname, now),
  })
}

/** Removes the stored codes when the state no longer holds them. */
function useStoredCodesCleanUp({ otpSent, provenCode }: SessionsState): void {
  useEffect(() => {
    if (!otpSent) removePendingCode()
  }, [otpSent])

  const isProven = provenCode !== null
  useEffect(() => {
    if (!isProven) removeProvenCode()
  }, [isProven])
}
