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
import {
  type Attempt,
  type AttemptsDeps,
  type Browser,
  createAttempts,
  type EmailTarget,
} from './attempts.service.ts'
import { type Offer, offerOf, offerRules } from './channels.rules.ts'
import { createDelivery } from './delivery.service.ts'
import { emailCodeLifeMs, keyOfEmail, keyOfUser } from './emails.rules.ts'
import { isOfPhone, longestWindowMs, type PastEvent, type Rule } from './limits.rules.ts'
import { createLimits, type LimitsDeps } from './limits.service.ts'
import type { CheckOutcome, OtpProvider, SendAnswer } from './otp.provider.ts'
import {
  type ChannelConfig,
  challengeRules,
  channelRefusal,
  channelRules,
  channelsFor,
  type EmailRole,
  failureMemoryMs,
  fieldRefusal,
  guessRules,
  type PhoneRole,
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
  readonly role: PhoneRole
  /** As typed. */
  readonly phone: string
  readonly language: LanguageCode
  /** By the first one on offer where none was chosen. */
  readonly channel: CodeChannel | undefined
  /** A code by e-mail is asked for beside it: it may be entered as long as that one. */
  readonly isBesideEmail?: boolean
}

/** A phone that was proven in a browser, and the challenge that proved it. */
export interface CodeProof {
  readonly role: PhoneRole
  readonly phone: string
  readonly challengeId: string
}

/** A send that is counted. */
interface ClaimedSend {
  readonly sendId: number
  readonly nextAt: number
  readonly nextChannelAt: number
  readonly channel: CodeChannel | 'email'
  readonly offer: Offer
}

/** A code to an address. */
export interface EmailOrder extends EmailTarget {
  /** False: nothing is sent, and the answer must not show that. */
  readonly isServed: boolean
  readonly language: LanguageCode
  /** Of `recovery`: E.164. */
  readonly newPhone?: string
}

/** A code to an address; see `SentCode`. */
export interface SentEmailCode {
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  readonly sent: boolean
}

/** An address that was proven in a browser. */
export interface EmailProof {
  readonly key: string
  readonly email: string
  readonly challengeId: string
}

type SentEmail = ChallengeRow & { readonly email: string }

/** A code to an address has one channel. */
const offerOfEmail: Offer = { others: [], isOffered: true, isSent: true }

/** What the limits count a user by. */
const keysOf = ({ id, phone, email }: CodesOwner) => [
  ...[phone, keyOfUser(id)],
  ...(email === null ? [] : [keyOfEmail(email)]),
]

/** A user whose codes are exported or forgotten. */
interface CodesOwner {
  readonly id: number
  /** E.164 */
  readonly phone: string
  readonly email: string | null
}

const pauseMsOf = (pauses: readonly Rule[]) =>
  Math.max(channelRules.switchAfterMs, ...pauses.map(({ windowMs }) => windowMs))

