import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

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

/** It says `user` or `agent`, which is no secret. */
const isRoleCookie = (name: string) => name.startsWith('role_')

/** The name and value of the cookie that signs in. */
function sessionOf({ cookies }: Person): { name: string; token: string } {
  const found = [...cookies].find(([name]) => name.includes('session'))
  if (!found) throw new Error('there is no session cookie')
  return { name: found[0], token: found[1] }
}

async function statusWith(cookie: string, path: string = readUserSession.path): Promise<number> {
  return (await newPerson(stack).send('GET', path, { headers: { cookie } })).status
}

describe('a session', () => {
  it('is not in the database, and no stored value gives access', async () => {
    const { person } = await signedUpPilgrim(stack)
    const agent = newPerson(stack)
    const { token: handle } = await agent.signInAgent('+966500000101')
    const cookies = [...person.cookies, ...agent.cookies].filter(([name]) => !isRoleCookie(name))
    const secrets = [...cookies.map(([, value]) => value), handle]
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
