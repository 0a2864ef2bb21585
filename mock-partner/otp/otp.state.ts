import { randomInt } from 'node:crypto'
import { codeLength } from '#shared/platform/code-length.ts'
import { type VerificationStatus, verificationChannels } from '#shared/wire/otp/otp.wire.ts'
import type { Clock } from '../platform/clock.ts'
import { randomHex } from '../platform/ids.ts'
import { codeLetterOf } from './otp.letter.ts'
import { fixedCodeOf, isLostOn, localeOf, messageText, supportedLocales } from './otp.scenarios.ts'

/** docs/wires/otp.md O9, O10 and O11. */
export const verificationLifeMs = 600_000
export const maxSends = 5
export const maxChecks = 5

const e164 = /^\+[1-9]\d{6,14}$/
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const messageLimit = 1_000
/** Expired verifications are dropped beyond this many. */
const verificationsBeforeSweep = 1_000

/** One sending of the code of a verification. */
export interface SendRecord {
  at: number
  attemptSid: string
  channel: string
  /** It never reached the phone. */
  isLost: boolean
}

export interface VerificationRecord {
  sid: string
  serviceSid: string
  to: string
  channel: string
  code: string
  status: VerificationStatus
  sends: SendRecord[]
  checks: number
  createdAt: number
  updatedAt: number
}

export interface InboxMessage {
  id: number
  /** Or the address of a code by e-mail. */
  phone: string
  code: string
  text: string
  channel: string
  /** It never reached the phone. */
  isLost: boolean
  /** Name of the Verify service that sent it. */
  service: string
  /** Epoch milliseconds on the simulator's clock. */
  sentAt: number
}

export type OtpRefusal =
  | { kind: 'invalid'; parameter: string }
  | { kind: 'not-found' }
  | { kind: 'max-sends' }
  | { kind: 'max-checks' }

export type SendAnswer = { kind: 'sent'; verification: VerificationRecord } | OtpRefusal
type CheckAnswer = { kind: 'checked'; verification: VerificationRecord } | OtpRefusal

interface StoredOtp {
  verifications: VerificationRecord[]
  messages: InboxMessage[]
  lastMessageId: number
  counters: { sends: number; checks: number }
}

interface OtpStateOptions {
  clock: Clock
  /** Service SID to the name shown in the inbox. */
  services: Readonly<Record<string, string>>
  newCode?: (() => string) | undefined
  /** Puts a code that is sent to an address into its mailbox. */
  deliver: (to: string, letter: { subject: string; text: string; html: string }) => void
}

interface SendRequest {
  to: string
  channel: string
  locale: string | undefined
  substitutions?: Readonly<Record<string, string>>
}

function refusalOf({ to, channel, locale }: SendRequest): OtpRefusal | undefined {
  const form = channel === 'email' ? address : e164
  if (!form.test(to)) return { kind: 'invalid', parameter: 'To' }
  if (!verificationChannels.some((known) => known === channel))
    return { kind: 'invalid', parameter: 'Channel' }
  return locale === undefined || supportedLocales.has(locale) ? undefined : { kind: 'not-found' }
}

function refusalOfMore({ status, sends }: VerificationRecord): OtpRefusal | undefined {
  if (status === 'max_attempts_reached') return { kind: 'max-checks' }
  return sends.length >= maxSends ? { kind: 'max-sends' } : undefined
}

const randomCode = (): string => String(randomInt(10 ** codeLength)).padStart(codeLength, '0')

