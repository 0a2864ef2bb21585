import { createHmac } from 'node:crypto'
import {
  callbackSignatureHeader,
  callbackSignatureText,
  messagingErrorCodes as codes,
  type MessageStatus,
} from '#shared/wire/messaging/messaging.wire.ts'
import type { Clock } from '../platform/clock.ts'
import type { Deliveries, Delivery } from '../platform/deliveries.ts'
import { randomHex } from '../platform/ids.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import type { MessageReferences } from './messaging.references.ts'
import { magicReceiver, magicSenders, validTestSender } from './messaging.scenarios.ts'

export interface SmsRecord {
  sid: string
  to: string
  from: string | null
  serviceSid: string | null
  body: string
  statusCallback: string | null
  status: MessageStatus
  errorCode: number | null
  createdAt: number
  updatedAt: number
  sentAt: number | null
}

export interface SmsAccount {
  accountSid: string
  authToken: string
  /** The sender that belongs to the account. */
  from: string
}

export interface SmsRequest {
  to: string | undefined
  from: string | undefined
  serviceSid: string | undefined
  body: string | undefined
  statusCallback: string | undefined
}

interface StoredMessages {
  messages: SmsRecord[]
  sends: number
}

interface MessagingStateOptions {
  clock: Clock
  scheduler: Scheduler
  deliveries: Deliveries
  account: SmsAccount
  references: MessageReferences
  onChange: () => void
}

const messageLimit = 20_000
/** Longer texts are refused (docs/wires/messages.md M2). */
const longestBody = 1_600
/** Between two statuses of a message. */
const stepMs = 1_000
const e164 = /^\+[1-9]\d{6,14}$/

function refusalOfReceiver(to: string): number | undefined {
  const magic = magicReceiver(to)
  if (magic && 'refusal' in magic) return magic.refusal
  return e164.test(to) ? undefined : codes.invalidTo
}

/** The state of the simulated SMS service, in memory. */
export function createMessagingState({
  clock,
  scheduler,
  deliveries,
  account,
  references,
  onChange,
}: MessagingStateOptions) {
  const bySid = new Map<string, SmsRecord>()
  let sends = 0

  function keep(message: SmsRecord): void {
    bySid.set(message.sid, message)
    const [oldest] = bySid.keys()
    if (bySid.size > messageLimit && oldest !== undefined) bySid.delete(oldest)
  }

  function refusalOfSender({ from = '', serviceSid }: SmsRequest): number | undefined {
    const isOurs = [account.from, validTestSender].includes(from) || serviceSid !== undefined
    return magicSenders[from] ?? (isOurs ? undefined : codes.fromNotOurs)
  }

  /** The code of the refusal, if any. */
  function refusalOf(request: SmsRequest): number | undefined {
    const { to, body } = request
    if (!to) return codes.toMissing
    if (!body) return codes.bodyMissing
    if (body.length > longestBody) return codes.bodyTooLong
    return refusalOfSender(request) ?? refusalOfReceiver(to)
  }

  function report(message: SmsRecord): void {
    const { statusCallback, sid, status } = message
    if (statusCallback === null) return
    const fields: Record<string, string> = {
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: status,
      SmsStatus: status,
      To: message.to,
      ...(message.from === null ? {} : { From: message.from }),
      ...(message.serviceSid === null ? {} : { MessagingServiceSid: message.serviceSid }),
      AccountSid: account.accountSid,
      ApiVersion: '2010-04-01',
      ...(message.errorCode === null ? {} : { ErrorCode: String(message.errorCode) }),
    }
    const signature = createHmac('sha1', account.authToken)
      .update(callbackSignatureText(statusCallback, fields))
      .digest('base64')
    deliveries.send({
      service: 'messaging',
      group: sid,
      about: { status },
      url: statusCallback,
      content: {
        body: new URLSearchParams(fields).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          [callbackSignatureHeader]: signature,
        },
        operation: 'status-callback',
        references: references.referencesOf(message),
        proof: { key: 'valid', differences: [] },
      },
      delayMs: 0,
      // The provider repeats a callback only after a failed connection, and once; a receiver must not depend on it.
      retries: false,
    })
  }

  /** Moves a message to its next status, until a final one. */
  function proceed(message: SmsRecord): void {
    const now = clock.now()
    message.updatedAt = now
    if (message.status !== 'sent') {
      message.status = 'sent'
      message.sentAt = now
      schedule(message)
    } else {
      const magic = magicReceiver(message.to)
      const failure = magic && 'failure' in magic ? magic.failure : null
      message.status = failure === null ? 'delivered' : 'undelivered'
      message.errorCode = failure
    }
    report(message)
    onChange()
  }

  function schedule(message: SmsRecord): void {
    scheduler.after(stepMs, () => {
      // A reset has dropped it.
      if (bySid.get(message.sid) === message) proceed(message)
    })
  }

  return {
    send(request: SmsRequest): SmsRecord | { refusal: number } {
      const refusal = refusalOf(request)
      if (refusal !== undefined) return { refusal }
      const now = clock.now()
      const message: SmsRecord = {
        sid: `SM${randomHex()}`,
        to: request.to ?? '',
        from: request.serviceSid === undefined ? (request.from ?? null) : null,
        serviceSid: request.serviceSid ?? null,
        body: request.body ?? '',
        statusCallback: request.statusCallback ?? null,
        // No callback is sent for the first status.
        status: request.serviceSid === undefined ? 'queued' : 'accepted',
        errorCode: null,
        createdAt: now,
        updatedAt: now,
        sentAt: null,
      }
      sends += 1
      keep(message)
      schedule(message)
      return message
    },

    find: (sid: string): SmsRecord | undefined => bySid.get(sid),

    /** Newest first. */
    list: (phone: string | undefined, limit: number): SmsRecord[] =>
      [...bySid.values()]
        .filter(({ to }) => phone === undefined || to === phone)
        .reverse()
        .slice(0, limit),

    callbacksOf: ({ sid }: SmsRecord): Delivery[] => deliveries.listOf(sid),
    counters: () => ({ messages: sends }),

    reset(): void {
      bySid.clear()
      sends = 0
    },

    snapshot: (): StoredMessages => ({ messages: [...bySid.values()], sends }),

    restore(stored: StoredMessages): void {
      sends = stored.sends
      for (const message of stored.messages) {
        keep(message)
        if (!['delivered', 'undelivered'].includes(message.status)) schedule(message)
      }
    },
  }
}
export type MessagingState = ReturnType<typeof createMessagingState>
