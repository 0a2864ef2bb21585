import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createExternalService } from '#server/platform/external-service.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import {
  openStubService,
  type Reply,
  type StubService,
  urlWithoutListener,
} from '#test/kit/gateway/stub-service.ts'
import { createIdentityProvider } from './identity.provider.http.ts'
import type { Challenge, IdentityProvider } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'

const clientId = 'the-desk'
const clientSecret = 'a-secret-of-the-desk'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let ours: Keys
let forgers: Keys
beforeAll(async () => {
  ours = await generateKeyPair('RS256', { extractable: true })
  forgers = await generateKeyPair('RS256', { extractable: true })
})

const now = () => Math.floor(Date.now() / 1_000)

interface Case {
  readonly service: StubService
  readonly provider: IdentityProvider
  readonly challenge: Challenge
  /** The claims of a true ID token for the challenge. */
  readonly claims: Record<string, unknown>
  signed(
    claims: Record<string, unknown>,
    change?: { alg?: string; key?: Keys['privateKey']; kid?: string; typ?: string },
  ): Promise<string>
  /** Comes back with a code, for which the provider answers this. */
  identify(answer: Reply, query?: string): ReturnType<IdentityProvider['identify']>
}

async function open({
  again = false,
  rolesClaim = 'roles',
  isSeparated = false,
  scope = 'openid profile',
  metadata = {},
} = {}): Promise<Case> {
  const service = await openStubService()
  const issuer = service.url
  service.always('/.well-known/openid-configuration', {
    status: 200,
    json: {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/end`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      ...metadata,
    },
  })
  // Without `alg`, as some providers name their keys.
  const key = { ...(await exportJWK(ours.publicKey)), kid: 'one', use: 'sig' }
  service.always('/keys', { status: 200, json: { keys: [key] } })
  const provider = createIdentityProvider({
    issuer,
    clientId,
    clientSecret,
    scope,
    clock: manualClock(),
    roles: { claim: rolesClaim, isSeparated },
    service: createExternalService('identity'),
    callbackUrl: 'http://localhost:3000/desk/callback',
    reach: (url) => url,
  })
  const challenge = provider.createChallenge(again)
  return {
    service,
    provider,
    challenge,
    claims: {
      iss: issuer,
      aud: clientId,
      sub: 'sara',
      sid: 'S1',
      nonce: challenge.nonce,
      name: 'Sara',
      roles: ['support'],
      iat: now(),
      exp: now() + 300,
      auth_time: now() - 10,
    },
    signed: (claims, { alg = 'RS256', key = ours.privateKey, kid = 'one', typ } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ && { typ }) }).sign(key),
    identify(answer, query = `?code=C1&state=${challenge.state}&iss=${encodeURIComponent(issuer)}`) {
      service.always('/token', answer)
      return provider.identify(query, challenge)
    },
  }
}

const tokens = (idToken: string, more = {}): Reply => ({
  status: 200,
  json: { access_token: 'A1', token_type: 'Bearer', expires_in: 300, id_token: idToken, ...more },
})

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof IdentityProblem ? error.fault : String(error)),
  )

it('is checked by its discovery document and its keys', async () => {
  const { provider, service } = await open()
  expect(await provider.check()).toBe(1)
  service.always('/keys', { status: 503, json: {} })
  expect(await faultOf(provider.check())).toBe('away')
})

describe('the way to the provider', () => {
  it('asks for a code with PKCE, bound to state and nonce, in the language of the page', async () => {
    const { provider, challenge, service } = await open({ scope: 'openid profile groups' })
    const url = new URL(await provider.signInUrl(challenge, 'ar'))
    expect(url.origin + url.pathname).toBe(`${service.url}/auth`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: clientId,
      response_type: 'code',
      scope: 'openid profile groups',
      ui_locales: 'ar',
      redirect_uri: 'http://localhost:3000/desk/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      state: challenge.state,
      nonce: challenge.nonce,
      max_age: '28800',
    })
    expect(url.search).not.toContain(challenge.verifier)
  })

  it('asks who it is although the provider knows, where that was wanted', async () => {
    const { provider, challenge } = await open({ again: true })
    const { searchParams } = new URL(await provider.signInUrl(challenge, 'en'))
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('max_age')).toBe('300')
  })

  it('is asked for once, by a discovery that is kept', async () => {
    const { provider, challenge, service } = await open()
    for (let visit = 0; visit < 3; visit += 1) await provider.signInUrl(challenge, 'ar')
    expect(service.requests.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration'])
  })
})

describe('a person who comes back', () => {
  it('is who the signed token names', async () => {
    const { identify, signed, claims, challenge, service } = await open()
    const idToken = await signed(claims)
    expect(await identify(tokens(idToken))).toEqual({
      issuer: service.url,
      subject: 'sara',
      sid: 'S1',
      name: 'Sara',
      roles: ['support'],
      idToken,
      rolesSeen: 'claim roles is a list with: support',
      authenticatedAgoMs: expect.closeTo(10_000, -4),
    })
    const sent = service.requests.find(({ path }) => path === '/token')
    expect(sent?.headers.authorization).toMatch(/^Basic /)
    expect(new URLSearchParams(sent?.body).get('code_verifier')).toBe(challenge.verifier)
  })

  it('was there as long ago as our clock says, whatever the time of the token', async () => {
    const { identify, signed, claims } = await open()
    const old = await identify(tokens(await signed({ ...claims, iat: now() - 300, auth_time: now() - 310 })))
    expect(old.authenticatedAgoMs).toBeGreaterThanOrEqual(310_000)
  })

  it('is let in without auth_time, and is not recent', async () => {
    const { identify, signed, claims } = await open()
    const found = await identify(tokens(await signed({ ...claims, auth_time: undefined })))
    expect(found).toMatchObject({ subject: 'sara', authenticatedAgoMs: undefined })
  })

  it.each<[string, string, Record<string, unknown>, readonly string[]]>([
    ['a text', 'groups', { groups: 'support' }, ['support']],
    ['a text with a space', 'groups', { groups: 'support lead' }, ['support lead']],
    [
      'an object, by its keys',
      'urn:zitadel:iam:org:project:roles',
      { 'urn:zitadel:iam:org:project:roles': { support: { 1: 'a.example' }, money: false, lead: null } },
      ['support'],
    ],
    ['a path', 'realm_access.roles', { realm_access: { roles: ['money', 7, null] } }, ['money']],
  ])('has the roles of a claim that is %s', async (_, rolesClaim, more, roles) => {
    const { identify, signed, claims } = await open({ rolesClaim })
    const found = await identify(tokens(await signed({ ...claims, roles: undefined, ...more })))
    expect(found.roles).toEqual(roles)
  })

  it('has the roles and the name of the user info where the token has none', async () => {
    const { identify, signed, claims, service } = await open()
    service.always('/me', { status: 200, json: { sub: 'sara', name: 'Sara H', roles: ['lead'] } })
    const idToken = await signed({ ...claims, roles: undefined, name: undefined })
    expect(await identify(tokens(idToken))).toMatchObject({ name: 'Sara H', roles: ['lead'] })
    service.always('/me', { status: 200, json: { sub: 'majed', name: 'Majed', roles: ['lead'] } })
    expect(await faultOf(identify(tokens(idToken)))).toBe('refused')
  })

  it('without roles has none where the provider has no call for the rest', async () => {
    const { identify, signed, claims, service } = await open({ metadata: { userinfo_endpoint: undefined } })
    const { roles: _, ...rest } = claims
    expect(await identify(tokens(await signed(rest)))).toMatchObject({ subject: 'sara', roles: [] })
    expect(service.requests.map(({ path }) => path)).not.toContain('/me')
  })
})

describe('a token', () => {
  const changed: readonly [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['for another client', (claims) => ({ ...claims, aud: 'another' })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'N' })],
    ['without a nonce', (claims) => ({ ...claims, nonce: undefined })],
    ['that has expired', (claims) => ({ ...claims, iat: now() - 900, exp: now() - 300 })],
    ['without a person', (claims) => ({ ...claims, sub: undefined })],
    ['whose person has no name', (claims) => ({ ...claims, sub: '' })],
    ['of an hour ahead', (claims) => ({ ...claims, iat: now() + 3_600, exp: now() + 7_200 })],
    [
      'of yesterday that ends tomorrow',
      (claims) => ({ ...claims, iat: now() - 86_400, exp: now() + 86_400 }),
    ],
    ['of a person who signs in later', (claims) => ({ ...claims, auth_time: now() + 3_600 })],
  ]
  it.each(changed)('%s is refused', async (_, change) => {
    const { identify, signed, claims } = await open()
    expect(await faultOf(identify(tokens(await signed(change(claims)))))).toBe('refused')
  })

  it('that the provider has not signed is refused, however it is signed', async () => {
    const { identify, signed, claims } = await open()
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const byPassword = (secret: string) => {
      const text = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(claims)}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const publicKey = JSON.stringify(await exportJWK(ours.publicKey))
    const [head, , signature] = (await signed(claims)).split('.')
    const forged = [
      await signed(claims, { key: forgers.privateKey }),
      await signed(claims, { key: forgers.privateKey, kid: 'two' }),
      `${head}.${encoded({ ...claims, roles: ['lead'] })}.${signature}`,
      `${head}.${encoded(claims)}.`,
      new UnsecuredJWT(claims).encode(),
      byPassword(clientSecret),
      byPassword(publicKey),
      'not.a.token',
      '',
    ]
    for (const token of forged)
      expect(await faultOf(identify(tokens(token))), token.slice(0, 40)).toBe('refused')
  })

  it('that was refused is described in the log by codes, without what it says', async () => {
    const { identify, signed, claims } = await open()
    const idToken = await signed({ ...claims, nonce: 'another', name: 'Umm Kulthum' })
    const problem: unknown = await identify(tokens(idToken)).catch((error: unknown) => error)
    if (!(problem instanceof IdentityProblem)) throw new Error('the token is refused')
    expect(problem.reason).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    for (const secret of ['Umm Kulthum', 'sara', idToken, clientSecret])
      expect(problem.reason).not.toContain(secret)
  })

  it('of a provider whose clock differs by a minute is accepted', async () => {
    for (const ahead of [60, -60]) {
      const { identify, signed, claims } = await open()
      const at = now() + ahead
      const token = await signed({ ...claims, iat: at, nbf: at, auth_time: at, exp: at + 300 })
      expect(await faultOf(identify(tokens(token)))).toBe('none')
    }
  })

  it('without auth_time is refused where the person had to sign in again', async () => {
    const { identify, signed, claims } = await open({ again: true })
    const problem: unknown = await identify(tokens(await signed({ ...claims, auth_time: undefined }))).catch(
      (error: unknown) => error,
    )
    if (!(problem instanceof IdentityProblem)) throw new Error('the token is refused')
    expect(problem.reason).toContain('auth_time')
  })

  it('of a person who was not there again is refused where that was wanted', async () => {
    const { identify, signed, claims } = await open({ again: true })
    expect(await faultOf(identify(tokens(await signed({ ...claims, auth_time: now() - 3_600 }))))).toBe(
      'refused',
    )
    expect(await faultOf(identify(tokens(await signed(claims))))).toBe('none')
  })
})

/**
 * Tokens in the forms that six providers document: which claims they send for `max_age`, how they write roles, and the type
 * of their log-out tokens. Sources: docs/wires/identity.md D6, D7, D8.
 */
interface ProviderForm {
  readonly name: string
  readonly claims: Record<string, unknown>
  readonly rolesClaim: string
  readonly isSeparated?: boolean
  readonly roles: readonly string[]
  readonly logoutType?: string
}

const providerForms: readonly ProviderForm[] = [
  {
    name: 'Keycloak, realm roles',
    claims: { realm_access: { roles: ['offline_access', 'support'] }, typ: 'ID', sid: 'S1' },
    rolesClaim: 'realm_access.roles',
    roles: ['offline_access', 'support'],
    logoutType: 'logout+jwt',
  },
  {
    name: 'Keycloak, groups by path',
    claims: { groups: ['/support', '/staff/lead'], sid: 'S1' },
    rolesClaim: 'groups',
    roles: ['/support', '/staff/lead'],
    logoutType: 'JWT',
  },
  {
    name: 'Entra ID, app roles, without auth_time',
    claims: { roles: ['support'], oid: 'o-1', tid: 't-1', auth_time: undefined, sid: 'S1' },
    rolesClaim: 'roles',
    roles: ['support'],
    logoutType: 'JWT',
  },
  {
    name: 'Auth0, a claim with the name of a URL',
    claims: { 'https://company.example/roles': ['money'], sid: 'S1' },
    rolesClaim: 'https://company.example/roles',
    roles: ['money'],
    logoutType: 'logout+jwt',
  },
  {
    name: 'Okta, groups',
    claims: { groups: ['Everyone', 'lead'], amr: ['mfa', 'pwd'], sid: undefined },
    rolesClaim: 'groups',
    roles: ['Everyone', 'lead'],
  },
  {
    name: 'Zitadel, roles as an object',
    claims: { 'urn:zitadel:iam:org:project:roles': { lead: { 27: 'company.example' } }, sid: 'S1' },
    rolesClaim: 'urn:zitadel:iam:org:project:roles',
    roles: ['lead'],
    logoutType: 'logout+jwt',
  },
  {
    name: 'Dex, groups without auth_time and sid',
    claims: { groups: ['support'], auth_time: undefined, sid: undefined, at_hash: undefined },
    rolesClaim: 'groups',
    roles: ['support'],
  },
  {
    name: 'a provider with one text of several roles',
    claims: { roles: 'support, lead' },
    rolesClaim: 'roles',
    isSeparated: true,
    roles: ['support', 'lead'],
  },
]

describe.each(providerForms)(
  '$name',
  ({ claims: form, rolesClaim, isSeparated = false, roles, logoutType }) => {
    it('lets a person in', async () => {
      const { identify, signed, claims } = await open({ rolesClaim, isSeparated })
      const token = await signed({ ...claims, roles: undefined, ...form })
      expect(await identify(tokens(token))).toMatchObject({ subject: 'sara', roles })
    })

    it('proves a person again by auth_time alone', async () => {
      const { identify, signed, claims } = await open({ again: true, rolesClaim, isSeparated })
      const token = await signed({ ...claims, roles: undefined, ...form })
      expect(await faultOf(identify(tokens(token)))).toBe('auth_time' in form ? 'refused' : 'none')
    })

    it('ends sessions', async () => {
      const made = await open({ rolesClaim, isSeparated })
      const claims = {
        iss: made.service.url,
        aud: clientId,
        sub: 'sara',
        jti: 'J1',
        iat: now(),
        exp: now() + 120,
        ...('sid' in form && form.sid !== undefined && { sid: form.sid }),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      }
      const token = await made.signed(claims, logoutType === undefined ? {} : { typ: logoutType })
      expect(await made.provider.readLogoutToken(token)).toMatchObject({ subject: 'sara', tokenId: 'J1' })
    })
  },
)

describe('for the log', () => {
  it('names the claim with roles, what came in it, and no other value', async () => {
    const { identify, signed, claims } = await open({
      rolesClaim: 'groups',
      metadata: { userinfo_endpoint: undefined },
    })
    const absent = await identify(tokens(await signed({ ...claims, email: 'sara@company.example' })))
    expect(absent.rolesSeen).toMatch(/^claim groups is absent; claims: .*\broles\b.*\bemail\b/)
    expect(absent.rolesSeen).not.toContain('company.example')
    const other = await identify(tokens(await signed({ ...claims, groups: ['staff\u202e', 'all'] })))
    expect(other.rolesSeen).toBe('claim groups is a list with: staff , all')
    const empty = await identify(tokens(await signed({ ...claims, groups: {} })))
    expect(empty.rolesSeen).toBe('claim groups is a value of type object without roles')
  })
})

describe('an answer to the browser', () => {
  it('with another state, of another provider or without a code asks for no token', async () => {
    const { identify, challenge, service } = await open()
    const iss = encodeURIComponent(service.url)
    for (const query of [
      `?code=C1&state=another&iss=${iss}`,
      `?code=C1&state=${challenge.state}&state=${challenge.state}&iss=${iss}`,
      `?code=C1&state=${challenge.state}`,
      `?code=C1&state=${challenge.state}&iss=${encodeURIComponent('https://evil.example')}`,
      `?state=${challenge.state}&iss=${iss}`,
    ])
      expect(await faultOf(identify(tokens(''), query)), query).toBe('refused')
    expect(service.requests.filter(({ path }) => path === '/token')).toEqual([])
  })
})

describe('a provider', () => {
  it('whose code was used says that the attempt is over', async () => {
    const { identify } = await open()
    expect(await faultOf(identify({ status: 400, json: { error: 'invalid_grant' } }))).toBe('expired')
    expect(await faultOf(identify({ status: 401, json: { error: 'invalid_client' } }))).toBe('refused')
  })

  it.each<[string, Reply]>([
    ['fails', { status: 503, json: { error: 'down' } }],
    ['drops the connection', 'reset'],
    ['answers with a page', { status: 200, text: '<html>', headers: { 'content-type': 'text/html' } }],
  ])('that %s is away', async (_, reply) => {
    const { identify } = await open()
    expect(await faultOf(identify(reply))).toBe('away')
  })

  it('that cannot be reached is away, and is asked again later', async () => {
    const provider = createIdentityProvider({
      issuer: urlWithoutListener,
      clientId,
      clientSecret,
      scope: 'openid',
      clock: manualClock(),
      roles: { claim: 'roles', isSeparated: false },
      service: createExternalService('identity'),
      callbackUrl: 'http://localhost:3000/desk/callback',
      reach: (url) => url,
    })
    expect(await faultOf(provider.signInUrl(provider.createChallenge(false), 'ar'))).toBe('away')
  })

  it('names the page that ends its session', async () => {
    const { provider, service } = await open()
    const url = new URL((await provider.endSessionUrl('T1', 'http://localhost:3000/desk')) ?? '')
    expect(url.href.startsWith(`${service.url}/end?`)).toBe(true)
    expect(url.searchParams.get('id_token_hint')).toBe('T1')
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:3000/desk')
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{20,}$/)
    const plain = await open({ metadata: { end_session_endpoint: undefined } })
    expect(await plain.provider.endSessionUrl(undefined, 'http://localhost:3000/desk')).toBeUndefined()
  })
})

describe('a log-out token', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const logoutClaims = ({ service }: Case) => ({
    iss: service.url,
    aud: clientId,
    sub: 'sara',
    sid: 'S1',
    jti: 'J1',
    iat: now(),
    exp: now() + 120,
    events: { [event]: {} },
  })

  it('names whose session ends', async () => {
    const made = await open()
    expect(await made.provider.readLogoutToken(await made.signed(logoutClaims(made)))).toEqual({
      issuer: made.service.url,
      subject: 'sara',
      sid: 'S1',
      tokenId: 'J1',
    })
  })

  it('is refused when it is forged, old, for another, or an ID token', async () => {
    const made = await open()
    const claims = logoutClaims(made)
    const asPs256 = (await importJWK(await exportJWK(ours.privateKey), 'PS256')) as Keys['privateKey']
    const refused: readonly [string, string | Promise<string>][] = [
      ['an algorithm that the provider does not name', made.signed(claims, { alg: 'PS256', key: asPs256 })],
      ['another key', made.signed(claims, { key: forgers.privateKey })],
      ['alg none', new UnsecuredJWT(claims).encode()],
      ['a nonce', made.signed({ ...claims, nonce: 'N' })],
      ['an ID token', made.signed(made.claims)],
      ['another event', made.signed({ ...claims, events: { other: {} } })],
      ['neither person nor session', made.signed({ ...claims, sub: undefined, sid: undefined })],
      ['no number', made.signed({ ...claims, jti: undefined })],
      ['no time', made.signed({ ...claims, iat: undefined })],
      ['six minutes', made.signed({ ...claims, iat: now() - 360 })],
      ['the future', made.signed({ ...claims, iat: now() + 240 })],
      ['its end', made.signed({ ...claims, iat: now() - 250, exp: now() - 150 })],
      ['an access token', made.signed(claims, { typ: 'at+jwt' })],
      ['another client', made.signed({ ...claims, aud: 'another' })],
      ['another issuer', made.signed({ ...claims, iss: 'https://evil.example' })],
      ['no token', 'x'],
    ]
    for (const [what, token] of refused)
      expect(await faultOf(made.provider.readLogoutToken(await token)), what).toBe('refused')
  })

  it('cannot be read while the keys cannot be fetched', async () => {
    const made = await open()
    made.service.always('/keys', { status: 503, text: 'no' })
    expect(await faultOf(made.provider.readLogoutToken(await made.signed(logoutClaims(made))))).toBe('away')
  })
})
