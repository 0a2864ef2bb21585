import type { Core } from '#server/core.ts'
import {
  type CodeProof,
  checkCode,
  checkEmailCode,
  type EmailProof,
  findSentEmail,
  redeemEmail,
  redeemProof,
} from '#server/features/otp/check-codes.ts'
import { keyOfEmail, keyOfUser } from '#server/features/otp/emails.rules.ts'
import { fieldRefusal } from '#server/features/otp/otp.rules.ts'
import {
  type SentCode,
  type SentEmailCode,
  sendCode,
  sendEmailCode,
  sendEmailCodeBeside,
} from '#server/features/otp/send-codes.ts'
import {
  changePhone,
  findUserByEmail,
  findUserByPhone,
  removeEmail,
  setEmail,
  takeEmailStop,
  type UserRow,
} from '#server/features/users/users.queries.ts'
import { userOf } from '#server/features/users/users.rules.ts'
import { ownUserOf, readUser, recordChange } from '#server/features/users/users.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import { readEmail } from '#shared/sessions/email-address.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { OwnUser, User } from '#shared/sessions/sessions.schemas.ts'
import { withConfirmation } from './confirmations.ts'
import { endNumberChange } from './number-changes.queries.ts'
import { leaveNumber } from './number-changes.ts'
import { deleteSessionsOf } from './sessions.queries.ts'
import { wrongCode } from './sessions.rules.ts'
import { allowProvenSms, openSession, type SessionBrowser, type SignedIn } from './sign-in.ts'

/** @throws Failure EMAIL_UNAVAILABLE, EMAIL_INVALID, EMAIL_REFUSED, CONFIRMATION_REQUIRED, and as `sendEmailCode` */
export async function addEmail(
  core: Core,
  userId: number,
  typed: string,
  browser: SessionBrowser,
): Promise<SentEmailCode> {
  demandOffer(core)
  const email = acceptedEmail(typed)
  const user = await readUser(core, userId)
  demandAcceptance(core, user)
  const order = {
    role: 'email',
    key: keyOfUser(userId),
    email,
    isServed: true,
    ownPhone: user.phone,
    language: browser.language,
  } as const
  return withConfirmation(core, 'email', browser, () => sendEmailCode(core, order, browser))
}

/**
 * Even the account's first e-mail address can recover it only after `emailWaitMs`.
 * @throws Failure EMAIL_UNAVAILABLE, EMAIL_REFUSED, EMAIL_HAS_ACCOUNT, and as `checkEmailCode`
 */
export async function verifyEmail(
  core: Core,
  userId: number,
  code: string,
  browser: SessionBrowser,
): Promise<OwnUser> {
  demandOffer(core)
  demandAcceptance(core, await readUser(core, userId))
  // Another user can have requested a code in this browser, which must not be accepted.
  const sent = await findSentEmail(core, 'email', browser)
  if (sent?.phone !== keyOfUser(userId)) throw wrongCode()
  const proof = await checkEmailCode(core, 'email', code, browser)
  const user = await core.database.transaction(async () => {
    const former = await readUser(core, userId)
    const row = await setEmail(core, userId, proof.email, core.clock.now())
    if (!row) {
      demandAcceptance(core, await readUser(core, userId))
      throw failure(sessionsErrors, 'EMAIL_HAS_ACCOUNT')
    }
    await redeemEmail(core, proof)
    if (former.email === proof.email) return row
    const isReplaced = former.email !== null
    if (isReplaced)
      await recordChange(core, userId, { change: 'email-changed' }, { phone: row.phone, email: former.email })
    await recordChange(
      core,
      userId,
      { change: 'email-added' },
      { phone: isReplaced ? null : row.phone, email: proof.email },
    )
    return row
  })
  core.log.info({ event: 'sessions.email-proven', userId })
  return ownUserOf(core, user)
}

/** @throws Failure CONFIRMATION_REQUIRED */
export async function removeOwnEmail(core: Core, userId: number, browser: SessionBrowser): Promise<OwnUser> {
  const user = await withConfirmation(core, 'email-removal', browser, () =>
    core.database.transaction(async () => {
      const former = await readUser(core, userId)
      const row = await removeEmail(core, userId)
      if (!row) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      if (former.email !== null)
        await recordChange(core, userId, { change: 'email-removed' }, { email: former.email })
      return row
    }),
  )
  core.log.info({ event: 'sessions.email-removed', userId })
  return ownUserOf(core, user)
}

/**
 * The account that has added the e-mail address loses it and all sessions, and accepts no address for `emailWaitMs`.
 * @throws Failure EMAIL_STOP_ENDED
 */
export async function stopEmail(core: Core, token: string): Promise<void> {
  const { userId, ended } = await core.database.transaction(async () => {
    const now = core.clock.now()
    const link = await takeEmailStop(core, hashOf(token), now)
    const refusal = link && { email: link.email, refusedUntil: now + emailWaitMs }
    const user = link && (await removeEmail(core, link.user_id, refusal))
    if (!user) throw failure(sessionsErrors, 'EMAIL_STOP_ENDED')
    await recordChange(core, user.id, { change: 'email-removed' }, {}, { kind: 'system' })
    return {
      userId: user.id,
      ended: await deleteSessionsOf(core, { role: 'user', subject: user.id }),
    }
  })
  core.log.warn({ event: 'sessions.email-refused', userId, ended })
}

