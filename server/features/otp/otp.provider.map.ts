import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { HttpResponse } from '#server/platform/http-client.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import { otpErrorCodes, type VerificationRequest } from '#shared/wire/otp/otp.wire.ts'
import type { CheckOutcome, CodeOrder, SendAnswer, SendUnavailable } from './otp.provider.ts'

const Sent = Type.Object({ sid: Type.String({ minLength: 1 }) })
const Checked = Type.Object({
  sid: Type.String(),
  status: Type.String(),
  valid: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
  service_sid: Type.Optional(Type.Unknown()),
})
const Refused = Type.Object({ code: Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]) })

export type SendOutcome = SendAnswer | { readonly outcome: 'language-unknown' }

/**
 * Outside of Saudi Arabia, the provider chooses the language by the country of the phone number (docs/wires/otp.md O7).
 * The template of an e-mail reads it from the substitutions (O31).
 */
export const sendForm = ({ to, channel, language }: CodeOrder): VerificationRequest => ({
  To: to,
  Channel: channel,
  ...((to.startsWith('+966') || channel === 'email') && { Locale: language }),
  ...(channel === 'email' && { ChannelConfiguration: JSON.stringify({ substitutions: { language } }) }),
})

const blockedNumbers: readonly number[] = [
  otpErrorCodes.landline,
  otpErrorCodes.blockedByProvider,
  otpErrorCodes.prefixBlocked,
  otpErrorCodes.countryBlocked,
]

const refusedNumbers: readonly number[] = [
  otpErrorCodes.smsInvalidTo,
  otpErrorCodes.smsCountryBlocked,
  otpErrorCodes.smsUnsubscribed,
  otpErrorCodes.smsNotMobile,
]

const enough: readonly number[] = [
  otpErrorCodes.maxChecks,
  otpErrorCodes.maxSends,
  otpErrorCodes.tooManyConcurrent,
]

/**
 * The answer 404, or the error 60331 for a call, means that the language is not supported
 * (twilio.com/docs/verify/supported-languages).
 */
export function readSend({ status, body }: HttpResponse, channel: CodeChannel = 'sms'): SendOutcome {
  if ((status === 201 || status === 200) && Value.Check(Sent, body)) return { outcome: 'sent', ref: body.sid }
  if (isTooMany(status, body)) return { outcome: 'too-many' }
  if (status === 404) return { outcome: 'language-unknown' }
  const refusal =
    status >= 400 && status < 500 && Value.Check(Refused, body)
      ? readRefusal(status, Number(body.code), channel)
      : undefined
  return refusal ?? { outcome: 'unavailable', isCertain: isRefusal(status) }
}

function readRefusal(status: number, code: number, channel: CodeChannel): SendOutcome | undefined {
  if (code === otpErrorCodes.languageNotSpoken) return { outcome: 'language-unknown' }
  if (blockedNumbers.includes(code)) return { outcome: 'phone-blocked', code }
  if (refusedNumbers.includes(code)) return { outcome: 'phone-refused', code }
  const isOfAccount = status === 429 || code === otpErrorCodes.authenticate
  // Not all errors of other channels are known, so an unknown one refuses only the channel (docs/wires/otp.md O27).
  if (channel !== 'sms' && !isOfAccount) return { outcome: 'channel-refused', code }
  return code === otpErrorCodes.invalidParameter ? { outcome: 'phone-invalid', code } : undefined
}

/** A 429 with another error code is about our whole account at the provider. */
const isTooMany = (status: number, body: unknown) =>
  status === 429 && Value.Check(Refused, body) && enough.includes(Number(body.code))

/** After an unreadable success or an error of a proxy (408, 502, 504), a code was possibly sent. */
function isRefusal(status: number) {
  return status >= 400 && status !== 408 && status !== 502 && status !== 504
}

/** A pretended send must be `unavailable` in the same cases as a real one. */
export function readPretence(answer: HttpResponse): { readonly outcome: 'suppressed' } | SendUnavailable {
  const outcome = readSend(answer)
  return outcome.outcome === 'unavailable' ? outcome : { outcome: 'suppressed' }
}

const Attempts = Type.Object({
  attempts: Type.Array(
    Type.Object({
      date_created: Type.Optional(Type.Unknown()),
      channel_data: Type.Optional(
        Type.Union([Type.Object({ message_status: Type.Optional(Type.Unknown()) }), Type.Null()]),
      ),
    }),
  ),
})

const deliveryOf: Readonly<Record<string, CodeDelivery>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
}

export function readAttempts({ status, body }: HttpResponse): CodeDelivery {
  if (status !== 200 || !Value.Check(Attempts, body)) return 'unknown'
  const timeOf = ({ date_created }: { date_created?: unknown }) => Date.parse(String(date_created)) || 0
  const newest = body.attempts.toSorted((a, b) => timeOf(b) - timeOf(a))[0]
  return deliveryOf[String(newest?.channel_data?.message_status).toLowerCase()] ?? 'unknown'
}

export type Asked = Readonly<Record<'sid' | 'to' | 'service_sid', string>>

/**
 * The provider answers 404 when the verification was approved before, has expired or was checked too often. A proxy can
 * mix up responses, so an answer about another verification must not approve this one.
 */
export function readCheck({ status, body }: HttpResponse, asked: Asked): CheckOutcome | 'unavailable' {
  if ((status === 200 || status === 201) && Value.Check(Checked, body)) return outcomeOf(body, asked)
  if (status === 404) return 'expired'
  if (isTooMany(status, body)) return 'locked'
  if (status === 400 && Value.Check(Refused, body)) return 'rejected'
  return 'unavailable'
}

function outcomeOf(checked: Static<typeof Checked>, asked: Asked): CheckOutcome {
  if (checked.sid !== asked.sid) return 'expired'
  if (checked.status === 'approved') return contradicts(checked, asked) ? 'expired' : 'approved'
  if (checked.status === 'max_attempts_reached') return 'locked'
  return checked.status === 'pending' ? 'rejected' : 'expired'
}

/** A missing or null field does not contradict the approval. */
function contradicts({ valid, to, service_sid }: Static<typeof Checked>, asked: Asked) {
  const isEmail = asked.to.includes('@')
  const compared = (text: unknown) => (isEmail ? String(text).toLowerCase() : String(text).replace(/\D/g, ''))
  return (
    String(valid ?? true) !== 'true' ||
    compared(to ?? asked.to) !== compared(asked.to) ||
    (service_sid ?? asked.service_sid) !== asked.service_sid
  )
}
