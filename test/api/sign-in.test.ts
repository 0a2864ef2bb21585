import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  logout,
  readAgentSession,
  readUserSession,
  requestOtp,
  sendAgentOtp,
  verifyAgentOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import type { Fault } from '#test/kit/control.ts'
import { newPerson, problemOf } from '#test/kit/person.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

/** Another code than the right one. */
const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0')

describe('a pilgrim signs in', () => {
  it('finishes sign-up with a name after a login of an unknown phone, without a second SMS', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    const sent = await person.call(requestOtp, { body: { phone } })
    expect(sent.expiresInSeconds).toBeGreaterThan(0)
    const code = await stack.control.codeFor(phone)

    const { status, problem } = await person.refusalOf(verifyOtp, { body: { phone, code } })
    expect([status, problem.code]).toEqual([409, 'SIGN_UP_REQUIRED'])
    await person.refusalOf(readUserSession)

    const { user } = await person.call(verifyOtp, { body: { phone, code, name: '  Sara  Ahmed ' } })
    expect(user).toMatchObject({ name: 'Sara Ahmed', phone })
    expect(await stack.control.inbox(phone)).toHaveLength(1)
    expect(await person.call(readUserSession)).toMatchObject({ userId: user.id, name: 'Sara Ahmed', phone })
  })

  it('may correct a wrong code', async () => {
    const phone = newPhone()
    const person = newPerson(stack, { lang: 'en' })
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)

    const { status, problem } = await person.refusalOf(verifyOtp, {
      body: { phone, code: otherThan(code), name: 'Sara' },
    })
    expect([status, problem.code]).toEqual([400, 'CODE_INVALID'])
    expect(problem.fields).toEqual([{ field: 'code', message: expect.stringMatching(/[a-z]/) }])
    expect((await person.call(verifyOtp, { body: { phone, code, name: 'Sara' } })).user.phone).toBe(phone)
  })

  it('cannot go on guessing: after three wrong codes the right one is refused', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    for (let guess = 0; guess < 3; guess += 1)
      await person.refusalOf(verifyOtp, { body: { phone, code: otherThan(code), name: 'Sara' } })
    const { status, problem } = await person.refusalOf(verifyOtp, { body: { phone, code, name: 'Sara' } })
    expect([status, problem.code]).toEqual([400, 'CODE_USED_UP'])
    expect(problem.fields?.map(({ field }) => field)).toEqual(['code'])
    await person.refusalOf(readUserSession)
  })

  it('opens one session with one code, however often it is sent at once', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const body = { phone, code: await stack.control.codeFor(phone), name: 'Sara' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => person.send('POST', verifyOtp.path, { body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
  })

  it('cannot use a code that was asked for in another browser', async () => {
    const phone = newPhone()
    await newPerson(stack).call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    const { problem } = await newPerson(stack).refusalOf(verifyOtp, { body: { phone, code, name: 'Sara' } })
    expect(problem.code).toBe('CODE_INVALID')
  })

  it('gets no second SMS by asking twice, and nobody else can have one sent meanwhile', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    const first = await person.call(requestOtp, { body: { phone } })
    const again = await person.call(requestOtp, { body: { phone } })
    expect(again.resendInSeconds).toBeGreaterThan(0)
    expect([first.sent, again.sent]).toEqual([true, false])
    expect(await stack.control.inbox(phone)).toHaveLength(1)

    const { status, problem, headers } = await newPerson(stack).refusalOf(requestOtp, { body: { phone } })
    expect([status, problem.code]).toEqual([429, 'CODE_REQUESTED_TOO_SOON'])
    expect(Number(headers.get('retry-after'))).toBe(problem.retryAfterSeconds)
    expect(problem.message).not.toContain('{{')
    expect(await stack.control.inbox(phone)).toHaveLength(1)
  })

  it('is one person however the number is spelt', async () => {
    const phone = newPhone()
    const national = phone.replace('+966', '0')
    const arabic = national.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)))
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone: national } })
    const code = await stack.control.codeFor(phone)
    const spaced = `${phone.slice(0, 4)} ${phone.slice(4, 6)} ${phone.slice(6)}`
    await person.refusalOf(verifyOtp, { body: { phone: spaced, code } })
    const arabicCode = code.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)))
    const { user } = await person.call(verifyOtp, { body: { phone: arabic, code: arabicCode, name: 'سارة' } })
    expect(user.phone).toBe(phone)
  })

  it.each(['+966 5', '0000000000', 'not a phone!', '+99999999999999'])(
    'refuses the phone %s',
    async (phone) => {
      const { status, problem } = await newPerson(stack).refusalOf(requestOtp, { body: { phone } })
      expect(status).toBe(400)
      expect(['PHONE_INVALID', 'INVALID_REQUEST']).toContain(problem.code)
      expect(problem.fields?.map(({ field }) => field)).toEqual(['phone'])
    },
  )

  it.each([['+966512345678'], 966512345678, { number: '+966512345678' }, null, true])(
    'cannot be asked with a phone that is no text: %j',
    async (phone) => {
      const { status, json } = await newPerson(stack).send('POST', requestOtp.path, { body: { phone } })
      const problem = problemOf(status, json)
      expect([status, problem.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(problem.fields?.map(({ field }) => field)).toEqual(['phone'])
    },
  )
})

