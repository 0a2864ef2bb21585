import type {
  CodeProof,
  EmailProof,
  OtpService,
  SentCode,
  SentEmailCode,
} from '#server/features/otp/otp.service.ts'
import type { Core } from '#server/platform/core.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { readEmail } from '#shared/sessions/email-address.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { OwnUser, User } from '#shared/sessions/sessions.schemas.ts'
import type { NumberChanges } from './number-changes.service.ts'
import { userOf } from './sessions.rules.ts'
import type { AccountChange, SessionsService } from './sessions.service.ts'
import type { SessionsStore, UserRow } from './sessions.store.ts'
import type { OpenedSession, SessionBrowser } from './sign-in.service.ts'

export interface EmailsDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: SessionsStore
  readonly otp: OtpService
  readonly sessions: Pick<SessionsService, 'openSession' | 'ownUserOf'>
  readonly numbers: Pick<NumberChanges, 'replace'>
  /** Inside the transaction of a change: lets it be told. */
  readonly announce: (change: AccountChange) => Promise<void>
  /** Whether users can have an address. */
  readonly isOffered: boolean
  readonly allowedCountries: readonly string[] | undefined
}

/** As long an address that took the place of another recovers nothing: who lost it has read the letter by then. */
const replacedWaitMs = 24 * 60 * 60_000

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

  /** `phone` and `email` are told. */
  async function recordChange(
    { id }: UserRow,
    { what, phone, email }: Pick<AccountChange, 'what' | 'phone' | 'email'>,
  ): Promise<void> {
    const changeId = await store.addChange(id, what === 'number' ? phone : null, clock.now())
    await deps.announce({ changeId, userId: id, what, phone, email })
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
        await recordChange(user, { what: 'number', phone: account.phone, email: account.email })
      }
      return { user, device, ended, session: await sessions.openSession('user', user.id, browser) }
    })
  }

  return {
    /** @throws Failure EMAIL_UNAVAILABLE, EMAIL_INVALID, and as `OtpService.sendEmailCode`. */
    async sendCode(
      userId: number,
      typed: string,
      language: LanguageCode,
      browser: SessionBrowser,
    ): Promise<SentEmailCode> {
      demandOffer()
      const order = {
        role: 'email',
        key: otp.keyOfUser(userId),
        email: accepted(typed),
        isServed: true,
      } as const
      return otp.sendEmailCode({ ...order, language }, browser)
    },

    /**
     * Stores the address that the code proves.
     * @throws Failure EMAIL_UNAVAILABLE, EMAIL_HAS_ACCOUNT, and as `OtpService.checkEmailCode`.
     */
    async verify(userId: number, code: string, browser: SessionBrowser): Promise<OwnUser> {
      demandOffer()
      // A code that another user asked for in this browser is no code of this one.
      const sent = await otp.findSentEmail('email', browser)
      if (sent?.phone !== otp.keyOfUser(userId)) throw refusal('code', 'CODE_INVALID')
      const proof = await otp.checkEmailCode('email', code, browser)
      const user = await database.transaction(async () => {
        const [former] = await store.findUsers([userId])
        const row = await store.setEmail(userId, proof.email, clock.now() + replacedWaitMs)
        if (!row) throw failure(sessionsErrors, 'EMAIL_HAS_ACCOUNT')
        await otp.redeemEmail(proof)
        const email = former?.email === proof.email ? null : (former?.email ?? null)
        await recordChange(row, { what: 'email', phone: row.phone, email })
        return row
      })
      log.info({ event: 'sessions.email-proven', userId })
      return sessions.ownUserOf(user)
    },

    async remove(userId: number): Promise<OwnUser> {
      const user = await database.transaction(async () => {
        const [former] = await store.findUsers([userId])
        const row = await store.removeEmail(userId, { replacedFrom: clock.now() + replacedWaitMs })
        if (!former || !row) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
        if (former.email !== null)
          await recordChange(row, { what: 'email', phone: null, email: former.email })
        return row
      })
      log.info({ event: 'sessions.email-removed', userId })
      return sessions.ownUserOf(user)
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
