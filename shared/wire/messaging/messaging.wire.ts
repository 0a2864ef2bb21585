import Type, { type Static } from 'typebox'

/**
 * This is the wire of Twilio Programmable Messaging (docs/wires/messages.md). Requests are
 * `application/x-www-form-urlencoded` with HTTP Basic authentication; responses are JSON. The base is
 * `https://api.twilio.com`.
 */
export const messagingPaths = {
  messages: (accountSid: string) => `/2010-04-01/Accounts/${accountSid}/Messages.json`,
  message: (accountSid: string, sid: string) => `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
} as const

export const messageSidPattern = /^SM[0-9a-f]{32}$/
export const messagingServicePattern = /^MG[0-9a-fA-F]{32}$/

/** The signature is base64 of an HMAC-SHA1 over `callbackSignatureText`, with the account's auth token as the key. */
export const callbackSignatureHeader = 'x-twilio-signature'

export const messageStatuses = [
  'accepted',
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
  'read',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Error codes of messaging on which clients act (docs/wires/messages.md M3 and M4). */
export const messagingErrorCodes = {
  authenticate: 20003,
  notFound: 20404,
  tooManyRequests: 20429,
  invalidTo: 21211,
  invalidFrom: 21212,
  countryNotEnabled: 21408,
  bodyMissing: 21602,
  toMissing: 21604,
  fromNotOurs: 21606,
  optedOut: 21610,
  fromQueueFull: 21611,
  noRoute: 21612,
  notMobile: 21614,
  bodyTooLong: 21617,
  senderNotAllowed: 21657,
  handsetUnreachable: 30003,
  blockedByPerson: 30004,
  numberUnknown: 30005,
  landline: 30006,
  filtered: 30007,
  unknown: 30008,
  senderNotProvisioned: 30024,
  senderGeneric: 30042,
} as const

export const MessageRequest = Type.Object({
  To: Type.String({ description: 'E.164.' }),
  From: Type.Optional(Type.String({ description: 'A number, or up to 11 letters, digits and spaces.' })),
  MessagingServiceSid: Type.Optional(Type.String()),
  Body: Type.String({ description: 'At most 1,600 characters.' }),
  StatusCallback: Type.Optional(Type.String()),
})
export type MessageRequest = Static<typeof MessageRequest>

const nullableString = Type.Union([Type.String(), Type.Null()])

/**
 * A send (201) and a fetch (200) return a message, and lists contain it. Counts are strings; `status` can have newer
 * values.
 */
export const Message = Type.Object({
  sid: Type.String(),
  account_sid: Type.String(),
  to: Type.String(),
  from: nullableString,
  messaging_service_sid: nullableString,
  body: Type.String(),
  status: Type.String(),
  direction: Type.String(),
  num_segments: Type.String(),
  num_media: Type.String(),
  error_code: Type.Union([Type.Integer(), Type.Null()]),
  error_message: nullableString,
  price: nullableString,
  price_unit: nullableString,
  date_created: Type.String({ description: 'RFC 2822.' }),
  date_updated: Type.String(),
  date_sent: nullableString,
  api_version: Type.String(),
  uri: Type.String(),
  subresource_uris: Type.Object({}),
})
export type Message = Static<typeof Message>

export const MessageList = Type.Object({
  messages: Type.Array(Message),
  page: Type.Integer(),
  page_size: Type.Integer(),
  start: Type.Integer(),
  end: Type.Integer(),
  uri: Type.String(),
  first_page_uri: Type.String(),
  next_page_uri: nullableString,
  previous_page_uri: nullableString,
})
export type MessageList = Static<typeof MessageList>

/** The form fields of a status callback. The provider adds fields without notice. */
export const StatusCallback = Type.Object({
  MessageSid: Type.String(),
  SmsSid: Type.Optional(Type.String()),
  MessageStatus: Type.String(),
  SmsStatus: Type.Optional(Type.String()),
  To: Type.String(),
  From: Type.Optional(Type.String()),
  AccountSid: Type.String(),
  ApiVersion: Type.String(),
  MessagingServiceSid: Type.Optional(Type.String()),
  ErrorCode: Type.Optional(Type.String()),
  RawDlrDoneDate: Type.Optional(Type.String({ description: 'YYMMDDhhmm, without a zone.' })),
})
export type StatusCallback = Static<typeof StatusCallback>

export const MessagingError = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  more_info: Type.String(),
  status: Type.Integer({ description: 'The HTTP status.' }),
})
export type MessagingError = Static<typeof MessagingError>

/**
 * The signature covers the full URL with its query, then the name and value of every field, sorted by name, without
 * separators (docs/wires/messages.md M6).
 */
export function callbackSignatureText(url: string, fields: Readonly<Record<string, string>>): string {
  return (
    url +
    Object.keys(fields)
      .sort()
      .map((name) => `${name}${fields[name] ?? ''}`)
      .join('')
  )
}
