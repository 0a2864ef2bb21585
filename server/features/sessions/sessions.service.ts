import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { type Log, maskedPhone } from '#server/platform/logging.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { Caller } from '#server/platform/session-scope.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import type { OtpGateway } from './sessions.gateway.ts'
import {
  type Audience,
  canonicalCode,
  challengeRules,
  idleLimit,
  secondsUntil,
  sessionLife,
  sessionTouchMs,
  tidyName,
} from './sessions.rules.ts'
import type { ChallengeRow, SessionsStore } from './sessions.store.ts'

/** An agent as the partner's directory knows them. */
export interface DirectoryEntry {
  readonly partnerAgentId: string
  readonly name: string
  readonly phone: string
}

export interface SessionsDeps {
  readonly database: Database
  readonly store: SessionsStore
  readonly otp: OtpGateway
  /** Who of the partner's agents has this phone (E.164)? @throws Failure when the directory cannot be had. */
  readonly findAgentByPhone: (phone: string) => Promise<DirectoryEntry | undefined>
  readonly clock: Clock
  readonly log: Log
  /** ISO codes of the countries that may sign in; all when undefined. */
  readonly allowedCountries: readonly string[] | undefined
}

/** The browser that talks: its binding cookie, and the session it holds now. Raw tokens, never stored. */
export interface Browser {
  readonly binding: string | undefined
  readonly session: string | undefined
}

export interface SentCode {
  /** Set as the browser's binding cookie. */
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
}

/** A new session's cookie value and life. */
export interface OpenedSession {
  readonly token: string
  readonly lifeMs: number
}

export interface SessionsService {
  /**
   * Sends a code, or answers how long the one just sent still holds when this browser asks again too soon.
   * @throws Failure PHONE_INVALID, CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES, OTP_UNAVAILABLE.
   */
  sendCode(
    audience: Audience,
    typedPhone: string,
    language: LanguageCode,
    browser: Browser,
  ): Promise<SentCode>
  /** @throws Failure CODE_INVALID, SIGN_UP_REQUIRED (the phone is proven, a name is missing), OTP_UNAVAILABLE. */
  signInUser(
    input: { phone: string; code: string; name: string | undefined },
    browser: Browser,
  ): Promise<{ user: User; session: OpenedSession }>
  /** @throws Failure CODE_INVALID, OTP_UNAVAILABLE. */
  signInAgent(
    input: { phone: string; code: string },
    browser: Browser,
  ): Promise<{ agent: Agent; session: OpenedSession; handle: string }>
  /** The caller behind a session token, or undefined. Moves the idle limit. */
  findCaller(token: string | undefined): Promise<Caller | undefined>
  findUser(id: number): Promise<User | undefined>
  findUsers(ids: readonly number[]): Promise<ReadonlyMap<number, User>>
  findAgent(id: number): Promise<Agent | undefined>
  /** Ends the session on the server; nothing happens where there is none. */
  logOut(token: string | undefined): Promise<void>
  /** Deletes what has ended. */
  forget(): Promise<void>
}

const wrongCode = () =>
  failure(sessionsErrors, 'CODE_INVALID', {
    fields: [{ field: 'code', text: sessionsErrors.CODE_INVALID.text }],
  })

