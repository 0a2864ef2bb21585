import type { MailState } from '../mail/mail.state.ts'
import type { MessagingState } from '../messaging/messaging.state.ts'
import type { OtpState } from '../otp/otp.state.ts'
import type { OrderRecord } from './orders.records.ts'

export interface TextSources {
  otp: OtpState
  messaging: MessagingState
  mail: MailState
}

/** An SMS on a simulated phone, or a letter in a simulated mailbox. */
interface Text {
  key: string
  /** ISO time. */
  at: string
  /** Or an address. */
  phone: string
  text: string
  /** Null: a message about a bag. */
  code: string | null
  /** Who sent it or how far it is: `user`, `agent`, `delivered` and so on. */
  state: string
  isFailed: boolean
}

/** One-time codes, messages about bags and letters that contain every word of the query, newest first. */
export function listTexts({ otp, messaging, mail }: TextSources, query: string): Text[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (phone: string, text: string) => {
    // Also as people in the Kingdom write a number.
    const searched = `${phone} ${phone.replace(/^\+966/, '0')} ${text}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  }
  const codes = otp
    .sent()
    .filter(({ phone, text, code }) => fits(phone, `${text} ${code}`))
    .map(({ id, phone, text, code, service, channel, isLost, sentAt }) => ({
      sentAt,
      row: {
        key: `code-${id}`,
        phone,
        text,
        isFailed: isLost,
        // A message that did not arrive has no code to copy.
        code: isLost ? null : code,
        state: [service, channel === 'sms' ? '' : channel, isLost ? 'not delivered' : '']
          .filter(Boolean)
          .join(', '),
      },
    }))
  const messages = messaging
    .list(undefined, Number.POSITIVE_INFINITY)
    .filter(({ to, body }) => fits(to, body))
    .map(({ sid, to, body, status, errorCode, createdAt }) => ({
      sentAt: createdAt,
      row: {
        key: `message-${sid}`,
        phone: to,
        text: body,
        code: null,
        state: errorCode === null ? status : `${status} ${errorCode}`,
        isFailed: ['failed', 'undelivered'].includes(status),
      },
    }))
  const letters = mail
    .list()
    // Codes by e-mail are among the codes.
    .filter(({ by, to, subject, text }) => by === 'smtp' && fits(to, `${subject} ${text}`))
    .map(({ id, to, subject, text, attachments, sentAt }) => ({
      sentAt,
      row: {
        key: `mail-${id}`,
        phone: to,
        text: [subject, text, attachments.map(({ name }) => name).join(', ')].join('\n\n'),
        code: null,
        state: 'e-mail',
        isFailed: false,
      },
    }))
  return [...codes, ...messages, ...letters]
    .sort((a, b) => b.sentAt - a.sentAt)
    .map(({ sentAt, row }) => ({ ...row, at: new Date(sentAt).toISOString() }))
}

/** Codes sent before an order belong to it up to this long. */
export const signInMs = 3_600_000

/** Messages that name an order or its bags, and the codes of its phone; newest first. */
export function textsOf(
  { order, phone: own, createdAt, shipments }: OrderRecord,
  sources: TextSources,
): Text[] {
  const names = [order, ...shipments.map(({ awb }) => awb)].map((name) => new RegExp(`\\b${name}\\b`))
  return listTexts(sources, '').filter(({ key, at, phone, text }) =>
    key.startsWith('code')
      ? phone === own && Date.parse(at) >= createdAt - signInMs
      : names.some((name) => name.test(text)),
  )
}
