import type { Core } from '#server/core.ts'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf, randomSecret } from '#server/platform/secrets.ts'
import type { Principal, SessionScope } from '#server/platform/session-scope.ts'
import { cookieAttributes, cookieName, isSecure } from '#shared/platform/cookie-name.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type {
  Agent,
  CodeExport,
  NumberChangeExport,
  OwnUser,
  SessionView,
  User,
} from '#shared/sessions/sessions.schemas.ts'
import { type ConfirmationsDeps, createConfirmations } from './confirmations.service.ts'
import type { NumberChangeRow } from './number-changes.store.ts'
import { acceptedName, idleLimit, sessionTouchMs, userOf } from './sessions.rules.ts'
import type { SessionRow, SessionsStore, UserRow } from './sessions.store.ts'
import { createSignIn, type SessionBrowser, type SignInDeps } from './sign-in.service.ts'

/** What is stored of a user beside the sessions. `signedUpAt` is ISO 8601. */
export interface UserExport {
  readonly name: string
  readonly phone: string
  readonly signedUpAt: string
  readonly language: string | null
  readonly messages: boolean
  readonly email: string | null
  /** Numbers that the account had before, newest first. */
  readonly formerPhones: readonly { readonly phone: string; readonly until: string }[]
  /** The last change of number that the desk approved. */
  readonly numberChange: NumberChangeExport | null
  readonly codes: readonly CodeExport[]
}

/** Sessions beyond these are not listed; logging out everywhere ends them too. */
const listedSessions = 100
/** A code to an address is valid for ten minutes, and the confirmation that follows for five. */
const confirmationsKeptMs = 15 * 60_000
/** Rows of each kind that one statement deletes. */
const deletedAtOnce = 100

/** Other features import this file alone. */
export type { NumberChangeFacts, NumberChanges } from './number-changes.service.ts'

export type SessionsService = ReturnType<typeof createSessions>

