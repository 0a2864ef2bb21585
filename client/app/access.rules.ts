import { isRestoring, type SessionsState } from '#client/features/sessions/sessions.rules.ts'
import { paths, routePatterns } from '#client/platform/paths.ts'

/** Whom a page is for. The two sign-in pages are for those who have not signed in there yet. */
export type Area = 'user' | 'agent' | 'account' | 'user-sign-in' | 'agent-sign-in'

export type Access =
  | { kind: 'allow' }
  /** Nobody knows yet who is here. */
  | { kind: 'wait' }
  /** The server could not be asked, so sending anyone to sign in would be wrong. */
  | { kind: 'unknown' }
  | { kind: 'redirect'; to: string }

const allow: Access = { kind: 'allow' }

/**
 * Decides who may see a page (spec §2, §6). `here` is the path with its query, kept for after sign-in;
 * `next` is what a sign-in page was asked to lead to.
 */
export function accessTo(area: Area, state: SessionsState, here: string, next: string | null): Access {
  if (isRestoring(state)) return { kind: 'wait' }
  const { role, checks } = state
  switch (area) {
    case 'user':
      if (role === 'user') return allow
      // The pages of users ask for a user's session; an agent has a page of their own instead.
      if (role === 'agent') return { kind: 'redirect', to: paths.agentOrders }
      if (checks.user === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'agent':
      if (role === 'agent') return allow
      if (role === null && checks.agent === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.agentAuthThen(here) }
    // What is kept of a person is for that person, whatever the role.
    case 'account':
      if (role !== null) return allow
      if (checks.user === 'failed' || checks.agent === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'user-sign-in':
      if (role === 'user') return { kind: 'redirect', to: ownPath(next) ?? paths.booking }
      return role === 'agent' ? { kind: 'redirect', to: paths.agentOrders } : allow
    // A user may sign in as an agent too: the server then ends the user's session.
    case 'agent-sign-in':
      return role === 'agent'
        ? { kind: 'redirect', to: ownPath(next, agentPages) ?? paths.agentOrders }
        : allow
  }
}

const agentPages: ReadonlySet<string> = new Set([routePatterns.agentOrders])

/** The pages the sign-in of users may lead to. */
const userPages: ReadonlySet<string> = new Set([
  routePatterns.booking,
  routePatterns.checkout,
  routePatterns.payment,
  routePatterns.thankYou,
  routePatterns.orders,
  routePatterns.account,
])

/** `next` if it is one of our `pages`; anything else could lead people to a stranger's site. */
export function ownPath(next: string | null, pages = userPages): string | undefined {
  if (next === null || !URL.canParse(next, ownOrigin)) return undefined
  const { origin, pathname, search } = new URL(next, ownOrigin)
  return origin === ownOrigin && pages.has(pathname) ? pathname + search : undefined
}

// Any origin would do: only whether the address keeps it matters.
const ownOrigin = 'https://own.invalid'
