import { describe, expect, it } from 'vitest'
import type { SessionView } from '#shared/sessions/sessions.schemas.ts'
import { minute, noon } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf, type TestBrowser } from '#test/kit/gateway/feature-app.ts'
import {
  agentOf,
  agentPhone,
  askConfirm,
  openFixture,
  send,
  signInAgent,
  signUp,
  userOf,
  verify,
  verifyConfirm,
} from '#test/kit/gateway/sign-in-fixture.ts'

const path = '/api/auth/sessions'
const everywhere = '/api/auth/logout-everywhere'

async function listOf(browser: TestBrowser): Promise<SessionView[]> {
  const { status, json } = await browser.get(path)
  if (status !== 200) throw new Error(`the list was answered with ${status}`)
  return json.sessions as SessionView[]
}

/** One user in two browsers, the second one a minute later. */
async function openTwo() {
  const fixture = await openFixture()
  const first = openBrowser(fixture.app)
  const second = openBrowser(fixture.app)
  await signUp(first)
  fixture.clock.advance(minute)
  await send(second)
  await verify(second)
  return { ...fixture, first, second }
}

/** Signs up a user other than that of `signUp`. */
async function signUpNeighbour(browser: TestBrowser): Promise<void> {
  const neighbour = { phone: '0587654321' }
  await send(browser, neighbour)
  const answer = await verify(browser, { ...neighbour, name: 'Omar' })
  if (answer.status !== 200) throw new Error('the neighbour did not sign up')
}

describe('the sessions of a user', () => {
  it('are listed with their times, last used first, and the current one is marked', async () => {
    const { first, second } = await openTwo()
    const at = (time: number) => new Date(time).toISOString()
    expect(await listOf(second)).toEqual([
      {
        id: expect.any(String),
        createdAt: at(noon + minute),
        lastSeenAt: at(noon + minute),
        device: null,
        isCurrent: true,
      },
      {
        id: expect.any(String),
        createdAt: at(noon),
        lastSeenAt: at(noon),
        device: null,
        isCurrent: false,
      },
    ])
    expect((await listOf(first)).filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { createdAt: at(noon) },
    ])
  })

  it('have a device label of two words, and nothing else of the user agent is stored', async () => {
    const { browser, database } = await openFixture()
    await send(browser)
    const userAgent =
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 Chrome/128.0.6613.88 Mobile'
    await browser.post(
      '/api/auth/verify-otp',
      { phone: '0512345678', code: '1234', name: 'Maryam' },
      { 'user-agent': userAgent },
    )
    expect((await listOf(browser))[0]?.device).toBe('Chrome · Android')
    const rows = await database.tables.selectFrom('sessions').selectAll().execute()
    for (const said of ['SM-S918B', '128.0', 'Mozilla']) expect(JSON.stringify(rows)).not.toContain(said)
  })

  it('have ids without authority', async () => {
    const { app, first } = await openTwo()
    for (const { id } of await listOf(first))
      expect((await userOf(openBrowser(app, { session_3000: id }))).status).toBe(401)
    const text = JSON.stringify(await listOf(first))
    for (const secret of first.cookies.values()) expect(text).not.toContain(secret)
  })
})

describe('ending one session', () => {
  it('ends that one and leaves the current one', async () => {
    const { first, second } = await openTwo()
    const other = (await listOf(second)).find(({ isCurrent }) => !isCurrent)
    await askConfirm(second, 'session')
    await verifyConfirm(second)
    const answer = await second.delete(`${path}/${other?.id}`)
    expect(answer).toMatchObject({ status: 200, json: { success: true }, setCookies: [] })
    expect((await userOf(first)).status).toBe(401)
    expect((await userOf(second)).status).toBe(200)
    expect(await listOf(second)).toHaveLength(1)
  })

  it('clears the cookie when it is the current one', async () => {
    const { first } = await openTwo()
    const own = (await listOf(first)).find(({ isCurrent }) => isCurrent)
    const { setCookies } = await first.delete(`${path}/${own?.id}`)
    expect(setCookies).toEqual([
      expect.stringMatching(/^session_3000=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^role_3000=; .*Expires=Thu, 01 Jan 1970/),
    ])
    expect((await userOf(first)).status).toBe(401)
  })

  it.each(['1', '..', 'a'.repeat(64), crypto.randomUUID().toUpperCase()])('refuses the id %s', async (id) => {
    const { first } = await openTwo()
    expect((await first.delete(`${path}/${id}`)).status).toBeGreaterThanOrEqual(400)
    expect(await listOf(first)).toHaveLength(2)
  })
})

