import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { day, hour, type ManualClock, manualClock, minute, second } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/databases.ts'
import {
  openBrowser,
  openRoomApp,
  problemOf,
  publicUrl,
  refusedFieldsOf,
  silentLog,
  type TestBrowser,
} from '#test/kit/room-app.ts'
import type { CodeVerdict, OtpGateway } from './sessions.gateway.ts'
import { sessionCookiesFor, sessionScope, sessionsRoutes } from './sessions.routes.ts'
import { createSessions, type DirectoryEntry, type SessionsService } from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'

const phone = '0512345678'
const canonical = '+966512345678'
const agentPhone = '+966500000101'
const rightCode = '1234'

/** The OTP service: every code is 1234, an approved verification is gone, and it can be told to fail. */
function otpDouble() {
  const sends: { phone: string; language: string; audience: string }[] = []
  const checks: { ref: string; code: string; audience: string }[] = []
  const approved = new Set<string>()
  const state = { isDown: false }
  const down = () => failure(sessionsErrors, 'OTP_UNAVAILABLE')
  const gateway: OtpGateway = {
    async send(to, language, audience) {
      if (state.isDown) throw down()
      sends.push({ phone: to, language, audience })
      return `${audience}-${sends.length}`
    },
    async check(ref, code, audience): Promise<CodeVerdict> {
      if (state.isDown) throw down()
      checks.push({ ref, code, audience })
      if (approved.has(ref) || !ref.startsWith(audience)) return 'expired'
      if (code !== rightCode) return 'rejected'
      approved.add(ref)
      return 'approved'
    },
  }
  return { gateway, sends, checks, state }
}

interface Room {
  app: FastifyInstance
  clock: ManualClock
  otp: ReturnType<typeof otpDouble>
  directory: Map<string, DirectoryEntry>
  database: Database
  sessions: SessionsService
}

async function openRoom({
  address = publicUrl,
  countries,
}: {
  address?: string
  countries?: string[]
} = {}): Promise<Room> {
  const clock = manualClock()
  const otp = otpDouble()
  const database = await openMemory()
  const directory = new Map([[agentPhone, { partnerAgentId: 'A01', name: 'وكيل منى', phone: agentPhone }]])
  const sessions = createSessions({
    database,
    store: createSessionsStore(database),
    otp: otp.gateway,
    findAgentByPhone: async (wanted) => directory.get(wanted),
    clock,
    log: silentLog,
    allowedCountries: countries,
  })
  const cookies = sessionCookiesFor(address)
  const app = await openRoomApp((room) =>
    sessionsRoutes(room, sessionScope(sessions, cookies), sessions, cookies),
  )
  return { app, clock, otp, directory, database, sessions }
}

const send = (browser: TestBrowser, body: object = { phone }) => browser.post('/api/auth/request-otp', body)
const verify = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-otp', { phone, code: rightCode, ...change })
const sendAgent = (browser: TestBrowser, to = agentPhone) =>
  browser.post('/api/auth/send-agent-otp', { phone: to })
const verifyAgent = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-agent-otp', { phone: agentPhone, code: rightCode, ...change })
const userOf = (browser: TestBrowser) => browser.get('/api/auth/user')
const agentOf = (browser: TestBrowser) => browser.get('/api/auth/agent')

async function signUp(browser: TestBrowser, name = 'عبد الله'): Promise<void> {
  await send(browser)
  const answer = await verify(browser, { name })
  if (answer.status !== 200) throw new Error(`sign-up failed: ${JSON.stringify(answer.json)}`)
}

