import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { authTokenLifeSeconds } from '#shared/wire/payment/payment.wire.ts'
import type { Clock } from '../platform/clock.ts'
import { isEqual } from '../platform/credentials.ts'
import { type Body, isRecord } from './payment.rules.ts'

/** The merchant's keys at the provider. */
export interface PaymentAccount {
  secretKey: string
  publicKey: string
  apiKey: string
  hmacSecret: string
  integrationId: number
}

/** The body as fields; empty for anything but a JSON object. */
export const bodyOf = (request: FastifyRequest): Body => (isRecord(request.body) ? request.body : {})

/** Checks requests against the account's keys and issues inquiry tokens. */
export function createCredentials({
  clock,
  account,
  newTokenNumber,
}: {
  clock: Clock
  account: PaymentAccount
  newTokenNumber: () => number
}) {
  /** Tokens are signed and not stored, so that they outlive a restart of the simulator. */
  const signToken = (claims: string) =>
    createHmac('sha256', account.apiKey).update(claims).digest('base64url')

  function isValidToken(token: string): boolean {
    const [claims = '', signature = ''] = token.split('.')
    if (!isEqual(signature, signToken(claims))) return false
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp: number }
    return clock.now() < exp
  }

  return {
    /** The documents say `Token`, Odoo sends `Bearer`: both are accepted (docs/wires/payment.md P4). */
    hasSecretKey({ headers: { authorization = '' } }: FastifyRequest): boolean {
      return isEqual(authorization.replace(/^(Token|Bearer) /, ''), account.secretKey)
    },

    /** Header, or the older spellings: `auth_token` in the body, `token` in the query. */
    hasAuthToken(request: FastifyRequest): boolean {
      const { authorization } = request.headers
      if (authorization?.startsWith('Bearer ')) return isValidToken(authorization.slice('Bearer '.length))
      const inBody = bodyOf(request).auth_token
      const inQuery = isRecord(request.query) ? request.query.token : undefined
      const token = inBody ?? inQuery
      return typeof token === 'string' && isValidToken(token)
    },

    issueToken(): string {
      const claims = Buffer.from(
        JSON.stringify({ exp: clock.now() + authTokenLifeSeconds * 1_000, n: newTokenNumber() }),
      ).toString('base64url')
      return `${claims}.${signToken(claims)}`
    },
  }
}
export type Credentials = ReturnType<typeof createCredentials>
