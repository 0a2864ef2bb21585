import type { Core } from '#server/core.ts'
import type { OtpService, SentCode } from '#server/features/otp/otp.service.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { type ConfirmationPurpose, purposesByEmail } from '#shared/sessions/confirmations.schemas.ts'
import { confirmationLifeMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { SessionsStore, UserRow } from './sessions.store.ts'
import type { SessionBrowser } from './sign-in.service.ts'

export interface ConfirmationsDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: SessionsStore
  readonly otp: Pick<
    OtpService,
    'sendConfirmation' | 'findConfirmation' | 'compareConfirmation' | 'countLostAnswer' | 'spendConfirmation'
  >
}

/** Wrong codes that end a session. */
const mostWrongCodes = 3

export type ConfirmationsService = ReturnType<typeof createConfirmations>

const wrongCode = () =>
  failure(sessionsErrors, 'CODE_INVALID', {
    fields: [{ field: 'code', text: sessionsErrors.CODE_INVALID.text }],
  })

/**
 * Requests that a session cookie alone does not allow: a code to the account's present number confirms each. A confirmation
 * belongs to one session, one browser and one purpose, and serves one request.
 */
export function createConfirmations({ database, store, otp, clock, log }: ConfirmationsDeps) {
  async function userOf(userId: number): Promise<UserRow> {
    const [user] = await store.findUsers([userId])
    if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    return user
  }

  /** The hashes of the session and of the binding cookie. @throws Failure `otherwise` without one of them. */
  function placeOf({ session, binding }: SessionBrowser, otherwise: () => Error) {
    if (!isToken(session) || !isToken(binding)) throw otherwise()
    return { session_hash: hashOf(session), browser_hash: hashOf(binding) }
  }

  /** The third wrong code. */
  async function endSession(sessionHash: string, userId: number): Promise<never> {
    await store.endSession(sessionHash)
    log.warn({ event: 'sessions.confirmation-failed', userId })
    throw failure(sessionsErrors, 'CONFIRMATION_FAILED')
  }

  return {
    /** Sends a code. @throws Failure NOT_SIGNED_IN (ended meanwhile), and as `OtpService.sendConfirmation` */
    async ask(
      userId: number,
      {
        purpose,
        channel,
      }: { readonly purpose: ConfirmationPurpose; readonly channel?: SendChannel | undefined },
      language: LanguageCode,
      browser: SessionBrowser,
    ): Promise<SentCode<SendChannel>> {
      const { phone, email, email_recovers_from } = await userOf(userId)
      const servesByEmail = purposesByEmail.includes(purpose) && email_recovers_from <= clock.now()
      const { challengeId, ...sent } = await otp.sendConfirmation(
        { userId, phone, email: servesByEmail ? email : null, channel, language },
        browser,
      )
      const place = placeOf({ ...browser, binding: sent.binding }, () =>
        failure(sessionsErrors, 'NOT_SIGNED_IN'),
      )
      await database.transaction(async () => {
        // A code that is still valid confirms what it was asked for last.
        await store.dropUnconfirmed(place.session_hash, challengeId)
        const asked = { ...place, purpose, challenge_id: challengeId, asked_at: clock.now() }
        if (!(await store.askConfirmation(asked))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      })
      return sent
    },

    /**
     * Confirms what the code was sent for; returns until when the request can be made.
     * @throws Failure CODE_INVALID, OTP_UNAVAILABLE, and CONFIRMATION_FAILED for the third wrong code, which ends the session
     */
    async verify(userId: number, code: string, browser: SessionBrowser): Promise<{ confirmedUntil: string }> {
      const place = placeOf(browser, wrongCode)
      const challenge = await otp.findConfirmation((await userOf(userId)).phone, browser)
      // Without a code of this session there is nothing to guess.
      if (!challenge || !(await store.isAskedFor({ ...place, challenge_id: challenge.id }))) throw wrongCode()
      // Counted before the code is compared: parallel guesses cannot share one count.
      const wrongs = await store.countWrongConfirmation(place.session_hash, mostWrongCodes)
      if (wrongs === undefined) return endSession(place.session_hash, userId)
      const outcome = await otp.compareConfirmation(challenge, code).catch(async (error: unknown) => {
        const isKnown = isFailure(error, 'OTP_UNAVAILABLE') && error.cause instanceof UnreachableError
        if (isKnown || (await otp.countLostAnswer(challenge)))
          await store.uncountWrongConfirmation(place.session_hash)
        throw error
      })
      if (outcome === 'rejected') {
        if (wrongs >= mostWrongCodes) return endSession(place.session_hash, userId)
        throw wrongCode()
      }
      if (outcome !== 'approved') {
        // Nothing was compared.
        await store.uncountWrongConfirmation(place.session_hash)
        throw wrongCode()
      }
      const until = clock.now() + confirmationLifeMs
      await database.transaction(async () => {
        if (!(await otp.spendConfirmation(challenge))) throw wrongCode()
        if (!(await store.confirm({ ...place, challenge_id: challenge.id }, until))) throw wrongCode()
        await store.clearWrongConfirmations(place.session_hash)
      })
      log.info({ event: 'sessions.confirmed', userId })
      return { confirmedUntil: isoOf(until) }
    },

    /**
     * Runs `work` if its request was confirmed in this session and browser. The confirmation is consumed first, so that of two
     * requests one gets it; a request that is refused for another reason gives it back.
     * @throws Failure CONFIRMATION_REQUIRED, and of `work`
     */
    async using<T>(
      purpose: ConfirmationPurpose,
      browser: SessionBrowser,
      work: () => Promise<T>,
    ): Promise<T> {
      const required = () => failure(sessionsErrors, 'CONFIRMATION_REQUIRED')
      const used = await store.takeConfirmation({ ...placeOf(browser, required), purpose }, clock.now())
      if (!used) throw required()
      try {
        return await work()
      } catch (error) {
        if (isFailure(error)) await store.returnConfirmation(used)
        throw error
      }
    },
  }
}
