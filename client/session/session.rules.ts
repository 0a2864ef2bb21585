import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'

export type Role = 'user' | 'agent'

/** The server's answer about the people signed in on this browser. */
export interface SessionAnswer {
  readonly user: User | null
  readonly agent: Agent | null
  /** Why a role could not be asked about; a 401 is no failure (spec §8). */
  readonly failures: Readonly<Partial<Record<Role, Error>>>
  /** The session of this tab ended without a sign-out; the sign-in page then gives that as the reason. */
  readonly hasEnded: boolean
  /** The server has ended the session, and the page still shows it: nothing is asked until the page is left. */
  readonly isOver: boolean
}

export const emptySession: SessionAnswer = {
  user: null,
  agent: null,
  failures: {},
  hasEnded: false,
  isOver: false,
}

/** The stored facts that the app uses before the server has answered. They give no rights. */
export interface StoredSession {
  readonly hasAgentToken: boolean
  /** This tab had a session, and no sign-out since. */
  readonly wasSignedIn: boolean
  /** The role for which the document was made. */
  readonly documentRole: Role | null
}

/** The session as the pages read it (spec §3). */
export interface Session extends Pick<SessionAnswer, 'user' | 'agent' | 'failures' | 'hasEnded'> {
  readonly role: Role | null
  /** The role, or until both start-up calls have finished the one that is likely. It only decides which links are shown. */
  readonly likelyRole: Role | null
  readonly isAuthenticated: boolean
  /** Until both start-up calls have finished. */
  readonly isRestoring: boolean
  /** The check of a role failed. */
  readonly isUnknown: boolean
  readonly wasSignedIn: boolean
  readonly error: Error | undefined
}

/** A stored agent token means authenticated (spec §4) until the two start-up calls have answered. */
export function sessionOf(
  answer: SessionAnswer | undefined,
  { hasAgentToken, wasSignedIn, documentRole }: StoredSession,
): Session {
  const { user, agent, failures, hasEnded } = answer ?? emptySession
  const role = roleOf(answer ?? emptySession)
  const isRestoring = answer === undefined
  const error = failures.user ?? failures.agent
  return {
    user,
    agent,
    role,
    likelyRole: isRestoring ? documentRole : role,
    failures,
    hasEnded,
    wasSignedIn,
    isRestoring,
    error,
    isAuthenticated: role !== null || (isRestoring && hasAgentToken),
    isUnknown: error !== undefined,
  }
}

export function roleOf({ user, agent }: Pick<SessionAnswer, 'user' | 'agent'>): Role | null {
  if (user !== null) return 'user'
  return agent === null ? null : 'agent'
}
