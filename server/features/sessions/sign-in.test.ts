import { describe, expect, it } from 'vitest'
import { findUserByPhone, refuseSms } from '#server/features/users/users.queries.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { openBrowser, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import {
  agentOf,
  agentPhone,
  canonical,
  openFixture,
  phone,
  send,
  sendAgent,
  signInAgent,
  signUp,
  userOf,
  verify,
  verifyAgent,
} from '#test/kit/gateway/sign-in-fixture.ts'
import { findPrincipal } from './sessions.ts'

describe('signing up', () => {
  it('creates a user and opens a session out of reach of scripts', async () => {
    const { browser } = await openFixture()
    await send(browser)
    const answer = await verify(browser, { name: '  عبد   الله ' })
    expect(answer.json).toEqual({
      success: true,
      user: { id: expect.any(Number), name: 'عبد الله', phone: canonical },
    })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      'role_3000=user; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^device_3000=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await userOf(browser)).json).toEqual({
      success: true,
      userId: expect.any(Number),
      name: 'عبد الله',
      phone: canonical,
      messages: true,
      email: null,
    })
  })

  it('asks a new number for a name, and takes it without another code', async () => {
    const { browser, otp } = await openFixture()
    await send(browser)
    const first = await verify(browser)
    expect(problemOf(first)).toMatchObject({ status: 409, code: 'SIGN_UP_REQUIRED' })
    expect(refusedFieldsOf(first)).toEqual(['name'])
    expect(first.setCookies).toEqual([])
    expect((await verify(browser, { name: 'Abdullah' })).status).toBe(200)
    expect(otp.sends).toHaveLength(1)
    expect(otp.checks).toHaveLength(1)
  })

  it.each([
    [10 * minute - 1, 200],
    [10 * minute, 400],
  ])('accepts the name for ten minutes: after %i ms it answers %i', async (waited, status) => {
    const { browser, clock } = await openFixture()
    await send(browser)
    await verify(browser)
    clock.advance(waited)
    expect((await verify(browser, { name: 'Abdullah' })).status).toBe(status)
  })

  it('accepts the name only from the browser that proved the number', async () => {
    const { browser, app, clock } = await openFixture()
    await send(browser)
    await verify(browser)
    const thief = openBrowser(app)
    expect(problemOf(await verify(thief, { name: 'Thief' })).code).toBe('CODE_INVALID')
    clock.advance(minute)
    await send(thief)
    expect(problemOf(await verify(thief, { code: '0000', name: 'Thief' })).code).toBe('CODE_INVALID')
  })

  it('accepts the name once: the proof opens one account and one session', async () => {
    const { browser, app, clock } = await openFixture()
    await send(browser)
    await verify(browser)
    const before = openBrowser(app, Object.fromEntries(browser.cookies))
    expect((await verify(browser, { name: 'Abdullah' })).status).toBe(200)
    expect(problemOf(await verify(before, { name: 'Second' })).code).toBe('CODE_INVALID')
    clock.advance(minute)
    expect((await userOf(browser)).json.name).toBe('Abdullah')
  })

  it.each(['', '   ', '\n\u200f', 'x'.repeat(81)])('refuses the name %j with the field', async (name) => {
    const { browser } = await openFixture()
    await send(browser)
    expect(refusedFieldsOf(await verify(browser, { name }))).toEqual(['name'])
  })
})