export function createSessions(deps: SignInDeps & ConfirmationsDeps) {
  const { store, otp, clock, log } = deps
  const confirmations = createConfirmations(deps)

  /** Extends the idle limit, at most once per `sessionTouchMs`: a write is the costliest part of most requests. */
  async function touch(
    session: Pick<SessionRow, 'token_hash' | 'role' | 'last_seen_at' | 'ends_at'>,
    now: number,
  ): Promise<void> {
    if (now - session.last_seen_at < sessionTouchMs) return
    const idleUntil = idleLimit(session.role, now, session.ends_at)
    // A database that takes no writes must not stop reads; a later request extends the limit.
    await store
      .touchSession(session.token_hash, now, idleUntil)
      .catch((error: unknown) => log.warn({ event: 'sessions.touch-failed', err: error }))
  }

  /** The fields that a user sees of the own account. */
  const ownUserOf = (row: Pick<UserRow, 'id' | 'name' | 'phone' | 'messages' | 'email'>): OwnUser => ({
    ...userOf(row),
    ...(deps.offersMessages ? { messages: row.messages === 1 } : {}),
    ...(deps.offersEmail ? { email: row.email } : {}),
  })

  /** A database that takes no writes must not stop reads; the next visit stores it. */
  const keepLanguage = (id: number, language: LanguageCode) =>
    store
      .setLanguage(id, language)
      .catch((error: unknown) => log.warn({ event: 'sessions.language-failed', err: error }))

  /** Numbers that the account had before, newest first. */
  async function listFormerPhones(userId: number): Promise<UserExport['formerPhones']> {
    const events = await listEvents(deps, 'user_id', [userId])
    return events.toReversed().flatMap((event) => {
      const phone = event.kind === 'account-changed' ? event.data.personal?.phone : undefined
      return phone === undefined ? [] : { phone, until: isoOf(event.at) }
    })
  }

  return {
    ...createSignIn(deps),
    confirmations,
    ownUserOf,

    /** The principal of a session token. Extends the idle limit. */
    async findPrincipal(token: string | undefined): Promise<Principal | undefined> {
      if (!token) return undefined
      const now = clock.now()
      const session = await store.findSession(hashOf(token), now)
      if (!session) return undefined
      await touch(session, now)
      if (session.role === 'user') return { role: 'user', userId: session.subject_id }
      const { subject_id: agentId, agent_phone: phone, partner_agent_id: partnerAgentId } = session
      if (phone === null || partnerAgentId === null) return undefined
      // Looked up with every request, which is cheap in memory: an agent who left the directory or whose phone changed
      // there is signed out as soon as the list is refreshed.
      const entry = await deps.findAgentByPhone(phone)
      if (entry?.partnerAgentId !== partnerAgentId) {
        await store.endSessionsOf('agent', agentId)
        log.warn({ event: 'sessions.agent-left', agentId })
        return undefined
      }
      return { role: 'agent', agentId, partnerAgentId }
    },

    /** The user of a session token. Extends the idle limit, and stores the chosen language, in which messages are written. */
    async findSignedInUser(token: string | undefined, language?: LanguageCode): Promise<OwnUser | undefined> {
      if (!token) return undefined
      const now = clock.now()
      const session = await store.findUserSession(hashOf(token), now)
      if (!session) return undefined
      await touch(session, now)
      if (language && session.language !== language) await keepLanguage(session.id, language)
      return ownUserOf(session)
    },

    /** @throws Failure NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NOT_SIGNED_IN (deleted meanwhile). */
    async updateUser(
      id: number,
      { name, messages }: { readonly name?: string; readonly messages?: boolean },
    ): Promise<OwnUser> {
      const change = {
        ...(name === undefined ? {} : { name: acceptedName(name) }),
        ...(messages === undefined ? {} : { messages: messages ? (1 as const) : (0 as const) }),
      }
      const user = await deps.database.transaction(async () => {
        if (change.name !== undefined && (await store.renameUser(id, change.name)))
          await recordEvent(deps, {
            kind: 'account-changed',
            data: { change: 'name' },
            by: { kind: 'owner' },
            userId: id,
          })
        return store.updateUser(id, change)
      })
      if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      if (name !== undefined) log.info({ event: 'sessions.renamed', userId: id })
      if (messages !== undefined) log.info({ event: 'sessions.messages-switched', userId: id, messages })
      return ownUserOf(user)
    },

    async findAgent(id: number): Promise<Agent | undefined> {
      const agent = await store.findAgent(id)
      return agent && userOf(agent)
    },

    /** Ends the session, if there is one. */
    async logOut(token: string | undefined): Promise<void> {
      if (!token) return
      const session = await store.findSession(hashOf(token), clock.now())
      await store.endSession(hashOf(token))
      if (session) log.info({ event: 'sessions.logged-out', role: session.role, subject: session.subject_id })
    },

    /** Ends every session of the principal, in all browsers. */
    async logOutEverywhere(principal: Principal): Promise<void> {
      const ended = await store.endSessionsOf(principal.role, subjectOf(principal))
      log.info({
        event: 'sessions.ended-everywhere',
        role: principal.role,
        subject: subjectOf(principal),
        ended,
      })
    },

    /** Ends every session of a user; returns how many. */
    endSessionsOfUser: (userId: number): Promise<number> => store.endSessionsOf('user', userId),

    /** Ends every session of users and agents that began until then, piece by piece; returns how many. */
    async endAllSessions(begunUntil: number): Promise<number> {
      let ended = 0
      for (;;) {
        const rows = await store.deleteBegun(begunUntil, deletedAtOnce)
        ended += rows
        if (rows === 0) break
      }
      log.warn({ event: 'sessions.all-ended', ended })
      return ended
    },

    /** The principal's live sessions, last used first; `token` marks the current one. */
    async listSessions(principal: Principal, token: string | undefined): Promise<SessionView[]> {
      const rows = await store.listSessions(principal.role, subjectOf(principal), clock.now(), listedSessions)
      const current = token && hashOf(token)
      return rows.map((row) => ({
        id: row.id,
        createdAt: isoOf(row.created_at),
        lastSeenAt: isoOf(row.last_seen_at),
        device: row.device || null,
        isCurrent: row.token_hash === current,
      }))
    },

    /**
     * Ends one of the principal's sessions; returns whether it was the current one. A user confirms the end of another one.
     * @throws Failure CONFIRMATION_REQUIRED, and SESSION_NOT_FOUND, also for a session of another principal.
     */
    async endSession(principal: Principal, id: string, browser: SessionBrowser): Promise<boolean> {
      const current = browser.session && (await store.findSession(hashOf(browser.session), clock.now()))
      const isCurrent = current ? current.id === id : false
      const end = async () => {
        if (!(await store.endSessionOf(principal.role, subjectOf(principal), id)))
          throw failure(sessionsErrors, 'SESSION_NOT_FOUND')
      }
      await (isCurrent || principal.role === 'agent' ? end() : confirmations.using('session', browser, end))
      log.info({ event: 'sessions.ended', role: principal.role, subject: subjectOf(principal) })
      return isCurrent
    },

    /** What is stored of a user here, for the account export. */
    async exportUser(userId: number): Promise<UserExport | undefined> {
      const [user] = await store.findUsers([userId])
      return (
        user && {
          name: user.name,
          phone: user.phone,
          signedUpAt: isoOf(user.created_at),
          language: user.language,
          messages: user.messages === 1,
          email: user.email,
          formerPhones: await listFormerPhones(userId),
          numberChange: numberChangeOf(await deps.numbers.findLast(userId)),
          codes: await otp.exportCodes(user),
        }
      )
    },

    /**
     * Inside a transaction: removes name and phone of a user, ends all sessions and erases the codes. The id stays, because
     * orders refer to it; the phone can sign up again. `false` when there is no such user.
     */
    async deleteUser(userId: number): Promise<boolean> {
      deps.database.assertTransaction()
      const [user] = await store.findUsers([userId])
      if (!user || !(await store.deleteUser(userId, user.phone, clock.now()))) return false
      await store.endSessionsOf('user', userId)
      await deps.numbers.deleteOf(userId)
      await store.deleteEmailStops(userId)
      await otp.eraseUserPhone(user.phone)
      await otp.eraseUserEmails(userId, user.email)
      return true
    },

    /** Deletes one batch of expired rows. */
    async deleteExpired(): Promise<{ rows: number; more: boolean }> {
      const now = clock.now()
      const rows =
        (await store.deleteExpired(now, deletedAtOnce)) +
        (await store.deleteConfirmations(now - confirmationsKeptMs, deletedAtOnce)) +
        (await store.deleteEndedStops(now, deletedAtOnce)) +
        (await otp.deleteExpired(deletedAtOnce))
      return { rows, more: rows > 0 }
    },
  }
}

