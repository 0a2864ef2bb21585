import { isRestoring, type SessionsState } from '#client/features/sessions/sessions.rules.ts'
import { paths, routePatterns } from '#client/platform/paths.ts'

/** The access policy of a page. `account` is any signed-in role; the sign-in pages redirect the role already signed in. */
export type PageAccess = 'user' | 'agent' | 'account' | 'user-sign-in' | 'agent-sign-in'

type AccessDecision =
  | { kind: 'allow' }
  /** The start-up checks have not finished. */
  | { kind: 'wait' }
  /** A check failed, so it is not known whether a redirect to sign-in would be right. */
  | { kind: 'unknown' }
  | { kind: 'redirect'; to: string }

const allow: AccessDecision = { kind: 'allow' }

/**
 * Decides whether a page is shown (spec §2, §6). `here`: path and query of the page, to return to after sign-in.
 * `next`: the `next` parameter of a sign-in page.
 */
export function accessTo(
  access: PageAccess,
  state: SessionsState,
  here: string,
  next: string | null,
): AccessDecision {
  if (isRestoring(state)) return { kind: 'wait' }
  const { role, checks } = state
  switch (access) {
    case 'user':
      if (role === 'user') return allow
      // Agents are redirected to the agents' page.
      if (role === 'agent') return { kind: 'redirect', to: paths.agentOrders }
      if (checks.user === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'agent':
      if (role === 'agent') return allow
      if (role === null && checks.agent === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.agentAuthThen(here) }
    case 'account':
      if (role !== null) return allow
      if (checks.user === 'failed' || checks.agent === 'failed') return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'user-sign-in':
      if (role === 'user') return { kind: 'redirect', to: ownPath(next) ?? paths.booking }
      return role === 'agent' ? { kind: 'redirect', to: paths.agentOrders } : allow
    // Open to users too: signing in as an agent ends the user's session on the server.
    case 'agent-sign-in':
      return role === 'agent'
        ? { kind: 'redirect', to: ownPath(next, agentPages) ?? paths.agentOrders }
        : allow
  }
}

const agentPages: ReadonlySet<string> = new Set([routePatterns.agentOrders])

/** The pages users' sign-in may redirect to. */
const userPages: ReadonlySet<string> = new Set([
  routePatterns.booking,
  routePatterns.checkout,
  routePatterns.payment,
  routePatterns.thankYou,
  routePatterns.orders,
  routePatterns.account,
])

/** `next` if it is one of `pages`, else undefined: prevents open redirects. */
export function ownPath(next: string | null, pages = userPages): string | undefined {
  if (next === null || !URL.canParse(next, ownOrigin)) return undefined
  const { origin, pathname, search } = new URL(next, ownOrigin)
  // The router also matches a trailing slash.
  const page = pathname.replace(/\/+$/, '')
  return origin === ownOrigin && pages.has(page) ? page + search : undefined
}

// Any origin works: the check is whether `next` stays on it.
const ownOrigin = 'https://own.invalid'
