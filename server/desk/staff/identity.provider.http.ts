import { createRemoteJWKSet, customFetch as jwksFetch, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { systemClock } from '#server/platform/clock.ts'
import type { PlatformCore } from '#server/platform/core.ts'
import type { ExternalService } from '#server/platform/external-service.ts'
import { recentMs } from '#server/platform/recent-sign-in.ts'
import {
  identityOf,
  isLogoutType,
  logoutOf,
  operationOf,
  type RolesForm,
  toleranceSeconds,
} from './identity.provider.map.ts'
import type { IdentityProvider } from './identity.provider.ts'
import { type IdentityFault, IdentityProblem } from './identity.rules.ts'
import { deskSessionLife } from './staff.rules.ts'

export interface IdentityOptions extends Pick<PlatformCore, 'clock'> {
  readonly service: ExternalService
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly roles: RolesForm
  /** The identity provider sends the browser back to this address, which is never derived from a request. */
  readonly callbackUrl: string
  readonly reach: (url: string) => string
}

const discoveryLifeMs = 24 * 60 * 60_000
const timeoutMs = 5_000
const logoutTokenLifeSeconds = 180
/** Signatures with a shared key or without a key prove nothing, so they are refused. */
const asymmetric = /^(?:RS|PS|ES)\d{3}$|^Ed(?:DSA|25519)$/

interface Discovered {
  readonly client: oidc.Configuration
  readonly keys: ReturnType<typeof createRemoteJWKSet>
  readonly algorithms: readonly string[]
}

export function createIdentityProvider(options: IdentityOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, callbackUrl, clock } = options
  const send = sendBy(options)
  let known: { readonly discovered: Discovered; readonly until: number } | undefined
  let looking: Promise<Discovered> | undefined

  async function discover(): Promise<Discovered> {
    const client = await oidc.discovery(
      new URL(issuer),
      clientId,
      {
        client_secret: clientSecret,
        [oidc.clockTolerance]: toleranceSeconds,
      },
      oidc.ClientSecretBasic(),
      {
        timeout: timeoutMs / 1_000,
        [oidc.customFetch]: send,
        execute: [
          // Without this option the library does not check the signature of a token from the provider's token endpoint.
          oidc.enableNonRepudiationChecks,
          // The configuration refuses plain http in MODE=live.
          ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
      },
    )
    const { jwks_uri: keysUrl, id_token_signing_alg_values_supported: algorithms = ['RS256'] } =
      client.serverMetadata()
    if (keysUrl === undefined) throw new IdentityProblem('refused', { cause: 'the provider names no keys' })
    const keys = createRemoteJWKSet(new URL(keysUrl), { [jwksFetch]: send, timeoutDuration: timeoutMs })
    const discovered = { client, keys, algorithms: algorithms.filter((name) => asymmetric.test(name)) }
    known = { discovered, until: clock.now() + discoveryLifeMs }
    return discovered
  }

  async function find(): Promise<Discovered> {
    if (known !== undefined && clock.now() < known.until) return known.discovered
    looking ??= discover().finally(() => {
      looking = undefined
    })
    try {
      return await looking
    } catch (error) {
      if (known !== undefined) return known.discovered
      throw error
    }
  }

  // The provider uses real time, so the clock that testers move does not count here.
  const read = (claims: Readonly<Record<string, unknown>>, idToken: string) =>
    identityOf(claims, { form: options.roles, idToken, now: Math.floor(systemClock.now() / 1_000) })

  return {
    createChallenge: (again) => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      again,
    }),

    signInUrl: (challenge, language) =>
      explained(async () => {
        const { client } = await find()
        return oidc.buildAuthorizationUrl(client, {
          redirect_uri: callbackUrl,
          scope: options.scope,
          code_challenge_method: 'S256',
          code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
          state: challenge.state,
          nonce: challenge.nonce,
          ui_locales: language,
          // Most providers send auth_time only when they are asked for max_age.
          max_age: String((challenge.again ? recentMs : deskSessionLife.absoluteMs) / 1_000),
          ...(challenge.again && { prompt: 'login' }),
        }).href
      }),

    identify: (query, challenge) =>
      explained(async () => {
        const { client } = await find()
        const tokens = await oidc.authorizationCodeGrant(client, new URL(query, callbackUrl), {
          pkceCodeVerifier: challenge.verifier,
          expectedState: challenge.state,
          expectedNonce: challenge.nonce,
          idTokenExpected: true,
          // With `maxAge` the library requires auth_time. A first sign-in works without auth_time, but does not count
          // as recent.
          ...(challenge.again && { maxAge: recentMs / 1_000 }),
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined)
          throw new IdentityProblem('refused', { cause: 'no ID token' })
        const found = read(claims, tokens.id_token)
        if (found.isWhole || client.serverMetadata().userinfo_endpoint === undefined) return found.identity
        const more = await oidc.fetchUserInfo(client, tokens.access_token, claims.sub)
        return read({ ...more, ...claims }, tokens.id_token).identity
      }),

    endSessionUrl: (idToken, returnTo) =>
      explained(async () => {
        const { client } = await find()
        if (client.serverMetadata().end_session_endpoint === undefined) return undefined
        return oidc.buildEndSessionUrl(client, {
          post_logout_redirect_uri: returnTo,
          state: oidc.randomState(),
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }).href
      }),

    readLogoutToken: (token) =>
      explained(async () => {
        const { client, keys, algorithms } = await find()
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer: client.serverMetadata().issuer,
          audience: clientId,
          algorithms: [...algorithms],
          clockTolerance: toleranceSeconds,
          maxTokenAge: logoutTokenLifeSeconds,
          requiredClaims: ['iat', 'jti', 'events'],
        })
        if (!isLogoutType(protectedHeader.typ))
          throw new IdentityProblem('refused', { cause: new Error('the token is of another type') })
        return logoutOf(payload)
      }),

    check: () =>
      explained(async () => {
        const { keys } = await find()
        await keys.reload()
        return keys.jwks()?.keys.length ?? 0
      }),
  }
}

function sendBy({ service, reach }: Pick<IdentityOptions, 'service' | 'reach'>) {
  return async (
    url: string,
    {
      method,
      headers,
      body,
      signal,
    }: { method?: string; headers?: unknown; body?: unknown; signal?: unknown },
  ): Promise<Response> => {
    const bytes = body === undefined || body === null ? undefined : new TextEncoder().encode(String(body))
    const sent = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      url: reach(url),
      headers: Object.fromEntries(new Headers(headers as HeadersInit)),
    }
    const answer = await service.request({
      ...sent,
      operation: operationOf(sent),
      timeoutMs,
      ...(bytes && { bytes }),
      ...(signal instanceof AbortSignal && { signal }),
    })
    const isJson = answer.body !== undefined
    return new Response(isJson ? JSON.stringify(answer.body) : null, {
      status: answer.status,
      headers: isJson ? { 'content-type': 'application/json' } : {},
    })
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof IdentityProblem) throw error
    throw new IdentityProblem(faultOf(error), { cause: error })
  }
}

/** Error codes which mean that the identity provider's response is unusable. */
const nonsense = new Set([
  ...['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_TIMEOUT'],
  ...['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'],
])

function faultOf(error: unknown): IdentityFault {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant' ? 'expired' : 'refused'
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (/^(?:Unreachable|OutcomeUnknown)Error$/.test(each.name)) return 'away'
    if (nonsense.has(String((each as { code?: unknown }).code))) return 'away'
  }
  return 'refused'
}
