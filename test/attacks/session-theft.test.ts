import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import {
  logout,
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

const second = 1_000
const hour = 3_600_000
const day = 24 * hour

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

/** As if the session had last been used, or opened, this long ago. */
async function age(token: string, change: { unusedMs: number } | { openMs: number }): Promise<void> {
  const statement =
    'unusedMs' in change
      ? sql`update sessions set idle_until = idle_until - ${change.unusedMs},
          last_seen_at = last_seen_at - ${change.unusedMs} where token_hash = ${hashOf(token)}`
      : sql`update sessions set ends_at = ends_at - ${change.openMs},
          created_at = created_at - ${change.openMs} where token_hash = ${hashOf(token)}`
  await rows.read(statement)
}

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
  it('has a new secret of 256 bits each time, and the old one is invalid', async () => {
    const phone = newPhone()
    const person = newPerson(stack)
    await person.signUp(phone, 'Sara')
    const first = sessionOf(person)
    await person.call(logout)
    expect(await statusWith(`${first.name}=${first.token}`)).toBe(401)
    await person.signUp(newPhone(), 'Sara')
    const second = sessionOf(person)
    expect(second.token).not.toBe(first.token)
    for (const { token } of [first, second]) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

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

  it.each([
    ['shortened', (token: string) => token.slice(0, -1)],
    ['lengthened', (token: string) => `${token}A`],
    ['in other capitals', (token: string) => token.toLowerCase()],
    ['with its first letter changed', (token: string) => `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`],
    ['as its hash', hashOf],
    ['as a list', (token: string) => `["${token}"]`],
    ['with a space of another kind', (token: string) => `${token}%00`],
    ['as a wild card', () => '%25'],
    ['empty', () => ''],
  ])('gives no access %s', async (_, change) => {
    const { person } = await signedUpPilgrim(stack)
    const { name, token } = sessionOf(person)
    expect(await statusWith(`${name}=${change(token)}`)).toBe(401)
    expect(await statusWith(`${name}=${token}`)).toBe(200)
  })

  it.each([
    ['a pilgrim', 7 * day, 30 * day, readUserSession.path],
    ['an agent', hour, 12 * hour, readAgentSession.path],
  ])('of %s ends when unused, and at its maximum age', async (who, idleMs, absoluteMs, path) => {
    const signIn = async () => {
      if (who === 'a pilgrim') return (await signedUpPilgrim(stack)).person
      const person = newPerson(stack)
      await person.signInAgent(agentPhones.pop() ?? '')
      return person
    }
    const [unused, old] = [sessionOf(await signIn()), sessionOf(await signIn())]

    await age(unused.token, { unusedMs: idleMs - 30 * second })
    expect(await statusWith(`${unused.name}=${unused.token}`, path)).toBe(200)
    // Using the session has extended it: the same time may pass once more.
    await age(unused.token, { unusedMs: idleMs - 30 * second })
    expect(await statusWith(`${unused.name}=${unused.token}`, path)).toBe(200)
    await age(unused.token, { unusedMs: idleMs + second })
    expect(await statusWith(`${unused.name}=${unused.token}`, path)).toBe(401)

    await age(old.token, { openMs: absoluteMs - 30 * second })
    expect(await statusWith(`${old.name}=${old.token}`, path)).toBe(200)
    await age(old.token, { openMs: 31 * second })
    expect(await statusWith(`${old.name}=${old.token}`, path)).toBe(401)
  })
})

/** Of the directory; each asks for a code once. */
const agentPhones = ['+966500000104', '+966500000105']

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
  it('is kept from scripts, other sites and other paths, on http', async () => {
    const person = newPerson(stack)
    const phone = newPhone()
    await person.call(requestOtp, { body: { phone } })
    const body = { phone, code: await stack.control.codeFor(phone), name: 'Sara' }
    const { headers } = await person.send('POST', verifyOtp.path, { body })
    const cookies = headers.getSetCookie()
    expect(cookies.some((cookie) => cookie.startsWith('session_'))).toBe(true)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/(;|$)/)
      expect(cookie).toMatch(/; HttpOnly/)
      expect(cookie).toMatch(/; SameSite=Lax/)
      expect(cookie).not.toMatch(/Domain=/i)
    }
  })

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
