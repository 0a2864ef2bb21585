import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import {
  agentOf,
  openFixture,
  send,
  signInAgent,
  signUp,
  userOf,
  verify,
} from '#test/kit/gateway/sign-in-fixture.ts'

describe('a session', () => {
  it('is one per browser: signing in as an agent ends the user’s session, and the reverse', async () => {
    const { browser, app, clock } = await openFixture()
    await signUp(browser)
    const usersCookie = browser.cookies.get('session_3000') ?? ''
    await signInAgent(browser)
    expect((await userOf(browser)).status).toBe(401)
    expect((await agentOf(browser)).status).toBe(200)
    expect((await userOf(openBrowser(app, { session_3000: usersCookie }))).status).toBe(401)

    clock.advance(10 * minute)
    const agentsCookie = browser.cookies.get('session_3000') ?? ''
    await send(browser)
    await verify(browser)
    expect((await agentOf(browser)).status).toBe(401)
    expect((await agentOf(openBrowser(app, { session_3000: agentsCookie }))).status).toBe(401)
  })

  it('has a new token after each sign-in', async () => {
    const { app, clock } = await openFixture()
    const browser = openBrowser(app, { session_3000: 'chosen-by-another' })
    await signUp(browser)
    const first = browser.cookies.get('session_3000')
    expect(first).not.toBe('chosen-by-another')
    clock.advance(minute)
    await send(browser)
    await verify(browser)
    expect(browser.cookies.get('session_3000')).not.toBe(first)
    for (const token of ['chosen-by-another', first ?? ''])
      expect((await userOf(openBrowser(app, { session_3000: token }))).status).toBe(401)
  })

  it.each(['', 'x', '../../etc', 'a'.repeat(5_000)])('is not opened by %j', async (token) => {
    const { app } = await openFixture()
    expect(problemOf(await userOf(openBrowser(app, { session_3000: token })))).toMatchObject({
      status: 401,
      code: 'NOT_SIGNED_IN',
    })
  })

  it.each([
    ['user', 7 * day],
    ['agent', hour],
  ] as const)('of a %s ends after %i ms without use, and not before', async (role, idle) => {
    const { browser, clock } = await openFixture()
    await (role === 'user' ? signUp(browser) : signInAgent(browser))
    const read = () => (role === 'user' ? userOf(browser) : agentOf(browser))
    // A use after a minute counts.
    clock.advance(minute)
    expect((await read()).status).toBe(200)
    clock.advance(idle - 1)
    expect((await read()).status).toBe(200)
    clock.advance(idle)
    expect((await read()).status).toBe(401)
  })

  it.each([
    ['user', 30 * day, day],
    ['agent', 12 * hour, 30 * minute],
  ] as const)('of a %s ends after %i ms even in use', async (role, absolute, step) => {
    const { browser, clock } = await openFixture()
    await (role === 'user' ? signUp(browser) : signInAgent(browser))
    const read = () => (role === 'user' ? userOf(browser) : agentOf(browser))
    for (let used = step; used < absolute; used += step) {
      clock.advance(step)
      expect((await read()).status).toBe(200)
    }
    clock.advance(step - 1)
    expect((await read()).status).toBe(200)
    clock.advance(1)
    expect((await read()).status).toBe(401)
  })
})

describe('the cookie of the role', () => {
  it('follows the session of the browser', async () => {
    const { browser, clock } = await openFixture()
    const roleCookie = () => browser.cookies.get('role_3000')
    await signUp(browser)
    expect(roleCookie()).toBe('user')
    await signInAgent(browser)
    // The call about the other role changes nothing.
    await userOf(browser)
    expect(roleCookie()).toBe('agent')
    browser.cookies.delete('role_3000')
    await agentOf(browser)
    expect(roleCookie()).toBe('agent')
    clock.advance(12 * hour)
    await agentOf(browser)
    expect(roleCookie()).toBeUndefined()
  })

  it.each(['user', 'agent'])('opens nothing for who writes %s into it, and is cleared', async (role) => {
    const { app } = await openFixture()
    const browser = openBrowser(app, { role_3000: role })
    expect((await userOf(browser)).status).toBe(401)
    expect((await agentOf(browser)).status).toBe(401)
    expect(browser.cookies.has('role_3000')).toBe(false)
  })
})

describe('logging out', () => {
  it('ends the session on the server and clears the cookie', async () => {
    const { browser, app } = await openFixture()
    await signUp(browser)
    const stolen = browser.cookies.get('session_3000') ?? ''
    const answer = await browser.post('/api/auth/logout')
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^role_3000=; .*Expires=Thu, 01 Jan 1970/),
    ])
    expect(browser.cookies.has('session_3000')).toBe(false)
    expect((await userOf(openBrowser(app, { session_3000: stolen }))).status).toBe(401)
  })

  it('succeeds without a session, with or without an empty body', async () => {
    const { app } = await openFixture()
    expect((await openBrowser(app).post('/api/auth/logout')).status).toBe(200)
    expect((await openBrowser(app).post('/api/auth/logout', {})).status).toBe(200)
  })
})