function numberChangeOf(change: NumberChangeRow | undefined): NumberChangeExport | null {
  if (!change) return null
  return {
    phone: change.phone,
    approvedAt: isoOf(change.approved_at),
    takesFrom: isoOf(change.takes_from),
    state: change.state,
  }
}

/** Id of the principal within its role. */
function subjectOf(principal: Principal): number {
  return principal.role === 'user' ? principal.userId : principal.agentId
}

/** Names of the cookies of sign-in. */
export interface SessionCookies {
  readonly session: string
  readonly binding: string
  /** Marks a browser that has signed in before; it authorises nothing. */
  readonly device: string
  readonly secure: boolean
}

export function sessionCookiesFor(publicUrl: string): SessionCookies {
  const name = (what: string) => cookieName(publicUrl, what)
  return {
    session: name('session'),
    binding: name('browser'),
    device: name('device'),
    secure: isSecure(publicUrl),
  }
}

export function sessionScope(sessions: SessionsService, cookies: SessionCookies): SessionScope {
  return {
    principalOf: (request) => sessions.findPrincipal(request.cookies[cookies.session]),
    refusal: (reason) => failure(sessionsErrors, reason === 'not-signed-in' ? 'NOT_SIGNED_IN' : 'WRONG_ROLE'),
    tokenOf: (request) => request.cookies[cookies.session],
    clearCookies(reply) {
      for (const name of [cookies.session, cookies.binding, cookies.device])
        reply.clearCookie(name, cookieAttributes(cookies))
    },
  }
}

export type UsersService = ReturnType<typeof createUsers>

/** Pilgrims, as the features know them that do not sign them in. */
export function createUsers({ database, store }: Pick<Core, 'database'> & { readonly store: SessionsStore }) {
  return {
    async findUser(id: number): Promise<User | undefined> {
      const [user] = await store.findUsers([id])
      return user && userOf(user)
    },

    async findUsers(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
      const users = await store.findUsers([...new Set(ids)])
      return new Map(users.map((user) => [user.id, userOf(user)]))
    },

    /** @param phone E.164 */
    async findIdByPhone(phone: string): Promise<number | undefined> {
      return (await store.findUserByPhone(phone))?.id
    },

    /** Inside a transaction: a user who cannot be deleted before it ends. */
    async lockUser(id: number): Promise<User | undefined> {
      const user = await store.lockUser(id)
      return user && userOf(user)
    },

    /** A user as the receiver of messages; undefined when deleted or unknown. */
    async findRecipient(id: number) {
      const [user] = await store.findUsers([id])
      return user && recipientOf(user)
    },

    /** Whose number that is; undefined for a number without an account. */
    async findRecipientByPhone(phone: string) {
      const user = await store.findUserByPhone(phone)
      return user && recipientOf(user)
    },

    /** The phone of the user gets no messages by SMS. */
    refuseSms: store.refuseSms,

    /**
     * The secret of a link by which a mailbox refuses the account that has added it; undefined where the account no longer has
     * the address. @param addedAt when it was proven
     */
    async openEmailStop(userId: number, email: string, addedAt: number): Promise<string | undefined> {
      const [user] = await store.findUsers([userId])
      if (user?.email !== email) return undefined
      const token = randomSecret()
      await store.addEmailStop({
        token_hash: hashOf(token),
        user_id: userId,
        email,
        expires_at: addedAt + emailWaitMs,
      })
      return token
    },

    /** Inside a transaction: the address takes no letters, so the user has none from now on. */
    async dropEmail(id: number, email: string): Promise<void> {
      if (await store.removeEmail(id, { email }))
        await recordEvent(
          { database },
          {
            kind: 'account-changed',
            data: { change: 'email-removed' },
            by: { kind: 'system' },
            userId: id,
          },
        )
    },
  }
}

/** What messages to a user depend on. */
function recipientOf(user: UserRow) {
  return {
    name: user.name,
    phone: user.phone,
    /** That was proven; null without one. */
    email: user.email,
    /** As last seen in a browser of the user; null when never. */
    language: user.language,
    /** The user's own switch. */
    wantsMessages: user.messages === 1,
    /** The provider refuses SMS to the phone, or its owner does. */
    isSmsRefused: user.sms_refused !== null,
  }
}