async function signInAgent(browser: TestBrowser): Promise<void> {
  await sendAgent(browser)
  const answer = await verifyAgent(browser)
  if (answer.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(answer.json)}`)
}

describe('asking for a code', () => {
  it('sends it to the one spelling of the number, in the caller’s language', async () => {
    const { app, otp } = await openRoom()
    const answer = await send(openBrowser(app, { lang: 'en' }), { phone: '٠٥١٢ ٣٤٥ ٦٧٨' })
    expect(answer).toMatchObject({
      status: 200,
      json: { success: true, expiresInSeconds: 300, resendInSeconds: 60 },
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
    otp.state.isDown = true
    expect(problemOf(await send(browser))).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
    otp.state.isDown = false
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
    for (const code of ['9997', '9998', '9999']) await verify(browser, { code })
    expect(problemOf(await verify(browser))).toMatchObject({ status: 400, code: 'CODE_INVALID' })
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
    otp.state.isDown = true
    expect(problemOf(await verify(browser))).toMatchObject({ status: 503, code: 'OTP_UNAVAILABLE' })
    expect((await userOf(browser)).status).toBe(401)
    otp.state.isDown = false
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

describe('a session', () => {
  it('is one per browser: signing in as an agent ends the user’s, and the reverse', async () => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
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

  it('has a new name each time', async () => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app, { session_3000: 'chosen-by-somebody-else' })
    await signUp(browser)
    const first = browser.cookies.get('session_3000')
    expect(first).not.toBe('chosen-by-somebody-else')
    clock.advance(minute)
    await send(browser)
    await verify(browser)
    expect(browser.cookies.get('session_3000')).not.toBe(first)
  })

  it('of another browser goes on', async () => {
    const { app, clock } = await openRoom()
    const [phoneBrowser, tablet] = [openBrowser(app), openBrowser(app)]
    await signUp(phoneBrowser)
    clock.advance(minute)
    await send(tablet)
    await verify(tablet)
    expect((await userOf(phoneBrowser)).status).toBe(200)
    expect((await userOf(tablet)).status).toBe(200)
  })

  it('is not known to the database by what the cookie holds', async () => {
    const { app, database } = await openRoom()
    const browser = openBrowser(app)
    await signUp(browser)
    const rows = await database
      .tables<{ sessions: object; otp_challenges: object }>()
      .selectFrom(['sessions', 'otp_challenges'])
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
    for (const secret of browser.cookies.values()) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it.each(['', 'x', '../../etc', 'a'.repeat(5_000)])('is not opened by %j', async (token) => {
    const { app } = await openRoom()
    expect(problemOf(await userOf(openBrowser(app, { session_3000: token })))).toMatchObject({
      status: 401,
      code: 'NOT_SIGNED_IN',
    })
  })

  it.each([
    ['user', 7 * day],
    ['agent', hour],
  ] as const)('of a %s ends when it is not used for %i ms, and not before', async (role, idle) => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    await (role === 'user' ? signUp(browser) : signInAgent(browser))
    const look = () => (role === 'user' ? userOf(browser) : agentOf(browser))
    clock.advance(idle - 1)
    expect((await look()).status).toBe(200)
    clock.advance(idle - 1)
    expect((await look()).status).toBe(200)
    clock.advance(idle)
    expect((await look()).status).toBe(401)
  })

  it.each([
    ['user', 30 * day, day],
    ['agent', 12 * hour, 30 * minute],
  ] as const)('of a %s ends after %i ms, however much it is used', async (role, absolute, step) => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    await (role === 'user' ? signUp(browser) : signInAgent(browser))
    const look = () => (role === 'user' ? userOf(browser) : agentOf(browser))
    for (let used = step; used < absolute; used += step) {
      clock.advance(step)
      expect((await look()).status).toBe(200)
    }
    clock.advance(step - 1)
    expect((await look()).status).toBe(200)
    clock.advance(1)
    expect((await look()).status).toBe(401)
  })
})

describe('logging out', () => {
  it('ends the session on the server and takes the cookie back', async () => {
    const { app } = await openRoom()
    const browser = openBrowser(app)
    await signUp(browser)
    const stolen = browser.cookies.get('session_3000') ?? ''
    const answer = await browser.post('/api/auth/logout')
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(answer.setCookies).toEqual([expect.stringMatching(/^session_3000=; .*Expires=Thu, 01 Jan 1970/)])
    expect(browser.cookies.has('session_3000')).toBe(false)
    expect((await userOf(openBrowser(app, { session_3000: stolen }))).status).toBe(401)
  })

  it('is no failure where nobody is signed in, with or without an empty body', async () => {
    const { app } = await openRoom()
    expect((await openBrowser(app).post('/api/auth/logout')).status).toBe(200)
    expect((await openBrowser(app).post('/api/auth/logout', {})).status).toBe(200)
  })

  it('takes no field', async () => {
    const { app } = await openRoom()
    expect(problemOf(await openBrowser(app).post('/api/auth/logout', { all: true })).code).toBe(
      'INVALID_REQUEST',
    )
  })
})

describe('forgetting', () => {
  it('clears away what ended long ago, and nobody who is signed in', async () => {
    const { app, clock, sessions } = await openRoom()
    const browser = openBrowser(app)
    await signUp(browser)
    clock.advance(6 * day)
    await userOf(browser)
    clock.advance(6 * day)
    await sessions.forget()
    expect((await userOf(browser)).status).toBe(200)
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
