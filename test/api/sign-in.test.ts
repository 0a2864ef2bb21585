import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readAgentSession,
  readUserSession,
  requestOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson } from '#test/kit/person.ts'
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
