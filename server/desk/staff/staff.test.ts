import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { listActs } from '#server/features/history/acts.ts'
import { isFailure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import { hour, manualClock, minute, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import type { EndedIdentity, Identity, IdentityProvider } from './identity.provider.ts'
import { IdentityProblem } from './identity.rules.ts'
import { beginSignIn, endByProvider, finishSignIn, signOut } from './sign-in.ts'
import { findStaff, readStaffSession } from './staff-sessions.ts'

const issuer = 'https://id.company.example'

const sara: Identity = {
  issuer,
  subject: 'u-1',
  sid: 'S1',
  name: 'Sara',
  roles: ['support'],
  authenticatedAgoMs: 0,
  rolesSeen: 'claim roles is a list with: support',
  idToken: 'the id token',
}

/** A desk whose provider answers what the test says. */
async function open({
  usedIssuer = issuer,
  database = undefined as Awaited<ReturnType<typeof openMemory>> | undefined,
} = {}) {
  const clock = manualClock()
  const opened = database ?? (await openMemory(clock))
  const state: {
    identity: Identity | IdentityProblem
    ended: EndedIdentity | IdentityProblem
    isAway: boolean
  } = {
    identity: sara,
    ended: { issuer, subject: undefined, sid: 'S1', tokenId: 'J1' },
    isAway: false,
  }
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) })
  let challenges = 0
  const answer = <T>(given: T | IdentityProblem): T => {
    if (state.isAway) throw new IdentityProblem('away')
    if (given instanceof IdentityProblem) throw given
    return given
  }
  const identity: IdentityProvider = {
    createChallenge(again) {
      challenges += 1
      return { state: `state-${challenges}`, nonce: 'nonce', verifier: 'verifier', again }
    },
    signInUrl: async ({ state: of }) => answer(`${issuer}/auth?state=${of}`),
    identify: async () => answer(state.identity),
    endSessionUrl: async (idToken, returnTo) => answer(`${issuer}/end?hint=${idToken}&to=${returnTo}`),
    readLogoutToken: async () => answer(state.ended),
    check: async () => answer(1),
  }
  const config = { DESK_OIDC_ISSUER: usedIssuer, DESK_OIDC_CLIENT_SECRET: 'secret' }
  const core = await openCore({ database: opened, clock }, { config, providers: { identity }, log })
  const asking = (token?: string) => ({ token, requestId: 'r-1', address: '192.0.2.1' })

  const begin = (next: unknown, token?: string, again = false) =>
    beginSignIn(core, { next, again, language: 'ar', taken: [] }, asking(token))

  async function signIn({
    as = sara,
    token = undefined as string | undefined,
    again = false,
    next = '/desk' as unknown,
    afterMs = 0,
  } = {}) {
    state.identity = as
    const begun = await begin(next, token, again)
    clock.advance(afterMs)
    const query = `code=C&state=${begun.flow?.state}`
    return finishSignIn(core, { query, sealed: begun.flow?.sealed }, asking(token))
  }
  const tokenOf = async (options?: Parameters<typeof signIn>[0]) =>
    (await signIn(options)).session?.token ?? ''
  const actions = async () =>
    (await listActs({ database: opened }, { limit: 20 })).map(auditRowOf).toReversed()
  return { core, clock, state, begin, signIn, tokenOf, actions, database: opened, asking, lines }
}

describe('a session of the desk', () => {
  it('ends after thirty minutes without use, and never later than eight hours after the sign-in', async () => {
    const { core, clock, tokenOf } = await open()
    const token = await tokenOf()
    clock.advance(30 * minute - 1)
    expect(await findStaff(core, token)).toMatchObject({ name: 'Sara', subject: 'u-1', roles: ['support'] })
    for (let use = 2; use <= 16; use += 1) {
      clock.advance(30 * minute - 1)
      expect(await findStaff(core, token), `use ${use}`).toBeDefined()
    }
    // Eight hours without 16 ms have passed.
    clock.advance(15)
    expect(await findStaff(core, token)).toBeDefined()
    clock.advance(1)
    expect(await findStaff(core, token)).toBeUndefined()
    const idle = await tokenOf()
    clock.advance(30 * minute)
    expect(await findStaff(core, idle)).toBeUndefined()
    expect(await readStaffSession(core, idle)).toBeUndefined()
  })

  it('is not used by the page that looks for its end, nor by a check of ours', async () => {
    const { core, clock, tokenOf } = await open()
    const token = await tokenOf()
    clock.advance(20 * minute)
    const before = await readStaffSession(core, token)
    await findStaff(core, token, { quietly: true })
    expect((await readStaffSession(core, token))?.idleUntil).toBe(before?.idleUntil)
    await findStaff(core, token)
    expect(Date.parse((await readStaffSession(core, token))?.idleUntil ?? '')).toBe(clock.now() + 30 * minute)
  })

  it('is of the provider that is configured: with another one it is none', async () => {
    const { tokenOf, database } = await open()
    const token = await tokenOf()
    const moved = await open({ usedIssuer: 'https://id.other.example', database })
    expect(await findStaff(moved.core, token)).toBeUndefined()
    const respelt = await open({ usedIssuer: `${issuer}/`, database })
    expect(await findStaff(respelt.core, token)).toBeDefined()
  })

  it('is recent enough for money for five minutes, by the provider’s own times', async () => {
    const { core, clock, tokenOf } = await open()
    const staff = await findStaff(core, await tokenOf({ as: { ...sara, authenticatedAgoMs: 4 * minute } }))
    const isRecent = () => isRecentSignIn(staff ?? { authenticatedAt: 0 }, clock.now())
    expect(isRecent()).toBe(true)
    clock.advance(minute)
    expect(isRecent()).toBe(true)
    clock.advance(1)
    expect(isRecent()).toBe(false)
    // The clock is set back: by as much as clocks differ, and by more.
    clock.advance(-5 * minute - 1 - 30 * second)
    expect(isRecent()).toBe(true)
    clock.advance(-1)
    expect(isRecent()).toBe(false)
  })
})

