import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { Browser, CodeProof, OtpService } from '#server/features/otp/otp.service.ts'
import { truncatedAddress } from '#server/platform/address.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { deviceLabel } from './devices.rules.ts'
import type { NumberChanges } from './number-changes.service.ts'
import { acceptedName, idleLimit, type Role, userOf } from './sessions.rules.ts'
import type { SessionsStore } from './sessions.store.ts'

/** An agent in the partner's directory. */
export interface DirectoryEntry {
  readonly partnerAgentId: string
  readonly name: string
  readonly phone: string
}

/** The browser that signs in, and its current session. */
export interface SessionBrowser extends Browser {
  readonly session: string | undefined
  /** Reduced to two words before it is stored. */
  readonly userAgent?: string | undefined
  /** The language of the page. */
  readonly language?: LanguageCode | undefined
}

export interface SignInDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: SessionsStore
  readonly otp: Pick<
    OtpService,
    'checkCode' | 'redeemProof' | 'exportCodes' | 'eraseUserPhone' | 'eraseUserEmails' | 'deleteExpired'
  >
  readonly numbers: Pick<NumberChanges, 'findDue' | 'take' | 'cancel' | 'replace' | 'findLast' | 'deleteOf'>
  /** The partner's agent with this phone (E.164). @throws Failure when the directory is not available. */
  readonly findAgentByPhone: (phone: string) => Promise<DirectoryEntry | undefined>
  /** Whether messages about bags are sent, so that a user can choose. */
  readonly offersMessages?: boolean
  /** Whether users can have an address. */
  readonly offersEmail?: boolean
}

/** A new session's cookie value and life. */
export interface OpenedSession {
  readonly token: string
  readonly lifeMs: number
}

/** The refusal of a wrong code, also of a right one that cannot sign in: the answer must not reveal the difference. */
const wrongCode = () =>
  failure(sessionsErrors, 'CODE_INVALID', {
    fields: [{ field: 'code', text: sessionsErrors.CODE_INVALID.text }],
  })

function logSignIn({ role, phone }: CodeProof, { log, address }: Browser, details: object): void {
  const shown = { role, phone: maskedPhone(phone), address: truncatedAddress(address) }
  log.info({ event: 'sign-in.done', ...shown, ...details })
}

export function createSignIn(deps: SignInDeps) {
  const { store, otp, clock, numbers } = deps

  async function openSession(role: Role, subjectId: number, browser: SessionBrowser): Promise<OpenedSession> {
    const now = clock.now()
    const token = randomToken()
    const endsAt = now + sessionLife[role].absoluteMs
    // One session per browser: a new sign-in ends the former session.
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

  /** Redeems the proof and opens the session in one transaction, so that one code opens one session. */
  function redeem<T extends { id: number }>(
    proof: CodeProof,
    browser: SessionBrowser,
    ensure: () => Promise<T>,
  ): Promise<{ subject: T; session: OpenedSession; device: string }> {
    return deps.database.transaction(async () => {
      const device = await otp.redeemProof(proof, browser)
      const subject = await ensure()
      return { subject, device, session: await openSession(proof.role, subject.id, browser) }
    })
  }

  return {
    /** Inside a transaction: opens a session in place of the browser's former one. */
    openSession,

    /**
     * @throws Failure SIGN_UP_REQUIRED (the phone is proven, a name is missing), NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, and as
     * `OtpService.checkCode`.
     */
    async signInUser(
      input: { phone: string; code: string; name: string | undefined },
      browser: SessionBrowser,
    ): Promise<{ user: User; session: OpenedSession; device: string }> {
      // Before the code is compared, so that an invalid name costs no try.
      const name = input.name === undefined ? undefined : acceptedName(input.name)
      const proof = await otp.checkCode('user', input.phone, input.code, browser)
      const known = await store.findUserByPhone(proof.phone)
      const moving = known ? undefined : await numbers.findDue(proof.phone)
      if (!known && !moving && !name)
        throw failure(sessionsErrors, 'SIGN_UP_REQUIRED', {
          fields: [{ field: 'name', text: sessionsErrors.NAME_REQUIRED.text }],
        })
      const ensure = () => {
        // Locked, so that no session is opened for an account that is being deleted.
        if (known) return store.lockUser(known.id)
        if (moving) return numbers.take(moving, proof.phone)
        return store.ensureUser(proof.phone, name ?? '', clock.now(), browser.language)
      }
      const { subject, session, device } = await redeem(proof, browser, async () => {
        const user = await ensure()
        // Deleted meanwhile, or given another number.
        if (user?.phone !== proof.phone) throw wrongCode()
        // The old number still receives codes.
        if (known) await numbers.cancel(user.id)
        if (browser.language && browser.language !== user.language)
          await store.setLanguage(user.id, browser.language)
        if (user.sms_refused !== null) await store.allowSms(user.id)
        return user
      })
      logSignIn(proof, browser, { userId: subject.id, isNew: !known && !moving })
      return { user: userOf(subject), session, device }
    },

    /** @throws Failure as `OtpService.checkCode`, and CODE_INVALID for a phone that is no agent's. */
    async signInAgent(
      input: { phone: string; code: string },
      browser: SessionBrowser,
    ): Promise<{ agent: Agent; session: OpenedSession; device: string; handle: string }> {
      const proof = await otp.checkCode('agent', input.phone, input.code, browser)
      const entry = await deps.findAgentByPhone(proof.phone)
      if (!entry) throw wrongCode()
      const { subject, session, device } = await redeem(proof, browser, async () => {
        // The entry may have had another phone before: its sessions end.
        await store.endSessionsOfFormer(entry.partnerAgentId, entry.phone)
        return store.ensureAgent(entry, clock.now())
      })
      logSignIn(proof, browser, { agentId: subject.id })
      // The handle authorises nothing: it tells the app at start-up that an agent was signed in (spec §3, §4).
      return { agent: userOf(subject), session, device, handle: randomToken() }
    },
  }
}
