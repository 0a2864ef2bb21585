import type { Core } from '#server/core.ts'
import {
  compareConfirmation,
  countLostAnswer,
  findConfirmation,
  sendConfirmation,
  spendConfirmation,
} from '#server/features/otp/confirmations.ts'
import { readUser } from '#server/features/users/users.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { type ConfirmationPurpose, purposesByEmail } from '#shared/sessions/confirmations.schemas.ts'
import { confirmationLifeMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import {
  countWrongCode,
  deleteUnconfirmed,
  forgetWrongCodes,
  isCodeAwaited,
  markConfirmed,
  saveConfirmation,
  takeConfirmation,
  uncountWrongCode,
} from './confirmations.queries.ts'
import { deleteSession } from './sessions.queries.ts'
import { wrongCode } from './sessions.rules.ts'
import type { SessionBrowser } from './sign-in.ts'

// A confirmation belongs to one session, browser and purpose, and allows one request.

const mostWrongCodes = 3

interface AskedConfirmation {
  readonly purpose: ConfirmationPurpose
  readonly channel?: SendChannel | undefined
}

/** @throws Failure NOT_SIGNED_IN when the session has ended meanwhile, and as `sendConfirmation` */
export async function askConfirmation(
  core: Core,
  userId: number,
  { purpose, channel }: AskedConfirmation,
  browser: SessionBrowser,
) {
  const { phone, email, email_recovers_from } = await readUser(core, userId)
  const servesByEmail = purposesByEmail.includes(purpose) && email_recovers_from <= core.clock.now()
  const { challengeId, ...sent } = await sendConfirmation(
    core,
    {
      userId,
      phone,
      email: servesByEmail ? email : null,
      channel,
      language: browser.language,
    },
    browser,
  )
  const place = placeOf({ ...browser, binding: sent.binding }, 'NOT_SIGNED_IN')
  await core.database.transaction(async () => {
    // A valid code confirms only the purpose of its last request.
    await deleteUnconfirmed(core, place.session_hash, challengeId)
    const asked = {
      purpose,
      challenge_id: challengeId,
      asked_at: core.clock.now(),
      confirmed_until: null,
    }
    if (!(await saveConfirmation(core, { ...place, ...asked })))
      throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  })
  return sent
}

/**
 * Returns the time until which the request can be made (ISO 8601).
 * @throws Failure CODE_INVALID, OTP_UNAVAILABLE, and CONFIRMATION_FAILED for the third wrong code, which ends the
 * session
 */
export async function verifyConfirmation(
  core: Core,
  userId: number,
  code: string,
  browser: SessionBrowser,
): Promise<{ confirmedUntil: string }> {
  const place = placeOf(browser, 'CODE_INVALID')
  const { session_hash: session } = place
  const challenge = await findConfirmation(core, (await readUser(core, userId)).phone, browser)
  if (!challenge) throw wrongCode()
  const sent = { ...place, challenge_id: challenge.id }
  if (!(await isCodeAwaited(core, sent))) throw wrongCode()
  // A check must be counted before the code is compared, so that parallel guesses cannot share one count.
  const wrongs = await countWrongCode(core, session, mostWrongCodes)
  if (wrongs === undefined) return endGuessedSession(core, session, userId)
  const outcome = await compareConfirmation(core, challenge, code).catch(async (error: unknown) => {
    const isKnown = isFailure(error, 'OTP_UNAVAILABLE') && error.cause instanceof UnreachableError
    if (isKnown || (await countLostAnswer(core, challenge))) await uncountWrongCode(core, session)
    throw error
  })
  if (outcome === 'rejected') {
    if (wrongs >= mostWrongCodes) return endGuessedSession(core, session, userId)
    throw wrongCode()
  }
  if (outcome !== 'approved') {
    await uncountWrongCode(core, session)
    throw wrongCode()
  }
  const until = core.clock.now() + confirmationLifeMs
  await core.database.transaction(async () => {
    if (!(await spendConfirmation(core, challenge))) throw wrongCode()
    if (!(await markConfirmed(core, sent, until))) throw wrongCode()
    await forgetWrongCodes(core, session)
  })
  core.log.info({ event: 'sessions.confirmed', userId })
  return { confirmedUntil: isoOf(until) }
}

/**
 * Consumes the confirmation first, so that only one of two requests gets it, and restores it when `work` refuses.
 * @throws Failure CONFIRMATION_REQUIRED, and the failures of `work`
 */
export async function withConfirmation<T>(
  core: Core,
  purpose: ConfirmationPurpose,
  browser: SessionBrowser,
  work: () => Promise<T>,
): Promise<T> {
  const place = placeOf(browser, 'CONFIRMATION_REQUIRED')
  const used = await takeConfirmation(core, { ...place, purpose }, core.clock.now())
  if (!used) throw failure(sessionsErrors, 'CONFIRMATION_REQUIRED')
  try {
    return await work()
  } catch (error) {
    if (isFailure(error)) await saveConfirmation(core, used)
    throw error
  }
}

function placeOf(
  { session, binding }: SessionBrowser,
  refusal: 'NOT_SIGNED_IN' | 'CODE_INVALID' | 'CONFIRMATION_REQUIRED',
) {
  if (!isToken(session) || !isToken(binding))
    throw refusal === 'CODE_INVALID' ? wrongCode() : failure(sessionsErrors, refusal)
  return { session_hash: hashOf(session), browser_hash: hashOf(binding) }
}

async function endGuessedSession(core: Core, sessionHash: string, userId: number): Promise<never> {
  await deleteSession(core, sessionHash)
  core.log.warn({ event: 'sessions.confirmation-failed', userId })
  throw failure(sessionsErrors, 'CONFIRMATION_FAILED')
}
