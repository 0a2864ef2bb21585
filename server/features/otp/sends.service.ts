import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { CodeChannel, SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { Attempt, Attempts } from './attempts.service.ts'
import { type Offer, offerOf, offerRules } from './channels.rules.ts'
import { type PastEvent, pauseMsOf } from './limits.rules.ts'
import type { CodesDeps, Limits } from './limits.service.ts'
import type { SendAnswer } from './otp.provider.ts'
import {
  challengeRules,
  channelRefusal,
  fieldRefusal,
  guessRules,
  type Role,
  secondsUntil,
  waitRefusal,
} from './otp.rules.ts'

/** A send that is counted. */
interface ClaimedSend {
  readonly sendId: number
  readonly nextAt: number
  readonly nextChannelAt: number
  readonly channel: SendChannel
  readonly offer: Offer
}

/** Codes of one role that are sent to the same number or address as those of another role. */
export interface OtherCodes {
  readonly role: Role
  /** As in their challenges. */
  readonly phone: string
  /** Null: codes to the phone. */
  readonly email: string | null
}

/** What a browser learns of a code that it asked for. */
export interface SentCode<Channel extends SendChannel = CodeChannel> {
  /** The browser's binding cookie. */
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when no new code was sent, because the browser's last one is still valid. */
  readonly sent: boolean
  readonly channel: Channel
  /** On offer for the number. */
  readonly channels: readonly Channel[]
  readonly nextChannelInSeconds: number
}

/** How a code of an attempt is sent. */
export interface CodeSending {
  readonly channels: readonly SendChannel[]
  readonly isChosen: boolean
  readonly language: LanguageCode
  /** False: nothing is sent, and the answer must not show that. */
  readonly isServed: boolean
  /** Where a code by `email` goes. */
  readonly email: string | null
  readonly lifeOf: (channel: SendChannel) => number
  /** Codes that must not be sent again in place of this one. */
  readonly othersOf: (channel: SendChannel) => readonly OtherCodes[]
  /** Sends nothing while one of those may be pending. */
  readonly needsOwnCode: boolean
}

/** A code to an address has one channel. */
const offerOfEmail: Offer = { others: [], isOffered: true, isSent: true }

/** What the phone's sends leave for another channel. */
function findOffer(
  { rules }: Attempt,
  channel: SendChannel,
  channels: readonly SendChannel[],
  events: readonly PastEvent[],
  now: number,
): Offer {
  const pauseMs = pauseMsOf(rules.pauses)
  const since = now - Math.max(pauseMs, offerRules.callAfterMs)
  const sends = events.filter(({ kind, at }) => kind === 'send' && at > since)
  return offerOf(channel, channels, sends, { pauseMs, now })
}

/** Counts what is sent, and reads what the provider answers. */
export function createSends({ store, provider, clock }: CodesDeps, attempts: Attempts, limits: Limits) {
  /** A send within every limit, or the code this browser was sent a moment ago. @throws Failure of the limit reached. */
  const claim = (
    attempt: Attempt,
    former: string | undefined,
    now: number,
    asked?: { readonly channels: readonly SendChannel[]; readonly isChosen: boolean },
  ) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const { channel = 'sms' } = attempt.origin
      const events = await attempts.listEvents(attempt, now)
      const offer = asked ? findOffer(attempt, channel, asked.channels, events, now) : offerOfEmail
      if (!offer.isOffered) throw channelRefusal(channel, offer.others, offer.isSent)
      const live = former ? await store.findChallenge(attempt.origin, hashOf(former), now) : undefined
      const isUndelivered = Boolean(live && live.delivery === 'undelivered')
      const reached = await limits.findSendLimit(attempt, failures, isUndelivered, events, now)
      if (!reached) {
        const sendId = await store.addEvent(attempt.origin, 'unanswered', now)
        const withThis = [...events, { kind: 'send', channel, outcome: 'unanswered', at: now } as const]
        return { sendId, channel, offer, ...(await limits.nextSendAt(attempt, withThis, now)) }
      }
      // A double click, or a closed dialog: the code that this browser was sent is still valid. Of another channel it is
      // not what was asked for, if one was.
      const isTooSoon = reached.code === 'CODE_REQUESTED_TOO_SOON'
      const sent = live && { ...attempt.origin, channel: live.channel ?? 'sms' }
      const isMeant =
        asked?.isChosen === false
          ? isTooSoon || reached.code === 'TOO_MANY_CODES'
          : isTooSoon && (!asked || sent?.channel === channel)
      const canType = live?.state === 'sent' && live.checks < (await limits.triesPerCode(attempt, now))
      if (former !== undefined && live && sent && isMeant && canType) {
        const times = await limits.nextSendAt({ ...attempt, origin: sent }, events, now)
        return { live, held: former, channel: sent.channel, ...times }
      }
      const refusal = limits.refusal(attempt, reached, now)
      // Nothing was sent: the service refused, and is not asked again within the pause.
      const isRefused = (isTooSoon && !offer.isSent) || reached.code === 'CHANNEL_UNAVAILABLE'
      throw isRefused ? channelRefusal(channel, offer.others, offer.isSent) : refusal
    })

  /**
   * Cancels what another browser was sent: it may have used up the provider's tries of this phone. What this browser was
   * sent stays, because its code may be on its way by another channel, as long as tries are left for both.
   */
  async function cancelEarlier(
    { origin, log }: Attempt,
    former: string | undefined,
    now: number,
  ): Promise<void> {
    if (origin.trust !== 'known') return
    const challenges = await store.listChallenges(origin)
    const last = challenges.find(({ provider_ref }) => provider_ref !== null)
    if (!last?.provider_ref || last.sent_at <= now - challengeRules.providerLifeMs) return
    const ofLast = challenges.filter(({ provider_ref }) => provider_ref === last.provider_ref)
    const used = ofLast.reduce((sum, { checks }) => sum + checks, 0)
    const isOwn = former !== undefined && last.browser_hash === hashOf(former)
    if (isOwn && used + guessRules.triesPerCode <= guessRules.providerTries) return
    if (!(await provider.cancel(last.provider_ref, origin.role))) log('info', 'cancel-failed')
  }

  /**
   * Ends the pending codes of other roles to the same number or address: the provider sends the pending code again instead
   * of a new one, and a code that signs in must not confirm, nor the other way round. False when that is not certain.
   */
  async function endOthers(others: readonly OtherCodes[], { log }: Attempt, now: number): Promise<boolean> {
    let isCertain = true
    for (const { role, phone, email } of others) {
      const pending = (await store.listChallenges({ role, phone })).filter(
        (each) =>
          each.email === email && each.state === 'sent' && each.sent_at > now - challengeRules.providerLifeMs,
      )
      for (const ref of new Set(pending.map(({ provider_ref }) => provider_ref))) {
        if (ref === null || (await provider.cancel(ref, role))) continue
        isCertain = false
        log('info', 'cancel-failed')
      }
      for (const { id } of pending) await store.spendSent(id)
    }
    return isCertain
  }

  /** Uncounts a send that nothing was sent for. @throws Failure OTP_UNAVAILABLE */
  async function refuseSend({ sendId }: Pick<ClaimedSend, 'sendId'>): Promise<never> {
    await store.setOutcome(sendId, 'failed')
    throw failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5 })
  }

  /** The provider's reference; null when no code was sent and the response must not show that. */
  async function readAnswer(
    answer: SendAnswer | { readonly outcome: 'suppressed' },
    { origin, log }: Attempt,
    { sendId, nextAt, nextChannelAt, channel, offer }: ClaimedSend,
  ): Promise<string | null> {
    const { outcome } = answer
    const { others, isSent } = offer
    if (outcome === 'unavailable') {
      const { isCertain, cause } = answer
      // A code that may have been sent still counts.
      if (isCertain) await store.setOutcome(sendId, 'failed')
      log('warn', 'send-unavailable', { isCertain })
      // Of addresses only proven ones are sent to the provider: a mailer that is down must not reveal that this is one.
      if (origin.role === 'recovery') return null
      const hasOthers = others.length > 0
      const retryAt = hasOthers ? nextChannelAt : nextAt
      const retryAfterSeconds = isCertain ? 5 : Math.max(1, secondsUntil(retryAt, clock.now()))
      throw failure(sessionsErrors, 'OTP_UNAVAILABLE', {
        retryAfterSeconds,
        ...(hasOthers && { channels: others }),
        ...(cause !== undefined && { cause }),
      })
    }
    if (outcome === 'sent' || outcome === 'suppressed') {
      log('info', `code-${outcome}`)
      return outcome === 'sent' ? answer.ref : null
    }
    const isOfSender = outcome === 'channel-refused'
    const level = isOfSender && limits.isAlarmDue(`refused ${channel}`, clock.now()) ? 'error' : 'warn'
    log(level, 'send-refused', { outcome, providerCode: answer.code })
    // Only agents' phones and proven addresses are sent to the provider: showing its refusal would reveal that they are.
    if (origin.role === 'agent' || origin.role === 'recovery') return null
    await store.setOutcome(sendId, outcome === 'phone-blocked' ? 'blocked' : 'refused')
    if (outcome === 'too-many') throw waitRefusal('TOO_MANY_CODES', challengeRules.providerLifeMs / 1000)
    if (channel === 'email' && origin.role === 'email') throw fieldRefusal('email', 'EMAIL_INVALID')
    if (outcome === 'phone-invalid') throw fieldRefusal('phone', 'PHONE_INVALID')
    throw channelRefusal(channel, outcome === 'phone-blocked' ? [] : others, isSent)
  }

  return { claim, cancelEarlier, endOthers, refuseSend, readAnswer }
}
