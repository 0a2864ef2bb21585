import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { deskOperations, endDeskSessions } from '#shared/desk/staff/staff.api.ts'
import {
  deskCallbackPath,
  deskSignInPath,
  readDeskSession,
  signOutOfDesk,
} from '#shared/desk/staff/staff.operations.ts'
import { operations } from '#shared/operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { deskPath } from '#shared/platform/pages.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { type DeskBrowser, deskCookieOf, newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { openQuietGateway, quietConfig, visitorOf } from '#test/kit/gateway/quiet-gateway.ts'
import { builtClient } from '#test/kit/repo/repo-files.ts'

/** The sign-in of staff, against the simulator's certified provider. Forged tokens: identity.provider.http.test.ts. */

let stack: InProcessStack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const outcomeOf = async ({ person }: DeskBrowser) => {
  const { status, json } = await person.send('GET', readDeskSession.path)
  const { staff, code } = json as { staff?: { name: string }; code?: string }
  return staff?.name ?? `${status} ${code}`
}
const signedOut = '401 STAFF_NOT_SIGNED_IN'
const names = { sara: 'سارة الحربي', majed: 'ماجد العتيبي' }

const statusWith = async (cookie: string, path: string) =>
  (await newPerson(stack).send('GET', path, { headers: { cookie } })).status

describe('a sign-in at the desk', () => {
  it('leads to the page that was wanted; without a role to none', async () => {
    const browser = newDeskBrowser(stack)
    expect(await browser.signIn({ as: 'sara' }, { next: '/desk/orders/OD-1?x=1' })).toBe(
      '/desk/orders/OD-1?x=1',
    )
    expect(await outcomeOf(browser)).toBe(names.sara)
    const nasser = newDeskBrowser(stack)
    expect(await nasser.signIn({ as: 'nasser' })).toBe('/desk?signIn=no-right')
    expect(await outcomeOf(nasser)).toBe(signedOut)
    expect(deskCookieOf(nasser)).toBeUndefined()
  })

  it('never leads to another host', async () => {
    for (const next of [
      'https://evil.example/desk',
      '//evil.example',
      '/\\evil.example',
      '/desk/..//evil.example',
    ]) {
      const browser = newDeskBrowser(stack)
      expect(await browser.signIn({ as: 'sara' }, { next }), next).toBe('/desk')
    }
  })

  it('uses a code once, in the browser that asked for it', async () => {
    const [browser, thief] = [newDeskBrowser(stack), newDeskBrowser(stack)]
    const callback = await browser.answer(await browser.begin(), { as: 'sara' })
    // Another browser has no cookie of that attempt, whatever it has begun itself.
    await thief.begin()
    expect(await thief.comeBack(callback)).toBe('/desk?signIn=expired')
    const flow = [...browser.person.cookies].find(([name]) => name.includes('desk-flow'))
    expect(await browser.comeBack(callback)).toBe('/desk')
    expect(await browser.comeBack(callback)).toBe('/desk?signIn=expired')
    expect(await outcomeOf(browser)).toBe(names.sara)
    // With the cookie kept by other means the provider refuses the code.
    const replayed = await newPerson(stack).send('GET', callback.slice(stack.gatewayUrl.length), {
      headers: { cookie: `${flow?.[0]}=${flow?.[1]}` },
    })
    expect(replayed.headers.get('location')).toBe('/desk?signIn=expired')
    expect(replayed.headers.getSetCookie().some((cookie) => cookie.startsWith('desk_'))).toBe(false)
  })

  it('takes no code of another attempt: state, nonce and verifier belong to one browser', async () => {
    const [victim, attacker] = [newDeskBrowser(stack), newDeskBrowser(stack)]
    const theirs = new URL(await attacker.answer(await attacker.begin(), { as: 'majed' }))
    const own = new URL(await victim.begin())
    // The attacker's code under the victim's state: whom it signs in is not the victim's choice.
    theirs.searchParams.set('state', own.searchParams.get('state') ?? '')
    expect(await victim.comeBack(theirs.href)).toMatch(/^\/desk\?signIn=(?:expired|refused)/)
    expect(await outcomeOf(victim)).toBe(signedOut)
  })

  it('gives a session of its own: one that was planted before stays worth nothing', async () => {
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'sara' })
    const { name = '' } = deskCookieOf(browser) ?? {}
    const planted = 'P'.repeat(43)
    const victim = newDeskBrowser(stack)
    ;(victim.person.cookies as Map<string, string>).set(name, planted)
    await victim.signIn({ as: 'majed' })
    expect(deskCookieOf(victim)?.token).not.toBe(planted)
    expect(await statusWith(`${name}=${planted}`, readDeskSession.path)).toBe(401)
    // A live one that was planted ends with the sign-in.
    const { token = '' } = deskCookieOf(browser) ?? {}
    const next = newDeskBrowser(stack)
    ;(next.person.cookies as Map<string, string>).set(name, token)
    await next.signIn({ as: 'majed' })
    expect(await outcomeOf(browser)).toBe(signedOut)
  })

  it('that is cancelled says so; one whose address was made up opens nothing', async () => {
    const browser = newDeskBrowser(stack)
    expect(await browser.signIn('cancels', { next: '/desk/x' })).toBe('/desk/x?signIn=cancelled')
    const made = await newPerson(stack).send('GET', `${deskCallbackPath}?code=C&state=abcdef&iss=x`)
    expect(made.headers.get('location')).toBe('/desk?signIn=expired')
    expect(made.headers.get('cache-control')).toBe('no-store')
    // A HEAD uses no code up.
    const head = await newPerson(stack).send('HEAD', `${deskCallbackPath}?code=C&state=abcdef`)
    expect([head.status, head.headers.get('location')]).toEqual([200, null])
  })
})

