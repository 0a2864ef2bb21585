import { failure, isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { CodeExport } from '#shared/sessions/sessions.schemas.ts'
import { type Attempt, type AttemptsDeps, type Browser, createAttempts } from './attempts.service.ts'
import { createDelivery } from './delivery.service.ts'
import { longestWindowMs } from './limits.rules.ts'
import { createLimits, type LimitsDeps } from './limits.service.ts'
import type { CheckOutcome, OtpProvider, SendAnswer } from './otp.provider.ts'
import {
  type ChannelConfig,
  challengeRules,
  channelRefusal,
  channelsFor,
  failureMemoryMs,
  fieldRefusal,
  guessRules,
  type Role,
  secondsUntil,
  waitRefusal,
} from './otp.rules.ts'
import type { ChallengeRow, CountedCheck } from './otp.store.ts'

/** Other features import this file alone. */
export type { Browser }

export interface SentCode {
  /** The browser's binding cookie. */
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when no new code was sent, because the browser's last one is still valid. */
  readonly sent: boolean
  readonly channel: CodeChannel
  /** On offer for the number. */
  readonly channels: readonly CodeChannel[]
  readonly nextChannelInSeconds: number
}

/** What is asked of `sendCode`. */
export interface CodeRequest {
  readonly role: Role
  /** As typed. */
  readonly phone: string
  readonly language: LanguageCode
  readonly channel: CodeChannel
}

/** A phone that was proven in a browser, and the challenge that proved it. */
export interface CodeProof {
  readonly role: Role
  readonly phone: string
  readonly challengeId: string
}

/** A send that is counted. */
interface ClaimedSend {
  readonly sendId: number
  readonly nextAt: number
  readonly channel: CodeChannel
  /** The other channels on offer. */
  readonly others: readonly CodeChannel[]
}

/** A wrong code, an expired one and one that was sent to another browser are answered alike. */
const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

export interface OtpDeps extends AttemptsDeps, LimitsDeps {
  readonly provider: OtpProvider
  readonly channels: ChannelConfig
  /** Whether the phone (E.164) is an agent's. @throws Failure when the directory is not available. */
  readonly isAgent: (phone: string) => Promise<boolean>
}

/** Sends one-time codes and checks them. */
export type OtpService = ReturnType<typeof createOtp>

export function createOtp(deps: OtpDeps) {
  const { store, provider, clock, isAgent, isUser } = deps
  const attempts = createAttempts(deps)
  const limits = createLimits(deps)

  /** A send within every limit, or the code this browser was sent a moment ago. @throws Failure of the limit reached. */
  const claimSend = (attempt: Attempt, former: string | undefined, now: number) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const live = former && (await store.findChallenge(attempt.origin, hashOf(former), now))
      const isUndelivered = Boolean(live && live.delivery === 'undelivered')
      const reached = await limits.findSendLimit(attempt, failures, isUndelivered, now)
      if (!reached) {
        const sendId = await store.addEvent(attempt.origin, 'unanswered', now)
        const { nextAt, nextChannelAt } = await limits.nextSendAt(attempt, now)
        return { sendId, nextAt, nextChannelAt }
      }
      // A double click, or a closed dialog: the code that this browser was sent is still valid. Of another channel it is
      // not what was asked for.
      const isSame = reached.code === 'CODE_REQUESTED_TOO_SOON' && live && isByChannel(live, attempt)
      if (isSame && live.state === 'sent' && live.checks < (await limits.triesPerCode(attempt, now))) {
        const { nextAt, nextChannelAt } = await limits.nextSendAt(attempt, now)
        return { live, held: former, nextAt, nextChannelAt }
      }
      throw limits.refusal(attempt, reached, now)
    })

  const isByChannel = ({ channel }: ChallengeRow, { origin }: Attempt) =>
    (channel ?? 'sms') === origin.channel

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
    { sendId, nextAt, channel, others }: ClaimedSend,
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
        ...(isCertain && others.length > 0 && { channels: others }),
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
    if (outcome === 'phone-invalid') throw fieldRefusal('phone', 'PHONE_INVALID')
    if (others.length > 0) throw channelRefusal(channel, others)
    if (outcome === 'channel-refused')
      throw failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5 })
    throw fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
  }

  /**
   * Sends a code by the channel that was chosen and no other, or returns how long the last one is valid when the same
   * browser asks again too soon.
   * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CHANNEL_UNAVAILABLE, OTP_UNAVAILABLE, and where a limit is
   * reached CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES, TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY.
   */
  async function sendCode(
    { role, phone: typedPhone, language, channel }: CodeRequest,
    browser: Browser,
  ): Promise<SentCode> {
    const attempt = await attempts.read(role, typedPhone, browser, channel)
    const { phone, country } = attempt.origin
    attempt.log('info', 'code-asked')
    const channels = channelsFor(country, deps.channels)
    const others = channels.filter((other) => other !== channel)
    if (!channels.includes(channel)) throw channelRefusal(channel, others)
    const former = isToken(browser.binding) ? browser.binding : undefined
    // Before any step that differs between phones, so that an outage of the directory looks the same for every phone.
    const isServed = role === 'user' || (await isAgent(phone))
    const now = clock.now()
    const { live, held, sendId, nextAt, nextChannelAt } = await claimSend(attempt, former, now)
    const expiresAt = live?.expires_at ?? now + challengeRules.lifeMs
    const told = {
      ...{ channel, channels },
      expiresInSeconds: secondsUntil(expiresAt, now),
      resendInSeconds: secondsUntil(nextAt, now),
      nextChannelInSeconds: secondsUntil(nextChannelAt, now),
    }
    if (live) return { binding: held, ...told, sent: false }
    await cancelEarlier(attempt, now)
    const answer = isServed
      ? await provider.send({ to: phone, channel, language, role })
      : await provider.pretendSend(role)
    const provider_ref = await readAnswer(answer, attempt, { sendId, nextAt, channel, others })
    // Always a new binding: an attacker may have planted the one in the request, and would share the proof.
    const binding = randomToken()
    const sent = { browser_hash: hashOf(binding), provider_ref, send_id: sendId, channel, sent_at: now }
    await store.addChallenge({ role, phone, ...sent, expires_at: expiresAt }, former && hashOf(former))
    return { binding, ...told, sent: true }
  }

  const refuse = ({ log }: Attempt, code: 'CODE_INVALID' | 'CODE_USED_UP', outcome: string) => {
    log('info', 'code-refused', { outcome })
    return fieldRefusal('code', code)
  }

  /** Counts a wrong check, or finds the proof this browser already has. @throws Failure of the limit reached. */
  const claimCheck = (attempt: Attempt, browserHash: string, now: number) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const live = await store.findChallenge(attempt.origin, browserHash, now)
      if (live?.state === 'proven') return { proven: live }
      // Not counted: without a code there is nothing to guess, and any browser could lock any phone.
      if (!live) throw refuse(attempt, 'CODE_INVALID', 'unknown')
      const tries = await limits.triesPerCode(attempt, now)
      if (live.checks >= tries) throw refuse(attempt, 'CODE_USED_UP', 'used-up')
      const reached = await limits.findCheckLimit(attempt, failures, now)
      if (reached) throw limits.refusal(attempt, reached, now)
      const check = await store.countCheck(attempt.origin, live.id, tries, now)
      if (!check) throw refuse(attempt, 'CODE_INVALID', 'unknown')
      return { check, isLast: check.challenge.checks >= tries }
    })

  /** Uncounts a check that certainly did not reach the provider, and per code a few whose answers are lost. */
  async function compare(check: CountedCheck, code: string): Promise<CheckOutcome> {
    const { phone, role } = check.origin
    const ref = check.challenge.provider_ref
    try {
      if (ref !== null) return await provider.check({ ref, phone, role }, code)
      await provider.pretendCheck(code, role)
      return 'rejected'
    } catch (error) {
      if (isFailure(error, 'OTP_UNAVAILABLE')) {
        const isCertain = error.cause instanceof UnreachableError
        await store.uncountCheck(check, isCertain, guessRules.uncountedPerCode, clock.now())
      }
      throw error
    }
  }

  /**
   * A proof that the code is right, or was within the last ten minutes in this browser.
   * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CODE_INVALID, CODE_USED_UP, OTP_UNAVAILABLE, and where a
   * limit is reached TOO_MANY_WRONG_CODES, PHONE_LOCKED.
   */
  async function checkCode(
    role: Role,
    typedPhone: string,
    typedCode: string,
    browser: Browser,
  ): Promise<CodeProof> {
    const attempt = await attempts.read(role, typedPhone, browser)
    const { phone } = attempt.origin
    if (!browser.binding) throw wrongCode()
    // Counted and committed before the code is compared: parallel guesses cannot share one count.
    const { proven, check, isLast } = await claimCheck(attempt, hashOf(browser.binding), clock.now())
    if (proven) return { role, phone, challengeId: proven.id }
    const answer = await compare(check, foldDigits(typedCode))
    if (answer !== 'approved') throw refuse(attempt, isLast ? 'CODE_USED_UP' : 'CODE_INVALID', answer)
    const outcome = role === 'agent' || (await isUser(phone)) ? 'answered' : 'joined'
    const now = clock.now()
    if (!(await store.markProven(check, outcome, now, now + challengeRules.provenMs))) throw wrongCode()
    return { role, phone, challengeId: check.challenge.id }
  }

  return {
    sendCode,
    readDelivery: createDelivery(deps),
    checkCode,

    /**
     * Consumes a proof, in the transaction that opens the session. Returns the token that makes the browser a known
     * device. @throws Failure CODE_INVALID.
     */
    async redeemProof(proof: CodeProof, { device }: Browser): Promise<string> {
      const now = clock.now()
      if (!(await store.consumeProof(proof.challengeId, now))) throw wrongCode()
      // An unknown token may have been planted by an attacker, so a new one is issued.
      const isIssued = isToken(device) && (await store.isKnownDevice(hashOf(device), now - deviceLifeMs))
      const token = isIssued ? device : randomToken()
      await store.saveDevice(hashOf(token), proof, now)
      return token
    },

    /** The codes that were sent to a user's phone (E.164) and are still stored, newest first. */
    async exportCodes(phone: string): Promise<CodeExport[]> {
      const challenges = await store.listChallenges({ role: 'user', phone })
      return challenges.map(({ sent_at, expires_at, checks, state, channel }) => ({
        sentAt: isoOf(sent_at),
        channel: channel ?? 'sms',
        validUntil: isoOf(expires_at),
        triedTimes: checks,
        state,
      }))
    },

    /** Deletes what is stored of a user's phone (E.164), known devices included. */
    eraseUserPhone: (phone: string) => store.erasePhone({ role: 'user', phone }),

    /** Deletes expired rows, at most `limit` of each kind; returns how many. */
    deleteExpired(limit: number): Promise<number> {
      const now = clock.now()
      const events = now - longestWindowMs(deps.limits)
      const before = {
        challenges: now - challengeRules.providerLifeMs,
        events,
        phones: events,
        failures: now - failureMemoryMs,
        devices: now - deviceLifeMs,
      }
      return store.deleteExpired(before, guessRules.consecutiveFailures, limit)
    },
  }
}
