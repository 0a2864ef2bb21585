import { randomBytes } from 'node:crypto'
import { failure } from '#server/platform/errors.ts'
import type { Answer, Exchange } from '#server/platform/http-client.ts'
import type { Outsider } from '#server/platform/outsider.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { otpPaths } from '#shared/wire/otp/otp.wire.ts'
import { readCheck, readPretence, readSend, type SendVerdict } from './sessions.gateway.map.ts'
import type { OtpGateway, SendUnavailable } from './sessions.gateway.ts'

export interface OtpAccount {
  /** `https://verify.twilio.com/v2` or the simulator's. */
  readonly baseUrl: string
  readonly accountSid: string
  readonly authToken: string
  readonly services: { readonly user: string; readonly agent: string }
}

const timeoutMs = 10_000
/** A person waits for what comes after it, and it may fail. */
const cancelTimeoutMs = 3_000

const unavailable = (cause?: unknown) =>
  failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5, cause })

/** A reference as the provider gives them out, which it never gave out. */
const unknownRef = () => `VE${randomBytes(16).toString('hex')}`

/** Twilio Verify v2. Each audience has a service of its own, so a code for one never opens the other. */
export function createOtpGateway(account: OtpAccount, outsider: Outsider): OtpGateway {
  const authorization = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`

  const ask = (path: string, request: Pick<Exchange, 'method' | 'form'> & Partial<Exchange>) =>
    outsider.exchange({ url: `${account.baseUrl}${path}`, headers: { authorization }, timeoutMs, ...request })

  async function sending<T>(work: () => Promise<T>): Promise<T | SendUnavailable> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Unreachable)
        return { outcome: 'unavailable', isCertain: !error.doubtful, cause: error }
      throw error
    }
  }

  async function checking(ref: string, code: string, audience: 'user' | 'agent') {
    const form = { VerificationSid: ref, Code: code }
    let answer: Answer
    try {
      answer = await ask(otpPaths.verificationCheck(account.services[audience]), { method: 'POST', form })
    } catch (error) {
      if (error instanceof Unreachable) throw unavailable(error)
      throw error
    }
    const verdict = readCheck(answer, ref)
    if (verdict === 'unavailable') throw unavailable()
    return verdict
  }

  return {
    send: (phone, language, audience) =>
      sending(async () => {
        const path = otpPaths.verifications(account.services[audience])
        const form = { To: phone, Channel: 'sms' }
        const post = async (change: object): Promise<SendVerdict> =>
          readSend(await ask(path, { method: 'POST', form: { ...form, ...change } }))
        const verdict = await post({ Locale: language })
        const last = verdict.outcome === 'language-unknown' ? await post({}) : verdict
        // A service that is not there has surely sent nothing.
        return last.outcome === 'language-unknown' ? { outcome: 'unavailable', isCertain: true } : last
      }),
    check: checking,
    async cancel(ref, audience) {
      try {
        const path = otpPaths.verification(account.services[audience], ref)
        const form = { Status: 'canceled' }
        const { status } = await ask(path, { method: 'POST', form, timeoutMs: cancelTimeoutMs })
        return status === 200 || status === 404
      } catch (error) {
        if (error instanceof Unreachable) return false
        throw error
      }
    },
    pretendSend: (audience) =>
      sending(async () => {
        const path = otpPaths.verification(account.services[audience], unknownRef())
        return readPretence(await ask(path, { method: 'GET' }))
      }),
    async pretendCheck(code, audience) {
      // Whatever the answer is: nothing was sent, so nothing can be right.
      await checking(unknownRef(), code, audience)
    },
  }
}
