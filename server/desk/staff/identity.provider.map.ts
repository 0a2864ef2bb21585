import { cutText } from '#server/platform/cut-text.ts'
import type { EndedIdentity, Identity } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'

type Claims = Readonly<Record<string, unknown>>

const longestName = 120
const longestList = 20
const longestText = 60
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

export const toleranceSeconds = 120
/** The provider makes an ID token at the sign-in or soon after, so an older one is refused. */
const idTokenLifeSeconds = 600

export interface RolesForm {
  /** The claim in the token with the roles has this name or path, such as `realm_access.roles`. */
  readonly claim: string
  /** The roles are one text, separated by spaces or commas. */
  readonly isSeparated: boolean
}

/**
 * Only for claims whose signature, issuer, audience and nonce were checked.
 * @param now real time in epoch seconds
 * @throws IdentityProblem when the token has no subject, or impossible times
 */
export function identityOf(
  claims: Claims,
  { form, idToken, now }: { readonly form: RolesForm; readonly idToken: string; readonly now: number },
): { readonly identity: Identity; readonly isWhole: boolean } {
  const { iss, sub, sid, iat, auth_time: authTime } = claims
  if (typeof iss !== 'string') throw refused('the ID token has no iss')
  if (typeof sub !== 'string' || sub.trim() === '') throw refused('the ID token has no sub')
  if (typeof iat !== 'number' || iat > now + toleranceSeconds)
    throw refused('iat is missing or in the future')
  if (iat < now - idTokenLifeSeconds - toleranceSeconds) throw refused('iat is too old')
  if (authTime !== undefined && (typeof authTime !== 'number' || authTime > now + toleranceSeconds))
    throw refused('auth_time is not a time, or in the future')
  const name = [claims.name, claims.preferred_username].find((each) => typeof each === 'string')
  const roles = claimAt(claims, form.claim)
  return {
    isWhole: name !== undefined && roles !== undefined,
    identity: {
      issuer: iss,
      subject: sub,
      sid: typeof sid === 'string' ? sid : undefined,
      name: cutText(
        String(name ?? sub)
          .replace(unprintable, ' ')
          .trim(),
        longestName,
      ),
      roles: roleValues(roles, form),
      rolesSeen: describeRoles(claims, roles, form),
      authenticatedAgoMs: authTime === undefined ? undefined : Math.max(0, now - authTime) * 1_000,
      idToken,
    },
  }
}

const refused = (reason: string) => new IdentityProblem('refused', { cause: new Error(reason) })

/** Reads roles: Keycloak sends a list, Zitadel an object with roles as keys, other providers one text. */
function roleValues(roles: unknown, { isSeparated }: RolesForm): readonly string[] {
  if (typeof roles === 'string') return isSeparated ? roles.split(/[\s,]+/).filter(Boolean) : [roles]
  if (Array.isArray(roles)) return roles.filter((each) => typeof each === 'string')
  if (typeof roles !== 'object' || roles === null) return []
  return Object.entries(roles)
    .filter(([, value]) => value !== false && value !== null)
    .map(([key]) => key)
}

/** Other values than roles can be personal, so the log gets only names of claims and values of roles. */
function describeRoles(claims: Claims, roles: unknown, form: RolesForm) {
  const listed = (texts: readonly string[]) =>
    texts
      .slice(0, longestList)
      .map((each) => each.replace(unprintable, ' ').slice(0, longestText))
      .join(', ')
  if (roles === undefined) return `claim ${form.claim} is absent; claims: ${listed(Object.keys(claims))}`
  const values = roleValues(roles, form)
  const came = Array.isArray(roles) ? 'a list' : `a value of type ${typeof roles}`
  return values.length === 0
    ? `claim ${form.claim} is ${came} without roles`
    : `claim ${form.claim} is ${came} with: ${listed(values)}`
}

/** Reads a claim by its name, or else by a path: a name can contain dots, such as `https://company.example/roles`. */
function claimAt(claims: Claims, path: string) {
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

/**
 * Some providers send log-out tokens with the type `JWT` or without a type instead of `logout+jwt`, so both are
 * accepted.
 */
export const isLogoutType = (type: unknown): boolean =>
  type === undefined || /^(?:application\/)?(?:logout\+)?jwt$/i.test(String(type))

/** Reads a log-out token whose signature, issuer, audience and age were checked. */
export function logoutOf(claims: Claims): EndedIdentity {
  const { iss, sub, sid, jti, events, nonce } = claims
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
  const subject = typeof sub === 'string' ? sub : undefined
  const session = typeof sid === 'string' ? sid : undefined
  // A token with a nonce is an ID token, not a log-out token.
  if (!isLogout || nonce !== undefined || (subject === undefined && session === undefined))
    throw new IdentityProblem('refused')
  return { issuer: String(iss), subject, sid: session, tokenId: String(jti) }
}

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