/** The state of the simulated one-time code service, in memory. */
export function createOtpState({ clock, services, newCode = randomCode, deliver }: OtpStateOptions) {
  /** Pending ones and ones without checks left; others are deleted (docs/wires/otp.md O12). */
  const bySid = new Map<string, VerificationRecord>()
  const sidByPhone = new Map<string, string>()
  let messages: InboxMessage[] = []
  let lastMessageId = 0
  let counters = { sends: 0, checks: 0 }

  const phoneKey = (serviceSid: string, to: string) => `${serviceSid} ${to}`
  const isOver = (verification: VerificationRecord) =>
    clock.now() >= verification.createdAt + verificationLifeMs

  function keep(verification: VerificationRecord): void {
    bySid.set(verification.sid, verification)
    sidByPhone.set(phoneKey(verification.serviceSid, verification.to), verification.sid)
  }

  function drop(verification: VerificationRecord): void {
    bySid.delete(verification.sid)
    const key = phoneKey(verification.serviceSid, verification.to)
    if (sidByPhone.get(key) === verification.sid) sidByPhone.delete(key)
  }

  function find(serviceSid: string, sid: string | undefined): VerificationRecord | undefined {
    const verification = sid === undefined ? undefined : bySid.get(sid)
    if (verification === undefined || verification.serviceSid !== serviceSid) return undefined
    if (!isOver(verification)) return verification
    drop(verification)
    return undefined
  }

  function end(verification: VerificationRecord, status: 'approved' | 'canceled'): VerificationRecord {
    verification.status = status
    verification.updatedAt = clock.now()
    drop(verification)
    return verification
  }

  function start(serviceSid: string, to: string, channel: string): VerificationRecord {
    if (bySid.size >= verificationsBeforeSweep)
      for (const each of bySid.values()) if (isOver(each)) drop(each)
    const now = clock.now()
    const verification: VerificationRecord = {
      sid: `VE${randomHex()}`,
      serviceSid,
      to,
      channel,
      code: fixedCodeOf(to) ?? newCode(),
      status: 'pending',
      sends: [],
      checks: 0,
      createdAt: now,
      updatedAt: now,
    }
    keep(verification)
    return verification
  }

  function note(message: Omit<InboxMessage, 'id' | 'sentAt'>): void {
    lastMessageId += 1
    messages = [
      { id: lastMessageId, sentAt: clock.now(), ...message },
      ...messages.slice(0, messageLimit - 1),
    ]
  }

  return {
    send(serviceSid: string, request: SendRequest): SendAnswer {
      const { to, channel, locale = localeOf(to), substitutions = {} } = request
      const open = find(serviceSid, sidByPhone.get(phoneKey(serviceSid, to)))
      const refusal = refusalOf(request) ?? (open && refusalOfMore(open))
      if (refusal !== undefined) return refusal

      const verification = open ?? start(serviceSid, to, channel)
      const now = clock.now()
      const isLost = isLostOn(to, channel)
      verification.channel = channel
      verification.sends.push({ at: now, attemptSid: `VL${randomHex()}`, channel, isLost })
      verification.updatedAt = now
      counters.sends += 1
      const { code } = verification
      const text = messageText(locale, channel, code)
      if (channel === 'email')
        deliver(to.toLowerCase(), { text, ...codeLetterOf(substitutions.language, code) })
      note({ phone: to, code, text, channel, isLost, service: services[serviceSid] ?? serviceSid })
      return { kind: 'sent', verification }
    },

    /** @param by the phone or the verification. */
    check(serviceSid: string, by: { to: string } | { sid: string }, code: string): CheckAnswer {
      if (code.length < 4 || code.length > 10) return { kind: 'invalid', parameter: 'Code' }
      const sid = 'sid' in by ? by.sid : sidByPhone.get(phoneKey(serviceSid, by.to))
      const verification = find(serviceSid, sid)
      if (verification === undefined) return { kind: 'not-found' }
      counters.checks += 1
      if (verification.checks >= maxChecks) {
        verification.status = 'max_attempts_reached'
        return { kind: 'max-checks' }
      }
      verification.checks += 1
      verification.updatedAt = clock.now()
      if (code === verification.code) end(verification, 'approved')
      return { kind: 'checked', verification }
    },

    find,
    now: () => clock.now(),

    /** Ends a verification by hand. */
    update(serviceSid: string, sid: string, status: 'approved' | 'canceled'): VerificationRecord | undefined {
      const verification = find(serviceSid, sid)
      return verification === undefined ? undefined : end(verification, status)
    },

    /** The sendings of a verification, newest first; none once it is over. */
    attempts: (sid: string): { verification: VerificationRecord; send: SendRecord }[] => {
      const verification = bySid.get(sid)
      if (verification === undefined || isOver(verification)) return []
      return verification.sends.map((send) => ({ verification, send })).reverse()
    },

    /** What reached a phone, newest first. */
    inbox: (phone?: string): InboxMessage[] =>
      messages.filter((each) => !each.isLost && (phone === undefined || each.phone === phone)),
    /** Newest first, with the messages that reached no phone. */
    sent: (): InboxMessage[] => messages,
    counters: () => ({ ...counters }),

    reset(): void {
      bySid.clear()
      sidByPhone.clear()
      messages = []
      counters = { sends: 0, checks: 0 }
    },

    snapshot: (): StoredOtp => ({ verifications: [...bySid.values()], messages, lastMessageId, counters }),

    restore(stored: StoredOtp): void {
      stored.verifications.forEach(keep)
      messages = stored.messages
      lastMessageId = stored.lastMessageId
      counters = stored.counters
    },
  }
}
export type OtpState = ReturnType<typeof createOtpState>
