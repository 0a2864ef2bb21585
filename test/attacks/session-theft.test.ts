import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import {
  readAgentSession,
  readUserSession,
  requestOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The name and value of the cookie that signs in. */
function sessionOf({ cookies }: Person): { name: string; token: string } {
  const found = [...cookies].find(([name]) => name.includes('session'))
  if (!found) throw new Error('there is no session cookie')
  return { name: found[0], token: found[1] }
}

async function statusWith(cookie: string, path: string = readUserSession.path): Promise<number> {
  return (await newPerson(stack).send('GET', path, { headers: { cookie } })).status
}

const storedSessions = async () =>
  Number((await rows.read(sql<{ count: number }>`select count(*) as count from sessions`))[0]?.count)

describe('a session that an attacker has put into the browser', () => {
  it('is never used: sign-in creates a new one, and the planted one gives no access', async () => {
    const { name } = sessionOf((await signedUpPilgrim(stack)).person)
    for (const planted of ['A'.repeat(43), 'x', `${'B'.repeat(42)}=`, hashOf('planted')]) {
      const victim = newPerson(stack)
      const cookies = victim.cookies as Map<string, string>
      cookies.set(name, planted)
      await victim.signUp(newPhone(), 'Sara')
      expect(sessionOf(victim).token).not.toBe(planted)
      expect(await statusWith(`${name}=${planted}`)).toBe(401)
      const kept = sql<{
        token_hash: string
      }>`select token_hash from sessions where token_hash = ${hashOf(planted)}`
      expect(await rows.read(kept)).toEqual([])
      await victim.call(readUserSession)
    }
  })

  it('is ended when it is the attacker’s own: sign-in in that browser ends the old session', async () => {
    const attacker = await signedUpPilgrim(stack)
    const { name, token } = sessionOf(attacker.person)
    const victim = newPerson(stack, { browserOf: attacker.person })
    const before = await storedSessions()
    const user = await victim.signUp(newPhone(), 'Sara')
    expect(await storedSessions()).toBe(before)
    expect(await statusWith(`${name}=${token}`)).toBe(401)
    expect(await victim.call(readUserSession)).toMatchObject({ userId: user.id })
  })
})

describe('a session', () => {
  it('is not in the database, and no stored value gives access', async () => {
    const { person } = await signedUpPilgrim(stack)
    const agent = newPerson(stack)
    const { token: handle } = await agent.signInAgent('+966500000101')
    const secrets = [...person.cookies.values(), ...agent.cookies.values(), handle]
    const leaks = (await rows.cells()).filter(({ text }) => secrets.some((secret) => text.includes(secret)))
    expect(leaks.map(({ column }) => column)).toEqual([])

    const { name, token } = sessionOf(person)
    const [row] = await rows.read(
      sql<{ token_hash: string }>`select token_hash from sessions where token_hash = ${hashOf(token)}`,
    )
    expect(row).toBeDefined()
    for (const { text } of await rows.cells())
      if (text.length >= 20 && /^[\x21-\x7e]+$/.test(text) && !/[;,="\\]/.test(text))
        expect(await statusWith(`${name}=${text}`), text).toBe(401)
  })

  it('is accepted as a cookie only, not in a header, an address or a body', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const { name, token } = sessionOf(person)
    const stranger = newPerson(stack)
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-session': token }, { [name]: token }])
      expect((await stranger.send('GET', readUserSession.path, { headers })).status).toBe(401)
    for (const query of [`${name}=${token}`, `session=${token}`, `token=${token}`, `userId=${user.id}`])
      expect((await stranger.send('GET', `${readUserSession.path}?${query}`)).status).not.toBe(200)
    expect(await statusWith(`${name}=${token}`)).toBe(200)
  })
})

describe('the agent’s token', () => {
  it('gives no access, in a header or a cookie', async () => {
    const agent = newPerson(stack)
    const { token, id } = await agent.signInAgent('+966500000102')
    const { name } = sessionOf(agent)
    const target = listAgentOrders.path.replace(':agentId', String(id))
    const stranger = newPerson(stack)
    const attempts: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { authorization: token },
      { 'x-access-token': token },
      { cookie: `${name}=${token}` },
      { cookie: `token=${token}; agentToken=${token}; session=${token}` },
    ]
    for (const path of [readAgentSession.path, target])
      for (const headers of attempts) expect((await stranger.send('GET', path, { headers })).status).toBe(401)
    const kept = sql`select * from sessions where token_hash = ${hashOf(token)}`
    expect(await rows.read(kept)).toEqual([])
    await agent.call(readAgentSession)
  })
})

describe('the cookie', () => {
  it('is bound to the host and to https where the public address is one', async () => {
    const secure = await ownStack({ env: { PUBLIC_URL: 'https://amtiati.example' } })
    try {
      const person = newPerson(secure)
      const phone = newPhone()
      const sent = await person.send('POST', requestOtp.path, { body: { phone } })
      const body = { phone, code: await secure.control.codeFor(phone), name: 'Sara' }
      const done = await person.send('POST', verifyOtp.path, { body })
      const cookies = [...sent.headers.getSetCookie(), ...done.headers.getSetCookie()]
      expect(cookies.some((cookie) => cookie.startsWith('__Host-session='))).toBe(true)
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__Host-/)
        expect(cookie).toMatch(/; Secure/)
      }
      // The cookie name of plain http is not accepted here: a sibling domain could have set it.
      const { token } = sessionOf(person)
      const asDemo = await newPerson(secure).send('GET', readUserSession.path, {
        headers: { cookie: `session_443=${token}; session_80=${token}; session=${token}` },
      })
      expect(asDemo.status).toBe(401)
      expect(done.headers.get('strict-transport-security')).toMatch(/max-age=(\d{8,})/)
    } finally {
      await secure.close()
    }
  })
})