describe('a person whom the provider gives no time of sign-in', () => {
  it('is let in, and moves no money before proving again who they are', async () => {
    const { core, clock, tokenOf } = await open()
    const staff = await findStaff(core, await tokenOf({ as: { ...sara, authenticatedAgoMs: undefined } }))
    expect(staff).toMatchObject({ subject: 'u-1' })
    expect(isRecentSignIn(staff ?? { authenticatedAt: Number.NaN }, clock.now())).toBe(false)
  })
})

describe('a sign-in', () => {
  it('leads to the page that was wanted, with a session and the row of who it was', async () => {
    const { signIn, actions } = await open()
    const { location, session } = await signIn({ next: '/desk/orders/OD-1?x=1' })
    expect(location).toBe('/desk/orders/OD-1?x=1')
    expect(session).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), lifeMs: 8 * hour })
    expect(await actions()).toMatchObject([
      { action: 'signed-in', by: 'Sara', person: 'u-1', roles: ['support'], reason: null },
    ])
  })

  it('without a role opens nothing, says so, and leaves its row', async () => {
    const { signIn, actions, database, lines } = await open()
    const { location, session } = await signIn({ as: { ...sara, roles: ['gardener'] } })
    expect(location).toBe('/desk?signIn=no-right')
    expect(session).toBeNull()
    expect(await database.tables.selectFrom('desk_sessions').selectAll().execute()).toEqual([])
    expect((await actions()).map(({ action }) => action)).toEqual(['sign-in-refused'])
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'desk.no-role', seen: 'claim roles is a list with: support' }),
    )
  })

  it('that takes too long, or whose cookie was changed, is over', async () => {
    const { signIn, core, begin, asking } = await open()
    expect((await signIn({ afterMs: 10 * minute - 1 })).session).toBeTruthy()
    expect((await signIn({ afterMs: 10 * minute })).location).toBe('/desk?signIn=expired')
    const { flow } = await begin('/desk/x')
    for (const [query, sealed] of [
      [`code=C&state=${flow?.state}`, undefined],
      [`code=C&state=${flow?.state}`, 'made-up'],
      [`code=C&state=${flow?.state}`, flow?.sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
      ['code=C&state=another', flow?.sealed],
      ['code=C', flow?.sealed],
    ] as const) {
      const { location, session } = await finishSignIn(core, { query, sealed }, asking())
      expect(location).toMatch(/^\/desk(\/x)?\?signIn=expired$/)
      expect(session).toBeUndefined()
    }
  })

  it('that the person or the provider refuses keeps what was there, and says what it was', async () => {
    const { core, begin, tokenOf, state, signIn, asking } = await open()
    const token = await tokenOf()
    const begun = await begin('/desk/x', token, true)
    const denied = await finishSignIn(
      core,
      { query: `error=access_denied&state=${begun.flow?.state}`, sealed: begun.flow?.sealed },
      asking(token),
    )
    expect(denied).toEqual({ location: '/desk/x?signIn=cancelled' })
    state.isAway = true
    expect(await begin('/desk/x')).toEqual({ location: '/desk/x?signIn=away' })
    state.isAway = false
    const refused = new IdentityProblem('refused') as unknown as Identity
    expect(await signIn({ as: refused, token, again: true })).toEqual({
      location: '/desk?signIn=refused&requestId=r-1',
    })
    expect(await findStaff(core, token)).toBeDefined()
  })
})

