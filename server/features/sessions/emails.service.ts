import type { Core } from '#server/core.ts'
import type { EventData } from '#server/features/history/history.kinds.ts'
import { type Actor, recordEvent } from '#server/features/history/history.ts'
import type { Effects } from '#server/features/history/outbox.ts'
import type {
  CodeProof,
  EmailProof,
  OtpService,
  SentCode,
  SentEmailCode,
} from '#server/features/otp/otp.service.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { readEmail } from '#shared/sessions/email-address.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { OwnUser, User } from '#shared/sessions/sessions.schemas.ts'
import type { NumberChanges } from './number-changes.service.ts'
import { userOf } from './sessions.rules.ts'
import type { SessionsService } from './sessions.service.ts'
import type { SessionsStore, UserRow } from './sessions.store.ts'
import type { OpenedSession, SessionBrowser } from './sign-in.service.ts'

export interface EmailsDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: SessionsStore
  readonly otp: OtpService
  readonly sessions: Pick<SessionsService, 'openSession' | 'ownUserOf' | 'confirmations'>
  readonly numbers: Pick<NumberChanges, 'replace'>
  /** Whether users can have an address. */
  readonly isOffered: boolean
  readonly allowedCountries: readonly string[] | undefined
}

export type EmailsService = ReturnType<typeof createEmails>

const refusal = (field: string, code: 'CODE_INVALID' | 'EMAIL_INVALID') =>
  failure(sessionsErrors, code, { fields: [{ field, text: sessionsErrors[code].text }] })

/** A refusal of one of two codes names its field. */
const inField =
  (field: 'emailCode' | 'phoneCode') =>
  (error: unknown): never => {
    if (!isFailure(error) || error.details.fields === undefined) throw error
    const fields = error.details.fields.map(({ text }) => ({ field, text }))
    throw failure(sessionsErrors, error.code as keyof typeof sessionsErrors, { ...error.details, fields })
  }