export function createSessions(deps: SessionsDeps): SessionsService {
  const { store, otp, clock, log } = deps

  function phoneOf(typed: string): string {
    const phone = canonicalPhone(typed, deps.allowedCountries)
    if (!phone)
      throw failure(sessionsErrors, 'PHONE_INVALID', {
        fields: [{ field: 'phone', text: sessionsErrors.PHONE_INVALID.text }],
      })
    return phone
  }

  async function openSession(role: Audience, subjectId: number, browser: Browser): Promise<OpenedSession> {
    const now = clock.now()
    const token = randomToken()
    const endsAt = now + sessionLife[role].absoluteMs
    // One session per browser: whoever was signed in here is signed out by this.
    if (browser.session) await store.endSession(hashOf(browser.session))
    await store.addSession({
      token_hash: hashOf(token),
      role,
      subject_id: subjectId,
      created_at: now,
      last_seen_at: now,
      idle_until: idleLimit(role, now, endsAt),
      ends_at: endsAt,
    })
    return { token, lifeMs: sessionLife[role].absoluteMs }
  }

  /** A challenge of this browser whose code was right, now or within the last ten minutes. */
  async function proveCode(
    audience: Audience,
    phone: string,
    typedCode: string,
    browser: Browser,
  ): Promise<ChallengeRow> {
    if (!browser.binding) throw wrongCode()
    const live = await store.findChallenge(audience, phone, hashOf(browser.binding), clock.now())
    if (live?.state === 'proven') return live
    // Counted before the code is compared, so that parallel guesses cannot share one count.
    const counted = live && (await store.countCheck(live.id, challengeRules.maxChecks, clock.now()))
    if (!counted?.provider_ref) throw wrongCode()
    const verdict = await otp.check(counted.provider_ref, canonicalCode(typedCode), audience)
    if (verdict !== 'approved') {
      log.info({ event: 'sign-in.code-refused', audience, phone: maskedPhone(phone), verdict })
      throw wrongCode()
    }
    if (!(await store.prove(counted.id, clock.now() + challengeRules.provenMs))) throw wrongCode()
    return counted
  }

  /** Uses the challenge up and opens the session in one step, so that one code opens one session. */
  function redeem<T extends { id: number }>(
    role: Audience,
    challenge: ChallengeRow,
    browser: Browser,
    ensure: () => Promise<T>,
  ): Promise<{ subject: T; session: OpenedSession }> {
    return deps.database.transaction(async () => {
      if (!(await store.spend(challenge.id, clock.now()))) throw wrongCode()
      const subject = await ensure()
      return { subject, session: await openSession(role, subject.id, browser) }
    })
  }

  return {
    async sendCode(audience, typedPhone, language, browser) {
      const phone = phoneOf(typedPhone)
      const binding = isToken(browser.binding) ? browser.binding : randomToken()
      const entry = audience === 'agent' ? await deps.findAgentByPhone(phone) : undefined
      const now = clock.now()
      if (!(await store.claimSend(audience, phone, now, challengeRules.resendMs))) {
        const lastSent = (await store.findLastSend(audience, phone)) ?? now
        const resendInSeconds = secondsUntil(lastSent + challengeRules.resendMs, now)
        const live = await store.findChallenge(audience, phone, hashOf(binding), now)
        // The same browser asking twice (a double click, a closed dialog) already has its code.
        if (live?.state === 'sent' && live.checks < challengeRules.maxChecks)
          return { binding, expiresInSeconds: secondsUntil(live.expires_at, now), resendInSeconds }
        throw failure(sessionsErrors, 'CODE_REQUESTED_TOO_SOON', {
          values: { seconds: resendInSeconds },
          retryAfterSeconds: resendInSeconds,
        })
      }
      let providerRef: string | null = null
      // A stranger's phone gets the agent's answer and no SMS, so the screen tells nobody who is an agent.
      if (audience === 'user' || entry) {
        try {
          providerRef = await otp.send(phone, language, audience)
        } catch (error) {
          await store.releaseSend(audience, phone, now)
          throw error
        }
      }
      await store.addChallenge({
        audience,
        phone,
        browser_hash: hashOf(binding),
        provider_ref: providerRef,
        sent_at: now,
        expires_at: now + challengeRules.lifeMs,
      })
      log.info({ event: 'sign-in.code-sent', audience, phone: maskedPhone(phone) })
      return {
        binding,
        expiresInSeconds: challengeRules.lifeMs / 1000,
        resendInSeconds: challengeRules.resendMs / 1000,
      }
    },

    async signInUser(input, browser) {
      const phone = phoneOf(input.phone)
      const challenge = await proveCode('user', phone, input.code, browser)
      const name = tidyName(input.name)
      const known = await store.findUserByPhone(phone)
      if (!known && !name)
        throw failure(sessionsErrors, 'SIGN_UP_REQUIRED', {
          fields: [{ field: 'name', text: sessionsErrors.NAME_REQUIRED.text }],
        })
      const { subject, session } = await redeem('user', challenge, browser, () =>
        known ? Promise.resolve(known) : store.ensureUser(phone, name ?? '', clock.now()),
      )
      log.info({ event: 'sign-in.done', audience: 'user', userId: subject.id, isNew: !known })
      return { user: { id: subject.id, name: subject.name, phone: subject.phone }, session }
    },

    async signInAgent(input, browser) {
      const phone = phoneOf(input.phone)
      const challenge = await proveCode('agent', phone, input.code, browser)
      const entry = await deps.findAgentByPhone(phone)
      if (!entry) throw wrongCode()
      const { subject, session } = await redeem('agent', challenge, browser, () =>
        store.ensureAgent(entry, clock.now()),
      )
      log.info({ event: 'sign-in.done', audience: 'agent', agentId: subject.id })
      // The handle opens nothing: the browser keeps it to know at start-up that an agent was here.
      return {
        agent: { id: subject.id, name: subject.name, phone: subject.phone },
        session,
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
      return agent && { role: 'agent', agentId: agent.id, partnerAgentId: agent.partner_agent_id }
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

    async logOut(token) {
      if (token) await store.endSession(hashOf(token))
    },

    async forget() {
      const rows = await store.forget(clock.now() - sessionLife.user.idleMs)
      if (rows > 0) log.info({ event: 'sessions.forgotten', rows })
    },
  }
}
