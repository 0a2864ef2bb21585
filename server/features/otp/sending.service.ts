import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Attempt, AttemptsService, Browser } from './attempts.service.ts'
import type { LimitsService } from './limits.service.ts'
import type { OtpProvider, SendAnswer } from './otp.provider.ts'
import { challengeRules, fieldRefusal, type Role, secondsUntil, waitRefusal } from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'

export interface SentCode {
  /** The browser's binding cookie. */
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when no new code was sent, because the browser's last one is still valid. */
  readonly sent: boolean
}

interface SendingDeps {
  readonly store: OtpStore
  readonly provider: OtpProvider
  readonly clock: Clock
  /** Whether the phone (E.164) is an agent's. @throws Failure when the directory is not available. */
  readonly isAgent: (phone: string) => Promise<boolean>
  readonly attempts: AttemptsService
  readonly limits: LimitsService
}

export function createSending({ store, provider, clock, isAgent, attempts, limits }: SendingDeps) {
  /** A send within every limit, or the code this browser was sent a moment ago. @throws Failure of the limit reached. */
  const claimSend = (attempt: Attempt, former: string | undefined, now: number) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const reached = await limits.findSendLimit(attempt, failures, now)
      if (!reached) {
        const sendId = await store.addEvent(attempt.origin, 'unanswered', now)
        return { sendId, nextAt: await limits.nextSendAt(attempt, now) }
      }
      // A double click, or a closed dialog: the code that this browser was sent is still valid.
      const isSoon = reached.code === 'CODE_REQUESTED_TOO_SOON'
      const live = isSoon && former && (await store.findChallenge(attempt.origin, hashOf(former), now))
      if (live && live.state === 'sent' && live.checks < (await limits.triesPerCode(attempt, now)))
        return { live, held: former, nextAt: reached.freeAt }
      throw limits.refusal(attempt, reached, now)
    })

  /** Cancels what another browser was sent: it may have used up the provider's tries of this phone. */
  async function cancelEarlier({ origin, log }: Attempt, now: number): Promise<void> {
    if (origin.trust !== 'known') return
    const last = (await store.listChallenges(origin)).find(({ provider_ref }) => provider_ref !== null)
    if (!last?.provider_ref || last.sent_at <= now - challengeRules.providerLifeMs) return
    if (!(await provider.cancel(last.provider_ref, origin.role))) log('info', 'cancel-failed')
  }

  /** The provider's reference; null when no code was sent and the response must not show that. */
  async function readAnswer(
    answer: SendAnswer | { readonly outcome: 'suppressed' },
    { origin, log }: Attempt,
    { sendId, nextAt }: { sendId: number; nextAt: number },
  ): Promise<string | null> {
    const { outcome } = answer
    if (outcome === 'unavailable') {
      const { isCertain, cause } = answer
      // A code that may have been sent still counts.
      if (isCertain) await store.setOutcome(sendId, 'failed')
      log('warn', 'send-unavailable', { isCertain })
      const retryAfterSeconds = isCertain ? 5 : Math.max(1, secondsUntil(nextAt, clock.now()))
      throw failure(sessionsErrors, 'OTP_UNAVAILABLE', {
        retryAfterSeconds,
        ...(cause !== undefined && { cause }),
      })
    }
    if (outcome === 'sent' || outcome === 'suppressed') {
      log('info', `code-${outcome}`)
      return outcome === 'sent' ? answer.ref : null
    }
    log('warn', 'send-refused', { outcome })
    // Only agents' phones are sent to the provider, so showing its refusal would reveal that the phone is an agent's.
    if (origin.role === 'agent') return null
    await store.setOutcome(sendId, 'refused')
    if (outcome === 'too-many') throw waitRefusal('TOO_MANY_CODES', challengeRules.providerLifeMs / 1000)
    throw fieldRefusal('phone', outcome === 'phone-invalid' ? 'PHONE_INVALID' : 'PHONE_CANNOT_RECEIVE_CODES')
  }

  /**
   * Sends a code, or returns how long the last one is valid when the same browser asks again too soon.
   * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, OTP_UNAVAILABLE, and where a limit is reached
   * CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES, TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY.
   */
  return async function sendCode(
    role: Role,
    typedPhone: string,
    language: LanguageCode,
    browser: Browser,
  ): Promise<SentCode> {
    const attempt = await attempts.read(role, typedPhone, browser)
    const { phone } = attempt.origin
    attempt.log('info', 'code-asked')
    const former = isToken(browser.binding) ? browser.binding : undefined
    // Before any step that differs between phones, so that an outage of the directory looks the same for every phone.
    const isServed = role === 'user' || (await isAgent(phone))
    const now = clock.now()
    const { live, held, sendId, nextAt } = await claimSend(attempt, former, now)
    const expiresAt = live?.expires_at ?? now + challengeRules.lifeMs
    const seconds = {
      expiresInSeconds: secondsUntil(expiresAt, now),
      resendInSeconds: secondsUntil(nextAt, now),
    }
    if (live) return { binding: held, ...seconds, sent: false }
    await cancelEarlier(attempt, now)
    const answer = isServed ? await provider.send(phone, language, role) : await provider.pretendSend(role)
    const provider_ref = await readAnswer(answer, attempt, { sendId, nextAt })
    // Always a new binding: an attacker may have planted the one in the request, and would share the proof.
    const binding = randomToken()
    const sent = { browser_hash: hashOf(binding), provider_ref, send_id: sendId, sent_at: now }
    await store.addChallenge({ role, phone, ...sent, expires_at: expiresAt }, former && hashOf(former))
    return { binding, ...seconds, sent: true }
  }
}