/** Addresses of users, and the new number of an account whose number is gone. */
export function createEmails(deps: EmailsDeps) {
  const { database, store, otp, sessions, clock, log } = deps

  function accepted(typed: string): string {
    const email = readEmail(typed)
    if (email === undefined) throw refusal('email', 'EMAIL_INVALID')
    return email
  }

  function demandOffer(): void {
    if (!deps.isOffered) throw failure(sessionsErrors, 'EMAIL_UNAVAILABLE')
  }

  const recordChange = (
    userId: number,
    data: EventData['account-changed'],
    effects: Pick<Effects, 'phone' | 'email'>,
    by: Actor = { kind: 'owner' },
  ) => recordEvent(deps, { kind: 'account-changed', data, by, userId }, effects)

  /** @throws Failure EMAIL_REFUSED while the account takes no address */
  function demandAcceptance({ email_refused_until: until }: UserRow): void {
    const waitMs = until - clock.now()
    if (waitMs <= 0) return
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const values = { wait: waitInWords(retryAfterSeconds) }
    throw failure(sessionsErrors, 'EMAIL_REFUSED', { values, retryAfterSeconds })
  }

  /** @throws Failure NOT_SIGNED_IN (deleted meanwhile) */
  async function userOfId(userId: number): Promise<UserRow> {
    const [user] = await store.findUsers([userId])
    if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    return user
  }

  /** Whose number the address may change. */
  async function findRecoverable(email: string): Promise<UserRow | undefined> {
    const user = await store.findUserByEmail(email)
    return user && user.email_recovers_from <= clock.now() ? user : undefined
  }

  /** @throws Failure NUMBER_HAS_ACCOUNT where another account has the number. */
  async function demandFree(phone: string, account: UserRow): Promise<void> {
    const holder = await store.findUserByPhone(phone)
    if (holder !== undefined && holder.id !== account.id) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
  }

  /** Everything that two proofs change, or nothing. */
  function moveAccount(
    account: UserRow,
    proofs: { phone: CodeProof; email: EmailProof },
    browser: SessionBrowser,
  ) {
    const { phone } = proofs.phone
    return database.transaction(async () => {
      // First, because it locks the user: the deletion of the account is before this or after it.
      const user = await store.changePhone(account, phone)
      // Also where the account has another number or address since; see `verifyRecovery`.
      if (!user) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
      await deps.numbers.replace(user.id)
      const device = await otp.redeemProof(proofs.phone, browser)
      await otp.redeemEmail(proofs.email)
      const ended = await store.endSessionsOf('user', user.id)
      if (phone !== account.phone) {
        await otp.eraseUserPhone(account.phone)
        await recordChange(
          user.id,
          { change: 'phone', personal: { phone: account.phone } },
          { phone: account.phone, email: account.email },
        )
      }
      return { user, device, ended, session: await sessions.openSession('user', user.id, browser) }
    })
  }

  return {
    /**
     * @throws Failure EMAIL_UNAVAILABLE, EMAIL_INVALID, EMAIL_REFUSED, CONFIRMATION_REQUIRED, and as `OtpService.sendEmailCode`.
     */
    async sendCode(
      userId: number,
      typed: string,
      language: LanguageCode,
      browser: SessionBrowser,
    ): Promise<SentEmailCode> {
      demandOffer()
      const email = accepted(typed)
      const user = await userOfId(userId)
      demandAcceptance(user)
      const order = {
        role: 'email',
        key: otp.keyOfUser(userId),
        email,
        isServed: true,
        ownPhone: user.phone,
        language,
      } as const
      return sessions.confirmations.using('email', browser, () => otp.sendEmailCode(order, browser))
    },

    /**
     * Stores the address that the code proves. It recovers the account after `emailWaitMs`, also the first one.
     * @throws Failure EMAIL_UNAVAILABLE, EMAIL_REFUSED, EMAIL_HAS_ACCOUNT, and as `OtpService.checkEmailCode`.
     */
    async verify(userId: number, code: string, browser: SessionBrowser): Promise<OwnUser> {
      demandOffer()
      demandAcceptance(await userOfId(userId))
      // A code that another user asked for in this browser is no code of this one.
      const sent = await otp.findSentEmail('email', browser)
      if (sent?.phone !== otp.keyOfUser(userId)) throw refusal('code', 'CODE_INVALID')
      const proof = await otp.checkEmailCode('email', code, browser)
      const user = await database.transaction(async () => {
        const former = await userOfId(userId)
        const row = await store.setEmail(userId, proof.email, clock.now())
        if (!row) {
          // Refused from its mailbox meanwhile.
          demandAcceptance(await userOfId(userId))
          throw failure(sessionsErrors, 'EMAIL_HAS_ACCOUNT')
        }
        await otp.redeemEmail(proof)
        if (former.email === proof.email) return row
        const isReplaced = former.email !== null
        if (isReplaced)
          await recordChange(userId, { change: 'email-changed' }, { phone: row.phone, email: former.email })
        await recordChange(
          userId,
          { change: 'email-added' },
          { phone: isReplaced ? null : row.phone, email: proof.email },
        )
        return row
      })
      log.info({ event: 'sessions.email-proven', userId })
      return sessions.ownUserOf(user)
    },

    /** @throws Failure CONFIRMATION_REQUIRED */
    async remove(userId: number, browser: SessionBrowser): Promise<OwnUser> {
      const removed = () =>
        database.transaction(async () => {
          const former = await userOfId(userId)
          const row = await store.removeEmail(userId)
          if (!row) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
          if (former.email !== null)
            await recordChange(userId, { change: 'email-removed' }, { email: former.email })
          return row
        })
      const user = await sessions.confirmations.using('email-removal', browser, removed)
      log.info({ event: 'sessions.email-removed', userId })
      return sessions.ownUserOf(user)
    },

    /**
     * The owner of a mailbox refuses the account that has added it: the address goes, all sessions end, and the account takes
     * no address for `emailWaitMs`. @throws Failure EMAIL_STOP_ENDED
     */
    async stop(token: string): Promise<void> {
      const { userId, ended } = await database.transaction(async () => {
        const now = clock.now()
        const link = await store.takeEmailStop(hashOf(token), now)
        const user =
          link &&
          (await store.removeEmail(link.user_id, { email: link.email, refusedUntil: now + emailWaitMs }))
        if (!user) throw failure(sessionsErrors, 'EMAIL_STOP_ENDED')
        // The owner of the mailbox is no user.
        await recordChange(user.id, { change: 'email-removed' }, {}, { kind: 'system' })
        return { userId: user.id, ended: await store.endSessionsOf('user', user.id) }
      })
      log.warn({ event: 'sessions.email-refused', userId, ended })
    },

    /**
     * A code to the new number, and one to the address where an account has proven it. Nothing in the answer says whether one
     * has, and either costs the same calls. @throws Failure EMAIL_UNAVAILABLE, EMAIL_INVALID, and as `OtpService.sendCode`.
     */
    async recover(
      typed: { readonly email: string; readonly phone: string },
      language: LanguageCode,
      browser: SessionBrowser,
    ): Promise<SentCode> {
      demandOffer()
      const email = accepted(typed.email)
      const sent = await otp.sendCode(
        // By the first channel on offer.
        { role: 'user', phone: typed.phone, channel: undefined, language, isBesideEmail: true },
        browser,
      )
      const newPhone = canonicalPhone(typed.phone, deps.allowedCountries) ?? ''
      const account = await findRecoverable(email)
      const order = {
        role: 'recovery',
        key: otp.keyOfEmail(email),
        email,
        isServed: account !== undefined,
        accountPhone: account?.phone,
        ownPhone: account?.phone,
        language,
        newPhone,
      } as const
      await otp.sendEmailCodeBeside(sent, order, browser)
      return sent
    },

    /**
     * Gives the account of the address the new number, where both codes are right.
     * @throws Failure EMAIL_UNAVAILABLE, NUMBER_HAS_ACCOUNT (nothing changes), and as `OtpService.checkCode` with the field
     * `phoneCode` or `emailCode`.
     */
    async verifyRecovery(
      codes: { readonly emailCode: string; readonly phoneCode: string },
      browser: SessionBrowser,
    ): Promise<{ user: User; session: OpenedSession; device: string }> {
      demandOffer()
      const asked = await otp.findSentEmail('recovery', browser)
      if (!asked) throw refusal('emailCode', 'CODE_INVALID')
      const phone = await otp
        .checkCode('user', asked.new_phone ?? '', codes.phoneCode, browser)
        .catch(inField('phoneCode'))
      const account = await findRecoverable(asked.email)
      const email = await otp
        .checkEmailCode('recovery', codes.emailCode, browser, account?.phone)
        .catch(inField('emailCode'))
      // Removed or replaced since the code was sent.
      if (!account) throw refusal('emailCode', 'CODE_INVALID')
      await demandFree(phone.phone, account)
      const { user, device, session, ended } = await moveAccount(account, { phone, email }, browser).catch(
        async (error: unknown) => {
          if (!isFailure(error, 'NUMBER_HAS_ACCOUNT')) throw error
          await demandFree(phone.phone, account)
          // Deleted or moved meanwhile.
          throw refusal('emailCode', 'CODE_INVALID')
        },
      )
      const shown = { from: maskedPhone(account.phone), to: maskedPhone(user.phone), ended }
      log.warn({ event: 'sessions.number-changed', userId: user.id, ...shown })
      return { user: userOf(user), device, session }
    },
  }
}
