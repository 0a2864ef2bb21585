import Type, { type Static } from 'typebox'

/**
 * This is the wire of Twilio Verify v2 (docs/wires/otp.md). Requests are `application/x-www-form-urlencoded` with HTTP
 * Basic authentication; responses are JSON. The base is `https://verify.twilio.com/v2`.
 */
export const otpPaths = {
  verifications: (serviceSid: string) => `/Services/${serviceSid}/Verifications`,
  verification: (serviceSid: string, sid: string) => `/Services/${serviceSid}/Verifications/${sid}`,
  verificationCheck: (serviceSid: string) => `/Services/${serviceSid}/VerificationCheck`,
  /** This path lists attempts to send a code (docs/wires/otp.md O24). */
  attempts: (filter: Readonly<Record<'VerificationSid' | 'Channel', string>>) =>
    `/Attempts?${new URLSearchParams(filter)}`,
} as const

export const otpSidPatterns = {
  account: /^AC[0-9a-fA-F]{32}$/,
  service: /^VA[0-9a-fA-F]{32}$/,
  verification: /^VE[0-9a-fA-F]{32}$/,
  attempt: /^VL[0-9a-fA-F]{32}$/,
} as const

export const verificationChannels = ['sms', 'call', 'email', 'whatsapp', 'sna', 'auto'] as const

export const verificationStatuses = [
  'pending',
  'approved',
  'canceled',
  'max_attempts_reached',
  'deleted',
  'failed',
  'expired',
] as const
export type VerificationStatus = (typeof verificationStatuses)[number]

/** Error codes of Verify on which clients act (docs/wires/otp.md O13 and O14). */
export const otpErrorCodes = {
  notFound: 20404,
  tooManyRequests: 20429,
  authenticate: 20003,
  invalidParameter: 60200,
  maxChecks: 60202,
  maxSends: 60203,
  landline: 60205,
  maxRateLimits: 60207,
  tooManyConcurrent: 60212,
  blockedByProvider: 60238,
  prefixBlocked: 60410,
  countryBlocked: 60605,
  /** The provider refuses the WhatsApp template (docs/wires/otp.md O27). */
  whatsAppTemplate: 60327,
  languageNotSpoken: 60331,
  /** Twilio documents the next four codes for Programmable Messaging, not for Verify (docs/wires/otp.md O15). */
  smsInvalidTo: 21211,
  smsCountryBlocked: 21408,
  smsUnsubscribed: 21610,
  smsNotMobile: 21614,
} as const

export const VerificationRequest = Type.Object({
  To: Type.String({ description: 'E.164.' }),
  Channel: Type.String(),
  Locale: Type.Optional(Type.String()),
  DeviceIp: Type.Optional(Type.String()),
  RateLimits: Type.Optional(Type.String({ description: 'A JSON object of unique name to value.' })),
  AppHash: Type.Optional(Type.String()),
  ChannelConfiguration: Type.Optional(
    Type.String({ description: 'A JSON object with `substitutions` for the template of a code by e-mail.' }),
  ),
})
export type VerificationRequest = Static<typeof VerificationRequest>

const nullableString = Type.Union([Type.String(), Type.Null()])

const verificationFields = {
  sid: Type.String(),
  service_sid: Type.String(),
  account_sid: Type.String(),
  to: Type.String(),
  channel: Type.String(),
  status: Type.String(),
  valid: Type.Boolean(),
  amount: Type.Optional(nullableString),
  payee: Type.Optional(nullableString),
  date_created: Type.String(),
  date_updated: Type.String(),
}

/**
 * A send (201), a fetch and an update (200) return a verification. `status` can have newer values than
 * `verificationStatuses`.
 */
export const Verification = Type.Object({
  ...verificationFields,
  lookup: Type.Optional(Type.Unknown()),
  send_code_attempts: Type.Optional(
    Type.Array(
      Type.Object({
        time: Type.String(),
        channel: Type.String(),
        attempt_sid: Type.Optional(nullableString),
      }),
    ),
  ),
  sna: Type.Optional(Type.Unknown()),
  url: Type.Optional(Type.String()),
})
export type Verification = Static<typeof Verification>

/** `channel_data.message_status` changes until it is final. */
export const VerificationAttempt = Type.Object({
  sid: Type.String(),
  account_sid: Type.String(),
  service_sid: Type.String(),
  verification_sid: Type.String(),
  date_created: Type.String(),
  date_updated: Type.String(),
  conversion_status: Type.String(),
  channel: Type.String(),
  price: Type.Optional(Type.Unknown()),
  channel_data: Type.Optional(Type.Unknown()),
  url: Type.Optional(Type.String()),
})

export const VerificationAttempts = Type.Object({
  attempts: Type.Array(VerificationAttempt),
  meta: Type.Unknown(),
})
export type VerificationAttempts = Static<typeof VerificationAttempts>

export const VerificationCheckRequest = Type.Object({
  Code: Type.String({ description: '4 to 10 characters.' }),
  To: Type.Optional(Type.String()),
  VerificationSid: Type.Optional(Type.String()),
})
export type VerificationCheckRequest = Static<typeof VerificationCheckRequest>

/**
 * A check of a code returns this (200 or 201). Only `status: "approved"` is an approval (docs/wires/otp.md O3 and O4).
 */
export const VerificationCheck = Type.Object({
  ...verificationFields,
  sna_attempts_error_codes: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
})
export type VerificationCheck = Static<typeof VerificationCheck>

export const VerificationUpdateRequest = Type.Object({
  Status: Type.Union([Type.Literal('canceled'), Type.Literal('approved')]),
})
export type VerificationUpdateRequest = Static<typeof VerificationUpdateRequest>

/** `code` is one of `otpErrorCodes` or another code of the provider's catalogue. */
export const OtpError = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  more_info: Type.Optional(Type.String()),
  status: Type.Integer({ description: 'The HTTP status.' }),
})
export type OtpError = Static<typeof OtpError>
