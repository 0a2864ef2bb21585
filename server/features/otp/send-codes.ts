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
import type { SendAnswer, SendRefused, SendUnavailable } from './otp.provider.ts'
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
  /** True when a code by e-mail is sent, too: both codes are then valid for the same time. */
  readonly isBesideEmail?: boolean
}

export interface EmailOrder extends EmailTarget {
  /** When `isServed` is false, no code is sent, and the answer must not disclose that. */
  readonly isServed: boolean
  readonly language: LanguageCode
  /** The recovery gives this phone number to the account. */
  readonly newPhone?: string
  /** The phone number of the account, whose pending confirmation codes by e-mail are cancelled. */
  readonly ownPhone?: string | undefined
}

export interface SentEmailCode {
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when the last code is still valid, so that no code was sent. */
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
  /** Waiting codes that confirm a request are cancelled, because the provider could send one of them in place of a new code. */
  readonly others: readonly OtherCodes[]
}

export function channelOf(chosen: SendChannel | undefined, channels: readonly SendChannel[]): SendChannel {
  const channel = chosen ?? channels[0]
  if (channel === undefined) throw fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
  return channel
}

/**
 * A browser that asks again too soon gets the remaining time of its last code by this channel.
 * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CHANNEL_UNAVAILABLE, OTP_UNAVAILABLE,
 * CODE_REQUESTED_TOO_SOON (without such a code), TOO_MANY_CODES, TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY
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
  // An outage of the directory of agents must look the same for every phone number, so it is read first.
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
  return sent as SentCode
}

/** @throws Failure EMAIL_INVALID, OTP_UNAVAILABLE, TOO_MANY_EMAIL_CODES, EMAIL_LOCKED, SIGN_IN_BUSY */
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
 * Binds the code by e-mail to the browser of the other code. The answer and the statements must be the same for every
 * address, even when a limit is reached.
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
  // The browser's count of e-mails moves to its new binding.
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
  await endFormerCodes(core, attempt, sending, { formerHash, sendId, email })
  const { otp } = core.providers
  const answered = sending.isServed
    ? await otp.send({ to: email ?? phone, channel, language, role })
    : await otp.pretendSend(role, channel)
  const provider_ref = await readAnswer(core, attempt, claimed, answered)
  // An attacker who planted the former binding in the browser would share the proof, so the binding is always new.
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

interface Former {
  readonly formerHash: string | undefined
  readonly sendId: number
  readonly email: string | null
}

async function endFormerCodes(
  core: Core,
  attempt: Attempt<SendChannel>,
  { others }: Sending,
  { formerHash, sendId, email }: Former,
) {
  const { role, phone, trust } = attempt.origin
  // Another browser has possibly used up the provider's tries for the pending code.
  const own = trust === 'open' ? [] : [{ role, phone, email }]
  const areEnded = await endPending(core, attempt, [...others, ...own], formerHash)
  if (areEnded || role !== 'confirm') return
  await setOutcome(core, sendId, 'failed')
  throw failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5 })
}

interface ClaimedSend {
  readonly live?: ChallengeRow
  readonly sendId: number
  readonly nextAt: number
  readonly nextChannelAt: number
  readonly offer: Offer
}

const offerOfEmail: Offer = { others: [], isOffered: true, isSent: true }

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
    const { code } = reached.rule
    // A user who chose a channel must not get the code of another channel.
    const isMeant = !isChosen || (code === 'CODE_REQUESTED_TOO_SOON' && live?.channel === channel)
    // After a double click, the last code is still valid.
    if (isMeant && staysValid.includes(code) && canStillBeEntered(live)) {
      const sent = { ...attempt, origin: { ...origin, channel: live.channel } }
      return { live, sendId: live.send_id, offer, ...nextSendAt(sent, events) }
    }
    const refusal = limitRefusal(core, attempt, reached)
    // The provider has refused the phone number, so it is not asked again within the pause.
    throw code === 'CODE_REQUESTED_TOO_SOON' && !offer.isSent ? channelRefusal(channel, offer) : refusal
  })

/** After these refusals of a new code, the last one can still be entered. */
const staysValid: readonly string[] = ['CODE_REQUESTED_TOO_SOON', 'TOO_MANY_CODES']

const canStillBeEntered = (live: ChallengeRow | undefined): live is ChallengeRow =>
  live?.state === 'sent' && live.checks < guessRules.triesPerCode

/**
 * Cancels pending codes, because the provider would send one again, and a code of a sign-in could confirm a request.
 * This browser's own code can still arrive by another channel, so it stays while the provider accepts enough tries.
 * @returns false when the cancellation is uncertain
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

/** @returns null when no code was sent, which the caller must not disclose */
async function readAnswer(
  core: Core,
  { origin, log }: Attempt<SendChannel>,
  claimed: ClaimedSend,
  answer: SendAnswer | { readonly outcome: 'suppressed' },
) {
  const { role, channel } = origin
  const { outcome } = answer
  if (outcome === 'sent' || outcome === 'suppressed') {
    log('info', `code-${outcome}`)
    return outcome === 'sent' ? answer.ref : null
  }
  if (outcome === 'unavailable') {
    // A code that was possibly sent counts for the limits.
    if (answer.isCertain) await setOutcome(core, claimed.sendId, 'failed')
    log('warn', 'send-unavailable', { isCertain: answer.isCertain })
    // A failed send must not disclose that this address is proven, so it gets the answer of a sent code.
    if (role === 'recovery') return null
    throw unavailability(core, claimed, answer)
  }
  const isAlarm = outcome === 'channel-refused' && isAlarmDue(core, `refused ${channel}`)
  log(isAlarm ? 'error' : 'warn', 'send-refused', { outcome, providerCode: answer.code })
  // A refusal would disclose an agent's phone number or a proven address, so it gets the answer of a sent code.
  if (role === 'agent' || role === 'recovery') return null
  await setOutcome(core, claimed.sendId, outcome === 'phone-blocked' ? 'blocked' : 'refused')
  throw refusalOf(outcome, origin, claimed.offer)
}

function unavailability(
  core: Core,
  { nextAt, nextChannelAt, offer: { others } }: ClaimedSend,
  { isCertain, cause }: SendUnavailable,
) {
  const hasOthers = others.length > 0
  const waitSeconds = secondsUntil(hasOthers ? nextChannelAt : nextAt, core.clock.now())
  return failure(sessionsErrors, 'OTP_UNAVAILABLE', {
    retryAfterSeconds: isCertain ? 5 : Math.max(1, waitSeconds),
    ...(hasOthers && { channels: others }),
    ...(cause !== undefined && { cause }),
  })
}

function refusalOf(
  outcome: SendRefused['outcome'],
  { role, channel }: Attempt<SendChannel>['origin'],
  offer: Offer,
) {
  if (outcome === 'too-many') {
    const code = channel === 'email' ? 'TOO_MANY_EMAIL_CODES' : 'TOO_MANY_CODES'
    return waitRefusal(code, challengeRules.providerLifeMs / 1000)
  }
  if (role === 'email') return fieldRefusal('email', 'EMAIL_INVALID')
  if (outcome === 'phone-invalid') return fieldRefusal('phone', 'PHONE_INVALID')
  return channelRefusal(channel, outcome === 'phone-blocked' ? { ...offer, others: [] } : offer)
}