/**
 * The answer and the calls must not disclose whether the e-mail address can recover an account.
 * @throws Failure EMAIL_UNAVAILABLE, EMAIL_INVALID, and as `sendCode`
 */
export async function recoverAccount(
  core: Core,
  typed: { readonly email: string; readonly phone: string },
  browser: SessionBrowser,
): Promise<SentCode> {
  demandOffer(core)
  const { language } = browser
  const email = acceptedEmail(typed.email)
  const sent = await sendCode(
    core,
    {
      role: 'user',
      phone: typed.phone,
      channel: undefined,
      language,
      isBesideEmail: true,
    },
    browser,
  )
  const account = await findRecoverable(core, email)
  const order = {
    role: 'recovery',
    key: keyOfEmail(email),
    email,
    isServed: account !== undefined,
    accountPhone: account?.phone,
    ownPhone: account?.phone,
    language,
    newPhone: canonicalPhone(typed.phone, core.config.ALLOWED_PHONE_COUNTRIES) ?? '',
  } as const
  await sendEmailCodeBeside(core, sent, order, browser)
  return sent
}

/**
 * @throws Failure EMAIL_UNAVAILABLE, NUMBER_HAS_ACCOUNT when another account has the phone number (then nothing
 * changes), and as `checkCode` with the field `phoneCode` or `emailCode`
 */
export async function verifyRecovery(
  core: Core,
  codes: { readonly emailCode: string; readonly phoneCode: string },
  browser: SessionBrowser,
): Promise<SignedIn & { readonly user: User }> {
  demandOffer(core)
  const asked = await findSentEmail(core, 'recovery', browser)
  if (!asked) throw wrongCode('emailCode')
  const phone = await checkCode(core, 'user', asked.new_phone ?? '', codes.phoneCode, browser).catch(
    inField('phoneCode'),
  )
  const account = await findRecoverable(core, asked.email)
  const email = await checkEmailCode(core, 'recovery', codes.emailCode, browser, account?.phone).catch(
    inField('emailCode'),
  )
  // The account lost the e-mail address after the code was sent.
  if (!account) throw wrongCode('emailCode')
  await demandFree(core, phone.phone, account)
  const { user, ...signedIn } = await moveAccount(core, account, { phone, email }, browser).catch(
    async (error: unknown) => {
      if (!isFailure(error, 'NUMBER_HAS_ACCOUNT')) throw error
      await demandFree(core, phone.phone, account)
      throw wrongCode('emailCode')
    },
  )
  return { user: userOf(user), ...signedIn }
}

const moveAccount = (
  core: Core,
  account: UserRow,
  proofs: { readonly phone: CodeProof; readonly email: EmailProof },
  browser: SessionBrowser,
) =>
  core.database.transaction(async () => {
    // The update of the user must come first, because it locks the user against deletion.
    const user = await changePhone(core, account, proofs.phone.phone)
    if (!user) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
    await endNumberChange(core, user.id, 'replaced', core.clock.now())
    const device = await redeemProof(core, proofs.phone, browser)
    await redeemEmail(core, proofs.email)
    await leaveNumber(core, user, account.phone)
    await allowProvenSms(core, proofs.phone, user)
    const token = await openSession(core, { role: 'user', subject: user.id }, browser)
    return { user, device, token }
  })

async function findRecoverable(core: Core, email: string): Promise<UserRow | undefined> {
  const user = await findUserByEmail(core, email)
  return user && user.email_recovers_from <= core.clock.now() ? user : undefined
}

function acceptedEmail(typed: string) {
  const email = readEmail(typed)
  if (email === undefined) throw fieldRefusal('email', 'EMAIL_INVALID')
  return email
}

function demandOffer({ config }: Core) {
  if (config.SMTP_URL === undefined) throw failure(sessionsErrors, 'EMAIL_UNAVAILABLE')
}

function demandAcceptance({ clock }: Core, { email_refused_until: until }: UserRow) {
  const waitMs = until - clock.now()
  if (waitMs <= 0) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const values = { wait: waitInWords(retryAfterSeconds) }
  throw failure(sessionsErrors, 'EMAIL_REFUSED', { values, retryAfterSeconds })
}

async function demandFree(core: Core, phone: string, account: UserRow) {
  const holder = await findUserByPhone(core, phone)
  if (holder !== undefined && holder.id !== account.id) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
}

const inField =
  (field: 'emailCode' | 'phoneCode') =>
  (error: unknown): never => {
    if (!isFailure(error) || error.details.fields === undefined) throw error
    const fields = error.details.fields.map(({ text }) => ({ field, text }))
    throw failure(sessionsErrors, error.code as keyof typeof sessionsErrors, { ...error.details, fields })
  }
