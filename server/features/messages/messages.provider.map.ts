import Type from 'typebox'
import { Value } from 'typebox/value'
import type { HttpResponse } from '#server/platform/http-client.ts'
import { plausibleTime } from '#server/platform/reported-time.ts'
import { messagingErrorCodes as codes } from '#shared/wire/messaging/messaging.wire.ts'
import type {
  DeliveryReport,
  DeliveryStatus,
  Fault,
  FaultReason,
  MessageSearch,
  SendOutcome,
} from './messages.provider.ts'

const Code = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d{1,9}$' })])

const Known = Type.Object({
  sid: Type.String({ minLength: 1, maxLength: 64 }),
  status: Type.Optional(Type.Unknown()),
  error_code: Type.Optional(Type.Unknown()),
})
const Listed = Type.Object({ ...Known.properties, to: Type.String(), body: Type.String() })
const Page = Type.Object({ messages: Type.Array(Type.Unknown()) })
const Refused = Type.Object({ code: Code })

/** Twilio's error codes: docs/wires/messages.md M3 and M4 */
const reasons: Readonly<Record<number, FaultReason>> = {
  [codes.authenticate]: 'account',
  [codes.tooManyRequests]: 'busy',
  [codes.fromQueueFull]: 'busy',
  [codes.invalidTo]: 'phone',
  [codes.notMobile]: 'phone',
  [codes.noRoute]: 'phone',
  [codes.numberUnknown]: 'phone',
  [codes.landline]: 'phone',
  [codes.optedOut]: 'opted-out',
  [codes.blockedByPerson]: 'opted-out',
  [codes.countryNotEnabled]: 'setup',
  [codes.invalidFrom]: 'setup',
  [codes.fromNotOurs]: 'setup',
  [codes.senderNotAllowed]: 'setup',
  [codes.senderNotProvisioned]: 'setup',
  [codes.senderGeneric]: 'setup',
  [codes.handsetUnreachable]: 'unreachable',
  [codes.unknown]: 'unreachable',
  [codes.filtered]: 'filtered',
}

const faultOf = (code: number | null): Fault => ({
  reason: code === null ? 'other' : (reasons[code] ?? 'other'),
  code,
})

const codeOf = (value: unknown) => (Value.Check(Code, value) ? Number(value) : null)

const statuses: Readonly<Record<string, DeliveryStatus>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

export function reportOf(ref: string, status: unknown, code: unknown): DeliveryReport {
  const known = statuses[String(status).toLowerCase()] ?? 'queued'
  return known === 'failed' ? { ref, status: known, fault: faultOf(codeOf(code)) } : { ref, status: known }
}

/** After 408, 499, 5xx and unreadable answers, the provider has possibly accepted the message. */
export function readSend({ status, body }: HttpResponse): SendOutcome {
  if (status >= 200 && status < 300)
    return Value.Check(Known, body)
      ? { outcome: 'accepted', report: reportOf(body.sid, body.status, body.error_code) }
      : { outcome: 'unavailable', isCertain: false }
  if (status < 400 || status >= 500 || status === 408 || status === 499)
    return { outcome: 'unavailable', isCertain: false }
  const code = Value.Check(Refused, body) ? Number(body.code) : null
  if (code !== null && reasons[code] !== undefined) return { outcome: 'refused', fault: faultOf(code) }
  if (status === 401 || status === 403) return { outcome: 'refused', fault: { reason: 'account', code } }
  if (status === 429) return { outcome: 'refused', fault: { reason: 'busy', code } }
  return { outcome: 'refused', fault: { reason: 'other', code } }
}

const clockDifferenceMs = 5 * 60_000

/** @returns `unreadable` when an unreadable entry is possibly the message */
export function readList(
  { status, body }: HttpResponse,
  { phone, body: text, isSame = () => false, since, except }: MessageSearch,
): DeliveryReport | undefined | 'unreadable' {
  if (status !== 200 || !Value.Check(Page, body)) return 'unreadable'
  const digits = (value: string) => value.replace(/\D/g, '')
  let isUnreadable = false
  for (const entry of body.messages) {
    if (!Value.Check(Listed, entry)) {
      isUnreadable = true
      continue
    }
    const isMeant = entry.body === text || isSame(entry.body)
    if (entry.sid === except || digits(entry.to) !== digits(phone) || !isMeant) continue
    const createdAt = Date.parse(String((entry as { date_created?: unknown }).date_created))
    const { fault } = plausibleTime(createdAt, {
      from: since - clockDifferenceMs,
      to: Number.MAX_SAFE_INTEGER,
    })
    // An entry with an impossible time counts as found: a second SMS is worse than a missing one.
    if (fault === 'early') continue
    return reportOf(entry.sid, entry.status, entry.error_code)
  }
  return isUnreadable ? 'unreadable' : undefined
}

export function readMessage({ status, body }: HttpResponse): DeliveryReport | undefined | 'unreadable' {
  if (status === 404) return undefined
  if (status !== 200 || !Value.Check(Known, body)) return 'unreadable'
  return reportOf(body.sid, body.status, body.error_code)
}

export function readStatus(fields: Readonly<Record<string, string>>): DeliveryReport | undefined {
  const ref = fields.MessageSid ?? fields.SmsSid
  const status = fields.MessageStatus ?? fields.SmsStatus
  return ref && status ? reportOf(ref, status, fields.ErrorCode) : undefined
}