describe('a web page of another site', () => {
  const asPicture = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }

  it('keeps nobody from signing in, by whatever it loads', async () => {
    for (let call = 0; call < 210; call += 1)
      await newPerson(stack).send('GET', `${deskCallbackPath}?n=${call}&state=1abcdef&code=C`)
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'sara' })
    expect(await outcomeOf(browser)).toBe(names.sara)
  })

  it.each([deskCallbackPath, deskSignInPath])('cannot load %s into itself', async (path) => {
    for (const headers of [
      asPicture,
      { ...asPicture, 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, json, headers: sent } = await newPerson(stack).send('GET', path, { headers })
      expect([status, (json as { code: string }).code]).toEqual([403, 'FORBIDDEN_ORIGIN'])
      expect(sent.getSetCookie()).toEqual([])
    }
    // The provider's own redirect, and a link in a letter.
    const document = { ...asPicture, 'sec-fetch-dest': 'document' }
    expect((await newPerson(stack).send('GET', path, { headers: document })).status).toBe(302)
  })
})

describe('sign-ins that are not finished', () => {
  it('leave a few cookies in a browser, so that its requests stay short, and the last one still ends well', async () => {
    const browser = newDeskBrowser(stack)
    const flows = () => [...browser.person.cookies.keys()].filter((name) => name.includes('desk-flow'))
    const addresses: string[] = []
    for (let tab = 0; tab < 60; tab += 1) addresses.push(await browser.begin())
    expect(flows()).toHaveLength(4)
    expect((await browser.person.send('GET', '/')).status).toBe(200)
    const callback = await browser.answer(addresses.at(-1) ?? '', { as: 'sara' })
    expect(await browser.comeBack(callback)).toBe('/desk')
    expect(flows()).toHaveLength(3)
    expect(await outcomeOf(browser)).toBe(names.sara)
  })

  it('of four tabs at once all end well', async () => {
    const browser = newDeskBrowser(stack)
    const addresses: string[] = []
    for (let tab = 0; tab < 4; tab += 1) addresses.push(await browser.begin())
    for (const [tab, address] of addresses.entries()) {
      const callback = await browser.answer(address, tab === 0 ? { as: 'sara' } : 'is known')
      expect(await browser.comeBack(callback)).toBe('/desk')
    }
    expect(await outcomeOf(browser)).toBe(names.sara)
  })
})

