import { addressGroup, truncatedAddress } from '#server/platform/address.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Failure, failure, isFailure } from '#server/platform/errors.ts'
import { groupFreeAt } from '#server/platform/limits.ts'
import { type Log, maskedPhone } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { canonicalPhone, phoneGroups } from '#server/platform/phone.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { KeptCode } from '#shared/sessions/sessions.schemas.ts'
import {
  type CodeLimits,
  canonicalCode,
  challengeRules,
  checkLimitMet,
  deviceLifeMs,
  type EventKind,
  type GroupRule,
  groupRules,
  type Lane,
  longestWindowMs,
  type MetLimit,
  nextSendAt,
  rowMemoryMs,
  secondsUntil,
  sendLimitMet,
} from './codes.rules.ts'
import type { CodesStore, CountedCheck, EventRow, Group, GroupQuestion } from './codes.store.ts'
import type { CodeVerdict, OtpGateway, SendUnavailable } from './sessions.gateway.ts'
import type { Audience } from './sessions.rules.ts'

/** The browser that talks: its cookies (raw tokens, never stored), its address, and the log of its request. */
export interface Browser {
  readonly binding: string | undefined
  readonly session: string | undefined
  readonly device: string | undefined
  readonly address: string
  /** What the browser says of itself; only two words of it are kept. */
  readonly userAgent?: string | undefined
  readonly log: Log
}

export interface SentCode {
  /** Set as the browser's binding cookie. */
  readonly binding: string
  readonly expiresInSeconds: number
  readonly resendInSeconds: number
  /** False when nothing new went out, because what this browser asked for a moment ago still holds. */
  readonly sent: boolean
}

/** A phone that has been proven in a browser, and the challenge that proved it. */
export interface CodeProof {
  readonly audience: Audience
  readonly phone: string
  readonly challengeId: string
}

export interface CodesDeps {
  readonly database: Database
  readonly store: CodesStore
  readonly otp: OtpGateway
  /** Is this phone (E.164) an agent's? @throws Failure when the directory cannot be had. */
  readonly isAgent: (phone: string) => Promise<boolean>
  readonly limits: CodeLimits
  readonly clock: Clock
  readonly metrics: Metrics
  /** ISO codes of the countries that may sign in; all when undefined. */
  readonly allowedCountries: readonly string[] | undefined
}

export interface CodesService {
  /**
   * Sends a code, or answers how long the one just sent still holds when this browser asks again too soon.
   * @throws Failure PHONE_INVALID, OTP_UNAVAILABLE, and where a limit is met CODE_REQUESTED_TOO_SOON, TOO_MANY_CODES,
   * TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY.
   */
  sendCode(
    audience: Audience,
    typedPhone: string,
    language: LanguageCode,
    browser: Browser,
  ): Promise<SentCode>
  /**
   * A proof that the code is right, or was within the last ten minutes in this browser.
   * @throws Failure PHONE_INVALID, CODE_INVALID, CODE_USED_UP, OTP_UNAVAILABLE, and where a limit is met
   * TOO_MANY_WRONG_CODES, PHONE_LOCKED, SIGN_IN_BUSY.
   */
  prove(audience: Audience, typedPhone: string, typedCode: string, browser: Browser): Promise<CodeProof>
  /**
   * Uses a proof up, and answers the token that makes the browser a known one. In the transaction that opens the
   * session. @throws Failure CODE_INVALID.
   */
  redeem(proof: CodeProof, browser: Browser): Promise<string>
  /** Writes down that a proof has signed somebody in. */
  noteSignIn(proof: CodeProof, browser: Browser, who: Readonly<Record<string, unknown>>): void
  /** What is kept of the codes a user's phone (E.164) asked for, newest first. */
  list(phone: string): Promise<KeptCode[]>
  /** Deletes what is remembered of a user's phone (E.164), known devices included: its owner leaves. */
  forgetPhone(phone: string): Promise<void>
  /** Deletes what has ended; answers how many rows. */
  forget(): Promise<number>
}

const refusedCode = (code: 'CODE_INVALID' | 'CODE_USED_UP') =>
  failure(sessionsErrors, code, { fields: [{ field: 'code', text: sessionsErrors[code].text }] })

/** Wrong, too late, or not sent to this browser: one answer for all three. */
export const wrongCode = () => refusedCode('CODE_INVALID')

const refusedPhone = () =>
  failure(sessionsErrors, 'PHONE_INVALID', {
    fields: [{ field: 'phone', text: sessionsErrors.PHONE_INVALID.text }],
  })

const inSeconds = (code: MetLimit['code'], seconds: number) =>
  failure(sessionsErrors, code, { values: { wait: waitInWords(seconds) }, retryAfterSeconds: seconds })

