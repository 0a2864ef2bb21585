import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  logout,
  readAgentSession,
  readUserSession,
  requestOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, problemOf } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

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
})

describe('a name that turns the text around', () => {
  it('is refused at the field', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.call(requestOtp, { body: { phone } })
    const body = { phone, code: await stack.control.codeFor(phone), name: 'Maryam \u202e1234 DEIRUB' }
    const { status, problem } = await person.refusalOf(verifyOtp, { body })
    expect([status, problem.fields?.map(({ field }) => field)]).toEqual([400, ['name']])
  })
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
})

describe('a number that cannot get codes', () => {
  // One language per number: a second request within a minute would be refused.
  it.each([
    ['0112345678', 'ar'],
    ['+966500060205', 'en'],
  ] as const)('gets an error that names the reason: %s, in %s', async (phone, lang) => {
    const { status, problem } = await newPerson(stack, { lang }).refusalOf(requestOtp, { body: { phone } })
    expect([status, problem.code]).toEqual([400, 'PHONE_CANNOT_RECEIVE_CODES'])
    expect(problem.message).toMatch(lang === 'ar' ? /\p{Script=Arabic}/u : /another mobile number/)
    expect(problem.fields).toEqual([{ field: 'phone', message: problem.message }])
    expect(await stack.control.inbox(phone)).toEqual([])
  })
})

describe('a code service with valid answers in an unusual form', () => {
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
