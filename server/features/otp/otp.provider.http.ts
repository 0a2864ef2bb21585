import { randomBytes } from 'node:crypto'
import { failure } from '#server/platform/errors.ts'
import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpRequest, HttpResponse } from '#server/platform/http-client.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { otpPaths } from '#shared/wire/otp/otp.wire.ts'
import {
  readAttempts,
  readCheck,
  readPretence,
  readSend,
  type SendOutcome,
  sendForm,
} from './otp.provider.map.ts'
import type { OtpProvider, SendUnavailable, SentTo } from './otp.provider.ts'
import type { Role } from './otp.rules.ts'

export interface OtpAccount {
  readonly baseUrl: string
  readonly accountSid: string
  readonly authToken: string
  readonly services: { readonly user: string; readonly agent: string }
}

const timeoutMs = 10_000
const mostBytes = 64 * 1024
const cancelTimeoutMs = 3_000
/** The time-out is short, because the page waits for this answer. */
const deliveryTimeoutMs = 5_000

const unavailable = (cause?: unknown) =>
  failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5, cause })

/** The id looks like the provider's, but was never issued. */
const unknownRef = () => `VE${randomBytes(16).toString('hex')}`

/** Each channel has its own circuit breaker, and so has `delivery`, a public beta (docs/wires/otp.md O24). */
export type OtpServices = Readonly<Record<CodeChannel | 'email' | 'delivery', ExternalService>>

/** Users and agents have separate Verify services, so that a user's code is not accepted for an agent. */
export function createOtpProvider(account: OtpAccount, services: OtpServices): OtpProvider {
  const authorization = `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`

  const serviceOf = (role: Role) => account.services[role === 'agent' ? 'agent' : 'user']

  const ask = (
    path: string,
    request: Pick<HttpRequest, 'operation' | 'method' | 'form'> & Partial<HttpRequest>,
    at = services.sms,
  ) =>
    at.request({
      url: `${account.baseUrl}${path}`,
      headers: { authorization },
      timeoutMs,
      mostBytes,
      ...request,
    })

  async function sending<T>(work: () => Promise<T>): Promise<T | SendUnavailable> {
    try {
      return await work()
    } catch (error) {
      if (hasNoAnswer(error))
        return { outcome: 'unavailable', isCertain: error instanceof UnreachableError, cause: error }
      throw error
    }
  }

  async function checking({ ref, to, role }: SentTo, code: string) {
    const form = { VerificationSid: ref, Code: code }
    const service = serviceOf(role)
    let answer: HttpResponse
    try {
      answer = await ask(otpPaths.verificationCheck(service), {
        operation: 'check-code',
        method: 'POST',
        form,
      })
    } catch (error) {
      if (hasNoAnswer(error)) throw unavailable(error)
      throw error
    }
    const outcome = readCheck(answer, { sid: ref, to, service_sid: service })
    if (outcome === 'unavailable') throw unavailable()
    return outcome
  }

  return {
    send: (order) =>
      sending(async () => {
        const path = otpPaths.verifications(serviceOf(order.role))
        const post = async (form: Readonly<Record<string, string>>): Promise<SendOutcome> =>
          readSend(
            await ask(path, { operation: 'send-code', method: 'POST', form }, services[order.channel]),
            order.channel === 'email' ? undefined : order.channel,
          )
        const { Locale, ...form } = sendForm(order)
        const outcome = await post(Locale === undefined ? form : { ...form, Locale })
        const last =
          outcome.outcome === 'language-unknown' && Locale !== undefined ? await post(form) : outcome
        // Without a language, 404 means that the Verify service does not exist, so no code was sent.
        return last.outcome === 'language-unknown' ? { outcome: 'unavailable', isCertain: true } : last
      }),
    check: checking,
    async cancel(ref, role) {
      try {
        const path = otpPaths.verification(serviceOf(role), ref)
        const form = { Status: 'canceled' }
        const { status } = await ask(path, {
          operation: 'cancel-code',
          method: 'POST',
          form,
          timeoutMs: cancelTimeoutMs,
        })
        return status === 200 || status === 404
      } catch (error) {
        if (hasNoAnswer(error)) return false
        throw error
      }
    },
    async readDelivery(ref) {
      try {
        return readAttempts(
          await ask(
            otpPaths.attempts({ VerificationSid: ref, Channel: 'sms' }),
            { operation: 'read-delivery', method: 'GET', timeoutMs: deliveryTimeoutMs },
            services.delivery,
          ),
        )
      } catch (error) {
        if (hasNoAnswer(error)) return 'unknown'
        throw error
      }
    },
    pretendSend: (role, channel) =>
      sending(async () => {
        const path = otpPaths.verification(serviceOf(role), unknownRef())
        return readPretence(await ask(path, { operation: 'read-code', method: 'GET' }, services[channel]))
      }),
    async pretendCheck(code, role) {
      await checking({ ref: unknownRef(), to: '', role }, code)
    },
  }
}

const hasNoAnswer = (error: unknown) =>
  error instanceof UnreachableError || error instanceof OutcomeUnknownError
