import { describe, expect, it } from 'vitest'
import { minute, second } from '#test/kit/clock.ts'
import { openBrowser, problemOf, refusedFieldsOf } from '#test/kit/room-app.ts'
import {
  agentOf,
  agentPhone,
  canonical,
  openRoom,
  send,
  sendAgent,
  signInAgent,
  signUp,
  userOf,
  verify,
  verifyAgent,
} from '#test/kit/sign-in-room.ts'

describe('asking for a code', () => {
  it('sends it to the one spelling of the number, in the caller’s language', async () => {
    const { app, otp } = await openRoom()
    const answer = await send(openBrowser(app, { lang: 'en' }), { phone: '٠٥١٢ ٣٤٥ ٦٧٨' })
    expect(answer).toMatchObject({
      status: 200,
      json: { success: true, expiresInSeconds: 300, resendInSeconds: 60, sent: true },
    })
    expect(otp.sends).toEqual([{ phone: canonical, language: 'en', audience: 'user' }])
  })

  it('marks the browser, out of reach of scripts, for a day', async () => {
    const { app } = await openRoom()
    const { setCookies } = await send(openBrowser(app))
    expect(setCookies).toEqual([
      expect.stringMatching(/^browser_3000=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('marks it so that only https may carry the mark where there is https', async () => {
    const { app } = await openRoom({ address: 'https://amtiati.example' })
    const { setCookies } = await send(openBrowser(app))
    expect(setCookies).toEqual([
      expect.stringMatching(
        /^__Host-browser=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  it.each(['0512345678 ext 5', '0112345678', '+9665123456789', 'not a phone'])(
    'refuses %s and bothers nobody',
    async (typed) => {
      const { app, otp } = await openRoom()
      const answer = await send(openBrowser(app), { phone: typed })
      expect(problemOf(answer)).toMatchObject({ status: 400, code: 'PHONE_INVALID' })
      expect(refusedFieldsOf(answer)).toEqual(['phone'])
      expect(otp.sends).toEqual([])
    },
  )

  it('refuses countries that are not let in', async () => {
    const { app } = await openRoom({ countries: ['SA'] })
    expect(problemOf(await send(openBrowser(app), { phone: '+201001234567' })).code).toBe('PHONE_INVALID')
    expect((await send(openBrowser(app))).status).toBe(200)
  })

  it('answers a second click with the time that is left, and sends nothing', async () => {
    const { app, clock, otp } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    clock.advance(20 * second)
    expect((await send(browser, { phone: '+966 51 234 5678' })).json).toMatchObject({
      success: true,
      expiresInSeconds: 280,
      resendInSeconds: 40,
      sent: false,
    })
    expect(otp.sends).toHaveLength(1)
  })

  it('tells another browser to wait, and for how long', async () => {
    const { app, clock, otp } = await openRoom()
    await send(openBrowser(app))
    clock.advance(20 * second)
    const answer = await send(openBrowser(app, { lang: 'en' }), { phone: '00966512345678' })
    expect(problemOf(answer)).toMatchObject({
      status: 429,
      code: 'CODE_REQUESTED_TOO_SOON',
      message: expect.stringContaining('40 s'),
      retryAfterSeconds: 40,
    })
    expect(answer.headers['retry-after']).toBe('40')
    expect(otp.sends).toHaveLength(1)
  })

  it('sends a new code after a minute, which takes the place of the old one', async () => {
    const { app, clock, otp } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    clock.advance(minute)
    await send(browser)
    expect(otp.sends).toHaveLength(2)
    await verify(browser, { name: 'A' })
    expect(otp.checks.map(({ ref }) => ref)).toEqual(['user-2'])
  })

  it('lets a person try again at once when the code could not be sent', async () => {
    const { app, otp } = await openRoom()
    const browser = openBrowser(app)
    otp.state.trouble = 'unreachable'
    expect(problemOf(await send(browser))).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
    otp.state.trouble = undefined
    expect((await send(browser)).status).toBe(200)
  })

  it('sends one code of twenty asked for at once', async () => {
    const { app, otp } = await openRoom()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(openBrowser(app))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(otp.sends).toHaveLength(1)
  })

  it('keeps the waits of pilgrims and agents apart', async () => {
    const { app, otp } = await openRoom()
    const browser = openBrowser(app)
    await sendAgent(browser)
    expect((await send(browser, { phone: agentPhone })).status).toBe(200)
    expect(otp.sends.map(({ audience }) => audience)).toEqual(['agent', 'user'])
  })
})

describe('signing up', () => {
  it('makes a user and opens a session out of reach of scripts', async () => {
    const { app } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    const answer = await verify(browser, { name: '  عبد   الله ' })
    expect(answer.json).toEqual({
      success: true,
      user: { id: expect.any(Number), name: 'عبد الله', phone: canonical },
    })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device_3000=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await userOf(browser)).json).toEqual({
      success: true,
      userId: expect.any(Number),
      name: 'عبد الله',
      phone: canonical,
    })
  })

  it('asks a number that is new for its name, and takes it without another code', async () => {
    const { app, otp } = await openRoom()
    const browser = openBrowser(app)
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
  ])('waits for the name for ten minutes: after %i ms it answers %i', async (waited, status) => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    await verify(browser)
    clock.advance(waited)
    expect((await verify(browser, { name: 'Abdullah' })).status).toBe(status)
  })

  it('takes the name only from the browser that proved the number', async () => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    await verify(browser)
    const thief = openBrowser(app)
    expect(problemOf(await verify(thief, { name: 'Thief' })).code).toBe('CODE_INVALID')
    clock.advance(minute)
    await send(thief)
    expect(problemOf(await verify(thief, { code: '0000', name: 'Thief' })).code).toBe('CODE_INVALID')
  })

  it.each(['', '   ', 'a\nb', 'x'.repeat(81)])('refuses the name %j by name', async (name) => {
    const { app } = await openRoom()
    const browser = openBrowser(app)
    await send(browser)
    expect(refusedFieldsOf(await verify(browser, { name }))).toEqual(['name'])
  })
})

describe('signing in', () => {
  async function openWithUser() {
    const room = await openRoom()
    const owner = openBrowser(room.app)
    await signUp(owner)
    room.clock.advance(minute)
    return { ...room, browser: openBrowser(room.app) }
  }

  it('finds the user again, who keeps name and number', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    const { json } = await verify(browser, { phone: '+966512345678', name: 'Another name' })
    expect(json.user).toMatchObject({ name: 'عبد الله', phone: canonical })
  })

  it('reads the code in Arabic digits', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    expect((await verify(browser, { code: '١٢٣٤' })).status).toBe(200)
    expect(otp.checks.at(-1)?.code).toBe('1234')
  })

  it('refuses a wrong code by name, and opens nothing', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    const answer = await verify(browser, { code: '9999' })
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'CODE_INVALID' })
    expect(refusedFieldsOf(answer)).toEqual(['code'])
    expect(answer.setCookies).toEqual([])
    expect((await userOf(browser)).status).toBe(401)
  })

  it('takes the right code after two wrong ones', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    await verify(browser, { code: '9998' })
    await verify(browser, { code: '9999' })
    expect((await verify(browser)).status).toBe(200)
  })

  it('takes nothing after three wrong codes, and no longer asks the provider', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    const asked = otp.checks.length
    const codesOf = []
    for (const code of ['9997', '9998', '9999']) codesOf.push(problemOf(await verify(browser, { code })).code)
    // The third says at once that typing on is in vain.
    expect(codesOf).toEqual(['CODE_INVALID', 'CODE_INVALID', 'CODE_USED_UP'])
    const right = await verify(browser)
    expect(problemOf(right)).toMatchObject({ status: 400, code: 'CODE_USED_UP' })
    expect(refusedFieldsOf(right)).toEqual(['code'])
    expect(otp.checks.length - asked).toBe(3)
  })

  it('does not answer a click on send with a code that is dead', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    for (const code of ['9997', '9998', '9999']) await verify(browser, { code })
    expect(problemOf(await send(browser))).toMatchObject({ status: 429, code: 'CODE_REQUESTED_TOO_SOON' })
  })

  it('lets no more than three guesses through when many come at once', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    const asked = otp.checks.length
    await Promise.all(Array.from({ length: 20 }, (_, index) => verify(browser, { code: `9${100 + index}` })))
    expect(otp.checks.length - asked).toBe(3)
  })

  it('opens one session with one code, however often it is sent at once', async () => {
    const { browser } = await openWithUser()
    await send(browser)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(browser)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(problemOf(await verify(browser)).code).toBe('CODE_INVALID')
  })

  it('takes a code only from the browser that asked for it', async () => {
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
  ])('takes a code for five minutes: after %i ms it answers %i', async (waited, status) => {
    const { browser, clock } = await openWithUser()
    await send(browser)
    clock.advance(waited)
    expect((await verify(browser)).status).toBe(status)
  })

  it('says that the service is down, and never that a code was right', async () => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    otp.state.trouble = 'unreachable'
    expect(problemOf(await verify(browser))).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
    expect((await userOf(browser)).status).toBe(401)
    otp.state.trouble = undefined
    expect((await verify(browser)).status).toBe(200)
  })

  it.each(['123', '12345', 'abcd', '12 4', ''])('refuses the code %j before it counts', async (code) => {
    const { browser, otp } = await openWithUser()
    await send(browser)
    const asked = otp.checks.length
    expect(refusedFieldsOf(await verify(browser, { code }))).toEqual(['code'])
    expect(otp.checks.length).toBe(asked)
  })
})