describe('signing in', () => {
  async function openWithUser() {
    const fixture = await openFixture()
    const owner = openBrowser(fixture.app)
    await signUp(owner)
    fixture.clock.advance(minute)
    return { ...fixture, browser: openBrowser(fixture.app) }
  }

  it('finds the existing user, with the same name and number', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    const { json } = await verify(browser, { phone: '+966512345678', name: 'Another name' })
    expect(json.user).toMatchObject({ name: 'عبد الله', phone: canonical })
  })

  it.each(['١٢٣٤', '۱۲۳۴', '১২৩৪', '१२३४', '၁၂၃၄', '𞥑𞥒𞥓𞥔'])('reads the code %s', async (code) => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    expect((await verify(browser, { code })).status).toBe(200)
    expect(otp.checks.at(-1)?.code).toBe('1234')
  })

  it.each([
    ['by SMS', ['sms'], null],
    ['on WhatsApp', ['whatsapp'], 'phone'],
    ['on WhatsApp, and perhaps again by SMS', ['whatsapp', 'sms'], 'phone'],
  ])('with a code that came %s allows SMS to a refused phone: %s → %s', async (_, channels, refused) => {
    const { browser, clock, core } = await openWithUser()
    const { id = 0 } = (await findUserByPhone(core, canonical)) ?? {}
    await refuseSms(core, id, canonical, 'phone')
    for (const channel of channels) {
      clock.advance(minute)
      await send(browser, { phone, channel })
    }
    expect((await verify(browser)).status).toBe(200)
    expect((await findUserByPhone(core, canonical))?.sms_refused).toBe(refused)
  })

  it('refuses a wrong code with the field, and opens no session', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    const answer = await verify(browser, { code: '9999' })
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'CODE_INVALID' })
    expect(refusedFieldsOf(answer)).toEqual(['code'])
    expect(answer.setCookies).toEqual([])
    expect((await userOf(browser)).status).toBe(401)
  })

  it('accepts no code after three wrong ones, and no longer asks the provider', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    const asked = otp.checks.length
    const codesOf = []
    for (const code of ['9997', '9998', '9999']) codesOf.push(problemOf(await verify(browser, { code })).code)
    // The third answer tells that the code is used up.
    expect(codesOf).toEqual(['CODE_INVALID', 'CODE_INVALID', 'CODE_USED_UP'])
    const right = await verify(browser)
    expect(problemOf(right)).toMatchObject({ status: 400, code: 'CODE_USED_UP' })
    expect(refusedFieldsOf(right)).toEqual(['code'])
    expect(otp.checks.length - asked).toBe(3)
  })

  it('does not answer a request for a code with one that is used up', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    for (const code of ['9997', '9998', '9999']) await verify(browser, { code })
    expect(problemOf(await send(browser))).toMatchObject({ status: 429, code: 'CODE_REQUESTED_TOO_SOON' })
  })

  it('accepts a code only from the browser that asked for it', async () => {
    const { browser, app, otp } = await openWithUser()
    await send(browser)
    const asked = otp.checks.length
    expect(problemOf(await verify(openBrowser(app))).code).toBe('CODE_INVALID')
    const marked = openBrowser(app)
    await send(marked, { phone: '0587654321' })
    expect(problemOf(await verify(marked)).code).toBe('CODE_INVALID')
    expect(otp.checks.length).toBe(asked)
  })

  it.each([
    [5 * minute - 1, 200],
    [5 * minute, 400],
  ])('accepts a code for five minutes: after %i ms it answers %i', async (waited, status) => {
    const { browser, clock } = await openWithUser()
    await send(browser)
    clock.advance(waited)
    expect((await verify(browser)).status).toBe(status)
  })

  it('reports an outage of the provider, and opens no session', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    otp.state.trouble = 'unreachable'
    expect(problemOf(await verify(browser))).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
    expect((await userOf(browser)).status).toBe(401)
    otp.state.trouble = undefined
    expect((await verify(browser)).status).toBe(200)
  })

  it.each(['123', '12345', 'abcd', '12 4', ''])(
    'refuses the code %j without counting a try',
    async (code) => {
      const { browser, otp } = await openWithUser()
      await send(browser)
      const asked = otp.checks.length
      expect(refusedFieldsOf(await verify(browser, { code }))).toEqual(['code'])
      expect(otp.checks.length).toBe(asked)
    },
  )
})

describe('an agent', () => {
  it('is signed in with id, name, phone and a handle', async () => {
    const { browser } = await openFixture()
    await sendAgent(browser)
    const answer = await verifyAgent(browser)
    expect(answer.json).toEqual({
      success: true,
      agent: { id: expect.any(Number), name: 'وكيل منى', phone: agentPhone },
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
      'role_3000=agent; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^device_3000=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await agentOf(browser)).json).toMatchObject({
      success: true,
      name: 'وكيل منى',
      phone: agentPhone,
    })
  })

  it('has a handle without authority', async () => {
    const { browser, app } = await openFixture()
    await sendAgent(browser)
    const { json } = await verifyAgent(browser)
    const token = String(json.token)
    for (const name of ['session_3000', 'session', 'token', 'agentToken'])
      expect((await agentOf(openBrowser(app, { [name]: token }))).status).toBe(401)
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: token },
      { 'x-access-token': token },
    ])
      expect((await openBrowser(app).get('/api/auth/agent', headers)).status).toBe(401)
  })

  it('and a phone that is not in the directory get the same answers, and only the agent an SMS', async () => {
    const { app, otp } = await openFixture()
    const [agent, other] = [openBrowser(app), openBrowser(app)]
    const known = await sendAgent(agent)
    const unknown = await sendAgent(other, '+966599999999')
    const shape = (lines: readonly string[]) => lines.map((line) => line.replace(/=[\w-]{43}/, '=…'))
    expect(unknown.status).toBe(known.status)
    expect(unknown.json).toEqual(known.json)
    expect(shape(unknown.setCookies)).toEqual(shape(known.setCookies))
    expect(otp.sends).toHaveLength(1)

    const wrong = problemOf(await verifyAgent(agent, { code: '9999' }))
    const guess = problemOf(await verifyAgent(other, { phone: '+966599999999' }))
    expect({ ...guess, requestId: '' }).toEqual({ ...wrong, requestId: '' })
    const again = await sendAgent(other, '+966599999999')
    expect(again.status).toBe((await sendAgent(agent)).status)
  })

  it('is not signed in by the code of a user, nor the reverse', async () => {
    const { browser, clock } = await openFixture()
    await send(browser, { phone: agentPhone })
    expect(problemOf(await verifyAgent(browser)).code).toBe('CODE_INVALID')
    clock.advance(10 * minute)
    await sendAgent(browser)
    expect(problemOf(await verify(browser, { phone: agentPhone, name: 'A' })).code).toBe('CODE_INVALID')
  })

  it('who has left the directory is not signed in', async () => {
    const { browser, directory } = await openFixture()
    await sendAgent(browser)
    directory.clear()
    expect(problemOf(await verifyAgent(browser)).code).toBe('CODE_INVALID')
    expect((await agentOf(browser)).status).toBe(401)
  })

  it('is the principal of the session, with the partner’s id', async () => {
    const { browser, core } = await openFixture()
    await signInAgent(browser)
    expect(await findPrincipal(core, browser.cookies.get('session_3000'))).toEqual({
      role: 'agent',
      agentId: expect.any(Number),
      partnerAgentId: 'A01',
    })
  })
})