describe('a browser that has signed in', () => {
  it('is known by a cookie that scripts cannot read, and that signs nobody in', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const known = [...person.cookies].filter(([name]) => name.startsWith('device'))
    expect(known).toHaveLength(1)
    await person.logout()
    expect([...person.cookies.keys()]).toContain(known[0]?.[0])
    await person.refusalOf(readUserSession)

    // A stranger has just taken the pause of this number; its own device does not wait for that.
    const phone = user.phone ?? ''
    const stranger = newPerson(stack)
    expect((await stranger.refusalOf(requestOtp, { body: { phone } })).problem.code).toBe(
      'CODE_REQUESTED_TOO_SOON',
    )
    expect((await person.call(requestOtp, { body: { phone } })).sent).toBe(true)
    const code = await stack.control.codeFor(phone)
    expect((await person.call(verifyOtp, { body: { phone, code } })).user.id).toBe(user.id)
  })
})

describe('a session', () => {
  it('lives in a cookie that scripts cannot read and other sites do not send', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    const { headers } = await person.send('POST', verifyOtp.path, { body: { phone, code, name: 'Sara' } })
    const cookies = headers.getSetCookie().filter((cookie) => cookie.startsWith('session'))
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/HttpOnly/i)
    expect(cookies[0]).toMatch(/SameSite=(Lax|Strict)/i)
    expect(cookies[0]).toMatch(/Path=\//)
  })

  it('ends on the server at logout: the old cookie opens nothing', async () => {
    const { person } = await signedUpPilgrim(stack)
    const held = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await person.logout()
    const { json, status } = await newPerson(stack).send('GET', readUserSession.path, {
      headers: { cookie: held },
    })
    expect(problemOf(status, json).code).toBe('NOT_SIGNED_IN')
  })

  it('answers a logout of somebody who is not signed in', async () => {
    await newPerson(stack).call(logout)
  })

  it('is not signed in for a visitor, in the language of the cookie', async () => {
    const arabic = await newPerson(stack).refusalOf(readUserSession)
    const english = await newPerson(stack, { lang: 'en' }).refusalOf(readUserSession)
    expect([arabic.status, english.status]).toEqual([401, 401])
    expect([arabic.problem.code, english.problem.code]).toEqual(['NOT_SIGNED_IN', 'NOT_SIGNED_IN'])
    expect(arabic.problem.message).toMatch(/\p{Script=Arabic}/u)
    expect(english.problem.message).toMatch(/^[\x20-\x7e]+$/)
    expect((await newPerson(stack).refusalOf(readAgentSession)).status).toBe(401)
  })
})

describe('an agent signs in', () => {
  it('and ends the user’s session of that browser, and the reverse', async () => {
    const { person } = await signedUpPilgrim(stack)
    const agent = await person.signInAgent('+966500000101')
    expect(agent.token).toMatch(/.{16,}/)
    expect(await person.call(readAgentSession)).toMatchObject({ agentId: agent.id, phone: '+966500000101' })
    expect((await person.refusalOf(readUserSession)).status).toBe(401)

    await person.signUp(newPhone(), 'Sara')
    expect((await person.refusalOf(readAgentSession)).status).toBe(401)
  })

  it('gets a token that opens nothing', async () => {
    const { token } = await newPerson(stack).signInAgent('+966500000102')
    const stranger = newPerson(stack)
    const tries = [
      { authorization: `Bearer ${token}` },
      { authorization: token },
      { cookie: `session=${token}; token=${token}` },
    ]
    for (const headers of tries)
      expect((await stranger.send('GET', readAgentSession.path, { headers })).status).toBe(401)
  })

  it('looks the same for a phone that is no agent’s, which gets no SMS', async () => {
    const stranger = newPerson(stack)
    const phone = newPhone()
    const known = await newPerson(stack).call(sendAgentOtp, { body: { phone: '+966500000103' } })
    const unknown = await stranger.call(sendAgentOtp, { body: { phone } })
    expect(unknown).toEqual(known)
    expect(await stack.control.inbox(phone)).toEqual([])
    const { status, problem } = await stranger.refusalOf(verifyAgentOtp, { body: { phone, code: '1234' } })
    expect([status, problem.code]).toEqual([400, 'CODE_INVALID'])
  })

  it.each<[string, Fault, string]>([
    ['fails', { kind: 'status', status: 500 }, '+966500000104'],
    ['wants no more', { kind: 'status', status: 429 }, '+966500000105'],
    ['breaks off', { kind: 'reset' }, '+966500000106'],
  ])('looks the same as a stranger while the OTP service %s', async (_, fault, phone) => {
    const told: unknown[] = []
    for (const body of [{ phone }, { phone: newPhone() }]) {
      const person = newPerson(stack)
      await stack.control.setFault('otp', fault)
      const answers = [await person.send('POST', sendAgentOtp.path, { body })]
      await stack.control.endFaults()
      answers.push(await person.send('POST', sendAgentOtp.path, { body }))
      told.push(answers.map(({ status, json }) => [status, { ...(json as object), requestId: '' }]))
    }
    expect(told[1]).toEqual(told[0])
  })

  it('does not become a user with the agent’s code, nor an agent with a user’s', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    expect((await person.refusalOf(verifyAgentOtp, { body: { phone, code } })).problem.code).toBe(
      'CODE_INVALID',
    )
  })
})