describe('an agent', () => {
  it('is answered with number, name, phone and a handle', async () => {
    const { app } = await openRoom()
    const browser = openBrowser(app)
    await sendAgent(browser)
    const answer = await verifyAgent(browser)
    expect(answer.json).toEqual({
      success: true,
      agent: { id: expect.any(Number), name: 'وكيل منى', phone: agentPhone },
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^session_3000=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device_3000=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await agentOf(browser)).json).toMatchObject({
      success: true,
      name: 'وكيل منى',
      phone: agentPhone,
    })
  })

  it('has a handle that opens nothing', async () => {
    const { app } = await openRoom()
    const browser = openBrowser(app)
    await sendAgent(browser)
    const { json } = await verifyAgent(browser)
    const finder = openBrowser(app, { session_3000: String(json.token) })
    expect((await agentOf(finder)).status).toBe(401)
    const bearer = { authorization: `Bearer ${json.token}` }
    expect((await openBrowser(app).get('/api/auth/agent', bearer)).status).toBe(401)
  })

  it('that nobody knows gets the same answers, and no SMS', async () => {
    const { app, otp } = await openRoom()
    const [agent, stranger] = [openBrowser(app), openBrowser(app)]
    const known = await sendAgent(agent)
    const unknown = await sendAgent(stranger, '+966599999999')
    const shape = (lines: readonly string[]) => lines.map((line) => line.replace(/=[\w-]{43}/, '=…'))
    expect(unknown.status).toBe(known.status)
    expect(unknown.json).toEqual(known.json)
    expect(shape(unknown.setCookies)).toEqual(shape(known.setCookies))
    expect(otp.sends).toHaveLength(1)

    const wrong = problemOf(await verifyAgent(agent, { code: '9999' }))
    const guess = problemOf(await verifyAgent(stranger, { phone: '+966599999999' }))
    expect({ ...guess, requestId: '' }).toEqual({ ...wrong, requestId: '' })
    const again = await sendAgent(stranger, '+966599999999')
    expect(again.status).toBe((await sendAgent(agent)).status)
  })

  it('is not opened by the code of a pilgrim, nor the reverse', async () => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    await send(browser, { phone: agentPhone })
    expect(problemOf(await verifyAgent(browser)).code).toBe('CODE_INVALID')
    clock.advance(10 * minute)
    await sendAgent(browser)
    expect(problemOf(await verify(browser, { phone: agentPhone, name: 'A' })).code).toBe('CODE_INVALID')
  })

  it('who has left the directory since does not come in', async () => {
    const { app, directory } = await openRoom()
    const browser = openBrowser(app)
    await sendAgent(browser)
    directory.clear()
    expect(problemOf(await verifyAgent(browser)).code).toBe('CODE_INVALID')
    expect((await agentOf(browser)).status).toBe(401)
  })

  it('keeps the number and takes the present name of the directory', async () => {
    const { app, directory, clock } = await openRoom()
    const browser = openBrowser(app)
    await signInAgent(browser)
    const before = (await agentOf(browser)).json
    clock.advance(10 * minute)
    directory.set(agentPhone, { partnerAgentId: 'A01', name: 'New name', phone: agentPhone })
    await signInAgent(browser)
    expect((await agentOf(browser)).json).toEqual({ ...before, name: 'New name' })
  })

  it('is the caller that other rooms see, by the partner’s own id', async () => {
    const { app, sessions } = await openRoom()
    const browser = openBrowser(app)
    await signInAgent(browser)
    expect(await sessions.findCaller(browser.cookies.get('session_3000'))).toEqual({
      role: 'agent',
      agentId: expect.any(Number),
      partnerAgentId: 'A01',
    })
  })
})

describe('a browser with a broken mark', () => {
  it.each(['', 'chosen-by-somebody-else'])('gets a new one in place of %j, and can sign in', async (mark) => {
    const { app } = await openRoom()
    const browser = openBrowser(app, { browser_3000: mark })
    await signUp(browser)
    expect(browser.cookies.get('browser_3000')).not.toBe(mark)
    expect((await userOf(browser)).status).toBe(200)
  })
})
