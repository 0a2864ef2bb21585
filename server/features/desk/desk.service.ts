import type { Core } from '#server/core.ts'
import { recordAct, staffActor } from '#server/features/history/acts.ts'
import type { WorkService } from '#server/features/work/work.service.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import type { Seal } from '#server/platform/seal.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn, storedRoles } from '#server/platform/staff-roles.ts'
import { deskErrors } from '#shared/desk/desk.errors.ts'
import type { StaffSession } from '#shared/desk/desk.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import {
  chooseSlot,
  deskSessionLife,
  deskTouchMs,
  flowLifeMs,
  idleLimit,
  nextPage,
  outcomeOfError,
  rolesOf,
  withOutcome,
} from './desk.rules.ts'
import type { DeskSessionRow, DeskStore } from './desk.store.ts'
import type { Challenge, Identity, IdentityProvider } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'

export interface DeskDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: DeskStore
  readonly identity: IdentityProvider
  readonly work: Pick<WorkService, 'free'>
  readonly issuer: string
  /** What the provider calls each role. */
  readonly roleNames: Readonly<Record<StaffRole, string>>
  /** Of what a browser keeps while its person is at the provider. */
  readonly flows: Seal
  /** Of ID tokens in the database. */
  readonly idTokens: Seal
  /** Where the provider sends the browser after a sign-out. */
  readonly deskUrl: string
}

/** What a browser keeps while its person is at the provider; nothing is stored for a visitor. */
interface Flow extends Challenge {
  readonly next: string
  /** Who has to sign in again; undefined for a first sign-in. */
  readonly subject: string | undefined
  readonly endsAt: number
}

/** A step of the sign-in: where the browser goes. */
interface Step {
  readonly location: string
}

interface Beginning {
  readonly next: unknown
  readonly again: boolean
  readonly language: LanguageCode
  readonly taken?: readonly string[]
}

interface Begun extends Step {
  readonly flow?: { readonly state: string; readonly slot: string; readonly sealed: string }
}

interface Finished extends Step {
  /** The cookie of the desk from now on; null: none. Undefined: as it was. */
  readonly session?: { readonly token: string; readonly lifeMs: number } | null
}

export interface Asking {
  /** The desk's cookie. */
  readonly token: string | undefined
  readonly requestId: string
  /** The client's. */
  readonly address: string
}

/** The limit is for an office, whose people share an address. A callback without a flow of its browser does not count. */
const callbacksPerAddress = [{ count: 200, windowMs: 10 * 60_000 }]

export type DeskService = ReturnType<typeof createDesk>