/** Age beyond which an event of a phone counts for no rule about it, and for no offer. */
const longestOfPhoneMs = ({ rules: { wrongs, sends, pauses, switches } }: Attempt) =>
  Math.max(
    ...[pauseMsOf(pauses), offerRules.callAfterMs],
    ...[...wrongs, ...sends, ...switches].filter(isOfPhone).map(({ windowMs }) => windowMs),
  )

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
  const claimSend = (
    attempt: Attempt,
    former: string | undefined,
    now: number,
    asked?: { readonly channels: readonly CodeChannel[]; readonly isChosen: boolean },
  ) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const { channel = 'sms' } = attempt.origin
      const events = await store.listEvents(attempt.origin, now - longestOfPhoneMs(attempt))
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

  /** What the phone's sends leave for another channel. */
  function findOffer(
    { rules }: Attempt,
    channel: CodeChannel,
    channels: readonly CodeChannel[],
    events: readonly PastEvent[],
    now: number,
  ): Offer {
    const pauseMs = pauseMsOf(rules.pauses)
    const since = now - Math.max(pauseMs, offerRules.callAfterMs)
    const sends = events.filter(({ kind, at }) => kind === 'send' && at > since)
    return offerOf(channel, channels, sends, { pauseMs, now })
  }

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
    if (channel === 'email') throw fieldRefusal('email', 'EMAIL_INVALID')
    if (outcome === 'phone-invalid') throw fieldRefusal('phone', 'PHONE_INVALID')
    throw channelRefusal(channel, outcome === 'phone-blocked' ? [] : others, isSent)
  }

  /**
   * Sends a code by the channel that was chosen and no other, or returns how long the last one is valid when the same
   * browser asks again too soon.
   * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CHANNEL_UNAVAILABLE, OTP_UNAVAILABLE, and where a limit is
   * reached CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES, TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY.
   */
  async function sendCode(
    { role, phone: typedPhone, language, channel: chosen, isBesideEmail = false }: CodeRequest,
    browser: Browser,
  ): Promise<SentCode> {
    const attempt = await attempts.read(role, typedPhone, browser, (country) => {
      const channel = chosen ?? channelsFor(country, deps.channels)[0]
      if (channel === undefined) throw fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
      return channel
    })
    const { phone, country } = attempt.origin
    attempt.log('info', 'code-asked')
    const channels = channelsFor(country, deps.channels)
    const former = isToken(browser.binding) ? browser.binding : undefined
    // Before any step that differs between phones, so that an outage of the directory looks the same for every phone.
    const isServed = role === 'user' || (await isAgent(phone))
    const now = clock.now()
    const claim = await claimSend(attempt, former, now, { channels, isChosen: chosen !== undefined })
    const { channel } = claim
    const lifeMs = isBesideEmail ? emailCodeLifeMs : challengeRules.lifeMs
    const expiresAt = 'live' in claim ? claim.live.expires_at : now + lifeMs
    const told = {
      ...{ channel, channels },
      expiresInSeconds: secondsUntil(expiresAt, now),
      resendInSeconds: secondsUntil(claim.nextAt, now),
      nextChannelInSeconds: secondsUntil(claim.nextChannelAt, now),
    }
    if ('live' in claim) return { binding: claim.held, ...told, sent: false }
    await cancelEarlier(attempt, former, now)
    const answer = isServed
      ? await provider.send({ to: phone, channel, language, role })
      : await provider.pretendSend(role, channel)
    const provider_ref = await readAnswer(answer, attempt, claim)
    // Always a new binding: an attacker may have planted the one in the request, and would share the proof.
    const binding = randomToken()
    const sent = { browser_hash: hashOf(binding), provider_ref, send_id: claim.sendId, channel, sent_at: now }
    await store.addChallenge({ role, phone, ...sent, expires_at: expiresAt }, former && hashOf(former))
    return { binding, ...told, sent: true }
  }

  /** A code to an address, under the limits of `role`. @param binding the browser's from now on, unless it has a live code */
  async function sendToEmail(order: EmailOrder, browser: Browser, binding: string): Promise<SentEmailCode> {
    const { role, key, email, language, newPhone } = order
    const attempt = await attempts.readEmail(order, browser)
    attempt.log('info', 'code-asked')
    const former = isToken(browser.binding) ? browser.binding : undefined
    const now = clock.now()
    const claim = await claimSend(attempt, former, now)
    const expiresAt = 'live' in claim ? claim.live.expires_at : now + emailCodeLifeMs
    const seconds = {
      expiresInSeconds: secondsUntil(expiresAt, now),
      resendInSeconds: secondsUntil(claim.nextAt, now),
    }
    if ('live' in claim) {
      const { live, held } = claim
      // The number was corrected since.
      if (newPhone !== undefined && live.new_phone !== newPhone) await store.setNewPhone(live.id, newPhone)
      return { binding: held, ...seconds, sent: false }
    }
    const answer = order.isServed
      ? await provider.send({ to: email, channel: 'email', language, role })
      : await provider.pretendSend(role, 'email')
    const provider_ref = await readAnswer(answer, attempt, { ...claim, channel: 'email' })
    const sent = {
      browser_hash: hashOf(binding),
      provider_ref,
      send_id: claim.sendId,
      sent_at: now,
      channel: null,
    }
    const row = { role, phone: key, ...sent, expires_at: expiresAt, email, new_phone: newPhone ?? null }
    await store.addChallenge(row, former === binding ? undefined : former && hashOf(former))
    return { binding, ...seconds, sent: true }
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
      const events = await store.listEvents(attempt.origin, now - longestOfPhoneMs(attempt))
      const reached = await limits.findCheckLimit(attempt, failures, events, now)
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
      const to = check.challenge.email ?? phone
      if (ref !== null) return await provider.check({ ref, to, role }, code)
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
    role: PhoneRole,
    typedPhone: string,
    typedCode: string,
    browser: Browser,
  ): Promise<CodeProof> {
    const attempt = await attempts.read(role, typedPhone, browser)
    const challengeId = await proveChallenge(attempt, typedCode, browser)
    return { role, phone: attempt.origin.phone, challengeId }
  }

  /** The id of the challenge that the code proves. */
  async function proveChallenge(attempt: Attempt, typedCode: string, browser: Browser): Promise<string> {
    const { role, phone } = attempt.origin
    if (!browser.binding) throw wrongCode()
    // Counted and committed before the code is compared: parallel guesses cannot share one count.
    const { proven, check, isLast } = await claimCheck(attempt, hashOf(browser.binding), clock.now())
    if (proven) return proven.id
    const answer = await compare(check, foldDigits(typedCode))
    if (answer !== 'approved') throw refuse(attempt, isLast ? 'CODE_USED_UP' : 'CODE_INVALID', answer)
    const outcome = role !== 'user' || (await isUser(phone)) ? 'answered' : 'joined'
    const now = clock.now()
    if (!(await store.markProven(check, outcome, now, now + challengeRules.provenMs))) throw wrongCode()
    return check.challenge.id
  }

  /** What a browser was sent by e-mail for `role` and has not redeemed. */
  async function findSentEmail(role: EmailRole, { binding }: Browser): Promise<SentEmail | undefined> {
    const row = isToken(binding) && (await store.findChallengeOf(role, hashOf(binding), clock.now()))
    return row && row.email !== null ? { ...row, email: row.email } : undefined
  }

  /** As `checkCode`, of the code that this browser was sent by e-mail. @param accountPhone see `EmailTarget` */
  async function checkEmailCode(
    role: EmailRole,
    typedCode: string,
    browser: Browser,
    accountPhone?: string,
  ): Promise<EmailProof> {
    const sent = await findSentEmail(role, browser)
    if (!sent) throw wrongCode()
    const { phone: key, email } = sent
    const attempt = await attempts.readEmail({ role, key, email, accountPhone }, browser)
    return { key, email, challengeId: await proveChallenge(attempt, typedCode, browser) }
  }

  return {
    sendCode,
    readDelivery: createDelivery(deps),
    checkCode,
    checkEmailCode,

    /** A code to an address, in the browser that asks. @throws Failure as `sendCode`, of addresses. */
    sendEmailCode: (order: EmailOrder, browser: Browser): Promise<SentEmailCode> =>
      sendToEmail(order, browser, randomToken()),

    /**
     * A code to an address beside one to a phone, bound as that one is. A limit that is reached is not shown: nothing is
     * sent then.
     */
    async sendEmailCodeBeside({ binding }: SentCode, order: EmailOrder, browser: Browser): Promise<void> {
      await sendToEmail(order, { ...browser, binding }, binding).catch((error: unknown) => {
        if (!isFailure(error)) throw error
      })
    },

    findSentEmail,
    keyOfUser,
    keyOfEmail,

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

    /** Consumes the proof of an address, in the transaction that relies on it. @throws Failure CODE_INVALID. */
    async redeemEmail({ challengeId }: EmailProof): Promise<void> {
      if (!(await store.consumeProof(challengeId, clock.now()))) throw wrongCode()
    },

    /** The codes that were sent to a user's phone (E.164) and address and are still stored, newest first. */
    async exportCodes({ id, phone, email: own }: CodesOwner): Promise<CodeExport[]> {
      const challenges = [
        ...(await store.listChallenges({ role: 'user', phone })),
        ...(await store.listChallenges({ role: 'email', phone: keyOfUser(id) })),
        ...(own === null ? [] : await store.listChallenges({ role: 'recovery', phone: keyOfEmail(own) })),
      ].toSorted((a, b) => b.sent_at - a.sent_at)
      return challenges.map(({ sent_at, expires_at, checks, state, channel, email, delivery }) => ({
        sentAt: isoOf(sent_at),
        channel: email === null ? (channel ?? 'sms') : 'email',
        delivery,
        validUntil: isoOf(expires_at),
        triedTimes: checks,
        state,
      }))
    },

    /** Wrong codes in a row of a user's number and address, and whether they lock one of them. */
    async readFailures(owner: CodesOwner): Promise<{ wrongCodes: number; isLocked: boolean }> {
      const found: number[] = []
      for (const key of keysOf(owner))
        found.push(...(await store.findFailures(key)).flatMap(({ open, known }) => [open, known]))
      return {
        wrongCodes: found.reduce((sum, one) => sum + one, 0),
        isLocked: found.some((one) => one >= guessRules.consecutiveFailures),
      }
    },

    /** Forgets the wrong codes of a user's number and address; returns how many counters were above zero. */
    async unlock(owner: CodesOwner): Promise<number> {
      let opened = 0
      for (const key of keysOf(owner)) opened += await store.unlockPhone(key)
      return opened
    },

    /** Deletes what is stored of a user's phone (E.164), known devices included. */
    eraseUserPhone: (phone: string) => store.erasePhone({ role: 'user', phone }),

    /** Deletes what is stored of the codes to a user's addresses. */
    async eraseUserEmails(userId: number, email: string | null): Promise<void> {
      await store.erasePhone({ role: 'email', phone: keyOfUser(userId) })
      if (email !== null) await store.erasePhone({ role: 'recovery', phone: keyOfEmail(email) })
    },

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
