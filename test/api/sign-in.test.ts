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
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, problemOf } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await ownStack()
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

  it('is refused the right code after three wrong ones', async () => {
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

  it('opens one session with one code, however often it is sent simultaneously', async () => {
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

  it('cannot use a code that was requested in another browser', async () => {
    const phone = newPhone()
    await newPerson(stack).call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    const { problem } = await newPerson(stack).refusalOf(verifyOtp, { body: { phone, code, name: 'Sara' } })
    expect(problem.code).toBe('CODE_INVALID')
  })

  it('gets no second SMS by requesting twice, and no other browser can have one sent meanwhile', async () => {
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

  it('is one user however the number is spelt', async () => {
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
    'is refused with a phone that is not a string: %j',
    async (phone) => {
      const { status, json } = await newPerson(stack).send('POST', requestOtp.path, { body: { phone } })
      const problem = problemOf(status, json)
      expect([status, problem.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(problem.fields?.map(({ field }) => field)).toEqual(['phone'])
    },
  )
})

describe('a browser that has signed in', () => {
  it('is known by a cookie that scripts cannot read and that does not sign in', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const known = [...person.cookies].filter(([name]) => name.startsWith('device'))
    expect(known).toHaveLength(1)
    await person.logout()
    expect([...person.cookies.keys()]).toContain(known[0]?.[0])
    await person.refusalOf(readUserSession)

    // A stranger has just requested a code for this number; the pause does not apply to the owner's device.
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

  it('ends on the server at logout: the old cookie gives no access', async () => {
    const { person } = await signedUpPilgrim(stack)
    const held = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await person.logout()
    const { json, status } = await newPerson(stack).send('GET', readUserSession.path, {
      headers: { cookie: held },
    })
    expect(problemOf(status, json).code).toBe('NOT_SIGNED_IN')
  })

  it('answers a logout without a session', async () => {
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
  it('which ends the user’s session of that browser, and the reverse', async () => {
    const { person } = await signedUpPilgrim(stack)
    const agent = await person.signInAgent('+966500000101')
    expect(agent.token).toMatch(/.{16,}/)
    expect(await person.call(readAgentSession)).toMatchObject({ agentId: agent.id, phone: '+966500000101' })
    expect((await person.refusalOf(readUserSession)).status).toBe(401)

    await person.signUp(newPhone(), 'Sara')
    expect((await person.refusalOf(readAgentSession)).status).toBe(401)
  })

  it('gets a token that gives no access', async () => {
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

  it('gets the same answer for a phone without agent, which gets no SMS', async () => {
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
    ['answers 500', { kind: 'status', status: 500 }, '+966500000104'],
    ['answers 429', { kind: 'status', status: 429 }, '+966500000105'],
    ['drops the connection', { kind: 'reset' }, '+966500000106'],
  ])('gets the same answer as a phone without agent while the OTP service %s', async (_, fault, phone) => {
    const sequences: unknown[] = []
    for (const body of [{ phone }, { phone: newPhone() }]) {
      const person = newPerson(stack)
      await stack.control.setFault('otp', fault)
      const answers = [await person.send('POST', sendAgentOtp.path, { body })]
      await stack.control.endFaults()
      answers.push(await person.send('POST', sendAgentOtp.path, { body }))
      sequences.push(answers.map(({ status, json }) => [status, { ...(json as object), requestId: '' }]))
    }
    expect(sequences[1]).toEqual(sequences[0])
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

describe('a number that cannot get codes', () => {
  // One language per number: a second request within a minute would be refused.
  it.each([
    ['0112345678', 'ar'],
    ['+966500060205', 'en'],
    ['+966500060238', 'ar'],
    ['+966500060410', 'en'],
    ['+966500060605', 'ar'],
    ['+881612345678', 'en'],
  ] as const)('gets an error that names the reason: %s, in %s', async (phone, lang) => {
    const { status, problem } = await newPerson(stack, { lang }).refusalOf(requestOtp, { body: { phone } })
    expect([status, problem.code]).toEqual([400, 'PHONE_CANNOT_RECEIVE_CODES'])
    expect(problem.message).toMatch(lang === 'ar' ? /\p{Script=Arabic}/u : /another mobile number/)
    expect(problem.fields).toEqual([{ field: 'phone', message: problem.message }])
    expect(await stack.control.inbox(phone)).toEqual([])
  })

  it('is distinguished from an invalid number', async () => {
    for (const phone of ['+96651234567', '+966500060200'])
      expect((await newPerson(stack).refusalOf(requestOtp, { body: { phone } })).problem.code).toBe(
        'PHONE_INVALID',
      )
  })
})

describe('a code service with valid answers in an unusual form', () => {
  it.each(['+966500060201', '+966500060204'])('signs %s in', async (phone) => {
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    const wrong = { phone, code: otherThan(code), name: 'Sara' }
    expect((await person.refusalOf(verifyOtp, { body: wrong })).problem.code).toBe('CODE_INVALID')
    expect((await person.call(verifyOtp, { body: { phone, code, name: 'Sara' } })).user.phone).toBe(phone)
  })

  it('signs in while every answer has it', async () => {
    const phone = newPhone()
    await stack.control.setFault('otp', { kind: 'unusual' })
    try {
      await newPerson(stack).signUp(phone, 'Sara')
      const refused = await newPerson(stack).refusalOf(requestOtp, { body: { phone: '+966500060205' } })
      expect(refused.problem.code).toMatch(/^(PHONE_CANNOT_RECEIVE_CODES|CODE_REQUESTED_TOO_SOON)$/)
    } finally {
      await stack.control.endFaults()
    }
  })
})

describe('a sign-up that waits for the name', () => {
  it('is finished after a reload, in the same browser alone, once, without a second SMS', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const code = await stack.control.codeFor(phone)
    expect((await person.refusalOf(verifyOtp, { body: { phone, code } })).problem.code).toBe(
      'SIGN_UP_REQUIRED',
    )

    const body = { phone, code, name: 'Sara' }
    expect((await newPerson(stack).refusalOf(verifyOtp, { body })).problem.code).toBe('CODE_INVALID')
    // After the reload only the cookies remain.
    const [reloaded, twin] = [
      newPerson(stack, { browserOf: person }),
      newPerson(stack, { browserOf: person }),
    ]
    expect((await reloaded.call(verifyOtp, { body })).user.phone).toBe(phone)
    expect((await twin.refusalOf(verifyOtp, { body })).problem.code).toBe('CODE_INVALID')
    expect(await stack.control.inbox(phone)).toHaveLength(1)
  })
})
