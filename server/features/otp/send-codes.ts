import type { Core } from '#server/core.ts'
import { findAgentByPhone } from '#server/features/partner/partner.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { CodeChannel, SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import {
  type Attempt,
  type Browser,
  type EmailTarget,
  inTurn,
  readAttempt,
  readEmailAttempt,
} from './attempts.ts'
import { channelRefusal, channelsFor, type Offer, offerOf } from './channels.rules.ts'
import { lettersPerBrowser } from './limits.rules.ts'
import { findSendLimit, isAlarmDue, limitRefusal, nextSendAt } from './limits.ts'
import type { SendAnswer } from './otp.provider.ts'
import {
  addChallenge,
  addEvent,
  type ChallengeRow,
  changeChallenge,
  listChallenges,
  listEvents,
  listLive,
  setOutcome,
} from './otp.queries.ts'
import {
  challengeRules,
  emailCodeLifeMs,
  fieldRefusal,
  guessRules,
  isEmailRole,
  type Origin,
  type PhoneRole,
  secondsUntil,
  waitRefusal,
} from './otp.rules.ts'
import { moveBrowser } from './pairings.queries.ts'
import { noteFull } from './pairings.ts'

export interface CodeRequest {
  readonly role: PhoneRole
  readonly phone: string
  readonly language: LanguageCode
  readonly channel: CodeChannel | undefined
  /** True when a code by e-mail is sent with this one: both are then valid for the same time. */
  readonly isBesideEmail?: boolean
}

export interface EmailOrder extends EmailTarget {
  /** When false, no code is sent, and the answer must not disclose that. */
  readonly isServed: boolean
  readonly language: LanguageCode
  /** The phone number that a recovery gives to the account, in E.164. */
  readonly newPhone?: string
  /**
   * The account's phone number, in E.164: its pending confirmation codes by e-mail end. Undefined without an account.
   */
  readonly ownPhone?: string | undefined
}

export interface SentEmailCode {
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when no code was sent, because the browser's last one is still valid. */
  readonly sent: boolean
}

export interface SentCode<Channel extends SendChannel = CodeChannel> extends SentEmailCode {
  readonly channel: Channel
  readonly channels: readonly Channel[]
  readonly nextChannelInSeconds: number
}

type OtherCodes = Pick<Origin, 'role' | 'phone'> & { readonly email: string | null }

interface Sending {
  readonly channels: readonly SendChannel[]
  readonly isChosen: boolean
  readonly language: LanguageCode
  readonly isServed: boolean
  readonly lifeMs: number
  readonly email: string | null
  readonly newPhone?: string | undefined
  readonly binding?: string
  /** Pending codes to end: the provider could send one of them again in place of a new code. */
  readonly others: readonly OtherCodes[]
}

/** @throws Failure PHONE_CANNOT_RECEIVE_CODES */
export function channelOf(chosen: SendChannel | undefined, channels: readonly SendChannel[]): SendChannel {
  const channel = chosen ?? channels[0]
  if (channel === undefined) throw fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
  return channel
}

/**
 * Sends a code by the chosen channel only. When the same browser asks again too soon, no code is sent. The answer is
 * then the remaining time of its last code, or CODE_REQUESTED_TOO_SOON if it has no valid code by that channel.
 * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CHANNEL_UNAVAILABLE, OTP_UNAVAILABLE, and of the limits
 * CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES, TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY
 */
export async function sendCode(
  core: Core,
  { role, phone: typedPhone, language, channel, isBesideEmail }: CodeRequest,
  browser: Browser,
): Promise<SentCode> {
  const attempt = await readAttempt(core, role, typedPhone, browser, (country) =>
    channelOf(channel, channelsFor(country, core.config)),
  )
  const { phone, country } = attempt.origin
  // The directory of agents is asked before any step that differs between phone numbers, so that its outage looks the
  // same for all.
  const isServed = role === 'user' || (await findAgentByPhone(core, phone)) !== undefined
  const sent = await send(core, attempt, browser, {
    channels: channelsFor(country, core.config),
    isChosen: channel !== undefined,
    language,
    isServed,
    lifeMs: isBesideEmail ? emailCodeLifeMs : challengeRules.lifeMs,
    email: null,
    others: role === 'user' ? [{ role: 'confirm', phone, email: null }] : [],
  })
  // E-mail is not among these channels, so the type can be narrowed.
  return sent as SentCode
}

/**
 * @throws Failure EMAIL_INVALID, OTP_UNAVAILABLE, and of the limits TOO_MANY_EMAIL_CODES, EMAIL_LOCKED, SIGN_IN_BUSY
 */
export async function sendEmailCode(
  core: Core,
  { language, isServed, newPhone, ownPhone, ...target }: EmailOrder,
  browser: Browser,
  binding = randomToken(core.random),
): Promise<SentEmailCode> {
  const { email } = target
  const attempt = await readEmailAttempt(core, target, browser)
  return send(core, attempt, browser, {
    channels: ['email'],
    isChosen: true,
    language,
    isServed,
    lifeMs: emailCodeLifeMs,
    email,
    newPhone,
    binding,
    others: ownPhone === undefined ? [] : [{ role: 'confirm', phone: ownPhone, email }],
  })
}

