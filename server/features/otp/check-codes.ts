import type { Core } from '#server/core.ts'
import { isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import { type Attempt, type Browser, inTurn, readAttempt, readEmailAttempt } from './attempts.ts'
import { findCheckLimit, limitRefusal } from './limits.ts'
import type { CheckOutcome } from './otp.provider.ts'
import {
  addEvent,
  type ChallengeRow,
  changeChallenge,
  isKnownDevice,
  listChallenges,
  listEvents,
  listLive,
  saveDevice,
  setFailures,
  setOutcome,
} from './otp.queries.ts'
import {
  challengeRules,
  type EmailRole,
  fieldRefusal,
  guessRules,
  type PhoneRole,
  wrongCode,
} from './otp.rules.ts'
import { deletePairing } from './pairings.queries.ts'
import { noteFull } from './pairings.ts'

export interface CodeProof {
  readonly role: PhoneRole
  readonly phone: string
  readonly challengeId: string
}

export interface EmailProof {
  readonly key: string
  readonly email: string
  readonly challengeId: string
}

export async function findSentEmail(
  core: Core,
  role: EmailRole,
  browser: Pick<Browser, 'binding'>,
): Promise<(ChallengeRow & { readonly email: string }) | undefined> {
  const [row] = await listLive(core, browser, { role }, core.clock.now())
  return row && row.email !== null ? { ...row, email: row.email } : undefined
}

/**
 * A right code stays valid for ten minutes in the same browser.
 * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CODE_INVALID, CODE_USED_UP, OTP_UNAVAILABLE,
 * TOO_MANY_WRONG_CODES, PHONE_LOCKED
 */
export async function checkCode(
  core: Core,
  role: PhoneRole,
  typedPhone: string,
  code: string,
  browser: Browser,
): Promise<CodeProof> {
  const attempt = await readAttempt(core, role, typedPhone, browser, () => null)
  try {
    const challengeId = await proveChallenge(core, attempt, code, browser)
    return { role, phone: attempt.origin.phone, challengeId }
  } catch (error) {
    const isWrong = isFailure(error, 'CODE_INVALID') || isFailure(error, 'CODE_USED_UP')
    if (role === 'agent' && isWrong) await noteFull(core, attempt)
    throw error
  }
}

/** @throws the errors of `checkCode` */
export async function checkEmailCode(
  core: Core,
  role: EmailRole,
  code: string,
  browser: Browser,
  accountPhone?: string,
): Promise<EmailProof> {
  const sent = await findSentEmail(core, role, browser)
  if (!sent) throw wrongCode()
  const { phone: key, email } = sent
  const attempt = await readEmailAttempt(core, { role, key, email, accountPhone }, browser)
  return { key, email, challengeId: await proveChallenge(core, attempt, code, browser) }
}

/**
 * Needs the transaction that opens the session. Consumes the proof.
 * @returns the token that makes the browser a known device
 * @throws Failure CODE_INVALID
 */
export async function redeemProof(
  core: Core,
  proof: CodeProof,
  { device, binding }: Pick<Browser, 'device' | 'binding'>,
): Promise<string> {
  const now = core.clock.now()
  await redeemEmail(core, proof)
  if (proof.role === 'agent' && isToken(binding))
    await deletePairing(core, { browserHash: hashOf(binding), phone: proof.phone })
  // A token that this gateway did not issue possibly comes from an attacker, so it is replaced.
  const isIssued = isToken(device) && (await isKnownDevice(core, hashOf(device), now - deviceLifeMs))
  const token = isIssued ? device : randomToken(core.random)
  await saveDevice(core, hashOf(token), proof, now)
  return token
}

/** All channels of a verification send the same code, so every channel must have been SMS (docs/wires/otp.md O23). */
export async function cameBySms(core: Core, { role, phone, challengeId }: CodeProof): Promise<boolean> {
  const codes = await listChallenges(core, { role, phone })
  const ref = codes.find(({ id }) => id === challengeId)?.provider_ref
  const same = codes.filter(({ provider_ref }) => provider_ref === ref)
  return same.length > 0 && same.every(({ channel }) => channel === 'sms')
}

/** Needs the transaction that relies on the proof. Consumes the proof. @throws Failure CODE_INVALID */
export async function redeemEmail(
  core: Core,
  { challengeId: id }: Pick<EmailProof, 'challengeId'>,
): Promise<void> {
  const isSpent = await changeChallenge(core, { id, state: 'proven' }, { state: 'spent' }, core.clock.now())
  if (!isSpent) throw wrongCode()
}

async function proveChallenge(core: Core, attempt: Attempt, code: string, browser: Browser) {
  if (!isToken(browser.binding)) throw wrongCode()
  // A check is counted before the code is compared, so that parallel guesses cannot share one count.
  const { live, eventId } = await claimCheck(core, attempt, browser)
  const { id, checks, send_id } = live
  if (eventId === undefined) return id
  const answer = await compare(core, attempt, live, eventId, foldDigits(code))
  const isLast = checks + 1 >= guessRules.triesPerCode
  if (answer !== 'approved') throw refusal(attempt, isLast ? 'CODE_USED_UP' : 'CODE_INVALID', answer)
  await inTurn(core, attempt, async () => {
    const expires_at = core.clock.now() + challengeRules.provenMs
    if (!(await changeChallenge(core, { id, state: 'sent' }, { state: 'proven', expires_at })))
      throw wrongCode()
    await setFailures(core, attempt.origin, 0)
    await setOutcome(core, eventId, 'right')
    await setOutcome(core, send_id, 'answered')
  })
  return id
}

function refusal({ log }: Attempt, code: 'CODE_INVALID' | 'CODE_USED_UP', outcome: string) {
  log('info', 'code-refused', { outcome })
  return fieldRefusal('code', code)
}

const claimCheck = (core: Core, attempt: Attempt, browser: Browser) =>
  inTurn(core, attempt, async (locked) => {
    const { origin, now } = attempt
    const { role, phone, trust } = origin
    const [failures, [live], events] = await Promise.all([
      locked,
      listLive(core, browser, { role, phone }, now),
      listEvents(core, origin, now),
    ])
    // A check without a sent code must not count: otherwise anyone could lock any phone number.
    if (!live) throw refusal(attempt, 'CODE_INVALID', 'unknown')
    if (live.state === 'proven') return { live, eventId: undefined }
    const { id, checks } = live
    if (checks >= guessRules.triesPerCode) throw refusal(attempt, 'CODE_USED_UP', 'used-up')
    const reached = findCheckLimit(attempt, failures, events)
    if (reached) throw limitRefusal(core, attempt, reached)
    const isCounted = await changeChallenge(core, { id, state: 'sent', checks }, { checks: checks + 1 }, now)
    if (!isCounted) throw refusal(attempt, 'CODE_INVALID', 'unknown')
    await setFailures(core, origin, failures + 1, [trust])
    return { live, eventId: await addEvent(core, origin, 'wrong', now) }
  })

/** A check that did not reach the provider does not count, nor do a few checks of each code with lost answers. */
async function compare(
  core: Core,
  attempt: Attempt,
  { id, provider_ref: ref, email }: ChallengeRow,
  eventId: number,
  code: string,
): Promise<CheckOutcome> {
  const { phone, role, trust } = attempt.origin
  const { otp } = core.providers
  try {
    if (ref !== null) return await otp.check({ ref, to: email ?? phone, role }, code)
    await otp.pretendCheck(code, role)
    return 'rejected'
  } catch (error) {
    if (!isFailure(error, 'OTP_UNAVAILABLE')) throw error
    const isCertain = error.cause instanceof UnreachableError
    await inTurn(core, attempt, async (locked) => {
      const [failures, [counted]] = await Promise.all([locked, listChallenges(core, { id })])
      if (!counted || (!isCertain && counted.uncertain_checks >= guessRules.uncountedPerCode)) return
      const uncertain_checks = counted.uncertain_checks + (isCertain ? 0 : 1)
      await changeChallenge(core, { id }, { checks: Math.max(0, counted.checks - 1), uncertain_checks })
      await setFailures(core, attempt.origin, Math.max(0, failures - 1), [trust])
      await setOutcome(core, eventId, 'failed')
    })
    throw error
  }
}
