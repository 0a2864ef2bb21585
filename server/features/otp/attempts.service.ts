import type { Core } from '#server/core.ts'
import { addressGroup, truncatedAddress } from '#server/platform/address.ts'
import { type Log, maskedPhone } from '#server/platform/logging.ts'
import { phoneGroups, readPhone } from '#server/platform/phone.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import { createTurns } from '#server/platform/turns.ts'
import type { CodeChannel, SendChannel } from '#shared/platform/code-channels.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import { offerRules } from './channels.rules.ts'
import { emailRulesFor, keyOfEmail } from './emails.rules.ts'
import {
  confirmationRulesFor,
  isOfPhone,
  type OtpLimits,
  type PastEvent,
  pauseMsOf,
  rulesFor,
} from './limits.rules.ts'
import { type DeviceTrust, type EmailRole, fieldRefusal, type Origin, type PhoneRole } from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'
import type { PairingsStore } from './pairings.store.ts'

/** The requesting browser: its cookies (raw tokens, never stored), its address, and the log of its request. */
export interface Browser {
  readonly binding: string | undefined
  readonly device: string | undefined
  readonly address: string
  readonly log: Log
}

/** One request to send or check a code. */
export interface Attempt {
  readonly origin: Origin
  /** The rules for its country. */
  readonly rules: ReturnType<typeof rulesFor>
  readonly log: (level: 'info' | 'warn' | 'error', event: string, more?: object) => void
}

/** What a code to an address is about. */
export interface EmailTarget {
  readonly role: EmailRole
  /** What its limits count by; see emails.rules.ts. */
  readonly key: string
  /** As `readEmail` spells it. */
  readonly email: string
  /** Of `recovery`: the number (E.164) of the account that has proven the address, if one has. */
  readonly accountPhone?: string | undefined
}

export interface AttemptsDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OtpStore
  readonly pairings: Pick<PairingsStore, 'findPairing'>
  readonly limits: OtpLimits
  /** ISO codes of the countries that may sign in; all when undefined. */
  readonly allowedCountries: readonly string[] | undefined
}

/** Age beyond which an event of a phone counts for no rule about it, and for no offer. */
const longestOfPhoneMs = ({ rules: { wrongs, sends, pauses, switches } }: Attempt) =>
  Math.max(
    ...[pauseMsOf(pauses), offerRules.callAfterMs],
    ...[...wrongs, ...sends, ...switches].filter(isOfPhone).map(({ windowMs }) => windowMs),
  )

export type Attempts = ReturnType<typeof createAttempts>

export function createAttempts(deps: AttemptsDeps) {
  const { database, store, pairings, limits, clock, allowedCountries } = deps
  /** By role and phone. */
  const inTurn = createTurns<string>()

  async function trustOf(
    { device, binding }: Browser,
    of: { readonly role: PhoneRole; readonly phone: string },
  ): Promise<DeviceTrust> {
    const now = clock.now()
    if (isToken(device) && (await store.isKnownDevice(hashOf(device), now - deviceLifeMs, of))) return 'known'
    if (of.role === 'user' || !isToken(binding)) return 'open'
    const pairing = await pairings.findPairing({ browserHash: hashOf(binding), phone: of.phone }, now)
    return pairing?.opened_at == null ? 'open' : 'known'
  }

  return {
    /** @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES. */
    async read(
      role: PhoneRole,
      typedPhone: string,
      browser: Browser,
      channelOf?: (country: string) => CodeChannel,
    ): Promise<Attempt> {
      const { address, log } = browser
      const read = readPhone(typedPhone, allowedCountries)
      if ('refusal' in read)
        throw fieldRefusal(
          'phone',
          read.refusal === 'invalid' ? 'PHONE_INVALID' : 'PHONE_CANNOT_RECEIVE_CODES',
        )
      const { phone } = read
      const groups = phoneGroups(phone)
      const channel = channelOf?.(groups.country)
      const trust = await trustOf(browser, { role, phone })
      const origin: Origin = {
        role,
        phone,
        trust,
        ...groups,
        address: addressGroup(address),
        ...(channel && { channel }),
      }
      const { country } = origin
      const shown = {
        role,
        trust,
        country,
        channel,
        phone: maskedPhone(phone),
        address: truncatedAddress(address),
      }
      return {
        origin,
        rules: rulesFor(limits, country),
        log: (level, event, more) => log[level]({ event: `sign-in.${event}`, ...shown, ...more }),
      }
    },

    /**
     * About an address (as `readEmail` spells it). `key`: what its limits count by. A browser that has signed in with the
     * number of the account is limited apart, so that strangers cannot use up a recovery.
     */
    async readEmail({ role, key, email, accountPhone }: EmailTarget, browser: Browser): Promise<Attempt> {
      const { address, log } = browser
      const trust = await trustOf(browser, { role: 'user', phone: accountPhone ?? '' })
      const shown = { role, trust, address: truncatedAddress(address) }
      return {
        origin: {
          role,
          phone: key,
          trust,
          prefix: keyOfEmail(email),
          country: '',
          address: addressGroup(address),
        },
        rules: emailRulesFor(limits, role),
        log: (level, event, more) => log[level]({ event: `sign-in.${event}`, ...shown, ...more }),
      }
    },

    /** About the number (E.164) of a signed-in user: one count for all browsers of the account. */
    readConfirmation(phone: string, channel: SendChannel, { address, log }: Browser): Attempt {
      const groups = phoneGroups(phone)
      const role = 'confirm'
      const shown = { role, channel, phone: maskedPhone(phone), address: truncatedAddress(address) }
      return {
        origin: { role, phone, trust: 'known', ...groups, address: addressGroup(address), channel },
        rules: confirmationRulesFor(limits, groups.country),
        log: (level, event, more) => log[level]({ event: `sign-in.${event}`, ...shown, ...more }),
      }
    },

    /** What the phone has sent and checked, as far as it counts. */
    listEvents: (attempt: Attempt, now: number): Promise<PastEvent[]> =>
      store.listEvents(attempt.origin, now - longestOfPhoneMs(attempt)),

    /**
     * Runs `work` in a transaction that has locked the phone, with its consecutive wrong codes. The queue in memory
     * saves connections: requests that wait for the lock in the database hold one each, and a flood at one phone
     * would leave none for the others.
     */
    inTurn<T>({ origin }: Attempt, now: number, work: (failures: number) => Promise<T>): Promise<T> {
      const locked = async () => work(await store.lockPhone(origin, now))
      return inTurn(`${origin.role} ${origin.phone}`, () => database.transaction(locked))
    },
  }
}
