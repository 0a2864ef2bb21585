import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { sampleOf } from '#test/kit/outsider.ts'
import { newPerson } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, sessionsOf, typeCode, verdictOf } from '#test/kit/sign-in.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/**
 * Only the one positive answer of the code service signs anybody in. Here the service says everything else: what it
 * could say by mistake, what a proxy in between could make of it, and what others have read as a yes.
 */

type Reply = (response: ServerResponse, asked: { sid: string; origin: string }) => void

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const text =
  (status: number, body: string, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

const approved = sampleOf('otp', 'verification-check.approved') as Record<string, unknown>
const wrong = sampleOf('otp', 'verification-check.wrong-code') as Record<string, unknown>
const pending = sampleOf('otp', 'verification.pending') as Record<string, unknown>

/** A true yes, about the verification that was asked about. */
const yes: Reply = (response, { sid }) => json(200, { ...approved, sid })(response, { sid, origin: '' })
const yesWith =
  (change: object, status = 200): Reply =>
  (response, asked) =>
    json(status, { ...approved, sid: asked.sid, ...change })(response, asked)

/** The service never answers about this one. */
const unansweredCode = '9999'

let sent = 0
let checksAsked = 0
let answer: Reply = yes

const service = createServer(async (request: IncomingMessage, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const form = new URLSearchParams(Buffer.concat(chunks).toString())
  const origin = `http://${request.headers.host}`
  // Where a redirect leads: it would say yes.
  if (request.url === '/yes') return yes(response, { sid: 'VE0', origin })
  if (request.url?.endsWith('/VerificationCheck')) {
    if (form.get('Code') === unansweredCode) return undefined
    checksAsked += 1
    return answer(response, { sid: form.get('VerificationSid') ?? '', origin })
  }
  if (request.method === 'POST' && request.url?.endsWith('/Verifications')) {
    sent += 1
    const sid = `VE${String(sent).padStart(32, '0')}`
    return json(201, { ...pending, sid, to: form.get('To') })(response, { sid, origin })
  }
  return text(404, '{}')(response, { sid: '', origin })
})

const unanswered: { phone: string; verdict: Promise<string> } = { phone: '', verdict: Promise.resolve('') }
let stack: Stack
let rows: Rows
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  stack = await startStack({ env: { OTP_BASE_URL: `http://127.0.0.1:${port}` } })
  rows = openRows(stack)
  unanswered.phone = newPhone()
  const person = newPerson(stack)
  await askForCode(person, unanswered.phone)
  // Under way while the others are tried: the gateway is patient with the service.
  unanswered.verdict = typeCode(person, unanswered.phone, unansweredCode).then(verdictOf)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
  service.closeAllConnections()
  service.close()
})

/** A code is asked for and typed in, and the service says what it says. */
async function signInAgainst(
  reply: Reply,
): Promise<{ verdict: string; phone: string; again: () => Promise<string> }> {
  answer = reply
  const phone = newPhone()
  const person = newPerson(stack)
  expect((await askForCode(person, phone)).status).toBe(200)
  const asked = checksAsked
  const verdict = verdictOf(await typeCode(person, phone, '4821'))
  expect(checksAsked).toBe(asked + 1)
  return {
    verdict,
    phone,
    again: async () => {
      answer = yes
      return verdictOf(await typeCode(person, phone, '4821'))
    },
  }
}

