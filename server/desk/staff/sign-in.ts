import type { Core } from '#server/core.ts'
import { recordAct, staffActor } from '#server/features/history/acts.ts'
import { failure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { createSeal } from '#server/platform/seal.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { storedRoles } from '#server/platform/staff-roles.ts'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { deskPath } from '#shared/platform/pages.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import type { Challenge, Identity } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'
import {
  deleteIdleSessionsOf,
  deleteSession,
  deleteSessionsOf,
  insertLogout,
  insertSession,
  type SessionRow,
} from './staff.queries.ts'
import {
  chooseSlot,
  deskSessionLife,
  flowLifeMs,
  idleLimit,
  nextPage,
  outcomeOfError,
  rolesOf,
  type SignInOutcome,
  withOutcome,
} from './staff.rules.ts'
import { deskProvider, findLiveSession, personOf, releaseWorkOf } from './staff-sessions.ts'

/** A sign-in that has begun. It is stored only in a sealed cookie. */
interface Flow extends Challenge {
  readonly next: string
  /** The staff member who signs in again; undefined for a first sign-in. */
  readonly subject: string | undefined
  readonly endsAt: number
}

interface Beginning {
  readonly next: unknown
  readonly again: boolean
  readonly language: LanguageCode
  readonly taken: readonly string[]
}

interface Caller {
  readonly token: string | undefined
  readonly requestId: string
  readonly address: string
}

interface Step {
  readonly location: string
}

interface Begun extends Step {
  readonly flow?: { readonly state: string; readonly slot: string; readonly sealed: string }
}

interface Finished extends Step {
  /** Null ends the session of the browser; undefined changes nothing. */
  readonly session?: { readonly token: string; readonly lifeMs: number } | null
}

/** An office shares one IP address, so the limit is high. */
const callbacks = { name: 'desk.callbacks', limits: [{ count: 200, windowMs: 10 * 60_000 }] }

export async function beginSignIn(
  core: Core,
  { next: asked, again, language, taken }: Beginning,
  { token, requestId }: Omit<Caller, 'address'>,
): Promise<Begun> {
  const { identity } = deskProvider(core)
  const next = nextPage(asked)
  const made = identity.createChallenge(again)
  const slot = chooseSlot(made.state, taken)
  const challenge = { ...made, state: `${slot}${made.state}` }
  try {
    const location = await identity.signInUrl(challenge, language)
    const session = again ? await findLiveSession(core, token) : undefined
    const flow: Flow = {
      ...challenge,
      next,
      subject: session?.subject,
      endsAt: core.clock.now() + flowLifeMs,
    }
    const sealed = flowSeal(core).seal(JSON.stringify(flow))
    return { location, flow: { state: flow.state, slot, sealed } }
  } catch (error) {
    return pageOfProblem(core, next, error, requestId)
  }
}

/** @throws Failure TOO_MANY_CALLS */
export async function finishSignIn(
  core: Core,
  { query, sealed }: { readonly query: string; readonly sealed: string | undefined },
  { token, requestId, address }: Caller,
): Promise<Finished> {
  const { config, log } = core
  const flow = openFlow(core, sealed)
  const answer = new URLSearchParams(query)
  if (flow === undefined || answer.get('state') !== flow.state)
    return { location: withOutcome(flow?.next ?? nextPage(undefined), 'expired', requestId) }
  limitCalls(core, callbacks, address)
  const { next, again, subject } = flow
  const pageWith = (outcome: SignInOutcome) => withOutcome(next, outcome, requestId)
  const error = answer.get('error')
  if (error !== null) {
    log.info({ event: 'desk.sign-in-denied', error: error.slice(0, 60), requestId })
    return { location: pageWith(outcomeOfError(error)) }
  }
  let found: Identity
  try {
    found = await deskProvider(core).identity.identify(`?${query}`, flow)
  } catch (problem) {
    return pageOfProblem(core, next, problem, requestId)
  }
  const roles = rolesOf(found.roles, {
    support: config.DESK_ROLE_SUPPORT,
    money: config.DESK_ROLE_MONEY,
    lead: config.DESK_ROLE_LEAD,
  })
  const fresh = await replaceSession(core, token, { ...found, roles }, again)
  log.info({ event: 'desk.signed-in', staff: found.subject, roles, again })
  if (roles.length === 0) {
    log.warn({ event: 'desk.no-role', staff: found.subject, seen: found.rolesSeen, requestId })
    return { location: pageWith('no-right'), session: null }
  }
  const isOther = subject !== undefined && subject !== found.subject
  return {
    location: isOther ? pageWith('other-person') : next,
    session: { token: fresh, lifeMs: deskSessionLife.absoluteMs },
  }
}

/** @returns the address of the page that ends the provider's session; null when there is none */
export async function signOut(core: Core, token: string | undefined): Promise<string | null> {
  const { database, log } = core
  if (!isToken(token)) return null
  const ended = await database.transaction(async () => {
    const session = await deleteSession(core, hashOf(token))
    if (session) await recordSignOut(core, session)
    if (session) await releaseWorkOf(core, [session])
    return session
  })
  if (!ended) return null
  log.info({ event: 'desk.signed-out', staff: ended.subject })
  const url = await deskProvider(core)
    .identity.endSessionUrl(idTokenSeal(core).open(ended.id_token), `${core.config.PUBLIC_URL}${deskPath}`)
    .catch((error: unknown) => {
      log.warn({ event: 'desk.sign-out-incomplete', reason: String(error) })
      return undefined
    })
  return url ?? null
}

/** @throws Failure LOGOUT_TOKEN_REFUSED, also for a token that was accepted before; IDENTITY_UNAVAILABLE */
export async function endByProvider(core: Core, logoutToken: string): Promise<void> {
  const named = await deskProvider(core)
    .identity.readLogoutToken(logoutToken)
    .catch((error: unknown) => {
      if (!(error instanceof IdentityProblem)) throw error
      const code = error.fault === 'away' ? 'IDENTITY_UNAVAILABLE' : 'LOGOUT_TOKEN_REFUSED'
      throw failure(deskErrors, code, { cause: error.reason })
    })
  const ended = await core.database.transaction(async () => {
    if (!(await insertLogout(core, hashOf(`${named.issuer} ${named.tokenId}`), core.clock.now())))
      throw failure(deskErrors, 'LOGOUT_TOKEN_REFUSED')
    const sessions = await deleteSessionsOf(core, named)
    for (const session of sessions) await recordSignOut(core, session, 'by the identity provider')
    await releaseWorkOf(core, sessions)
    return sessions
  })
  core.log.info({ event: 'desk.ended-by-provider', sessions: ended.length })
}

type Found = Omit<Identity, 'roles'> & { readonly roles: readonly StaffRole[] }

async function replaceSession(core: Core, token: string | undefined, found: Found, again: boolean) {
  const fresh = randomToken(core.random)
  const now = core.clock.now()
  const hasRoles = found.roles.length > 0
  const signedIn = again ? 'signed-in-again' : 'signed-in'
  await core.database.transaction(async () => {
    await releaseWorkOf(core, await deleteIdleSessionsOf(core, found, now))
    const ended = isToken(token) ? await deleteSession(core, hashOf(token)) : undefined
    if (hasRoles) await insertSession(core, sessionOf(core, fresh, found, now))
    await recordAct(core, { by: staffActor(found), kind: hasRoles ? signedIn : 'sign-in-refused' })
    if (ended === undefined) return
    if (ended.subject !== found.subject) await recordSignOut(core, ended, 'another person signed in')
    await releaseWorkOf(core, [ended])
  })
  return fresh
}

function sessionOf(core: Core, token: string, found: Found, now: number) {
  const endsAt = now + deskSessionLife.absoluteMs
  const { issuer, subject, name, roles, authenticatedAgoMs } = found
  return {
    token_hash: hashOf(token),
    issuer,
    subject,
    sid: found.sid ?? null,
    name,
    roles: storedRoles(roles),
    id_token: idTokenSeal(core).seal(found.idToken),
    // Without `auth_time` a sign-in does not count as recent.
    authenticated_at: authenticatedAgoMs === undefined ? 0 : now - authenticatedAgoMs,
    created_at: now,
    last_seen_at: now,
    idle_until: idleLimit(now, endsAt),
    ends_at: endsAt,
  }
}

const recordSignOut = (core: Core, session: SessionRow, reason?: string) =>
  recordAct(core, { by: staffActor(personOf(session)), kind: 'signed-out', reason })

const flowSeal = (core: Core) => createSeal(deskProvider(core).secret, 'sign-in at the desk')

const idTokenSeal = (core: Core) => createSeal(deskProvider(core).secret, 'ID tokens of the desk')

function openFlow(core: Core, sealed: string | undefined): Flow | undefined {
  const opened = sealed === undefined ? undefined : flowSeal(core).open(sealed)
  const flow = opened === undefined ? undefined : (JSON.parse(opened) as Flow)
  return flow !== undefined && core.clock.now() < flow.endsAt ? flow : undefined
}

function pageOfProblem({ log }: Core, next: string, error: unknown, requestId: string): Step {
  if (!(error instanceof IdentityProblem)) throw error
  log.warn({ event: 'desk.sign-in-failed', fault: error.fault, requestId, reason: error.reason })
  return { location: withOutcome(next, error.fault, requestId) }
}
