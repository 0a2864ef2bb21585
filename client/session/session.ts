import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { useKeptOwner } from '#client/entities/order/kept-orders.ts'
import { readStored, useStored } from '#client/platform/browser-storage.ts'
import { call, onUnauthorized } from '#client/platform/call.ts'
import { useNetworkReturn } from '#client/platform/connection.ts'
import { logFailure } from '#client/platform/log.ts'
import { useRefocus } from '#client/platform/use-refocus.ts'
import { waits } from '#client/platform/waits.ts'
import { logout } from '#shared/sessions/sessions.operations.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { sessionQuery } from './session.query.ts'
import {
  emptySession,
  type Role,
  roleOf,
  type Session,
  type SessionAnswer,
  sessionOf,
} from './session.rules.ts'
import {
  beginShift,
  isTakenOver,
  ownBrowser,
  wipeBrowser,
  wipeCache,
  wipeKeptBags,
  wipeOverdueBags,
} from './session.wipe.ts'
import { findTabOwner } from './tab-owner.ts'

/** The server's answer, as session-provider.tsx shares it. `null`: there is no provider. */
export const SharedAnswer = createContext<SessionAnswer | undefined | null>(null)

/** Who is signed in on this browser. */
export function useSession(): Session {
  // Asks for the answer, and returns the shared one.
  useQuery({ ...sessionQuery, notifyOnChangeProps: [] })
  const answer = useContext(SharedAnswer)
  if (answer === null) throw new Error('useSession needs a SessionProvider above it')
  return sessionOf(answer, {
    hasAgentToken: readStored('agentToken') !== undefined,
    wasSignedIn: findTabOwner() !== undefined,
    documentRole: readDocumentRole(),
  })
}

/** The role for which the gateway has chosen the document, by a cookie that is set and cleared with the session. */
function readDocumentRole(): Role | null {
  const role = typeof document === 'undefined' ? undefined : document.documentElement.dataset.role
  return role === 'user' || role === 'agent' ? role : null
}

/**
 * The agent whose session the server confirmed last on this browser. Opens the scanner without a network, for the
 * confirmations of this agent alone; it authorises nothing.
 */
export function useScanAgent(): number | undefined {
  const id = Number(useStored('scanAgent'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** The id of the signed-in user, or of the one whose orders are kept. */
export function useUserId(): number | undefined {
  const { user } = useSession()
  const { userId } = useKeptOwner()
  return user?.id ?? userId
}

/** The id of the signed-in agent, or of the one the server confirmed last. */
export function useAgentId(): number | undefined {
  const { agent } = useSession()
  const known = useScanAgent()
  return agent?.id ?? known
}

/**
 * Asks the server again who is signed in: when the page is shown again (another tab may have signed in or out), when
 * another tab has wiped what is stored of the person, when any call answers 401, and when the network returns after a check
 * failed. For the frame of all pages.
 */
export function useSessionChecks(): void {
  const client = useQueryClient()
  useRefocus(() => recheck(client), waits.refocus)
  useEffect(wipeOverdueBags, [])
  useEffect(
    () =>
      onUnauthorized(() => {
        // Wipe before the check: the check may find no network.
        wipeKeptBags()
        const answer = answerOf(client)
        if (answer !== undefined && roleOf(answer) !== null) void recheck(client)
      }),
    [client],
  )
  useEffect(() => {
    const check = ({ key }: StorageEvent) => {
      const answer = answerOf(client)
      if (answer === undefined || !isTakenOver(answer, key)) return
      // Not in the background: until a line that hangs has answered, the person before would stay on screen.
      wipeCache(client)
      restore(client)
    }
    window.addEventListener('storage', check)
    return () => window.removeEventListener('storage', check)
  }, [client])
  useNetworkReturn(() => {
    const answer = answerOf(client)
    // A start-up call from before may hang.
    if (answer === undefined) restore(client)
    else if (Object.keys(answer.failures).length > 0) void recheck(client)
  })
}

/** Runs the start-up calls again; the pages wait for them. */
export function restore(client: QueryClient): void {
  void client.resetQueries({ queryKey: sessionQuery.queryKey })
}

/** A check in the background: the page stays as it is, and a call that fails changes nothing. */
async function recheck(client: QueryClient): Promise<void> {
  if (answerOf(client)?.isOver) return
  await client.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false })
}

/** The server has signed this person in on this browser. It ends the session of the other role. */
export function signedIn(client: QueryClient, person: { user: User } | { agent: Agent }): void {
  if ('user' in person) ownBrowser(client, 'user', person.user.id)
  else {
    beginShift()
    ownBrowser(client, 'agent', person.agent.id)
  }
  answerWith(client, { ...emptySession, ...person })
}

/** The user's name as the server has changed it, which also proves who is signed in. */
export function renamed(client: QueryClient, user: User): void {
  if (answerOf(client)?.user?.id === user.id) answerWith(client, { ...emptySession, user })
}

/** Ends the session at the server. @returns false, and logs, when it did not: its cookie is still valid. */
export async function endSession(): Promise<boolean> {
  try {
    await call(logout)
  } catch (error) {
    logFailure('logout', error)
    return false
  }
  return true
}

/** The server has ended the session, and the page still shows it: no check leads away from it before `signedOut`. */
export function holdSession(client: QueryClient): void {
  const answer = answerOf(client)
  if (answer !== undefined) answerWith(client, { ...answer, isOver: true })
}

/** After the page of a session that the server has ended is left. */
export function signedOut(client: QueryClient): void {
  wipeBrowser(client)
  answerWith(client, emptySession)
}

/** Cancels checks under way: this answer is newer. */
function answerWith(client: QueryClient, answer: SessionAnswer): void {
  void client.cancelQueries({ queryKey: sessionQuery.queryKey })
  client.setQueryData(sessionQuery.queryKey, answer)
}

function answerOf(client: QueryClient): SessionAnswer | undefined {
  return client.getQueryData(sessionQuery.queryKey)
}
