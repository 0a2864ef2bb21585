import type { Core } from '#server/core.ts'
import type { Browser } from '#server/features/otp/attempts.ts'
import { type CodeProof, cameBySms, checkCode, redeemProof } from '#server/features/otp/check-codes.ts'
import { findAgentByPhone } from '#server/features/partner/partner.ts'
import {
  allowSms,
  ensureUser,
  findUserByPhone,
  lockUserRow,
  setLanguage,
  type UserRow,
} from '#server/features/users/users.queries.ts'
import { acceptedName, userOf } from '#server/features/users/users.rules.ts'
import { truncatedAddress } from '#server/platform/address.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { deviceLabel } from './devices.rules.ts'
import { cancelNumberChange, findDueChange, takeNumber } from './number-changes.ts'
import { addSession, deleteSession, deleteSessionsOfFormer, ensureAgent } from './sessions.queries.ts'
import { idleLimit, type Subject, wrongCode } from './sessions.rules.ts'

export interface SessionBrowser extends Browser {
  readonly session: string | undefined
  readonly userAgent?: string | undefined
  readonly language: LanguageCode
}

/** `device` is the token of the cookie that marks a known browser. */
export interface SignedIn {
  readonly token: string
  readonly device: string
}

/**
 * @throws Failure SIGN_UP_REQUIRED when the phone is proven and a name is missing, NAME_REQUIRED, NAME_INVALID,
 * NAME_TOO_LONG, and as `checkCode`
 */
export async function signInUser(
  core: Core,
  input: { readonly phone: string; readonly code: string; readonly name?: string | undefined },
  browser: SessionBrowser,
): Promise<SignedIn & { readonly user: User }> {
  const { language } = browser
  // The name must be checked first, so that an invalid name uses up no try of the code.
  const name = input.name === undefined ? undefined : acceptedName(input.name)
  const proof = await checkCode(core, 'user', input.phone, input.code, browser)
  const [known, due] = await core.database.together(() =>
    Promise.all([findUserByPhone(core, proof.phone), findDueChange(core, proof.phone)]),
  )
  const moving = known ? undefined : due
  if (!known && !moving && !name)
    throw failure(sessionsErrors, 'SIGN_UP_REQUIRED', {
      fields: [{ field: 'name', text: sessionsErrors.NAME_REQUIRED.text }],
    })
  const ensure = () => {
    // The lock prevents a session for an account that is being deleted.
    if (known) return lockUserRow(core, known.id)
    if (moving) return takeNumber(core, moving, proof.phone)
    return ensureUser(core, proof.phone, name ?? '', core.clock.now(), language)
  }
  const { subject, ...signedIn } = await redeem(core, proof, browser, async () => {
    const user = await ensure()
    // The account was deleted or got another phone number meanwhile.
    if (user?.phone !== proof.phone) throw wrongCode()
    // The old phone number still gets codes, so the waiting change is cancelled.
    if (known) await cancelNumberChange(core, user.id)
    if (language !== user.language) await setLanguage(core, user.id, language)
    await allowProvenSms(core, proof, user)
    return user
  })
  logSignIn(proof, browser, { userId: subject.id, isNew: !known && !moving })
  return { user: userOf(subject), ...signedIn }
}

export async function allowProvenSms(core: Core, proof: CodeProof, user: UserRow): Promise<void> {
  if (user.sms_refused !== null && (await cameBySms(core, proof))) await allowSms(core, user.id)
}

/** @throws Failure CODE_INVALID also for a phone that is not an agent's, and as `checkCode` */
export async function signInAgent(
  core: Core,
  input: { readonly phone: string; readonly code: string },
  browser: SessionBrowser,
): Promise<SignedIn & { readonly agent: Agent; readonly handle: string }> {
  const proof = await checkCode(core, 'agent', input.phone, input.code, browser)
  const { phone } = proof
  const entry = await findAgentByPhone(core, phone)
  if (!entry) throw wrongCode()
  const { id: partnerAgentId, name } = entry
  const { subject, ...signedIn } = await redeem(core, proof, browser, async () => {
    await deleteSessionsOfFormer(core, partnerAgentId, phone)
    return ensureAgent(core, { partnerAgentId, name, phone }, core.clock.now())
  })
  logSignIn(proof, browser, { agentId: subject.id })
  // The handle authorises nothing. By it the app knows at its start that an agent was signed in (spec §3, §4).
  return { agent: userOf(subject), handle: randomToken(core.random), ...signedIn }
}

/** Inside a transaction: replaces the browser's former session. @returns the token of the new one */
export async function openSession(
  core: Core,
  { role, subject }: Subject,
  browser: SessionBrowser,
): Promise<string> {
  core.database.assertTransaction()
  const now = core.clock.now()
  const token = randomToken(core.random)
  const endsAt = now + sessionLife[role].absoluteMs
  if (browser.session) await deleteSession(core, hashOf(browser.session))
  await addSession(core, {
    token_hash: hashOf(token),
    id: core.random.uuid(),
    device: deviceLabel(browser.userAgent),
    role,
    subject_id: subject,
    created_at: now,
    last_seen_at: now,
    idle_until: idleLimit(role, now, endsAt),
    ends_at: endsAt,
  })
  return token
}

/** One transaction consumes the code and opens the session, so that one code opens one session. */
const redeem = <T extends { readonly id: number }>(
  core: Core,
  proof: CodeProof,
  browser: SessionBrowser,
  ensure: () => Promise<T>,
): Promise<SignedIn & { readonly subject: T }> =>
  core.database.transaction(async () => {
    const [device, subject] = await Promise.all([redeemProof(core, proof, browser), ensure()])
    const token = await openSession(core, { role: proof.role, subject: subject.id }, browser)
    return { subject, token, device }
  })

function logSignIn({ role, phone }: CodeProof, { log, address }: Browser, details: object) {
  const shown = {
    role,
    phone: maskedPhone(phone),
    address: truncatedAddress(address),
  }
  log.info({ event: 'sign-in.done', ...shown, ...details })
}
