import { failure } from '#server/platform/errors.ts'
import type { Answer, Exchange } from '#server/platform/http-client.ts'
import type { Outsider } from '#server/platform/outsider.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { otpPaths } from '#shared/wire/otp/otp.wire.ts'
import { readCheck, readSend } from './sessions.gateway.map.ts'
import type { OtpGateway } from './sessions.gateway.ts'

export interface OtpAccount {
  /** `https://verify.twilio.com/v2` or the simulator's. */
  readonly baseUrl: string
  readonly accountSid: string
  readonly authToken: string
  readonly services: { readonly user: string; readonly agent: string }
}

const timeoutMs = 10_000

const unavailable = (cause?: unknown) =>
  failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5, cause })

/** Twilio Verify v2. Each audience has a service of its own, so a code for one never opens the other. */
export function createOtpGateway(account: OtpAccount, outsider: Outsider): OtpGateway {
  const authorization = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`

  const post = async (path: string, form: Exchange['form']): Promise<Answer> => {
    try {
      return await outsider.exchange({
        method: 'POST',
        url: `${account.baseUrl}${path}`,
        headers: { authorization },
        timeoutMs,
        ...(form ? { form } : {}),
      })
    } catch (error) {
      if (error instanceof Unreachable) throw unavailable(error)
      throw error
    }
  }

  return {
    async send(phone, language, audience) {
      const path = otpPaths.verifications(account.services[audience])
      const common = { To: phone, Channel: 'sms' }
      let verdict = readSend(await post(path, { ...common, Locale: language }))
      if (verdict.outcome === 'language-unknown') verdict = readSend(await post(path, common))
      switch (verdict.outcome) {
        case 'sent':
          return verdict.ref
        case 'phone-refused':
          throw failure(sessionsErrors, 'PHONE_INVALID', {
            fields: [{ field: 'phone', text: sessionsErrors.PHONE_INVALID.text }],
          })
        case 'too-many':
          throw failure(sessionsErrors, 'TOO_MANY_CODES', { values: { minutes: 10 }, retryAfterSeconds: 600 })
        default:
          throw unavailable()
      }
    },
    async check(ref, code, audience) {
      const path = otpPaths.verificationCheck(account.services[audience])
      const verdict = readCheck(await post(path, { VerificationSid: ref, Code: code }))
      if (verdict === 'unavailable') throw unavailable()
      return verdict
    },
  }
}
