import { parseUrl } from '#client/platform/parse-url.ts'
import { paths } from '#client/platform/paths.ts'
import type { Session } from '#client/session/session.rules.ts'
import { pageAt } from '#shared/platform/pages.ts'
import { type PageAccess, routes } from './routes.ts'

type AccessDecision =
  | { kind: 'allow' }
  /** The start-up checks have not finished. */
  | { kind: 'wait' }
  /**
   * The server has not said who is signed in. The orders that are kept for the last user may be shown, and the last agent
   * may scan when the server cannot be asked, or takes long.
   */
  | { kind: 'kept' }
  /** A check failed, so it is not known whether a redirect to sign-in would be right. */
  | { kind: 'unknown' }
  | { kind: 'redirect'; to: string }

const allow: AccessDecision = { kind: 'allow' }

interface Circumstances {
  /** Orders of the last signed-in user are kept on this phone. */
  readonly hasKeptOrders?: boolean
  /** True when this browser knows the agent whose session the server confirmed last. */
  readonly hasScanAgent?: boolean
  /** The start-up checks take long. */
  readonly isSlow?: boolean
}

/**
 * Decides whether a page is shown (spec §2, §6). `here`: path and query of the page, to return to after sign-in.
 * `next`: the `next` parameter of a sign-in page.
 */
export function accessTo(
  access: PageAccess,
  session: Session,
  here: string,
  next: string | null,
  { hasKeptOrders = false, hasScanAgent = false, isSlow = false }: Circumstances = {},
): AccessDecision {
  if (access === 'everyone') return allow
  const page = pageAt(here.replace(/[?#].*$/, ''))
  const shows = page === undefined ? undefined : routes[page].shows
  const mayShowKept = access === 'user' && hasKeptOrders && shows === 'kept-orders'
  const mayScan = access === 'agent' && hasScanAgent && shows === 'kept-bags'
  const { role, failures } = session
  if (session.isRestoring) {
    // Do not wait for the check: it may never be answered, and the barcode is needed at the counter.
    if (mayShowKept) return { kind: 'kept' }
    if (isSlow && mayScan) return { kind: 'kept' }
    // A visitor fills in the form meanwhile. A user with a session would see it for a moment only.
    const isSignIn = access === 'user-sign-in' || access === 'agent-sign-in'
    const hadSession = session.isAuthenticated || session.wasSignedIn
    return isSignIn && !hadSession ? allow : { kind: 'wait' }
  }
  switch (access) {
    case 'user':
      if (role === 'user') return allow
      // Agents are redirected to the agents' page.
      if (role === 'agent') return { kind: 'redirect', to: paths.agentOrders }
      if (failures.user) return { kind: mayShowKept ? 'kept' : 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'agent':
      if (role === 'agent') return allow
      if (role === null && failures.agent) return { kind: mayScan ? 'kept' : 'unknown' }
      return { kind: 'redirect', to: paths.agentAuthThen(here) }
    case 'account':
      if (role !== null) return allow
      if (session.isUnknown) return { kind: 'unknown' }
      return { kind: 'redirect', to: paths.authThen(here) }
    case 'user-sign-in':
      if (role === 'user') return { kind: 'redirect', to: ownPath(next) ?? paths.booking }
      return role === 'agent' ? { kind: 'redirect', to: paths.agentOrders } : allow
    // The page is open to users too: a sign-in as an agent ends the user's session on the server.
    case 'agent-sign-in':
      return role === 'agent'
        ? { kind: 'redirect', to: ownPath(next, ['agent']) ?? paths.agentOrders }
        : allow
  }
}

/** `next` if it is a page for one of `accesses`, else undefined: prevents open redirects. */
export function ownPath(
  next: string | null,
  accesses: readonly PageAccess[] = ['user', 'account'],
): string | undefined {
  const url = next === null ? undefined : parseUrl(next, ownOrigin)
  if (url?.origin !== ownOrigin) return undefined
  // The router also matches a trailing slash.
  const path = url.pathname.replace(/\/+$/, '')
  const page = pageAt(path)
  const isKnown = page !== undefined && path === path.toLowerCase() && accesses.includes(routes[page].access)
  return isKnown ? path + url.search : undefined
}

// Any origin works: the check is whether `next` stays on it.
const ownOrigin = 'https://own.invalid'