describe('a sign-in once more', () => {
  it('asks again although the provider knows the person; another person ends the first session', async () => {
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'sara' })
    // Within the provider's own session nothing is asked.
    expect(await browser.signIn('is known')).toBe('/desk')
    const before = deskCookieOf(browser)
    const address = await browser.begin({ again: true, next: '/desk/approvals' })
    expect(await browser.answer(address, 'is known')).toContain('/interaction/')
    expect(await browser.signIn({ as: 'sara' }, { again: true, next: '/desk/approvals' })).toBe(
      '/desk/approvals',
    )
    expect(await statusWith(`${before?.name}=${before?.token}`, readDeskSession.path)).toBe(401)
    const saras = deskCookieOf(browser)
    expect(await browser.signIn({ as: 'majed' }, { again: true, next: '/desk/approvals' })).toBe(
      '/desk/approvals?signIn=other-person',
    )
    expect(await outcomeOf(browser)).toBe(names.majed)
    expect(await statusWith(`${saras?.name}=${saras?.token}`, readDeskSession.path)).toBe(401)
  })
})

describe('the desk’s session', () => {
  it('is worth nothing elsewhere, and a pilgrim’s or agent’s nothing at the desk', async () => {
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'sara' })
    const { name: deskName = '', token = '' } = deskCookieOf(browser) ?? {}
    const { person: pilgrim, user } = await signedUpPilgrim(stack)
    const agent = newPerson(stack)
    await agent.signInAgent('+966500000101')
    const orders = listUserOrders.path.replace(':userId', String(user.id))
    const port = new URL(stack.gatewayUrl).port
    for (const path of [readUserSession.path, '/api/auth/agent', '/api/auth/sessions', orders])
      for (const name of [deskName, `session_${port}`, `device_${port}`])
        expect(await statusWith(`${name}=${token}`, path), `${path} ${name}`).toBe(401)
    for (const { cookies } of [pilgrim, agent])
      for (const value of cookies.values())
        expect(await statusWith(`${deskName}=${value}`, readDeskSession.path)).toBe(401)
    expect(
      await statusWith([...pilgrim.cookies].map((pair) => pair.join('=')).join('; '), readDeskSession.path),
    ).toBe(401)
  })

  it('is not in the database, nor is the ID token, nor an access token', async () => {
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'lulwa' })
    const { token = 'none' } = deskCookieOf(browser) ?? {}
    const cells = await rows.cells()
    expect(cells.filter(({ text }) => text.includes(token) || text.startsWith('eyJ'))).toEqual([])
    const [row] = await rows.read(
      sql<{
        id_token: string
        roles: string
      }>`select id_token, roles from desk_sessions where subject = 'lulwa'`,
    )
    expect(row).toEqual({ id_token: expect.stringMatching(/^[\w-]{200,}$/), roles: 'lead' })
  })

  it('is ended by a page of ours alone', async () => {
    const browser = newDeskBrowser(stack)
    await browser.signIn({ as: 'sara' })
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const { status, json } = await browser.person.send('POST', signOutOfDesk.path, { body: {}, headers })
      expect([status, (json as { code: string }).code]).toEqual([403, 'FORBIDDEN_ORIGIN'])
    }
    expect(await outcomeOf(browser)).toBe(names.sara)
    const { endSessionUrl } = await browser.person.call(signOutOfDesk, { body: {} })
    expect(endSessionUrl).toMatch(new RegExp(`^${stack.mockUrl}/identity/session/end\\?.*id_token_hint=`))
    expect(await outcomeOf(browser)).toBe(signedOut)
    expect(deskCookieOf(browser)).toBeUndefined()
  })
})

/** A success, or the call is about something that there is not. */
const isAccepted = (answer: number | string) => typeof answer === 'number' || /_NOT_FOUND$/.test(answer)

type StaffCall = {
  [K in keyof typeof operations]: (typeof operations)[K] extends { readonly access: 'staff' } ? K : never
}[keyof typeof operations]

const everyone = ['support', 'money', 'lead'] as const
const lead = ['lead'] as const
const because = { reason: 'asked by phone' }

