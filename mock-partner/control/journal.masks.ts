import { apiKeyHeader } from '#shared/wire/shipping/shipping.wire.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import { createMasks, masked } from '../platform/masks.ts'

interface Secrets {
  otp: { authToken: string }
  messaging: { authToken: string }
  payment: { secretKey: string; apiKey: string; hmacSecret: string }
  shipping: { apiKey: string; webhookKey: string }
}

/** Keys and tokens are hidden from testers; one-time codes and signatures are not: testers need them. */
export const masksFor = ({ otp, messaging, payment, shipping }: Secrets) =>
  createMasks({
    headers: ['authorization', 'cookie', 'set-cookie', apiKeyHeader, webhookKeyHeader],
    fields: ['api_key', 'auth_token', 'client_secret', 'clientSecret', 'key', 'token'],
    values: [
      otp.authToken,
      messaging.authToken,
      payment.secretKey,
      payment.apiKey,
      payment.hmacSecret,
      shipping.apiKey,
      shipping.webhookKey,
    ],
    patterns: [
      // Client secrets stand in paths, too.
      [/sau_csk_\w+/g, `sau_csk_${masked}`],
      // Of a card in the form: the last four digits.
      [/("number"\s*:\s*")\d+(\d{4}")/g, `$1${masked}$2`],
    ],
  })