const odd: readonly (readonly [string, Reply])[] = [
  [
    'that the code is wrong',
    (response, { sid }) => json(200, { ...wrong, sid })(response, { sid, origin: '' }),
  ],
  ['valid without approved', yesWith({ status: 'pending', valid: true })],
  ['approved in capitals', yesWith({ status: 'APPROVED' })],
  ['approved with a space', yesWith({ status: 'approved ' })],
  ['approved in a list', yesWith({ status: ['approved'] })],
  ['approved and another word', yesWith({ status: 'approved,pending' })],
  ['true', yesWith({ status: true })],
  ['verified', yesWith({ status: 'verified' })],
  ['already verified', yesWith({ status: 'already_verified', response_status: 'correct', error_code: 110 })],
  [
    'already approved, in an error',
    json(400, { code: 60206, message: 'already approved', status: 400, more_info: '' }),
  ],
  ['correct, in another service’s words', json(200, { response_status: 'correct', error_code: 101 })],
  ['ten, in another service’s words', json(200, [{ code: 10, success: true }])],
  ['expired', yesWith({ status: 'expired' })],
  ['canceled', yesWith({ status: 'canceled' })],
  ['deleted', yesWith({ status: 'deleted' })],
  ['failed', yesWith({ status: 'failed' })],
  ['that there were too many tries', yesWith({ status: 'max_attempts_reached' })],
  ['approved inside another object', json(200, { verification: approved })],
  ['approved in a list of answers', json(200, [approved])],
  ['approved and nothing else', json(200, { status: 'approved' })],
  ['approved as a string', text(200, '"approved"')],
  ['approved in broken JSON', text(200, '{"status":"approved","valid":true')],
  [
    'approved twice, with another word last',
    text(200, '{"status":"approved","status":"pending","valid":true}'),
  ],
  ['approved on a page', text(200, '<html>{"status":"approved"}</html>', 'text/html')],
  ['nothing', text(200, '')],
  ['null', text(200, 'null')],
  ['an empty object', text(200, '{}')],
  ['no content', (response) => response.writeHead(204).end()],
  ['approved, accepted for later', yesWith({}, 202)],
  ['approved, with a redirect', yesWith({}, 302)],
  [
    'that the answer is elsewhere',
    (response, { origin }) => response.writeHead(303, { location: `${origin}/yes` }).end(),
  ],
  [
    'to ask again elsewhere',
    (response, { origin }) => response.writeHead(307, { location: `${origin}/yes` }).end(),
  ],
  ['approved, with 400', yesWith({}, 400)],
  ['approved, with 401', yesWith({}, 401)],
  ['approved, with 404', yesWith({}, 404)],
  ['approved, with 429', yesWith({}, 429)],
  ['approved, with 500', yesWith({}, 500)],
  ['approved, with 503', yesWith({}, 503)],
  ['nothing and hangs up', (response) => void response.socket?.resetAndDestroy()],
  [
    'half of a yes and hangs up',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write(JSON.stringify(approved))
      response.socket?.end()
    },
  ],
]

describe('somebody types a code in, and the service says', () => {
  it.each(odd)('%s: nobody is signed in', async (_, reply) => {
    const { verdict, phone, again } = await signInAgainst(reply)
    expect(verdict).toMatch(/^(400 CODE_INVALID|400 CODE_USED_UP|503 OTP_UNAVAILABLE)$/)
    expect(await sessionsOf(rows, phone)).toBe(0)
    expect(await rows.read(sql`select id from users where phone = ${phone}`)).toEqual([])
    expect(
      await rows.read(sql`select id from otp_challenges where phone = ${phone} and state <> 'sent'`),
    ).toEqual([])
    // An honest person who was in the way of it gets in as soon as the service says so.
    if (verdict.startsWith('400')) expect(await again()).toBe('200')
  })

  it('yes about the verification of somebody else: nobody is signed in', async () => {
    const { verdict, phone } = await signInAgainst(
      yesWith({ sid: `VE${'9'.repeat(32)}`, to: '+966500000000' }),
    )
    expect(verdict).not.toBe('200')
    expect(await sessionsOf(rows, phone)).toBe(0)
  })

  it('nothing at all: nobody is signed in, and the try is given back', async () => {
    const { verdict, phone } = unanswered
    expect(await verdict).toBe('503 OTP_UNAVAILABLE')
    expect(await sessionsOf(rows, phone)).toBe(0)
    expect(await rows.read(sql`select id from otp_events where phone = ${phone} and kind = 'check'`)).toEqual(
      [],
    )
  })
})
