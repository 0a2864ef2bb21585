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

interface Asked {
  readonly session: Session
  /** Path and query of the page, to return to after sign-in. */
  readonly here: string
  /** The `next` parameter of a sign-in page. */
  readonly next: string | null
  /** The phone stores what the page shows for the last user, or the last agent. */
  readonly isKept: boolean
}

type ClosedAccess = Exclude<PageAccess, 'everyone'>

/** Decides whether a page is shown (spec §2, §6). */
export function accessTo(
  access: PageAccess,
  session: Session,
  here: string,
  next: string | null,
  circumstances: Circumstances = {},
): AccessDecision {
  if (access === 'everyone') return allow
  const isKept = isKeptPage(access, here, circumstances)
  if (session.isRestoring) return whileRestoring(access, session, isKept, circumstances.isSlow === true)
  return decisions[access]({ session, here, next, isKept })
}

function isKeptPage(
  access: ClosedAccess,
  here: string,
  { hasKeptOrders = false, hasScanAgent = false }: Circumstances,
): boolean {
  const page = pageAt(here.replace(/[?#].*$/, ''))
  const shows = page === undefined ? undefined : routes[page].shows
  if (access === 'user') return hasKeptOrders && shows === 'kept-orders'
  return access === 'agent' && hasScanAgent && shows === 'kept-bags'
}

function whileRestoring(
  access: ClosedAccess,
  session: Session,
  isKept: boolean,
  isSlow: boolean,
): AccessDecision {
  // A user does not wait for the check: it may never be answered, and the barcode is needed at the counter.
  if (isKept && (access === 'user' || isSlow)) return { kind: 'kept' }
  // A visitor fills in the form meanwhile. A user with a session would see it for a moment only.
  const isSignIn = access === 'user-sign-in' || access === 'agent-sign-in'
  const hadSession = session.isAuthenticated || session.wasSignedIn
  return isSignIn && !hadSession ? allow : { kind: 'wait' }
}

const redirect = (to: string): AccessDecision => ({ kind: 'redirect', to })

const decisions: Readonly<Record<ClosedAccess, (asked: Asked) => AccessDecision>> = {
  user({ session: { role, failures }, here, isKept }) {
    if (role === 'user') return allow
    // Agents are redirected to the agents' page.
    if (role === 'agent') return redirect(paths.agentOrders)
    if (failures.user) return { kind: isKept ? 'kept' : 'unknown' }
    return redirect(paths.authThen(here))
  },
  agent({ session: { role, failures }, here, isKept }) {
    if (role === 'agent') return allow
    if (role === null && failures.agent) return { kind: isKept ? 'kept' : 'unknown' }
    return redirect(paths.agentAuthThen(here))
  },
  account({ session: { role, isUnknown }, here }) {
    if (role !== null) return allow
    return isUnknown ? { kind: 'unknown' } : redirect(paths.authThen(here))
  },
  'user-sign-in'({ session: { role }, next }) {
    if (role === 'user') return redirect(ownPath(next) ?? paths.booking)
    return role === 'agent' ? redirect(paths.agentOrders) : allow
  },
  // The page is open to users too: a sign-in as an agent ends the user's session on the server.
  'agent-sign-in'({ session: { role }, next }) {
    return role === 'agent' ? redirect(ownPath(next, ['agent']) ?? paths.agentOrders) : allow
  },
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