describe('callbacks of one address', () => {
  it('count once their flow has opened and its state agrees: two hundred in ten minutes', async () => {
    const { core, clock, begin, asking } = await open()
    const { flow } = await begin('/desk')
    const cancelled = { query: `error=access_denied&state=${flow?.state}`, sealed: flow?.sealed }
    const comeBack = async (answer: Parameters<typeof finishSignIn>[1], address = '192.0.2.1') =>
      (await finishSignIn(core, answer, { ...asking(), address })).location
    for (let call = 0; call < 250; call += 1) {
      expect(await comeBack({ query: '', sealed: undefined })).toBe('/desk?signIn=expired')
      expect(await comeBack({ ...cancelled, sealed: 'made-up' })).toBe('/desk?signIn=expired')
      expect(await comeBack({ ...cancelled, query: 'state=another' })).toBe('/desk?signIn=expired')
    }
    for (let call = 0; call < 200; call += 1) expect(await comeBack(cancelled)).toBe('/desk?signIn=cancelled')
    await expect(comeBack(cancelled)).rejects.toSatisfy((error) => isFailure(error, 'TOO_MANY_CALLS'))
    expect(await comeBack(cancelled, '192.0.2.2')).toBe('/desk?signIn=cancelled')
    clock.advance(10 * minute - 1)
    await expect(comeBack(cancelled)).rejects.toSatisfy((error) => isFailure(error, 'TOO_MANY_CALLS'))
  })
})

describe('a sign-in once more', () => {
  it('of the same person is a new session, and the one before is over', async () => {
    const { core, tokenOf, signIn, actions } = await open()
    const first = await tokenOf()
    const { location, session } = await signIn({ token: first, again: true, next: '/desk/approvals' })
    expect(location).toBe('/desk/approvals')
    expect(await findStaff(core, first)).toBeUndefined()
    expect(await findStaff(core, session?.token)).toBeDefined()
    expect((await actions()).map(({ action }) => action)).toEqual(['signed-in', 'signed-in-again'])
  })

  it('of a person whose roles were taken away ends the session', async () => {
    const { core, tokenOf, signIn } = await open()
    const first = await tokenOf({ as: { ...sara, roles: ['support', 'lead'] } })
    const { session } = await signIn({ token: first, again: true, as: sara })
    expect(await findStaff(core, session?.token)).toMatchObject({ roles: ['support'] })
    const none = await signIn({ token: session?.token, again: true, as: { ...sara, roles: [] } })
    expect(none).toEqual({ location: '/desk?signIn=no-right', session: null })
    expect(await findStaff(core, session?.token)).toBeUndefined()
  })
})

describe('the end', () => {
  it('by the person is at once, also where the provider is away', async () => {
    const { core, tokenOf, state, actions } = await open()
    const token = await tokenOf()
    expect(await signOut(core, token)).toBe(`${issuer}/end?hint=the id token&to=http://localhost:3000/desk`)
    expect(await findStaff(core, token)).toBeUndefined()
    expect(await signOut(core, token)).toBeNull()
    expect(await signOut(core, undefined)).toBeNull()
    const other = await tokenOf()
    state.isAway = true
    expect(await signOut(core, other)).toBeNull()
    expect(await findStaff(core, other)).toBeUndefined()
    expect((await actions()).filter(({ action }) => action === 'signed-out')).toHaveLength(2)
  })

  it('by the provider is of the sessions that its token names, and a token counts once', async () => {
    const { core, tokenOf, state, actions } = await open()
    const [first, second] = [await tokenOf(), await tokenOf({ as: { ...sara, sid: 'S2' } })]
    await endByProvider(core, 'token')
    expect(await findStaff(core, first)).toBeUndefined()
    expect(await findStaff(core, second)).toBeDefined()
    const again = await tokenOf()
    await expect(endByProvider(core, 'token')).rejects.toSatisfy((error) =>
      isFailure(error, 'LOGOUT_TOKEN_REFUSED'),
    )
    expect(await findStaff(core, again)).toBeDefined()
    state.ended = { issuer, subject: 'u-1', sid: undefined, tokenId: 'J2' }
    await endByProvider(core, 'token')
    for (const token of [again, second]) expect(await findStaff(core, token)).toBeUndefined()
    expect((await actions()).filter(({ reason }) => reason === 'by the identity provider')).toHaveLength(3)
  })

  it('by a token that cannot be checked is no end', async () => {
    const { core, tokenOf, state } = await open()
    const token = await tokenOf()
    state.ended = new IdentityProblem('refused')
    await expect(endByProvider(core, 'x')).rejects.toSatisfy((error) =>
      isFailure(error, 'LOGOUT_TOKEN_REFUSED'),
    )
    state.isAway = true
    await expect(endByProvider(core, 'x')).rejects.toSatisfy((error) =>
      isFailure(error, 'IDENTITY_UNAVAILABLE'),
    )
    expect(await findStaff(core, token)).toBeDefined()
  })
})
