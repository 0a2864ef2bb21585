import { describe, expect, it } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import { type BrowserAnswer, openBrowser, problemOf, type TestBrowser } from '#test/kit/room-app.ts'
import {
  agentPhone,
  canonical,
  openRoom,
  type Room,
  rightCode,
  send,
  sendAgent,
  signUp,
  userOf,
  verify,
  verifyAgent,
} from '#test/kit/sign-in-room.ts'

/** A number of its own per `index`, all with one prefix, or a prefix of its own each. */
const neighbour = (index: number) => `+96655123${String(index).padStart(4, '0')}`
const farAway = (index: number) => `+9665${String(5_000 + index)}0000`.padEnd(13, '0')

const wrong = '9999'

/** One wrong code after the other, with a new code whenever the old one is dead; answers the first refusal of a limit. */
async function guess(room: Room, browser: TestBrowser, times: number): Promise<BrowserAnswer | undefined> {
  for (let left = times; left > 0; ) {
    const sent = await send(browser)
    if (sent.status !== 200) return sent
    for (let each = 0; each < 3 && left > 0; each += 1, left -= 1) {
      const answer = await verify(browser, { code: wrong })
      if (answer.status === 429) return answer
    }
    room.clock.advance(minute)
  }
  return undefined
}

/** From another address than everybody else. */
const from = (remoteAddress: string, browser: TestBrowser, to: string) =>
  browser.post('/api/auth/request-otp', { phone: to }, { 'x-from': remoteAddress })

describe('codes sent to one phone', () => {
  it('come after a pause, and at most three in ten minutes, five an hour and ten a day', async () => {
    const { app, clock, otp } = await openRoom()
    const browser = openBrowser(app)
    const start = clock.now()
    const sentAt: number[] = []
    while (clock.now() - start < day) {
      const answer = await send(browser)
      expect(answer.json.sent).toBe(true)
      sentAt.push((clock.now() - start) / minute)
      const refused = problemOf(await send(openBrowser(app)))
      expect(refused.status).toBe(429)
      // What a refusal says is exact: then, and not a second earlier, there is a place.
      clock.advance((refused.retryAfterSeconds ?? 0) * second - 1)
      expect((await send(openBrowser(app))).status).toBe(429)
      clock.advance(1)
    }
    expect(sentAt).toEqual([0, 1, 2, 10, 11, 60, 61, 62, 70, 71])
    expect(otp.sends).toHaveLength(10)
  })

  it('say at once when the next one can really be asked for', async () => {
    const { app, clock } = await openRoom()
    const browser = openBrowser(app)
    const waits = []
    for (let each = 0; each < 3; each += 1) {
      waits.push((await send(browser)).json.resendInSeconds)
      clock.advance(minute)
    }
    expect(waits).toEqual([60, 60, 480])
  })

  it('are counted alike in a new browser, in another spelling, and at a second gateway', async () => {
    const room = await openRoom()
    const second = await openRoom({ database: room.database })
    await send(openBrowser(room.app))
    second.clock.advance(20_000)
    const answer = await send(openBrowser(second.app), { phone: '٠٥١٢٣٤٥٦٧٨' })
    expect(problemOf(answer)).toMatchObject({ code: 'CODE_REQUESTED_TOO_SOON', retryAfterSeconds: 40 })
    expect(answer.headers['retry-after']).toBe('40')
  })

  it('are counted for a stranger to the directory as for an agent', async () => {
    const { app, clock, otp } = await openRoom()
    const told: unknown[] = []
    for (const to of [agentPhone, '+966599999999']) {
      const answers = []
      for (let each = 0; each < 5; each += 1) {
        const { status, json } = await sendAgent(openBrowser(app), to)
        answers.push([status, { ...json, requestId: '' }])
        clock.advance(minute)
      }
      told.push(answers)
    }
    expect(told[1]).toEqual(told[0])
    expect(otp.sends).toHaveLength(3)
    expect(otp.pretences).toHaveLength(3)
  })

  it('are said in words, in both languages, with the time to wait', async () => {
    const { app, clock } = await openRoom()
    for (let each = 0; each < 3; each += 1) {
      await send(openBrowser(app))
      clock.advance(minute)
    }
    const ar = problemOf(await send(openBrowser(app, { lang: 'ar' })))
    const en = problemOf(await send(openBrowser(app, { lang: 'en' })))
    expect(ar.message).toBe('طُلبت رموز كثيرة لهذا الرقم. يمكنك طلب رمز جديد بعد 7 دقائق.')
    expect(en.message).toContain('in 7 minutes')
  })

  it('are not counted when the service was surely not asked, and are when it may have sent', async () => {
    const { app, otp, clock } = await openRoom()
    const browser = openBrowser(app)
    for (let each = 0; each < 5; each += 1) {
      otp.state.trouble = 'unreachable'
      expect(problemOf(await send(browser))).toMatchObject({ code: 'OTP_UNAVAILABLE', retryAfterSeconds: 5 })
    }
    otp.state.trouble = 'silent'
    expect(problemOf(await send(browser))).toMatchObject({ code: 'OTP_UNAVAILABLE', retryAfterSeconds: 60 })
    otp.state.trouble = undefined
    expect(problemOf(await send(browser)).code).toBe('CODE_REQUESTED_TOO_SOON')
    clock.advance(minute)
    expect((await send(browser)).json.sent).toBe(true)
  })

  it('are refused by name for a number the provider will not serve, and may be corrected at once', async () => {
    const { app, otp } = await openRoom()
    const browser = openBrowser(app)
    otp.state.trouble = 'refusing'
    expect(problemOf(await send(browser)).code).toBe('PHONE_INVALID')
    otp.state.trouble = undefined
    expect((await send(browser)).json.sent).toBe(true)
  })
})