/**
 * The e-mail's code is bound to the same browser as the code to the phone. When a limit is reached, no e-mail is sent,
 * and the answer does not disclose it. The statements are the same for every address.
 */
export async function sendEmailCodeBeside(
  core: Core,
  { binding }: Pick<SentCode, 'binding'>,
  order: EmailOrder,
  browser: Browser,
): Promise<void> {
  const { readings, random } = core
  const readerOf = (token: string) => `letters ${hashOf(token)}`
  const [former, letter] = [browser.binding, random.uuid()]
  // The browser's binding changes with each code, so its count moves to the new binding.
  if (isToken(former) && former !== binding) await readings.move(readerOf(former), readerOf(binding))
  const { waitMs } = await readings.take(readerOf(binding), [letter], lettersPerBrowser)
  if (waitMs !== undefined) {
    browser.log.warn({ event: 'sign-in.letters-spent' })
    return
  }
  const sent = await sendEmailCode(core, order, { ...browser, binding }, binding).catch((error: unknown) => {
    if (!isFailure(error)) throw error
    return undefined
  })
  if (!sent?.sent) await readings.drop(readerOf(binding), [letter])
}

export async function send(core: Core, attempt: Attempt<SendChannel>, browser: Browser, sending: Sending) {
  const { origin, now, log } = attempt
  const { role, phone, trust } = origin
  const { channels, language, newPhone } = sending
  const formerHash = isToken(browser.binding) ? hashOf(browser.binding) : undefined
  log('info', 'code-asked')
  const claimed = await claimSend(core, attempt, browser, sending)
  const { live, sendId } = claimed
  const channel = live?.channel ?? origin.channel
  const expires_at = live?.expires_at ?? now + sending.lifeMs
  const answer = {
    channel,
    channels,
    expiresInSeconds: secondsUntil(expires_at, now),
    resendInSeconds: secondsUntil(claimed.nextAt, now),
    nextChannelInSeconds: secondsUntil(claimed.nextChannelAt, now),
  }
  if (live && browser.binding) {
    if (newPhone !== undefined) await changeChallenge(core, { id: live.id }, { new_phone: newPhone })
    return { ...answer, binding: browser.binding, challengeId: live.id, sent: false }
  }
  if (role === 'agent') await noteFull(core, attempt)
  const email = channel === 'email' ? sending.email : null
  // Another browser may have used up the provider's tries of the pending code.
  const own = trust === 'open' ? [] : [{ role, phone, email }]
  const isOwnCode = await endPending(core, attempt, [...sending.others, ...own], formerHash)
  if (!isOwnCode && role === 'confirm') {
    await setOutcome(core, sendId, 'failed')
    throw failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  const { otp } = core.providers
  const answered = sending.isServed
    ? await otp.send({ to: email ?? phone, channel, language, role })
    : await otp.pretendSend(role, channel)
  const provider_ref = await readAnswer(core, attempt, claimed, answered)
  // The browser's binding is always new: an attacker may have planted the one in the request, and would share the
  // proof.
  const binding = sending.binding ?? randomToken(core.random)
  const [challengeId, browser_hash] = [core.random.uuid(), hashOf(binding)]
  const challenge = {
    id: challengeId,
    role,
    phone,
    browser_hash,
    provider_ref,
    send_id: sendId,
    state: 'sent',
    checks: 0,
    channel,
    sent_at: now,
    expires_at,
    email,
    new_phone: newPhone ?? null,
  } as const
  await addChallenge(core, challenge, formerHash)
  if (role === 'agent' && formerHash !== undefined && trust === 'known')
    await moveBrowser(core, formerHash, browser_hash)
  return { ...answer, binding, challengeId, sent: true }
}

interface ClaimedSend {
  readonly live?: ChallengeRow
  readonly sendId: number
  readonly nextAt: number
  readonly nextChannelAt: number
  readonly offer: Offer
}

/** A code by e-mail has no other channel to offer. */
const offerOfEmail: Offer = { others: [], isOffered: true, isSent: true }

/**
 * Finds the code that this browser was sent a moment ago, or counts a new send.
 * @throws Failure PHONE_CANNOT_RECEIVE_CODES, CHANNEL_UNAVAILABLE, and of the limit that is reached
 */
const claimSend = (
  core: Core,
  attempt: Attempt<SendChannel>,
  browser: Browser,
  { channels, isChosen }: Sending,
): Promise<ClaimedSend> =>
  inTurn(core, attempt, async (locked) => {
    const { origin, now, rules } = attempt
    const { role, phone, channel } = origin
    const [failures, events, [live]] = await Promise.all([
      locked,
      listEvents(core, origin, now),
      listLive(core, browser, { role, phone }, now),
    ])
    const { triedMs } = rules
    const offer = isEmailRole(role) ? offerOfEmail : offerOf(channel, channels, events, { triedMs, now })
    if (!offer.isOffered) throw channelRefusal(channel, offer)
    const isAtOnce = live?.delivery === 'undelivered'
    const reached = await findSendLimit(core, attempt, failures, events, isAtOnce)
    if (!reached) {
      const sendId = await addEvent(core, origin, 'unanswered', now)
      const event = { kind: 'send', channel, outcome: 'unanswered', at: now } as const
      return { sendId, offer, ...nextSendAt(attempt, [...events, event]) }
    }
    // After a double click or a closed dialog, the last code is still valid. A browser that has chosen a channel does
    // not get the code of another channel.
    const { code } = reached.rule
    const isTooSoon = code === 'CODE_REQUESTED_TOO_SOON'
    const isMeant = isChosen ? isTooSoon && live?.channel === channel : isTooSoon || code === 'TOO_MANY_CODES'
    if (live?.state === 'sent' && live.checks < guessRules.triesPerCode && isMeant) {
      const sent = { ...attempt, origin: { ...origin, channel: live.channel } }
      return { live, sendId: live.send_id, offer, ...nextSendAt(sent, events) }
    }
    const refusal = limitRefusal(core, attempt, reached)
    // No code was sent: the service refused the number, and is not asked again within the pause.
    throw isTooSoon && !offer.isSent ? channelRefusal(channel, offer) : refusal
  })

/**
 * Cancels the pending codes of a phone number before a new one is sent. Otherwise the provider would send a pending code
 * again, and a code of a sign-in could confirm a request. The last code of this browser for the same purpose stays,
 * because it may still arrive by another channel, as long as the provider accepts enough tries for the old and the new
 * code together.
 * @returns false when the provider may not have cancelled a code
 */
async function endPending(
  core: Core,
  { origin, now, log }: Attempt,
  codes: readonly OtherCodes[],
  formerHash: string | undefined,
) {
  let isCertain = true
  for (const each of codes) {
    const sent = await listChallenges(core, { ...each, state: 'sent' })
    const [last] = sent
    const used = sent
      .filter(({ provider_ref }) => provider_ref === last?.provider_ref)
      .reduce((sum, { checks }) => sum + checks, 0)
    const isOwn = each.role === origin.role && last?.browser_hash === formerHash
    if (isOwn && used + guessRules.triesPerCode <= guessRules.providerTries) continue
    const pending = sent.filter(({ sent_at }) => sent_at > now - challengeRules.providerLifeMs)
    for (const ref of new Set(pending.map(({ provider_ref }) => provider_ref))) {
      if (ref === null || (await core.providers.otp.cancel(ref, each.role))) continue
      isCertain = false
      log('info', 'cancel-failed')
    }
    for (const { id } of pending) await changeChallenge(core, { id, state: 'sent' }, { state: 'spent' })
  }
  return isCertain
}

/** @returns the provider's id of the sent code. Null: no code was sent, and the caller answers as for a sent one. */
async function readAnswer(
  core: Core,
  { origin: { role, channel }, log }: Attempt<SendChannel>,
  { sendId, nextAt, nextChannelAt, offer }: ClaimedSend,
  answer: SendAnswer | { readonly outcome: 'suppressed' },
) {
  const { outcome } = answer
  if (outcome === 'sent' || outcome === 'suppressed') {
    log('info', `code-${outcome}`)
    return outcome === 'sent' ? answer.ref : null
  }
  const { others } = offer
  if (outcome === 'unavailable') {
    const { isCertain, cause } = answer
    // A code that may have been sent still counts for the limits.
    if (isCertain) await setOutcome(core, sendId, 'failed')
    log('warn', 'send-unavailable', { isCertain })
    // Only proven addresses get recovery e-mails, so an outage of the mailer must not disclose that this one is proven.
    if (role === 'recovery') return null
    const hasOthers = others.length > 0
    const waitSeconds = secondsUntil(hasOthers ? nextChannelAt : nextAt, core.clock.now())
    throw failure(sessionsErrors, 'OTP_UNAVAILABLE', {
      retryAfterSeconds: isCertain ? 5 : Math.max(1, waitSeconds),
      ...(hasOthers && { channels: others }),
      ...(cause !== undefined && { cause }),
    })
  }
  const isAlarm = outcome === 'channel-refused' && isAlarmDue(core, `refused ${channel}`)
  log(isAlarm ? 'error' : 'warn', 'send-refused', { outcome, providerCode: answer.code })
  // Only agents' numbers and proven addresses get these codes, so a refusal would disclose that this is one.
  if (role === 'agent' || role === 'recovery') return null
  await setOutcome(core, sendId, outcome === 'phone-blocked' ? 'blocked' : 'refused')
  if (outcome === 'too-many') {
    const code = channel === 'email' ? 'TOO_MANY_EMAIL_CODES' : 'TOO_MANY_CODES'
    throw waitRefusal(code, challengeRules.providerLifeMs / 1000)
  }
  if (role === 'email') throw fieldRefusal('email', 'EMAIL_INVALID')
  if (outcome === 'phone-invalid') throw fieldRefusal('phone', 'PHONE_INVALID')
  throw channelRefusal(channel, outcome === 'phone-blocked' ? { ...offer, others: [] } : offer)
}
