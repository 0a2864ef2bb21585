import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useState,
} from 'react'
import { forgetScanAgent, keepScanAgent } from '#client/entities/handover/scan-agent.ts'
import { ownKeptOrders, wipeKeptOrders } from '#client/entities/order/kept-orders.ts'
import { readStored, removeStored } from '#client/platform/browser-storage.ts'
import { paths } from '#client/platform/paths.ts'
import { useLatest } from '#client/platform/use-latest.ts'
import type { Outcome } from './call-outcome.ts'
import type { Limit } from './limits.rules.ts'
import { findPendingCode, removePendingCode } from './pending-code.ts'
import { findProvenCode, removeProvenCode } from './proven-code.ts'
import {
  type ActionContext,
  finishSignUp,
  leaveEnded,
  logout,
  rename,
  requestCode,
  verifyCode,
} from './sessions.actions.ts'
import {
  initialSessions,
  isRestoring,
  type Mode,
  type Role,
  type SessionsState,
  sessionsReducer,
} from './sessions.rules.ts'
import { readLimits, storeLimits } from './stored-limits.ts'
import { claimTab, findTabOwner } from './tab-owner.ts'
import { useSessionChecks } from './use-session-checks.ts'

export interface Sessions {
  readonly state: SessionsState
  readonly isRestoring: boolean
  /** Waits the server asked for on the sign-in screens; some may be over. */
  readonly limits: readonly Limit[]
  /** Runs the start-up checks again; the spinner shows meanwhile. */
  restore(): void
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
  /**
   * Ends the session; `leave` navigates away from pages that need one. `false` when the server did not end it: the
   * state then stays signed in, because the cookie still is.
   */
  logout(leave: () => void): Promise<boolean>
  /**
   * The server has ended the session, and the page says so: no check leads away from it before `leaveEnded`, or before
   * the returned function is called because the page is gone.
   */
  holdChecks(): () => void
  /** Clears the state of a session that the server has ended. */
  leaveEnded(leave: () => void): void
}

const SessionsContext = createContext<Sessions | null>(null)

export function useSessions(): Sessions {
  const sessions = useContext(SessionsContext)
  if (sessions === null) throw new Error('useSessions needs a SessionsProvider above it')
  return sessions
}

export function SessionsProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [state, dispatch] = useReducer(sessionsReducer, undefined, restoredSessions)
  const [limits, setLimits] = useState(() => readLimits(Date.now()))
  useEffect(() => storeLimits(limits), [limits])
  useStoredCodesCleanUp(state)

  const onIdentified = useCallback(
    (role: Role, id: number) => {
      if (role === 'user') {
        forgetAgent()
        ownKeptOrders(id)
      } else {
        wipeKeptOrders()
        keepScanAgent(id)
      }
      // The next person on a shared phone must not see the previous person's cached data.
      if (!claimTab({ role, id })) return
      queryClient.clear()
      setLimits([])
    },
    [queryClient],
  )
  const { restore, supersede, hold } = useSessionChecks({
    state,
    dispatch,
    onIdentified,
    onNoUser: wipeKeptOrders,
    onNoAgent: forgetAgent,
  })

  const latestState = useLatest(state)
  const actions = useMemo(() => {
    const context: ActionContext = {
      state: () => latestState.current,
      dispatch,
      setLimits,
      onIdentified,
      supersedeChecks: supersede,
    }
    return actionsIn(context)
  }, [latestState, onIdentified, supersede])

  const sessions = useMemo<Sessions>(
    () => ({ state, isRestoring: isRestoring(state), limits, restore, holdChecks: hold, ...actions }),
    [state, limits, restore, hold, actions],
  )
  return <SessionsContext value={sessions}>{children}</SessionsContext>
}

function actionsIn(context: ActionContext) {
  const { dispatch } = context
  return {
    requestCode: (request) => requestCode(context, request),
    verifyCode: (request) => verifyCode(context, request),
    finishSignUp: (name) => finishSignUp(context, name),
    rename: (name) => rename(context, name),
    logout: (leave) => logout(context, leave),
    leaveEnded: (leave) => leaveEnded(context, leave),
    chooseMode: (mode) => dispatch({ type: 'modeChosen', mode }),
    dropProvenCode: () => dispatch({ type: 'provenCodeDropped' }),
    resetOtp: () => dispatch({ type: 'otpReset' }),
    leaveSignIn: () => {
      removeProvenCode()
      dispatch({ type: 'otpReset' })
      dispatch({ type: 'provenCodeDropped' })
    },
    clearError: () => dispatch({ type: 'errorCleared' }),
  } satisfies Omit<Sessions, 'state' | 'isRestoring' | 'limits' | 'restore' | 'holdChecks'>
}

/** True when this is a sign-in page, and what the browser stores changes its first render. */
export function hasStoredSignIn(): boolean {
  const { pathname } = window.location
  if (pathname !== paths.auth && pathname !== paths.agentAuth) return false
  const { otpSent, provenCode, isAuthenticated, wasSignedIn } = restoredSessions()
  if (otpSent || provenCode !== null || isAuthenticated || wasSignedIn) return true
  return readLimits(Date.now()).length > 0
}

/** The state before the first check, from what the browser stores. Prerendered pages are those of a new visitor. */
function restoredSessions(): SessionsState {
  if (typeof window === 'undefined') return initialSessions()
  const { pathname } = window.location
  const now = Date.now()
  return initialSessions({
    hasAgentToken: readStored('agentToken') !== undefined,
    pendingCode: findPendingCode(pathname, now),
    wasSignedIn: findTabOwner() !== undefined,
    provenCode: findProvenCode(pathname, now),
  })
}

/** What the browser knows of an agent's session. Confirmations that wait to be sent stay, for this agent alone. */
function forgetAgent(): void {
  removeStored('agentToken')
  forgetScanAgent()
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