describe('wrong codes of one phone', () => {
  it('are five an hour, whatever is sent in between, and then the phone waits', async () => {
    const room = await openRoom()
    const browser = openBrowser(room.app, { lang: 'en' })
    const answer = await guess(room, browser, 6)
    expect(answer && problemOf(answer)).toMatchObject({
      status: 429,
      code: 'TOO_MANY_WRONG_CODES',
      retryAfterSeconds: 3_540,
      message: expect.stringContaining('59 minutes'),
    })
    expect(room.otp.checks).toHaveLength(5)
    expect(await room.refusalsBy('OTP_WRONG_PER_PHONE')).toBe(1)
  })

  it('keep codes from being sent that could not be entered', async () => {
    const room = await openRoom()
    await guess(room, openBrowser(room.app), 5)
    const sends = room.otp.sends.length
    room.clock.advance(10 * minute)
    expect(problemOf(await send(openBrowser(room.app))).code).toBe('TOO_MANY_WRONG_CODES')
    expect(room.otp.sends).toHaveLength(sends)
  })

  it('do not outlive their windows: the right code then signs in', async () => {
    const room = await openRoom()
    const browser = openBrowser(room.app)
    await guess(room, browser, 6)
    room.clock.advance(hour)
    await send(browser)
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it('are ten a day', async () => {
    const room = await openRoom()
    const browser = openBrowser(room.app)
    await guess(room, browser, 5)
    room.clock.advance(hour)
    await guess(room, browser, 5)
    room.clock.advance(2 * hour)
    expect(problemOf(await send(browser)).code).toBe('TOO_MANY_WRONG_CODES')
    expect(room.otp.checks).toHaveLength(10)
  })

  it('lock the phone after twenty in a row, until it is opened by hand', async () => {
    const room = await openRoom()
    const browser = openBrowser(room.app, { lang: 'en' })
    for (let left = 4; left > 0; left -= 1) {
      await guess(room, browser, 5)
      room.clock.advance(12 * hour)
    }
    room.clock.advance(400 * day)
    await room.codes.forget()
    const locked = problemOf(await send(browser))
    expect(locked).toMatchObject({ status: 429, code: 'PHONE_LOCKED' })
    expect(locked.retryAfterSeconds).toBeUndefined()
    expect(locked.message).toMatch(/@/)
    expect(room.otp.checks).toHaveLength(20)
    expect(await room.store.unlockPhone(canonical)).toBe(1)
    await send(browser)
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it('in a row begin anew with a right one', async () => {
    const room = await openRoom({ env: { OTP_WRONG_IN_A_ROW: '4' } })
    const browser = openBrowser(room.app)
    for (let each = 0; each < 3; each += 1) {
      await send(browser)
      await verify(browser, { code: wrong })
      await verify(browser, { code: wrong })
      expect((await verify(browser, { name: 'A' })).status).toBe(200)
      room.clock.advance(2 * hour)
    }
    expect(problemOf(await send(browser, { phone: 'x'.repeat(12) })).code).toBe('PHONE_INVALID')
  })

  it('are not counted where nothing was sent: nobody is locked out by a stranger who never asked', async () => {
    const room = await openRoom()
    const stranger = openBrowser(room.app)
    await send(stranger, { phone: '0587654321' })
    for (let each = 0; each < 30; each += 1)
      expect(problemOf(await verify(stranger, { code: wrong })).code).toBe('CODE_INVALID')
    const owner = openBrowser(room.app)
    await send(owner)
    expect((await verify(owner, { name: 'A' })).status).toBe(200)
  })

  it('are given back when the service could not be asked', async () => {
    const { app, otp } = await openRoom({ env: { OTP_WRONG_IN_A_ROW: '3' } })
    const browser = openBrowser(app)
    await send(browser)
    otp.state.trouble = 'silent'
    for (let each = 0; each < 10; each += 1)
      expect(problemOf(await verify(browser, { name: 'A' })).code).toBe('OTP_UNAVAILABLE')
    otp.state.trouble = undefined
    expect((await verify(browser, { name: 'A' })).status).toBe(200)
  })

  it.each(['rejected', 'expired', 'locked'] as const)(
    'are what they are when the provider says %s to the right code',
    async (verdict) => {
      const { app, otp } = await openRoom()
      const browser = openBrowser(app)
      await send(browser)
      otp.state.verdict = verdict
      expect(problemOf(await verify(browser, { name: 'A' })).code).toBe('CODE_INVALID')
      expect((await userOf(browser)).status).toBe(401)
    },
  )

  it('of a stranger to the directory look like those of an agent, also while the service is away', async () => {
    const room = await openRoom()
    const told: unknown[] = []
    for (const to of [agentPhone, '+966599999999']) {
      const browser = openBrowser(room.app)
      const answers: unknown[] = []
      const note = ({ status, json }: BrowserAnswer) => answers.push([status, { ...json, requestId: '' }])
      for (const trouble of ['unreachable', 'silent'] as const) {
        room.otp.state.trouble = trouble
        note(await sendAgent(browser, to))
        room.clock.advance(minute)
      }
      room.otp.state.trouble = undefined
      note(await sendAgent(browser, to))
      room.otp.state.trouble = 'silent'
      note(await verifyAgent(browser, { phone: to, code: wrong }))
      room.otp.state.trouble = undefined
      for (let each = 0; each < 4; each += 1) note(await verifyAgent(browser, { phone: to, code: wrong }))
      room.otp.state.trouble = 'refusing'
      room.clock.advance(10 * minute)
      note(await sendAgent(browser, to))
      room.otp.state.trouble = undefined
      room.clock.advance(2 * hour)
      told.push(answers)
    }
    expect(told[1]).toEqual(told[0])
  })
})

describe('a directory that cannot be had', () => {
  it('is answered alike for agents and strangers, and costs nobody a try', async () => {
    const room = await openRoom()
    const find = room.directory.has.bind(room.directory)
    room.directory.has = () => {
      throw failure(partnerErrors, 'AGENTS_UNAVAILABLE', { retryAfterSeconds: 3 })
    }
    const told: unknown[] = []
    for (const to of [agentPhone, '+966599999999']) {
      const { status, json } = await sendAgent(openBrowser(room.app), to)
      told.push([status, { ...json, requestId: '' }])
    }
    expect(told[0]).toMatchObject([503, { code: 'AGENTS_UNAVAILABLE' }])
    expect(told[1]).toEqual(told[0])
    room.directory.has = find
    expect((await sendAgent(openBrowser(room.app))).json.sent).toBe(true)
  })
})

describe('a known device', () => {
  async function openWithOwner(env: Readonly<Record<string, string>> = {}) {
    const room = await openRoom({ env })
    const owner = openBrowser(room.app)
    await signUp(owner)
    await owner.post('/api/auth/logout')
    room.clock.advance(hour)
    return { ...room, owner, attacker: openBrowser(room.app) }
  }

  it('signs in while a stranger has used up the sends of the phone', async () => {
    const { app, owner, attacker, clock } = await openWithOwner()
    for (let each = 0; each < 3; each += 1) {
      await send(attacker)
      clock.advance(minute)
    }
    expect(problemOf(await send(openBrowser(app))).code).toBe('TOO_MANY_CODES')
    expect((await send(owner)).json.sent).toBe(true)
    expect((await verify(owner)).status).toBe(200)
  })

  it('signs in while a stranger has locked the phone, and opens it again by that', async () => {
    const room = await openWithOwner({ OTP_WRONG_IN_A_ROW: '4' })
    await guess(room, room.attacker, 4)
    expect(problemOf(await send(openBrowser(room.app))).code).toBe('PHONE_LOCKED')
    await send(room.owner)
    expect((await verify(room.owner)).status).toBe(200)
    room.clock.advance(day)
    expect((await send(openBrowser(room.app))).json.sent).toBe(true)
  })

  it('starts with tries of its own at the provider', async () => {
    const { owner, attacker, clock, otp } = await openWithOwner()
    await send(attacker)
    const [burnt] = [`user-${otp.sends.length}`]
    clock.advance(minute)
    await send(owner)
    expect(otp.cancelled).toEqual([burnt])
    expect((await verify(owner)).status).toBe(200)
  })

  it('is told by no other browser, and by no other phone', async () => {
    const { app, owner, otp } = await openWithOwner()
    await send(openBrowser(app, { device_3000: 'A'.repeat(43) }))
    expect((await send(openBrowser(app, { device_3000: 'B'.repeat(43) }))).status).toBe(429)
    await send(owner, { phone: '0587654321' })
    expect(
      (await send(openBrowser(app, Object.fromEntries(owner.cookies)), { phone: '0587654321' })).json.sent,
    ).toBe(false)
    expect(otp.cancelled).toEqual([])
  })

  it('has limits of its own', async () => {
    const room = await openWithOwner()
    const answer = await guess(room, room.owner, 6)
    expect(answer && problemOf(answer).code).toBe('TOO_MANY_WRONG_CODES')
  })

  it('signs nobody in by itself', async () => {
    const { owner } = await openWithOwner()
    expect(owner.cookies.has('device_3000')).toBe(true)
    expect((await userOf(owner)).status).toBe(401)
  })

  it('stays known by the same token through log-outs, also with a second phone', async () => {
    const { owner } = await openWithOwner()
    const token = owner.cookies.get('device_3000')
    await send(owner)
    await verify(owner)
    await send(owner, { phone: '0587654321' })
    await verify(owner, { phone: '0587654321', name: 'B' })
    expect(owner.cookies.get('device_3000')).toBe(token)
  })

  it('does not take the name that somebody else gave it', async () => {
    const { app } = await openRoom()
    const browser = openBrowser(app, { device_3000: 'C'.repeat(43) })
    await signUp(browser)
    expect(browser.cookies.get('device_3000')).not.toBe('C'.repeat(43))
  })

  it('is forgotten half a year after its last use', async () => {
    const { app, owner, clock, codes } = await openWithOwner()
    const device = Object.fromEntries(owner.cookies)
    clock.advance(180 * day)
    await codes.forget()
    await send(openBrowser(app))
    expect((await send(openBrowser(app, device))).status).toBe(429)
  })

  it('passes the limits of groups, but not what the bill can bear', async () => {
    const few = { OTP_UNANSWERED_IN_ALL: '0/10m', OTP_ROOM_PER_SIGN_IN: '0' }
    const shut = await openRoom({ env: few })
    expect(problemOf(await send(openBrowser(shut.app))).code).toBe('SIGN_IN_BUSY')
    const owner = openBrowser(shut.app)
    await shut.store.keepDevice(hashOf('D'.repeat(43)), 'user', canonical, shut.clock.now())
    owner.cookies.set('device_3000', 'D'.repeat(43))
    expect((await send(owner)).json.sent).toBe(true)

    const { owner: other } = await openWithOwner({ OTP_SENDS_IN_ALL: '1/1d' })
    expect(problemOf(await send(other)).code).toBe('SIGN_IN_BUSY')
  })
})

describe('groups', () => {
  /** One more honest sign-in. */
  async function honest(room: Room, to: string): Promise<BrowserAnswer> {
    const browser = openBrowser(room.app)
    const sent = await send(browser, { phone: to })
    if (sent.status !== 200) return sent
    return verify(browser, { phone: to, name: 'A' })
  }

  it('let five hundred honest people in within ten minutes from one address, neighbours by number', async () => {
    const room = await openRoom()
    const statuses = new Set<number>()
    for (let index = 0; index < 500; index += 1) {
      statuses.add((await honest(room, neighbour(index))).status)
      room.clock.advance(1_200)
    }
    expect([...statuses]).toEqual([200])
  })

  it('stop codes that nobody enters: thirty to a prefix', async () => {
    const room = await openRoom()
    for (let index = 0; index < 30; index += 1)
      expect((await send(openBrowser(room.app), { phone: neighbour(index) })).status).toBe(200)
    room.clock.advance(minute)
    const answer = await send(openBrowser(room.app, { lang: 'en' }), { phone: neighbour(30) })
    expect(problemOf(answer)).toMatchObject({
      status: 429,
      code: 'SIGN_IN_BUSY',
      retryAfterSeconds: 540,
      message: expect.stringContaining('nothing you did'),
    })
    expect((await send(openBrowser(room.app), { phone: '0587654321' })).status).toBe(200)
    expect(await room.refusalsBy('OTP_UNANSWERED_PER_PREFIX')).toBe(1)
    room.clock.advance(9 * minute - 1)
    expect((await send(openBrowser(room.app), { phone: neighbour(31) })).status).toBe(429)
    room.clock.advance(1)
    expect((await send(openBrowser(room.app), { phone: neighbour(32) })).status).toBe(200)
  })

  it.each([
    ['OTP_UNANSWERED_PER_COUNTRY', '+201001234567'],
    ['OTP_UNANSWERED_PER_ADDRESS', undefined],
    ['OTP_UNANSWERED_IN_ALL', undefined],
    ['OTP_SENDS_PER_ADDRESS', undefined],
    ['OTP_SENDS_IN_ALL', undefined],
  ])('stop a flood: %s', async (limit, passes) => {
    const room = await openRoom({ env: { [limit]: '3/10m' } })
    for (let index = 0; index < 3; index += 1)
      expect((await send(openBrowser(room.app), { phone: farAway(index) })).status).toBe(200)
    const answer = await send(openBrowser(room.app), { phone: farAway(3) })
    expect(problemOf(answer)).toMatchObject({ code: 'SIGN_IN_BUSY', retryAfterSeconds: 600 })
    expect(room.otp.sends).toHaveLength(3)
    expect(await room.refusalsBy(limit)).toBe(1)
    if (passes) expect((await send(openBrowser(room.app), { phone: passes })).status).toBe(200)
  })

  it('make room for as many unanswered codes as people have signed in', async () => {
    const room = await openRoom({ env: { OTP_UNANSWERED_IN_ALL: '2/10m' } })
    for (let index = 0; index < 3; index += 1) await honest(room, farAway(index))
    const statuses = []
    for (let index = 10; index < 16; index += 1)
      statuses.push((await send(openBrowser(room.app), { phone: farAway(index) })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it.each(['OTP_WRONG_PER_ADDRESS', 'OTP_WRONG_IN_ALL'])(
    'stop one guess at many phones: %s',
    async (limit) => {
      const room = await openRoom({ env: { [limit]: '4/10m', OTP_ROOM_PER_SIGN_IN: '0' } })
      const codes = []
      for (let index = 0; index < 6; index += 1) {
        const browser = openBrowser(room.app)
        await send(browser, { phone: farAway(index) })
        codes.push(problemOf(await verify(browser, { phone: farAway(index), code: wrong })).code)
      }
      expect(codes).toEqual([...Array(4).fill('CODE_INVALID'), 'SIGN_IN_BUSY', 'SIGN_IN_BUSY'])
      expect(room.otp.checks).toHaveLength(4)
      expect(await room.refusalsBy(limit)).toBe(2)
    },
  )

  it('of an address are a whole /64, and an IPv4 address however it is written', async () => {
    const room = await openRoom({ env: { OTP_UNANSWERED_PER_ADDRESS: '1/10m' } })
    const tries: [string, number][] = [
      ['2001:db8:1:2::1', 200],
      ['2001:db8:1:2:ffff::9', 429],
      ['2001:db8:1:3::1', 200],
      ['192.0.2.1', 200],
      ['::ffff:192.0.2.1', 429],
    ]
    const statuses = []
    for (const [index, [address]] of tries.entries())
      statuses.push((await from(address, openBrowser(room.app), farAway(index))).status)
    expect(statuses).toEqual(tries.map(([, status]) => status))
  })
})

describe('the log', () => {
  it('tells what happened, with no phone, no code, no cookie and no address in full', async () => {
    const room = await openRoom({ env: { OTP_WRONG_IN_A_ROW: '4' } })
    const browser = openBrowser(room.app)
    await signUp(browser)
    await send(openBrowser(room.app))
    await sendAgent(openBrowser(room.app), '+966599999999')
    room.clock.advance(minute)
    await guess(room, openBrowser(room.app), 5)
    const events = new Set(room.lines.map(({ event }) => event))
    for (const event of [
      'code-asked',
      'code-sent',
      'code-suppressed',
      'code-refused',
      'limit-met',
      'phone-locked',
      'done',
    ])
      expect(events).toContain(`sign-in.${event}`)
    for (const line of room.lines.filter(({ event }) => event !== undefined))
      expect(line).toMatchObject({
        audience: expect.stringMatching(/^(user|agent)$/),
        phone: expect.stringMatching(/^•+\d\d$/),
        address: '127.0.0.0/24',
        reqId: expect.any(String),
      })
    const text = JSON.stringify(room.lines)
    for (const secret of [
      '512345678',
      '599999999',
      rightCode,
      wrong,
      '127.0.0.1',
      ...browser.cookies.values(),
    ])
      expect(text).not.toContain(secret)
  })

  it('names the limit and the group that refused somebody', async () => {
    const room = await openRoom({ env: { OTP_UNANSWERED_PER_COUNTRY: '0/10m' } })
    await send(openBrowser(room.app))
    expect(room.lines.find(({ event }) => event === 'sign-in.limit-met')).toMatchObject({
      limit: 'OTP_UNANSWERED_PER_COUNTRY',
      group: 'country SA',
      retryAfterSeconds: 600,
    })
  })
})
