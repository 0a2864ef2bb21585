import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/logging.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import type { Caller } from '#server/platform/session-scope.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Agent, KeptCode, SessionView, User } from '#shared/sessions/sessions.schemas.ts'
import { type Browser, type CodeProof, type CodesService, wrongCode } from './codes.service.ts'
import { deviceLabel } from './devices.rules.ts'
import { type Audience, idleLimit, sessionLife, sessionTouchMs, tidyName } from './sessions.rules.ts'
import type { SessionsStore } from './sessions.store.ts'

/** An agent as the partner's directory knows them. */
export interface DirectoryEntry {
  readonly partnerAgentId: string
  readonly name: string
  readonly phone: string
}

export interface SessionsDeps {
  readonly database: Database
  readonly store: SessionsStore
  /** Sends codes and checks them. */
  readonly codes: CodesService
  /** Who of the partner's agents has this phone (E.164)? @throws Failure when the directory cannot be had. */
  readonly findAgentByPhone: (phone: string) => Promise<DirectoryEntry | undefined>
  readonly clock: Clock
  readonly log: Log
}

/** A new session's cookie value and life. */
export interface OpenedSession {
  readonly token: string
  readonly lifeMs: number
}

/** What is kept of a user beside the sessions. `signedUpAt` is ISO 8601. */
export interface KeptUser {
  readonly name: string
  readonly phone: string
  readonly signedUpAt: string
  readonly codes: readonly KeptCode[]
}

/** Nobody reads a longer list; logging out everywhere ends them all the same. */
const listedSessions = 100

export interface SessionsService {
  /** As the codes: the front door of the room is one. */
  sendCode: CodesService['sendCode']
  /** @throws Failure SIGN_UP_REQUIRED (the phone is proven, a name is missing), and as `CodesService.prove`. */
  signInUser(
    input: { phone: string; code: string; name: string | undefined },
    browser: Browser,
  ): Promise<{ user: User; session: OpenedSession; device: string }>
  /** @throws Failure as `CodesService.prove`, and CODE_INVALID for a phone that is no agent's. */
  signInAgent(
    input: { phone: string; code: string },
    browser: Browser,
  ): Promise<{ agent: Agent; session: OpenedSession; device: string; handle: string }>
  /** The caller behind a session token, or undefined. Moves the idle limit. */
  findCaller(token: string | undefined): Promise<Caller | undefined>
  findUser(id: number): Promise<User | undefined>
  findUsers(ids: readonly number[]): Promise<ReadonlyMap<number, User>>
  findAgent(id: number): Promise<Agent | undefined>
  /** A user who cannot be deleted before the transaction around it ends; undefined when there is none. */
  holdUser(id: number): Promise<User | undefined>
  /** Ends the session on the server; nothing happens where there is none. */
  logOut(token: string | undefined): Promise<void>
  /** Ends every session of the caller, in whatever browser. */
  logOutEverywhere(caller: Caller): Promise<void>
  /** The caller's live sessions, the last used first; `token` tells which of them asks. */
  listSessions(caller: Caller, token: string | undefined): Promise<SessionView[]>
  /**
   * Ends one of the caller's sessions; answers whether it was the one that asks.
   * @throws Failure SESSION_NOT_FOUND, also for a session of somebody else.
   */
  endSession(caller: Caller, id: string, token: string | undefined): Promise<boolean>
  /** What this room keeps of a user, for the file they take with them; undefined when there is no such user. */
  findKept(userId: number): Promise<KeptUser | undefined>
  /**
   * Inside a transaction: takes name and phone from a user, ends all their sessions and forgets their codes. The
   * number stays, for the orders that name it; the phone is free for somebody new. `false` when there is none.
   */
  deleteUser(userId: number): Promise<boolean>
  /** Deletes what has ended. */
  forget(): Promise<void>
}