const actionOf = (verb: string) => `/api/desk/orders/999999/actions/${verb}`

/** Who may make each call of the desk, and the call about something that there is not. */
const rights: Readonly<
  Record<StaffCall, readonly [readonly StaffRole[], path?: string | undefined, body?: object]>
> = {
  readDeskSession: [everyone],
  searchDesk: [everyone, undefined, { q: 'OD-999999' }],
  listDeskOrders: [everyone],
  readDeskOrder: [everyone, '/api/desk/orders/999999'],
  revealDeskOrder: [everyone, '/api/desk/orders/999999/reveal', { reason: 'name' }],
  readDeskHandoverPhoto: [everyone, '/api/desk/orders/999999/bookings/999999999999/photo'],
  readDeskPerson: [everyone, '/api/desk/people/999999'],
  unlockDeskPerson: [['support', 'lead'], '/api/desk/people/999999/unlock', because],
  askNumber: [['support', 'lead'], '/api/desk/people/999999/number', { phone: '+966512349999', ...because }],
  openAgent: [['support', 'lead'], '/api/desk/agents/none/open', { pairing: '123456', ...because }],
  endPersonSessions: [lead, '/api/desk/people/999999/end-sessions', because],
  endAllSessions: [lead, undefined, because],
  openDeskClaim: [
    everyone,
    '/api/desk/orders/999999/claims',
    { kind: 'other', text: 'A wheel of it is broken.' },
  ],
  readDeskClaim: [everyone, '/api/desk/claims/999999'],
  readDeskPhoto: [everyone, '/api/desk/claims/999999/photos/1'],
  storeDeskPhoto: [everyone, '/api/desk/claims/999999/photos/1'],
  answerDeskClaim: [everyone, '/api/desk/claims/999999/answer', { text: 'Found.' }],
  closeDeskClaim: [everyone, '/api/desk/claims/999999/close', { outcome: 'refused', text: 'No.' }],
  noteDeskClaim: [everyone, '/api/desk/claims/999999/partner', { what: 'answered', text: 'Lost.' }],
  readWork: [everyone],
  listWork: [everyone, '/api/desk/work/bags'],
  takeWork: [everyone, '/api/desk/work/bags/999999/take', {}],
  releaseWork: [everyone, '/api/desk/work/bags/999999/release', {}],
  handWork: [everyone, '/api/desk/work/bags/999999/hand', { to: 'huda', note: 'Call again.' }],
  endWork: [everyone, '/api/desk/work/messages/999999/seen', because],
  readDeskEvents: [everyone],
  listAudit: [lead],
  listWorkers: [lead],
  pauseWorker: [lead, '/api/desk/workers/none/pause', because],
  resumeWorker: [lead, '/api/desk/workers/none/resume', because],
  inquireAtDesk: [everyone, actionOf('inquire'), because],
  noteAtDesk: [everyone, actionOf('note'), { text: 'She called.' }],
  checkedAtDesk: [everyone, actionOf('checked'), because],
  resendAtDesk: [['support', 'lead'], actionOf('resend'), because],
  changeReceiverAtDesk: [['support', 'lead'], actionOf('receiver'), { ...because, receiver: null }],
  cancelAtDesk: [['support', 'lead'], actionOf('cancel'), because],
  reissueAtDesk: [lead, actionOf('reissue'), because],
  refundAtDesk: [['money', 'lead'], actionOf('refund'), because],
  writeOffAtDesk: [['money', 'lead'], actionOf('write-off'), { ...because, transaction: 'T1' }],
  listApprovals: [['money', 'lead']],
  revealApproval: [['money', 'lead'], '/api/desk/approvals/999999/reveal', { reason: 'partner' }],
  approveAtDesk: [['money', 'lead'], '/api/desk/approvals/999999/approve', {}],
  confirmAtDesk: [['money', 'lead'], '/api/desk/approvals/999999/confirm', {}],
  refuseAtDesk: [['money', 'lead'], '/api/desk/approvals/999999/refuse', because],
  readStops: [lead],
  replaceStops: [lead, undefined, { stops: [], ...because }],
}

