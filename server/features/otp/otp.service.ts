import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import { isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { CodeChannel, SendChannel } from '#shared/platform/code-channels.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import type { CodeExport } from '#shared/sessions/sessions.schemas.ts'
import {
  type Attempt,
  type AttemptsDeps,
  type Browser,
  createAttempts,
  type EmailTarget,
} from './attempts.service.ts'
import { createChecks, wrongCode } from './checks.service.ts'
import { createConfirmCodes } from './confirm-codes.service.ts'
import { createDelivery } from './delivery.service.ts'
import { emailCodeLifeMs, keyOfEmail, keyOfUser, lettersPerBrowser } from './emails.rules.ts'
import { longestWindowMs } from './limits.rules.ts'
import { type CodesDeps, createLimits } from './limits.service.ts'
import {
  type ChannelConfig,
  challengeRules,
  channelsFor,
  type EmailRole,
  failureMemoryMs,
  fieldRefusal,
  guessRules,
  type PhoneRole,
  secondsUntil,
} from './otp.rules.ts'
import type { ChallengeRow, OtpStore } from './otp.store.ts'
import { createPairings, type PairingsDeps } from './pairings.service.ts'
import type { PairingsStore } from './pairings.store.ts'
import { type CodeSending, createSends, type SentCode } from './sends.service.ts'

/** Other features import this file alone. */
export type { Browser, SentCode }

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

/** A code to an address. */
export interface EmailOrder extends EmailTarget {
  /** False: nothing is sent, and the answer must not show that. */
  readonly isServed: boolean
  readonly language: LanguageCode
  /** Of `recovery`: E.164. */
  readonly newPhone?: string
  /** E.164; its pending confirmations by this address end. Undefined without an account. */
  readonly ownPhone?: string | undefined
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

/** Counts the letters that each browser asks for. Its binding is another one after each code, and takes the count along. */
function createLetters({ readings }: Pick<Core, 'readings'>) {
  const readerOf = (binding: string) => `letters ${hashOf(binding)}`
  return {
    /** False where the browser has asked for too many. */
    async take(letter: string, binding: string, { binding: former, log }: Browser): Promise<boolean> {
      if (isToken(former) && former !== binding) await readings.move(readerOf(former), readerOf(binding))
      const { waitMs } = await readings.take(readerOf(binding), [letter], lettersPerBrowser)
      if (waitMs !== undefined) log.warn({ event: 'sign-in.letters-spent' })
      return waitMs === undefined
    },
    drop: (letter: string, binding: string) => readings.drop(readerOf(binding), [letter]),
  }
}

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

export interface OtpDeps extends AttemptsDeps, CodesDeps, PairingsDeps, Pick<Core, 'readings'> {
  readonly pairings: PairingsStore
  readonly channels: ChannelConfig
}

/** What is stored of the codes of one user: exported, unlocked and deleted. */
const createOwnerActs = (store: OtpStore) => ({
  /** The codes that were sent to a user's phone (E.164) and address and are still stored, newest first. */
  async exportCodes({ id, phone, email: own }: CodesOwner): Promise<CodeExport[]> {
    const challenges = [
      ...(await store.listChallenges({ role: 'user', phone })),
      ...(await store.listChallenges({ role: 'confirm', phone })),
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
  async eraseUserPhone(phone: string): Promise<void> {
    await store.erasePhone({ role: 'user', phone })
    await store.erasePhone({ role: 'confirm', phone })
  },

  /** Deletes what is stored of the codes to a user's addresses. */
  async eraseUserEmails(userId: number, email: string | null): Promise<void> {
    await store.erasePhone({ role: 'email', phone: keyOfUser(userId) })
    if (email !== null) await store.erasePhone({ role: 'recovery', phone: keyOfEmail(email) })
  },
})

/** Sends one-time codes and checks them. */
export type OtpService = ReturnType<typeof createOtp>

export function createOtp(deps: OtpDeps) {
  const { store, provider, clock, findAgent } = deps
  const attempts = createAttempts(deps)
  const limits = createLimits(deps)
  const sends = createSends(deps, attempts, limits)
  const pairings = createPairings(deps, attempts)
  const proveChallenge = createChecks(deps, attempts, limits)
  const letters = createLetters(deps)

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
    // Before any step that differs between phones, so that an outage of the directory looks the same for every phone.
    const isServed = role === 'user' || (await findAgent(phone)) !== undefined
    const lifeMs = isBesideEmail ? emailCodeLifeMs : challengeRules.lifeMs
    const { challengeId: _, ...sent } = await sendBy(
      attempt,
      {
        channels,
        isChosen: chosen !== undefined,
        language,
        isServed,
        email: null,
        lifeOf: () => lifeMs,
        othersOf: () => (role === 'user' ? [{ role: 'confirm', phone, email: null }] : []),
        needsOwnCode: false,
      },
      browser,
    )
    // E-mail is not among the channels.
    return sent as SentCode
  }

  /** Counts, sends and stores a code by the channel of the attempt, or finds the one that this browser was sent before. */
  async function sendBy(
    attempt: Attempt,
    { channels, isChosen, language, isServed, email, ...sending }: CodeSending,
    browser: Browser,
  ): Promise<SentCode<SendChannel> & { readonly challengeId: string }> {
    const { role, phone } = attempt.origin
    const former = isToken(browser.binding) ? browser.binding : undefined
    const now = clock.now()
    const claim = await sends.claim(attempt, former, now, { channels, isChosen })
    const { channel } = claim
    const expiresAt = 'live' in claim ? claim.live.expires_at : now + sending.lifeOf(channel)
    const told = {
      channel,
      channels,
      expiresInSeconds: secondsUntil(expiresAt, now),
      resendInSeconds: secondsUntil(claim.nextAt, now),
      nextChannelInSeconds: secondsUntil(claim.nextChannelAt, now),
    }
    if ('live' in claim) return { binding: claim.held, challengeId: claim.live.id, ...told, sent: false }
    if (role === 'agent') await pairings.noteFull(attempt, now)
    await sends.cancelEarlier(attempt, former, now)
    const isOwnCode = await sends.endOthers(sending.othersOf(channel), attempt, now)
    if (!isOwnCode && sending.needsOwnCode) await sends.refuseSend(claim)
    const address = channel === 'email' ? email : null
    const answer = isServed
      ? await provider.send({ to: address ?? phone, channel, language, role })
      : await provider.pretendSend(role, channel)
    const provider_ref = await sends.readAnswer(answer, attempt, claim)
    // Always a new binding: an attacker may have planted the one in the request, and would share the proof.
    const binding = randomToken()
    const sent = { browser_hash: hashOf(binding), provider_ref, send_id: claim.sendId, channel, sent_at: now }
    const row = { role, phone, ...sent, expires_at: expiresAt, email: address }
    const challengeId = await store.addChallenge(row, former && hashOf(former))
    if (role === 'agent' && former && attempt.origin.trust === 'known') await pairings.move(former, binding)
    return { binding, challengeId, ...told, sent: true }
  }

  /** A code to an address, under the limits of `role`. @param binding the browser's from now on, unless it has a live code */
  async function sendToEmail(order: EmailOrder, browser: Browser, binding: string): Promise<SentEmailCode> {
    const { role, key, email, language, newPhone } = order
    const attempt = await attempts.readEmail(order, browser)
    attempt.log('info', 'code-asked')
    const former = isToken(browser.binding) ? browser.binding : undefined
    const now = clock.now()
    const claim = await sends.claim(attempt, former, now)
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
    const { ownPhone } = order
    if (ownPhone !== undefined)
      await sends.endOthers([{ role: 'confirm', phone: ownPhone, email }], attempt, now)
    const answer = order.isServed
      ? await provider.send({ to: email, channel: 'email', language, role })
      : await provider.pretendSend(role, 'email')
    const provider_ref = await sends.readAnswer(answer, attempt, { ...claim, channel: 'email' })
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
    try {
      const challengeId = await proveChallenge(attempt, typedCode, browser)
      return { role, phone: attempt.origin.phone, challengeId }
    } catch (error) {
      const isWrong = isFailure(error, 'CODE_INVALID') || isFailure(error, 'CODE_USED_UP')
      if (role === 'agent' && isWrong) await pairings.noteFull(attempt, clock.now())
      throw error
    }
  }

  return {
    sendCode,
    readDelivery: createDelivery(deps),
    checkCode,
    ...createEmailChecks(deps, attempts, proveChallenge),

    /** A code to an address, in the browser that asks. @throws Failure as `sendCode`, of addresses. */
    sendEmailCode: (order: EmailOrder, browser: Browser): Promise<SentEmailCode> =>
      sendToEmail(order, browser, randomToken()),

    /**
     * A code to an address beside one to a phone, bound as that one is. A limit that is reached is not shown: nothing is
     * sent then. The statements are the same for every address.
     */
    async sendEmailCodeBeside({ binding }: SentCode, order: EmailOrder, browser: Browser): Promise<void> {
      const letter = randomUUID()
      if (!(await letters.take(letter, binding, browser))) return
      const sent = await sendToEmail(order, { ...browser, binding }, binding).catch((error: unknown) => {
        if (!isFailure(error)) throw error
        return undefined
      })
      if (!sent?.sent) await letters.drop(letter, binding)
    },

    showPairing: pairings.show,
    openPairing: pairings.open,
    ...createConfirmCodes(deps, attempts, sendBy),

    keyOfUser,
    keyOfEmail,

    /**
     * Consumes a proof, in the transaction that opens the session. Returns the token that makes the browser a known
     * device. @throws Failure CODE_INVALID.
     */
    async redeemProof(proof: CodeProof, { device, binding }: Browser): Promise<string> {
      const now = clock.now()
      if (!(await store.consumeProof(proof.challengeId, now))) throw wrongCode()
      if (proof.role === 'agent') await pairings.end(proof.phone, { binding })
      // An unknown token may have been planted by an attacker, so a new one is issued.
      const isIssued = isToken(device) && (await store.isKnownDevice(hashOf(device), now - deviceLifeMs))
      const token = isIssued ? device : randomToken()
      await store.saveDevice(hashOf(token), proof, now)
      return token
    },

    ...createOwnerActs(store),
    deleteExpired: createDeletion(deps, pairings.deleteEnded),
  }
}

/** Codes that were sent to addresses. */
function createEmailChecks(
  { store, clock }: Pick<OtpDeps, 'store' | 'clock'>,
  attempts: ReturnType<typeof createAttempts>,
  proveChallenge: ReturnType<typeof createChecks>,
) {
  /** What a browser was sent by e-mail for `role` and has not redeemed. */
  async function findSentEmail(role: EmailRole, { binding }: Browser): Promise<SentEmail | undefined> {
    const row = isToken(binding) && (await store.findChallengeOf(role, hashOf(binding), clock.now()))
    return row && row.email !== null ? { ...row, email: row.email } : undefined
  }

  return {
    findSentEmail,

    /** As `checkCode`, of the code that this browser was sent by e-mail. @param accountPhone see `EmailTarget` */
    async checkEmailCode(
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
    },

    /** Consumes the proof of an address, in the transaction that relies on it. @throws Failure CODE_INVALID. */
    async redeemEmail({ challengeId }: EmailProof): Promise<void> {
      if (!(await store.consumeProof(challengeId, clock.now()))) throw wrongCode()
    },
  }
}

/** Deletes expired rows, at most `limit` of each kind; returns how many. */
function createDeletion(
  { store, clock, limits }: Pick<OtpDeps, 'store' | 'clock' | 'limits'>,
  deleteEndedPairings: (limit: number) => Promise<number>,
) {
  return async (limit: number): Promise<number> => {
    const now = clock.now()
    const events = now - longestWindowMs(limits)
    const before = {
      challenges: now - challengeRules.providerLifeMs,
      events,
      phones: events,
      failures: now - failureMemoryMs,
      devices: now - deviceLifeMs,
    }
    const ended = await deleteEndedPairings(limit)
    return ended + (await store.deleteExpired(before, guessRules.consecutiveFailures, limit))
  }
}
