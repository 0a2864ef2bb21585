import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { askForCode, outcomeOf, sessionsOf, typeCode } from '#test/kit/sign-in.ts'
import type { Stack } from '#test/kit/stack.ts'
import { sampleOf } from '#test/kit/stub-service.ts'

/**
 * Only a positive answer of the code service signs in. Here the service gives all other answers: mistakes of its own,
 * answers changed by a proxy, and answers that other clients have taken as positive.
 */

interface Asked {
  readonly sid: string
  readonly origin: string
  /** The verification `sid`: its phone and its Verify service. */
  readonly to: string
  readonly service: string
}
type Reply = (response: ServerResponse, asked: Asked) => void

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

/** A positive answer about the requested verification. */
const yesWith =
  (change: object, status = 200): Reply =>
  (response, asked) =>
    json(status, { ...approved, sid: asked.sid, to: asked.to, service_sid: asked.service, ...change })(
      response,
      asked,
    )
const yes = yesWith({})

/** The phone of the verification that the service never answers about. */
const unansweredCode = '9999'

const sentTo = new Map<string, string>()
let checksAsked = 0
let answer: Reply = yes

const service = createServer(async (request: IncomingMessage, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const form = new URLSearchParams(Buffer.concat(chunks).toString())
  const origin = `http://${request.headers.host}`
  const sid = form.get('VerificationSid') ?? ''
  const service = /Services\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
  const asked = { sid, origin, to: sentTo.get(sid) ?? '', service }
  // The target of the redirect, which would answer positively.
  if (request.url === '/yes') return yes(response, asked)
  if (request.url?.endsWith('/VerificationCheck')) {
    if (form.get('Code') === unansweredCode) return undefined
    checksAsked += 1
    return answer(response, asked)
  }
  if (request.method === 'POST' && request.url?.endsWith('/Verifications')) {
    const ref = `VE${String(sentTo.size + 1).padStart(32, '0')}`
    sentTo.set(ref, form.get('To') ?? '')
    return json(201, { ...pending, sid: ref, to: form.get('To'), service_sid: service })(response, asked)
  }
  return text(404, '{}')(response, asked)
})

const unanswered: { phone: string; outcome: Promise<string> } = { phone: '', outcome: Promise.resolve('') }
let stack: Stack
let rows: Rows
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  stack = await ownStack({ env: { OTP_BASE_URL: `http://127.0.0.1:${port}` } })
  rows = openRows(stack)
  unanswered.phone = newPhone()
  const person = newPerson(stack)
  await askForCode(person, unanswered.phone)
  // Runs while the others are tried, because it lasts until the time-out.
  unanswered.outcome = typeCode(person, unanswered.phone, unansweredCode).then(outcomeOf)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
  service.closeAllConnections()
  service.close()
})

/** Requests a code and enters it; the service answers with `reply`. */
async function signInAgainst(
  reply: Reply,
): Promise<{ outcome: string; phone: string; again: () => Promise<string> }> {
  answer = reply
  const phone = newPhone()
  const person = newPerson(stack)
  expect((await askForCode(person, phone)).status).toBe(200)
  const asked = checksAsked
  const outcome = outcomeOf(await typeCode(person, phone, '4821'))
  expect(checksAsked).toBe(asked + 1)
  return {
    outcome,
    phone,
    again: async () => {
      answer = yes
      return outcomeOf(await typeCode(person, phone, '4821'))
    },
  }
}

const odd: readonly (readonly [string, Reply])[] = [
  ['that the code is wrong', (response, asked) => json(200, { ...wrong, sid: asked.sid })(response, asked)],
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
  ['approved and not valid', yesWith({ valid: false })],
  ['approved for another phone', yesWith({ to: '+966500000000' })],
  ['approved by another service', yesWith({ service_sid: `VA${'9'.repeat(32)}` })],
  ['approved, and twenty megabytes more', yesWith({ padding: 'x'.repeat(20_000_000) })],
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

describe('a code is entered, and the service answers', () => {
  it.each(odd)('%s: no session begins', async (_, reply) => {
    const { outcome, phone, again } = await signInAgainst(reply)
    expect(outcome).toMatch(/^(400 CODE_INVALID|400 CODE_USED_UP|503 OTP_UNAVAILABLE)$/)
    expect(await sessionsOf(rows, phone)).toBe(0)
    expect(await rows.read(sql`select id from users where phone = ${phone}`)).toEqual([])
    expect(
      await rows.read(sql`select id from otp_challenges where phone = ${phone} and state <> 'sent'`),
    ).toEqual([])
    // The same user can sign in when the service answers positively.
    if (outcome.startsWith('400')) expect(await again()).toBe('200')
  })

  it('positively about another verification: no session begins', async () => {
    const { outcome, phone } = await signInAgainst(
      yesWith({ sid: `VE${'9'.repeat(32)}`, to: '+966500000000' }),
    )
    expect(outcome).not.toBe('200')
    expect(await sessionsOf(rows, phone)).toBe(0)
  })

  it.each([
    ['and no more than it must', { account_sid: undefined, channel: undefined, valid: undefined }],
    ['with nulls', { valid: null, to: null, service_sid: null, date_created: null }],
    ['with other types and fields that are new', { date_created: 17, amount: 1, risk: { score: 1 } }],
    ['with 201', { lookup: [] }, 201],
  ])('approved %s: the right person is signed in', async (_, change, status = 200) => {
    const { outcome, phone } = await signInAgainst(yesWith(change, status))
    expect(outcome).toBe('200')
    expect(await sessionsOf(rows, phone)).toBe(1)
  })

  it('not at all: no session begins, and the attempt is not counted', async () => {
    const { outcome, phone } = unanswered
    expect(await outcome).toBe('503 OTP_UNAVAILABLE')
    expect(await sessionsOf(rows, phone)).toBe(0)
    expect(await rows.read(sql`select id from otp_events where phone = ${phone} and kind = 'check'`)).toEqual(
      [],
    )
  })
})
