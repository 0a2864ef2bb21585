import type { EndedIdentity, Identity } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'

type Claims = Readonly<Record<string, unknown>>

const longestName = 120
/** Controls, and what changes the direction of what follows: a name is shown beside others. */
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * The person of an ID token whose checks have passed. `isWhole`: it names the person and has the claim with roles.
 * @param rolesClaim a name, or the path to a value inside, such as `realm_access.roles`
 */
export function identityOf(
  claims: Claims,
  rolesClaim: string,
  idToken: string,
): { readonly identity: Identity; readonly isWhole: boolean } {
  const { iss, sub, sid, iat, auth_time } = claims
  if (typeof iss !== 'string' || typeof sub !== 'string') throw new IdentityProblem('refused')
  const name = [claims.name, claims.preferred_username].find((each) => typeof each === 'string')
  const roles = claimAt(claims, rolesClaim)
  return {
    isWhole: name !== undefined && roles !== undefined,
    identity: {
      issuer: iss,
      subject: sub,
      sid: typeof sid === 'string' ? sid : undefined,
      name: String(name ?? sub)
        .replace(unprintable, ' ')
        .trim()
        .slice(0, longestName),
      roles: [roles].flat().filter((each) => typeof each === 'string'),
      authenticatedAgoMs: Math.max(0, Number(iat) - Number(auth_time)) * 1_000,
      idToken,
    },
  }
}

/** Names of claims may hold dots themselves, such as `https://company.example/roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (inside, name) =>
        typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
          ? (inside as Claims)[name]
          : undefined,
      claims,
    )
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Whom a log-out token names whose signature, issuer, audience and age have been checked. */
export function logoutOf(claims: Claims): EndedIdentity {
  const { iss, sub, sid, jti, events, nonce } = claims
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
  const subject = typeof sub === 'string' ? sub : undefined
  const session = typeof sid === 'string' ? sid : undefined
  // With a nonce it would be an ID token.
  if (!isLogout || nonce !== undefined || (subject === undefined && session === undefined))
    throw new IdentityProblem('refused')
  return { issuer: String(iss), subject, sid: session, tokenId: String(jti) }
}

/** The word for a request in metrics and traces. The addresses are the provider's own. */
export function operationOf({
  method,
  url,
  headers,
}: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}): string {
  if (method === 'POST') return 'token'
  if (url.includes('/.well-known/')) return 'discovery'
  return 'authorization' in headers ? 'userinfo' : 'keys'
}