describe('every call of the desk', () => {
  it('is made by the roles that have a right to it, and changes nothing for the others', async () => {
    const as = { support: newDeskBrowser(stack), money: newDeskBrowser(stack), lead: newDeskBrowser(stack) }
    await as.support.signIn({ as: 'sara' })
    await as.money.signIn({ as: 'majed' })
    await as.lead.signIn({ as: 'lulwa' })
    const before = await rows.read(sql`select count(*) as count from events where actor_kind = 'staff'`)
    const call = async (name: StaffCall, role: StaffRole) => {
      const { method, path }: OperationShape = operations[name]
      const [, target = path, body] = rights[name]
      const { person } = as[role]
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const { status, json } = await person.send(method, target, { headers, ...(body && { body }) })
      if (status < 400) return status
      return (json as { code: string }).code
    }
    for (const name of Object.keys(rights) as StaffCall[])
      for (const role of everyone) {
        const answer = await call(name, role)
        const refusal = 'STAFF_ROLE_MISSING'
        if (!rights[name][0].includes(role)) expect(answer, `${name} by ${role}`).toBe(refusal)
        else expect(answer, `${name} by ${role}`).toSatisfy(isAccepted)
      }
    // Nothing but what the lead ended and replaced was there to change.
    const after = await rows.read(sql`select kind from events where actor_kind = 'staff' order by id`)
    const [{ count } = { count: 0 }] = before as { count: number }[]
    expect(after.slice(Number(count))).toEqual([{ kind: 'approval-requested' }, { kind: 'stops-changed' }])
  })
})

describe('the provider', () => {
  const send = (fields: Record<string, string>) =>
    fetch(`${stack.gatewayUrl}${endDeskSessions.path}`, { method: 'POST', body: new URLSearchParams(fields) })

  /** The log-out tokens that the provider has sent, newest first. */
  async function sentTokens(): Promise<string[]> {
    const journal = await fetch(`${stack.mockUrl}/control/journal?service=identity`)
    const { entries } = (await journal.json()) as {
      entries: { operation: string; request: { body: { text: string } | null } }[]
    }
    return entries
      .filter(({ operation }) => operation === 'back-channel-logout')
      .map(({ request }) => new URLSearchParams(request.body?.text).get('logout_token') ?? '')
  }

  it('ends the sessions that it names, from outside and once: a token is never accepted again', async () => {
    const [sara, majed] = [newDeskBrowser(stack), newDeskBrowser(stack)]
    await sara.signIn({ as: 'sara' })
    await majed.signIn({ as: 'majed' })
    const page = await sara.answer(await sara.begin({ again: true }), 'is known')
    const ended = await fetch(`${page}/everyone`, {
      method: 'POST',
      headers: { cookie: sara.providerCookies() },
      body: new URLSearchParams(),
    })
    expect(ended.status).toBe(200)
    for (const browser of [sara, majed]) expect(await outcomeOf(browser)).toBe(signedOut)

    const [token = ''] = await sentTokens()
    expect(token.split('.')).toHaveLength(3)
    await sara.signIn({ as: 'sara' })
    const replayed = await send({ logout_token: token })
    expect([replayed.status, replayed.headers.get('cache-control')]).toEqual([400, 'no-store'])
    const [head, body, signature = ''] = token.split('.')
    for (const forged of [
      `${head}.${body}.${signature.replace(/^.{4}/, 'AAAA')}`,
      `${head}.${body}.`,
      'x',
      '',
    ])
      expect((await send({ logout_token: forged })).status).toBe(400)
    expect((await send({})).status).toBe(400)
    expect(await outcomeOf(sara)).toBe(names.sara)
  })

  it('that is away keeps no one from work who is signed in, and tells the others', async () => {
    const own = await ownStack()
    try {
      const signedIn = newDeskBrowser(own)
      await signedIn.signIn({ as: 'sara' })
      const half = newDeskBrowser(own)
      const callback = await half.answer(await half.begin(), { as: 'majed' })
      await own.control.setFault('identity', { kind: 'status', status: 503 })
      expect(await half.comeBack(callback)).toBe('/desk?signIn=away')
      expect(await outcomeOf(signedIn)).toBe(names.sara)
      // A gateway keeps the settings of the provider. One without them answers at once.
      const fresh = await own.addGateway(0)
      const begun = await (await visitorOf(fresh)).send('GET', '/desk/sign-in?next=/desk/x')
      expect([begun.status, begun.headers.get('location')]).toEqual([302, '/desk/x?signIn=away'])
    } finally {
      await own.close()
    }
  })
})