/** How long the provider has had enough of a number (Twilio: until its verification ends). */
const providerPauseSeconds = challengeRules.providerLifeMs / 1000
/** Enough to find the next free place of any group that is not far beyond its limit. */
const mostTimes = 1_000

export function createCodes(deps: CodesDeps): CodesService {
  const { database, store, otp, limits, clock } = deps
  const memoryMs = longestWindowMs(limits)
  const limitsMet = deps.metrics.counter(
    'sign_in_limits_total',
    'Codes and checks that were refused, by the limit that refused them.',
    ['limit'],
  )

  /** What one request is about. */
  interface Attempt {
    readonly audience: Audience
    readonly phone: string
    readonly lane: Lane
    readonly origin: Pick<EventRow, 'prefix' | 'country' | 'address'>
    readonly log: (level: 'info' | 'warn', event: string, more?: object) => void
  }

  async function attemptOf(audience: Audience, typed: string, browser: Browser): Promise<Attempt> {
    const phone = canonicalPhone(typed, deps.allowedCountries)
    if (!phone) throw refusedPhone()
    const isKnown =
      isToken(browser.device) &&
      (await store.isKnownDevice(hashOf(browser.device), audience, phone, clock.now() - deviceLifeMs))
    const shown = {
      audience,
      phone: maskedPhone(phone),
      address: truncatedAddress(browser.address),
      lane: isKnown ? 'known' : 'open',
    }
    return {
      audience,
      phone,
      lane: isKnown ? 'known' : 'open',
      origin: { ...phoneGroups(phone), address: addressGroup(browser.address) },
      log: (level, event, more) => browser.log[level]({ event: `sign-in.${event}`, ...shown, ...more }),
    }
  }

  /** The limit of a group that is met and frees a place last; undefined when there is room in every group. */
  async function groupLimitMet(
    on: EventKind,
    { lane, origin }: Attempt,
    now: number,
  ): Promise<(MetLimit & { group: Group }) | undefined> {
    const rules: readonly GroupRule[] = groupRules
    const asked = rules
      .filter((rule) => rule.on === on && (lane === 'open' || rule.stopsKnown))
      .flatMap((rule) =>
        limits[rule.name].map((limit) => ({
          rule,
          limit,
          room: rule.hasRoom ? limits.OTP_ROOM_PER_SIGN_IN : 0,
          group: { by: rule.by, key: rule.by === 'all' ? '' : origin[rule.by] },
          outcomes: rule.counts,
          after: now - limit.windowMs,
        })),
      )
    const counts = await store.countGroups(asked)
    let met: (MetLimit & { group: Group; freeAt: number }) | undefined
    for (const [index, question] of asked.entries()) {
      const { rule, limit, room, group, after } = question
      const spent = counts[index] ?? 0
      if (spent < limit.count) continue
      const right: GroupQuestion = { group, outcomes: ['right'], after }
      const [earned = 0] = room > 0 ? await store.countGroups([right]) : []
      if (spent < limit.count + room * earned) continue
      const times = {
        spent: await store.findGroupTimes(question, mostTimes),
        earned: room > 0 ? await store.findGroupTimes(right, mostTimes) : [],
      }
      const freeAt = groupFreeAt(limit, times, room, now, { spent, earned })
      if (!met || freeAt > met.freeAt) met = { code: 'SIGN_IN_BUSY', limit: rule.name, freeAt, group }
    }
    return met
  }

  function refuse(attempt: Attempt, met: MetLimit & { group?: Group }, now: number): Failure {
    limitsMet.inc({ limit: met.limit })
    if (met.freeAt === undefined) {
      attempt.log('warn', 'phone-locked', { limit: met.limit })
      return failure(sessionsErrors, 'PHONE_LOCKED')
    }
    const seconds = Math.max(1, secondsUntil(met.freeAt, now))
    attempt.log(met.code === 'CODE_REQUESTED_TOO_SOON' ? 'info' : 'warn', 'limit-met', {
      limit: met.limit,
      // A prefix is most of a phone.
      ...(met.group && { group: met.group.by === 'prefix' ? 'prefix' : groupShown(met.group, attempt) }),
      retryAfterSeconds: seconds,
    })
    return inSeconds(met.code, seconds)
  }

  const groupShown = ({ by, key }: Group, { origin }: Attempt) =>
    by === 'address'
      ? `address ${truncatedAddress(origin.address.replace('/64', ''))}`
      : `${by} ${key}`.trim()

  /** The phone's past within the windows. The phone must be locked. */
  async function pastOf({ audience, phone, lane }: Attempt, now: number) {
    const inARow = await store.lockPhone(audience, phone, now)
    const events = await store.findPhoneEvents(audience, phone, now - memoryMs)
    return { events, lane, wrongInARow: inARow[lane] }
  }

  const turns = new Map<string, Promise<unknown>>()

  /**
   * One request of a phone after the other. The lock in the database alone would do, but whoever waits there holds a
   * connection: a flood at one phone would leave none for all the others.
   */
  async function inTurn<T>({ audience, phone }: Attempt, work: () => Promise<T>): Promise<T> {
    const key = `${audience} ${phone}`
    const turn = (turns.get(key) ?? Promise.resolve()).then(() => database.transaction(work))
    const settled = turn.catch(() => undefined)
    turns.set(key, settled)
    try {
      return await turn
    } finally {
      if (turns.get(key) === settled) turns.delete(key)
    }
  }

  /** A place within every limit, or what stands in the way of it. */
  async function claimSend(attempt: Attempt, now: number) {
    return inTurn(attempt, async () => {
      const past = await pastOf(attempt, now)
      const met = sendLimitMet(limits, past, now) ?? (await groupLimitMet('send', attempt, now))
      if (met) return { met }
      const { audience, phone, lane, origin } = attempt
      const event = {
        kind: 'send',
        audience,
        phone,
        lane,
        ...origin,
        at: now,
        outcome: 'unanswered',
      } as const
      return { sendId: await store.addEvent(event), resendAt: nextSendAt(limits, past, now) }
    })
  }

  /**
   * What an earlier browser was sent is ended, so that a stranger who used up the provider's tries on this phone has
   * not used up those of its owner.
   */
  async function cancelEarlier({ audience, phone, lane, log }: Attempt, now: number): Promise<void> {
    if (lane !== 'known') return
    const ref = await store.findLastRef(audience, phone, now - challengeRules.providerLifeMs)
    if (ref && !(await otp.cancel(ref, audience))) log('info', 'cancel-failed')
  }

  /** A send that came to nothing is given back where it is sure; what may have gone out goes on counting. */
  async function unsent(
    { isCertain, cause }: SendUnavailable,
    attempt: Attempt,
    claim: { sendId: number; resendAt: number },
  ): Promise<Failure> {
    if (isCertain) await store.settleSend(claim.sendId, 'failed')
    attempt.log('warn', 'send-unavailable', { isCertain })
    return failure(sessionsErrors, 'OTP_UNAVAILABLE', {
      retryAfterSeconds: isCertain ? 5 : Math.max(1, secondsUntil(claim.resendAt, clock.now())),
      ...(cause === undefined ? {} : { cause }),
    })
  }

  /** The provider's reference of a code that went out; null when none did and nobody is to notice. */
  async function send(
    attempt: Attempt,
    language: LanguageCode,
    claim: { sendId: number; resendAt: number },
    isServed: boolean,
  ): Promise<string | null> {
    const { audience, phone, log } = attempt
    if (!isServed) {
      const pretence = await otp.pretendSend(audience)
      if (pretence.outcome === 'unavailable') throw await unsent(pretence, attempt, claim)
      log('info', 'code-suppressed')
      return null
    }
    const answer = await otp.send(phone, language, audience)
    if (answer.outcome === 'unavailable') throw await unsent(answer, attempt, claim)
    if (answer.outcome === 'sent') {
      log('info', 'code-sent')
      return answer.ref
    }
    log('warn', 'send-refused', { verdict: answer.outcome })
    // A stranger's phone is never refused by the provider, so an agent's must not be seen to be.
    if (audience === 'agent') return null
    await store.settleSend(claim.sendId, 'failed')
    if (answer.outcome === 'phone-refused') throw refusedPhone()
    throw inSeconds('TOO_MANY_CODES', providerPauseSeconds)
  }

  /** Counts a check as a wrong one, or answers the proof this browser already holds. */
  async function claimCheck(attempt: Attempt, browserHash: string, now: number) {
    return inTurn(attempt, async () => {
      const past = await pastOf(attempt, now)
      const { audience, phone, lane, origin } = attempt
      const live = await store.findChallenge(audience, phone, browserHash, now)
      if (live?.state === 'proven') return { proven: live }
      // What was never sent cannot be guessed, so it is not counted: a stranger could lock anybody out with it.
      if (!live) return { refusal: wrongCode() }
      if (live.checks >= limits.OTP_WRONG_PER_CODE) return { refusal: refusedCode('CODE_USED_UP') }
      const met = checkLimitMet(limits, past, now) ?? (await groupLimitMet('check', attempt, now))
      if (met) return { met }
      const counted = await store.countCheck(live.id, limits.OTP_WRONG_PER_CODE, now)
      if (!counted) return { refusal: wrongCode() }
      await store.countInARow(audience, phone, lane)
      const event = { kind: 'check', audience, phone, lane, ...origin, at: now, outcome: 'wrong' } as const
      const eventId = await store.addEvent(event)
      const check = { eventId, challengeId: live.id, sendId: live.send_id, audience, phone, lane }
      return { counted, check }
    })
  }

  /** What the provider makes of a code. A check that it did not make is given back. */
  async function compare(check: CountedCheck, ref: string | null, code: string): Promise<CodeVerdict> {
    try {
      if (ref !== null) return await otp.check(ref, code, check.audience)
      await otp.pretendCheck(code, check.audience)
      return 'rejected'
    } catch (error) {
      if (isFailure(error, 'OTP_UNAVAILABLE')) await store.giveCheckBack(check)
      throw error
    }
  }

  return {
    async sendCode(audience, typedPhone, language, browser) {
      const attempt = await attemptOf(audience, typedPhone, browser)
      const { phone, log } = attempt
      log('info', 'code-asked')
      const binding = isToken(browser.binding) ? browser.binding : randomToken()
      // Before anything differs between those it knows and those it does not: its outage looks alike for all.
      const isServed = audience === 'user' || (await deps.isAgent(phone))
      const now = clock.now()
      const claim = await claimSend(attempt, now)
      if ('met' in claim) {
        const { met } = claim
        const live =
          met.code === 'CODE_REQUESTED_TOO_SOON'
            ? await store.findChallenge(audience, phone, hashOf(binding), now)
            : undefined
        // The same browser asking twice (a double click, a closed dialog) already has its code.
        if (live?.state === 'sent' && live.checks < limits.OTP_WRONG_PER_CODE)
          return {
            binding,
            expiresInSeconds: secondsUntil(live.expires_at, now),
            resendInSeconds: secondsUntil(met.freeAt ?? now, now),
            sent: false,
          }
        throw refuse(attempt, met, now)
      }
      await cancelEarlier(attempt, now)
      const providerRef = await send(attempt, language, claim, isServed)
      await store.addChallenge({
        audience,
        phone,
        browser_hash: hashOf(binding),
        provider_ref: providerRef,
        sent_at: now,
        expires_at: now + challengeRules.lifeMs,
        send_id: claim.sendId,
      })
      return {
        binding,
        expiresInSeconds: challengeRules.lifeMs / 1000,
        resendInSeconds: secondsUntil(claim.resendAt, now),
        sent: true,
      }
    },

    async prove(audience, typedPhone, typedCode, browser) {
      const attempt = await attemptOf(audience, typedPhone, browser)
      const { phone, log } = attempt
      if (!browser.binding) throw wrongCode()
      const now = clock.now()
      // 1. Counted, and committed, before the code is compared: parallel guesses cannot share one count.
      const claim = await claimCheck(attempt, hashOf(browser.binding), now)
      if (claim.proven) return { audience, phone, challengeId: claim.proven.id }
      if (claim.met) throw refuse(attempt, claim.met, now)
      if (claim.refusal) {
        log('info', 'code-refused', {
          verdict: claim.refusal.code === 'CODE_USED_UP' ? 'used-up' : 'unknown',
        })
        throw claim.refusal
      }
      // 2. Compared, by the provider alone.
      const { counted, check } = claim
      const verdict = await compare(check, counted.provider_ref, canonicalCode(typedCode))
      if (verdict !== 'approved') {
        log('info', 'code-refused', { verdict })
        throw counted.checks >= limits.OTP_WRONG_PER_CODE ? refusedCode('CODE_USED_UP') : wrongCode()
      }
      // 3. Right: only now, and only once.
      if (!(await store.prove(check, clock.now(), clock.now() + challengeRules.provenMs))) throw wrongCode()
      return { audience, phone, challengeId: counted.id }
    },

    async redeem({ audience, phone, challengeId }, { device }) {
      const now = clock.now()
      if (!(await store.spend(challengeId, now))) throw wrongCode()
      // A token we never gave out was chosen by somebody else.
      const isOurs = isToken(device) && (await store.isIssuedDevice(hashOf(device)))
      const token = isOurs ? device : randomToken()
      await store.keepDevice(hashOf(token), audience, phone, now)
      return token
    },

    noteSignIn({ audience, phone }, browser, who) {
      const address = truncatedAddress(browser.address)
      browser.log.info({ event: 'sign-in.done', audience, phone: maskedPhone(phone), address, ...who })
    },

    async list(phone) {
      const challenges = await store.listChallenges('user', phone)
      return challenges.map(({ sent_at, expires_at, checks, state }) => ({
        sentAt: isoOf(sent_at),
        validUntil: isoOf(expires_at),
        triedTimes: checks,
        state,
      }))
    },

    forgetPhone: (phone) => store.forgetPhone('user', phone),

    forget() {
      const now = clock.now()
      const before = {
        challenges: now - challengeRules.providerLifeMs,
        events: now - memoryMs,
        phones: now - memoryMs,
        devices: now - deviceLifeMs,
        rows: now - rowMemoryMs,
      }
      return store.forget(before, limits.OTP_WRONG_IN_A_ROW)
    },
  }
}