describe('logging out everywhere', () => {
  it('ends all sessions of the user, the current one included, and no others', async () => {
    const { app, first, second } = await openTwo()
    const agent = openBrowser(app)
    await signInAgent(agent)
    const neighbour = openBrowser(app)
    await signUpNeighbour(neighbour)
    const held = first.cookies.get('session_3000') ?? ''
    const answer = await first.post(everywhere, {})
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^role_3000=; .*Expires=Thu, 01 Jan 1970/),
    ])
    expect((await userOf(openBrowser(app, { session_3000: held }))).status).toBe(401)
    expect((await userOf(second)).status).toBe(401)
    expect((await agentOf(agent)).status).toBe(200)
    expect((await userOf(neighbour)).status).toBe(200)
  })
})

describe('an agent who has left the directory', () => {
  it('is signed out at the next request, in every browser', async () => {
    const { app, clock, directory } = await openFixture()
    const [one, two] = [openBrowser(app), openBrowser(app)]
    await signInAgent(one)
    clock.advance(minute)
    await signInAgent(two)
    const entry = directory.get(agentPhone)
    directory.delete(agentPhone)
    expect((await agentOf(one)).status).toBe(401)
    if (entry) directory.set(agentPhone, entry)
    expect((await agentOf(one)).status).toBe(401)
    expect((await agentOf(two)).status).toBe(401)
  })

  it('is signed out when the number belongs to another agent', async () => {
    const { browser, directory } = await openFixture()
    await signInAgent(browser)
    directory.set(agentPhone, { partnerAgentId: 'A02', name: 'Other', phone: agentPhone })
    expect((await agentOf(browser)).status).toBe(401)
  })

  it('is signed out when the entry has another number, which has signed in', async () => {
    const { app, directory, setDirectoryAway } = await openFixture()
    const [former, present] = [openBrowser(app), openBrowser(app)]
    await signInAgent(former)
    const number = '+966500000155'
    directory.clear()
    directory.set(number, { partnerAgentId: 'A01', name: 'New', phone: number })
    await setDirectoryAway(false)
    await present.post('/api/auth/send-agent-otp', { phone: number })
    const answer = await present.post('/api/auth/verify-agent-otp', { phone: number, code: '1234' })
    expect(answer.status).toBe(200)
    expect((await agentOf(present)).status).toBe(200)
    expect((await agentOf(former)).status).toBe(401)
  })

  it('is answered with an outage while the directory is not available, and stays signed in', async () => {
    const { browser, setDirectoryAway } = await openFixture()
    await signInAgent(browser)
    await setDirectoryAway(true)
    expect(problemOf(await agentOf(browser))).toMatchObject({ status: 503, code: 'AGENTS_UNAVAILABLE' })
    await setDirectoryAway(false)
    expect((await agentOf(browser)).status).toBe(200)
  })
})

describe('the session cookie', () => {
  it('is out of reach of scripts and plain http under https', async () => {
    const { browser } = await openFixture({ address: 'https://amtiati.example' })
    await send(browser)
    const { setCookies } = await verify(browser, { name: 'Maryam' })
    expect(setCookies).toContainEqual(
      expect.stringMatching(
        /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    )
    expect(setCookies.join()).not.toMatch(/domain/i)
  })
})