/** Sign-in of staff at the company's identity provider, and their sessions. */
export function createDesk(deps: DeskDeps) {
  const { store, identity, clock, log, database } = deps
  const callbacks = createCallLimit<string>(callbacksPerAddress, clock)

  const find = async (token: string | undefined, now: number): Promise<DeskSessionRow | undefined> => {
    if (!isToken(token)) return undefined
    const session = await store.findSession(hashOf(token), now)
    // Of a provider that is not asked any more.
    return session && isSameUrl(session.issuer, deps.issuer) ? session : undefined
  }

  /** Extends the idle limit, at most once per `deskTouchMs`. */
  async function touch(session: DeskSessionRow, now: number): Promise<void> {
    if (now - session.last_seen_at < deskTouchMs) return
    // A database that takes no writes must not stop reads; a later request extends the limit.
    await store
      .touchSession(session.token_hash, now, idleLimit(now, session.ends_at))
      .catch((error: unknown) => log.warn({ event: 'desk.touch-failed', err: error }))
  }

  /** The page that the browser goes to, and what it says there. */
  function explain(next: string, error: unknown, requestId: string): Step {
    if (!(error instanceof IdentityProblem)) throw error
    log.warn({ event: 'desk.sign-in-failed', fault: error.fault, requestId, reason: error.reason })
    return { location: withOutcome(next, error.fault, requestId) }
  }

  function openFlow(sealed: string | undefined): Flow | undefined {
    const opened = sealed === undefined ? undefined : deps.flows.open(sealed)
    const flow = opened === undefined ? undefined : (JSON.parse(opened) as Flow)
    return flow !== undefined && clock.now() < flow.endsAt ? flow : undefined
  }

  /** Inside the transaction that ended sessions: a person who has no other gives back what they had taken. */
  async function leave(rows: readonly DeskSessionRow[], now: number): Promise<void> {
    for (const row of rows) if (!(await store.isSignedIn(row, now))) await deps.work.free(personOf(row))
  }

  const recordSignOut = (session: DeskSessionRow, reason?: string) =>
    recordAct({ database }, { by: staffActor(personOf(session)), kind: 'signed-out', reason })

  /** Ends the session that the browser had, and begins one, in one transaction. */
  async function replaceSession(
    token: string | undefined,
    found: Identity,
    roles: readonly StaffRole[],
    again: boolean,
  ): Promise<string> {
    const fresh = randomToken()
    const now = clock.now()
    const endsAt = now + deskSessionLife.absoluteMs
    const { issuer, subject, name } = found
    await database.transaction(async () => {
      // The session of before, if there is one, ended by itself.
      await leave(await store.endIdle({ issuer, subject }, now), now)
      const ended = isToken(token) ? await store.endSession(hashOf(token)) : undefined
      if (roles.length > 0)
        await store.addSession({
          token_hash: hashOf(fresh),
          issuer,
          subject,
          sid: found.sid ?? null,
          name,
          roles: storedRoles(roles),
          id_token: deps.idTokens.seal(found.idToken),
          authenticated_at: authenticatedAt(found, now),
          created_at: now,
          last_seen_at: now,
          idle_until: idleLimit(now, endsAt),
          ends_at: endsAt,
        })
      const kind = roles.length === 0 ? 'sign-in-refused' : again ? 'signed-in-again' : 'signed-in'
      await recordAct({ database }, { by: staffActor({ issuer, subject, name, roles }), kind })
      if (ended !== undefined && ended.subject !== subject)
        await recordSignOut(ended, 'another person signed in')
      if (ended) await leave([ended], now)
    })
    return fresh
  }

  return {
    /**
     * The way to the provider. `again`: the person proves anew who they are, and comes back as the same one.
     * @param taken slots of the sign-ins that the browser has begun
     */
    async beginSignIn(
      { next: asked, again, language, taken = [] }: Beginning,
      { token, requestId }: Pick<Asking, 'token' | 'requestId'>,
    ): Promise<Begun> {
      const next = nextPage(asked)
      const made = identity.createChallenge(again)
      const slot = chooseSlot(made.state, taken)
      const challenge = { ...made, state: `${slot}${made.state}` }
      try {
        const location = await identity.signInUrl(challenge, language)
        const session = again ? await find(token, clock.now()) : undefined
        const flow: Flow = {
          ...challenge,
          next,
          subject: session?.subject,
          endsAt: clock.now() + flowLifeMs,
        }
        const sealed = deps.flows.seal(JSON.stringify(flow))
        return { location, flow: { state: flow.state, slot, sealed } }
      } catch (error) {
        return explain(next, error, requestId)
      }
    },

    /**
     * The person is back from the provider.
     * @param query of the address, and `sealed`, the cookie of the flow that its state names
     * @throws Failure TOO_MANY_CALLS
     */
    async finishSignIn(
      { query, sealed }: { query: string; sealed: string | undefined },
      { token, requestId, address }: Asking,
    ): Promise<Finished> {
      const flow = openFlow(sealed)
      const answer = new URLSearchParams(query)
      if (flow === undefined || answer.get('state') !== flow.state)
        return { location: withOutcome(flow?.next ?? nextPage(undefined), 'expired', requestId) }
      countCall(callbacks, address)
      const { next, again, subject } = flow
      const error = answer.get('error')
      if (error !== null) {
        log.info({ event: 'desk.sign-in-denied', error: error.slice(0, 60), requestId })
        return { location: withOutcome(next, outcomeOfError(error), requestId) }
      }
      let found: Identity
      try {
        found = await identity.identify(`?${query}`, flow)
      } catch (problem) {
        return explain(next, problem, requestId)
      }
      const roles = rolesOf(found.roles, deps.roleNames)
      const fresh = await replaceSession(token, found, roles, again)
      log.info({ event: 'desk.signed-in', staff: found.subject, roles, again })
      if (roles.length === 0)
        log.warn({ event: 'desk.no-role', staff: found.subject, seen: found.rolesSeen, requestId })
      if (roles.length === 0) return { location: withOutcome(next, 'no-right', requestId), session: null }
      const session = { token: fresh, lifeMs: deskSessionLife.absoluteMs }
      const isOther = subject !== undefined && subject !== found.subject
      return { location: isOther ? withOutcome(next, 'other-person', requestId) : next, session }
    },

    /** Ends the session, if there is one; returns the page that ends the provider's. */
    async signOut(token: string | undefined): Promise<string | null> {
      if (!isToken(token)) return null
      const ended = await database.transaction(async () => {
        const session = await store.endSession(hashOf(token))
        if (session) await recordSignOut(session)
        if (session) await leave([session], clock.now())
        return session
      })
      if (!ended) return null
      log.info({ event: 'desk.signed-out', staff: ended.subject })
      const url = await identity
        .endSessionUrl(deps.idTokens.open(ended.id_token), deps.deskUrl)
        .catch((error: unknown) => {
          log.warn({ event: 'desk.sign-out-incomplete', reason: String(error) })
          return undefined
        })
      return url ?? null
    },

    /**
     * Ends the sessions that a log-out token of the provider names.
     * @throws Failure LOGOUT_TOKEN_REFUSED, also for one that was accepted before; IDENTITY_UNAVAILABLE
     */
    async endByProvider(logoutToken: string): Promise<void> {
      const ended = await identity.readLogoutToken(logoutToken).catch((error: unknown) => {
        if (!(error instanceof IdentityProblem)) throw error
        const code = error.fault === 'away' ? 'IDENTITY_UNAVAILABLE' : 'LOGOUT_TOKEN_REFUSED'
        throw failure(deskErrors, code, { cause: error.reason })
      })
      const sessions = await database.transaction(async () => {
        const tokenHash = hashOf(`${ended.issuer} ${ended.tokenId}`)
        if (!(await store.addLogout(tokenHash, clock.now())))
          throw failure(deskErrors, 'LOGOUT_TOKEN_REFUSED')
        const rows = await store.endSessions(ended)
        for (const row of rows) await recordSignOut(row, 'by the identity provider')
        await leave(rows, clock.now())
        return rows
      })
      log.info({ event: 'desk.ended-by-provider', sessions: sessions.length })
    },

    /** Ends some sessions that were not used for too long; tells whether there may be more. */
    async endIdle(limit: number): Promise<{ rows: number; more: boolean }> {
      const now = clock.now()
      const ended = await database.transaction(async () => {
        const rows = await store.endIdleSessions(now, limit)
        await leave(rows, now)
        return rows.length
      })
      return { rows: ended, more: ended === limit }
    },

    /** The signed-in person. `quietly`: no use of the session. */
    async findStaff(token: string | undefined, { quietly = false } = {}): Promise<Staff | undefined> {
      const now = clock.now()
      const session = await find(token, now)
      if (!session) return undefined
      if (!quietly) await touch(session, now)
      const { issuer, subject, name, authenticated_at: authenticatedAt } = session
      return { role: 'staff', issuer, subject, name, roles: rolesIn(session.roles), authenticatedAt }
    },

    /** The session as its person sees it. Not a use of it. */
    async readSession(token: string | undefined): Promise<StaffSession | undefined> {
      const session = await find(token, clock.now())
      return (
        session && {
          name: session.name,
          roles: rolesIn(session.roles),
          idleUntil: isoOf(session.idle_until),
          endsAt: isoOf(session.ends_at),
        }
      )
    },

    /** Whether a person has proven who they are recently enough for money to move. */
    isRecent: (staff: Pick<Staff, 'authenticatedAt'>): boolean => isRecentSignIn(staff, clock.now()),
  }
}

/** Without `auth_time` the person has never proven who they are, as far as the desk knows. */
const authenticatedAt = ({ authenticatedAgoMs }: Identity, now: number) =>
  authenticatedAgoMs === undefined ? 0 : now - authenticatedAgoMs

const isSameUrl = (one: string, other: string) => new URL(one).href === new URL(other).href

const personOf = ({ issuer, subject, name, roles }: DeskSessionRow) => ({
  issuer,
  subject,
  name,
  roles: rolesIn(roles),
})