export function createSessions(deps: SessionsDeps): SessionsService {
  const { store, codes, clock, log } = deps

  async function openSession(role: Audience, subjectId: number, browser: Browser): Promise<OpenedSession> {
    const now = clock.now()
    const token = randomToken()
    const endsAt = now + sessionLife[role].absoluteMs
    // One session per browser: whoever was signed in here is signed out by this.
    if (browser.session) await store.endSession(hashOf(browser.session))
    await store.addSession({
      token_hash: hashOf(token),
      id: randomUUID(),
      device: deviceLabel(browser.userAgent),
      role,
      subject_id: subjectId,
      created_at: now,
      last_seen_at: now,
      idle_until: idleLimit(role, now, endsAt),
      ends_at: endsAt,
    })
    return { token, lifeMs: sessionLife[role].absoluteMs }
  }

  /** Uses the proof up and opens the session in one step, so that one code opens one session. */
  function redeem<T extends { id: number }>(
    proof: CodeProof,
    browser: Browser,
    ensure: () => Promise<T>,
  ): Promise<{ subject: T; session: OpenedSession; device: string }> {
    return deps.database.transaction(async () => {
      const device = await codes.redeem(proof, browser)
      const subject = await ensure()
      return { subject, device, session: await openSession(proof.audience, subject.id, browser) }
    })
  }

  return {
    sendCode: codes.sendCode,

    async signInUser(input, browser) {
      const proof = await codes.prove('user', input.phone, input.code, browser)
      const name = tidyName(input.name)
      const known = await store.findUserByPhone(proof.phone)
      if (!known && !name)
        throw failure(sessionsErrors, 'SIGN_UP_REQUIRED', {
          fields: [{ field: 'name', text: sessionsErrors.NAME_REQUIRED.text }],
        })
      const { subject, session, device } = await redeem(proof, browser, async () => {
        if (!known) return store.ensureUser(proof.phone, name ?? '', clock.now())
        // Held, so that nobody signs in to an account that is being deleted.
        const held = await store.holdUser(known.id)
        if (!held) throw wrongCode()
        return held
      })
      codes.noteSignIn(proof, browser, { userId: subject.id, isNew: !known })
      return { user: { id: subject.id, name: subject.name, phone: subject.phone }, session, device }
    },

    async signInAgent(input, browser) {
      const proof = await codes.prove('agent', input.phone, input.code, browser)
      const entry = await deps.findAgentByPhone(proof.phone)
      if (!entry) throw wrongCode()
      const { subject, session, device } = await redeem(proof, browser, async () => {
        // Whoever had this place in the directory under another number has it no more.
        await store.endSessionsOfFormer(entry.partnerAgentId, entry.phone)
        return store.ensureAgent(entry, clock.now())
      })
      codes.noteSignIn(proof, browser, { agentId: subject.id })
      // The handle opens nothing: the browser keeps it to know at start-up that an agent was here.
      return {
        agent: { id: subject.id, name: subject.name, phone: subject.phone },
        session,
        device,
        handle: randomToken(),
      }
    },

    async findCaller(token) {
      if (!token) return undefined
      const now = clock.now()
      const session = await store.findSession(hashOf(token), now)
      if (!session) return undefined
      if (now - session.last_seen_at >= sessionTouchMs)
        await store.touchSession(session.token_hash, now, idleLimit(session.role, now, session.ends_at))
      if (session.role === 'user') return { role: 'user', userId: session.subject_id }
      const agent = await store.findAgent(session.subject_id)
      if (!agent) return undefined
      // Asked at every request, because the directory is in memory: an agent who has left it, or whose number is
      // another one there, is out as soon as the list has been fetched anew.
      const entry = await deps.findAgentByPhone(agent.phone)
      if (entry?.partnerAgentId !== agent.partner_agent_id) {
        await store.endSessionsOf('agent', agent.id)
        log.warn({ event: 'sessions.agent-left', agentId: agent.id })
        return undefined
      }
      return { role: 'agent', agentId: agent.id, partnerAgentId: agent.partner_agent_id }
    },

    async findUser(id) {
      const [user] = await store.findUsers([id])
      return user && { id: user.id, name: user.name, phone: user.phone }
    },

    async findUsers(ids) {
      const users = await store.findUsers([...new Set(ids)])
      return new Map(users.map(({ id, name, phone }) => [id, { id, name, phone }]))
    },

    async findAgent(id) {
      const agent = await store.findAgent(id)
      return agent && { id: agent.id, name: agent.name, phone: agent.phone }
    },

    async holdUser(id) {
      const user = await store.holdUser(id)
      return user && { id: user.id, name: user.name, phone: user.phone }
    },

    async logOut(token) {
      if (!token) return
      const session = await store.findSession(hashOf(token), clock.now())
      await store.endSession(hashOf(token))
      if (session) log.info({ event: 'sessions.logged-out', role: session.role, subject: session.subject_id })
    },

    async logOutEverywhere(caller) {
      const ended = await store.endSessionsOf(caller.role, subjectOf(caller))
      log.info({ event: 'sessions.ended-everywhere', role: caller.role, subject: subjectOf(caller), ended })
    },

    async listSessions(caller, token) {
      const rows = await store.listSessions(caller.role, subjectOf(caller), clock.now(), listedSessions)
      const current = token && hashOf(token)
      return rows.map((row) => ({
        id: row.id,
        createdAt: isoOf(row.created_at),
        lastSeenAt: isoOf(row.last_seen_at),
        device: row.device || null,
        isCurrent: row.token_hash === current,
      }))
    },

    async endSession(caller, id, token) {
      const asking = token && (await store.findSession(hashOf(token), clock.now()))
      if (!(await store.endSessionOf(caller.role, subjectOf(caller), id)))
        throw failure(sessionsErrors, 'SESSION_NOT_FOUND')
      log.info({ event: 'sessions.ended', role: caller.role, subject: subjectOf(caller) })
      return asking ? asking.id === id : false
    },

    async findKept(userId) {
      const [user] = await store.findUsers([userId])
      return (
        user && {
          name: user.name,
          phone: user.phone,
          signedUpAt: isoOf(user.created_at),
          codes: await codes.list(user.phone),
        }
      )
    },

    async deleteUser(userId) {
      const [user] = await store.findUsers([userId])
      if (!user || !(await store.deleteUser(userId, user.phone, clock.now()))) return false
      await store.endSessionsOf('user', userId)
      await codes.forgetPhone(user.phone)
      return true
    },

    async forget() {
      const rows = (await store.forget(clock.now() - sessionLife.user.idleMs)) + (await codes.forget())
      if (rows > 0) log.info({ event: 'sessions.forgotten', rows })
    },
  }
}

/** Whose sessions they are, within the caller's role. */
function subjectOf(caller: Caller): number {
  return caller.role === 'user' ? caller.userId : caller.agentId
}