describe('cookies of the desk', () => {
  it('are bound to the host and to https where the public address is one', async () => {
    const secure = await ownStack({ env: { PUBLIC_URL: 'https://amtiati.example' } })
    try {
      const person = newPerson(secure, { gatewayUrl: secure.gatewayUrl })
      const begun = await person.send('GET', '/desk/sign-in', {
        headers: { host: 'amtiati.example', 'sec-fetch-site': 'none' },
      })
      const address = new URL(begun.headers.get('location') ?? '')
      expect(address.searchParams.get('redirect_uri')).toBe('https://amtiati.example/desk/callback')
      const [flow = ''] = begun.headers.getSetCookie()
      const state = address.searchParams.get('state') ?? ''
      expect(flow).toMatch(
        new RegExp(
          `^__Host-desk-flow-${state.slice(0, 1)}=[\\w-]+; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax$`,
        ),
      )
      const browser = newDeskBrowser(secure)
      await browser.signIn({ as: 'sara' })
      expect(deskCookieOf(browser)?.name).toBe('__Host-desk')
      expect(browser.lastCookies().find((cookie) => cookie.startsWith('__Host-desk='))).toMatch(
        /^__Host-desk=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      // For pages: it says that there is a session, and is none.
      expect(browser.lastCookies()).toContain(
        '__Host-desk-here=1; Max-Age=28800; Path=/; Secure; SameSite=Lax',
      )
    } finally {
      await secure.close()
    }
  })
})

describe('without an identity provider', () => {
  it('there is no desk: its pages and calls are those of no feature', async () => {
    const config = {
      ...(await quietConfig()),
      MODE: 'live' as const,
      DESK_OIDC_ISSUER: undefined,
      DESK_OIDC_CLIENT_SECRET: undefined,
    }
    const live = await openQuietGateway({}, { config, clientRoot: builtClient() })
    try {
      const visitor = await visitorOf(live)
      for (const { method, path } of Object.values(deskOperations)) {
        const isForm = path === endDeskSessions.path
        const form = {
          rawBody: 'logout_token=x',
          headers: { 'sec-fetch-site': undefined, 'content-type': 'application/x-www-form-urlencoded' },
        }
        const body = method === 'POST' ? { body: {} } : {}
        expect((await visitor.send(method, path, isForm ? form : body)).status, path).toBe(404)
      }
      for (const path of [
        deskPath,
        '/desk/orders/OD-1',
        deskSignInPath,
        `${deskCallbackPath}?code=C&state=S`,
      ]) {
        const { status, headers } = await visitor.send('GET', path)
        expect([status, headers.get('location')], path).toEqual([404, null])
        expect(headers.get('content-security-policy')).toContain('trusted-types service-worker')
      }
      const registered = (registeredOperations.get(live.server) ?? []).map(({ path }) => path)
      expect(registered.filter((path) => path.startsWith('/api/desk'))).toEqual([])
    } finally {
      await live.close()
    }
  })
})

describe('a page of the desk', () => {
  it('has a policy of its own, is never stored and never listed', async () => {
    for (const path of [
      deskPath,
      `${deskPath}/`,
      `${deskPath}/orders/OD-1?x=1`,
      `${deskPath}/no-such-page`,
    ]) {
      const { status, headers } = await newPerson(stack, { lang: 'en' }).send('GET', path)
      expect(status, path).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-language')).toBe('en')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy.replace(/nonce-[\w+/=]+/, 'nonce-N')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /api/reports",
      )
    }
    const home = (await newPerson(stack).send('GET', '/')).headers.get('content-security-policy')
    expect(home).toContain('trusted-types service-worker;')
  })
})
