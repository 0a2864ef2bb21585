import { apiKeyHeader } from '#shared/wire/shipping/shipping.wire.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import type { Masks } from './journal.ts'

interface Secrets {
  otp: { authToken: string }
  messaging: { authToken: string }
  payment: { secretKey: string; apiKey: string; hmacSecret: string }
  shipping: { apiKey: string; webhookKey: string }
  identity: { clientSecret: string }
}

/** Shown in place of a secret. */
const masked = '***'

const secretHeaders = ['authorization', 'cookie', 'set-cookie', apiKeyHeader, webhookKeyHeader]
/** Names in JSON, forms and queries. */
const secretFields = 'api_key|auth_token|client_secret|clientSecret|key|token'
// Without the closing quote: the text may have been cut inside a secret.
const inJson = new RegExp(`("(?:${secretFields})"\\s*:\\s*")[^"]*`, 'g')
const inPairs = new RegExp(`((?:^|[?&])(?:${secretFields})=)[^&\\s]*`, 'g')
/** Client secrets stand in paths, too. */
const clientSecrets = /sau_csk_\w+/g
/** The last four digits of a card are shown. */
const cardNumbers = /("number"\s*:\s*")\d+(\d{4}")/g

/** Keys and tokens are hidden from testers; one-time codes and signatures are not: testers need them. */
export function createMasks({ otp, messaging, payment, shipping, identity }: Secrets): Masks {
  const { secretKey, apiKey, hmacSecret } = payment
  const secrets = [otp.authToken, messaging.authToken, secretKey, apiKey, hmacSecret]
  const values = [...secrets, shipping.apiKey, shipping.webhookKey, identity.clientSecret].filter(
    (value) => value !== '',
  )

  const text = (original: string): string =>
    values
      .reduce((result, value) => result.replaceAll(value, masked), original)
      .replace(inJson, `$1${masked}`)
      .replace(inPairs, `$1${masked}`)
      .replace(clientSecrets, `sau_csk_${masked}`)
      .replace(cardNumbers, `$1${masked}$2`)

  return {
    text,
    headers: (given) =>
      Object.fromEntries(
        Object.entries(given).flatMap(([name, value]): [string, string][] => {
          if (value === undefined || value === null) return []
          return [[name, secretHeaders.includes(name.toLowerCase()) ? masked : text(String(value))]]
        }),
      ),
  }
}
