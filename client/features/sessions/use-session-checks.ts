import { type Dispatch, startTransition, useCallback, useEffect, useRef } from 'react'
import { onUnauthorized } from '#client/platform/call.ts'
import { useLatest } from '#client/platform/use-latest.ts'
import { useRefocus } from '#client/platform/use-refocus.ts'
import { messageOf } from './call-outcome.ts'
import { findIdentity, type Identity, readAgent, readUser } from './sessions.queries.ts'
import {
  isRestoring,
  isUnknown,
  type Role,
  type SessionsAction,
  type SessionsState,
} from './sessions.rules.ts'

interface SessionChecksOptions {
  readonly state: SessionsState
  readonly dispatch: Dispatch<SessionsAction>
  /** Called with the signed-in person before the state changes. */
  readonly onIdentified: (role: Role, id: number) => void
  /** Called when the server says that no user is signed in; not when it could not be asked. */
  readonly onNoUser: () => void
  /** Called when the server says that no agent is signed in. */
  readonly onNoAgent: () => void
}

interface SessionChecks {
  /** Runs the two start-up calls (spec §2); the spinner shows meanwhile. */
  readonly restore: () => void
  /** After a sign-in, sign-out or rename on this tab: responses to earlier checks are ignored. */
  readonly supersede: () => void
  /**
   * No check in the background until `supersede`, or until the returned function is called, which then checks at once.
   * The response to an earlier check is ignored.
   */
  readonly hold: () => () => void
}

/**
 * Asks the server who is signed in: at start-up, when the page is shown again (another tab may have signed in or out),
 * when any call answers 401, and when the network returns after a check failed.
 */
export function useSessionChecks(options: SessionChecksOptions): SessionChecks {
  const { restore, abort } = useStartUpCheck(options)
  const { recheck, invalidate, hold } = useRecheck(options)
  const supersede = useCallback(() => {
    invalidate()
    abort()
  }, [invalidate, abort])

  const latestState = useLatest(options.state)
  useEffect(
    () =>
      onUnauthorized(() => {
        if (latestState.current.role !== null) void recheck()
      }),
    [latestState, recheck],
  )

  useRefocus(recheck)

  // The spinner of `restore` would replace a form that is being filled in; while one of the start-up calls has failed and
  // the other runs, it is still shown.
  useEffect(() => {
    const onOnline = () => {
      if (!isUnknown(latestState.current)) return
      if (isRestoring(latestState.current)) restore()
      else void recheck()
    }
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [latestState, recheck, restore])

  return { restore, supersede, hold }
}

/** Both calls at once, each with its own result. */
function useStartUpCheck({ dispatch: dispatchNow, onIdentified, onNoUser, onNoAgent }: SessionChecksOptions) {
  // What the answer brings on screen is rendered in slices.
  const dispatch = useCallback(
    (action: SessionsAction) => startTransition(() => dispatchNow(action)),
    [dispatchNow],
  )
  const check = useCallback(
    async (role: Role, signal: AbortSignal) => {
      try {
        const person = await (role === 'user' ? readUser(signal) : readAgent(signal))
        if (signal.aborted) return
        if (person === null) {
          if (role === 'agent') onNoAgent()
          else onNoUser()
          dispatch({ type: 'checkFailed', role, error: null })
          return
        }
        onIdentified(role, person.id)
        dispatch(
          role === 'user' ? { type: 'userChecked', user: person } : { type: 'agentChecked', agent: person },
        )
      } catch (error) {
        if (!signal.aborted) dispatch({ type: 'checkFailed', role, error: messageOf(error, '') })
      }
    },
    [dispatch, onIdentified, onNoUser, onNoAgent],
  )

  const running = useRef<AbortController | null>(null)
  const abort = useCallback(() => running.current?.abort(), [])
  const restore = useCallback(() => {
    abort()
    const controller = new AbortController()
    running.current = controller
    dispatchNow({ type: 'checkStarted' })
    void check('user', controller.signal)
    void check('agent', controller.signal)
  }, [abort, check, dispatchNow])

  useEffect(() => {
    restore()
    return abort
  }, [restore, abort])

  return { restore, abort }
}

/** A check in the background: the page stays as it is, and a call that fails changes nothing. */
function useRecheck({ state, dispatch, onIdentified, onNoUser, onNoAgent }: SessionChecksOptions) {
  const latestState = useLatest(state)
  const isRunning = useRef(false)
  const isHeld = useRef(false)
  const changeCount = useRef(0)

  const apply = useCallback(
    (identity: Identity | null, before: Role | null, wasUnknown: boolean) => {
      if (identity === null) {
        onNoUser()
        if (before === null && !wasUnknown) return
        if (before !== 'user') onNoAgent()
        if (before !== null) dispatch({ type: 'sessionEnded', role: before })
        for (const role of ['user', 'agent'] as const) dispatch({ type: 'checkFailed', role, error: null })
      } else if ('user' in identity) {
        onIdentified('user', identity.user.id)
        dispatch({ type: 'userFound', user: identity.user })
      } else {
        onIdentified('agent', identity.agent.id)
        dispatch({ type: 'agentFound', agent: identity.agent })
      }
      // The error said that the server could not be reached.
      if (wasUnknown) dispatch({ type: 'errorCleared' })
    },
    [dispatch, onIdentified, onNoUser, onNoAgent],
  )

  const recheck = useCallback(async () => {
    if (isRunning.current || isHeld.current || isRestoring(latestState.current)) return
    isRunning.current = true
    const { role: before } = latestState.current
    const wasUnknown = isUnknown(latestState.current)
    const changesBefore = changeCount.current
    const identity = await findIdentity(before)
    isRunning.current = false
    // A sign-in or sign-out on this tab is newer than this response.
    if (identity === undefined || changeCount.current !== changesBefore) return
    apply(identity, before, wasUnknown)
  }, [latestState, apply])

  const invalidate = useCallback(() => {
    isHeld.current = false
    changeCount.current += 1
  }, [])

  const hold = useCallback(() => {
    isHeld.current = true
    changeCount.current += 1
    return () => {
      if (!isHeld.current) return
      isHeld.current = false
      void recheck()
    }
  }, [recheck])

  return { recheck, invalidate, hold }
}
