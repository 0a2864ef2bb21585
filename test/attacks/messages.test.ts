import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { callbackSignatureText } from '#shared/wire/messaging/messaging.wire.ts'
import { type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * Status callbacks: the attacker knows addresses, our number of a message and the provider's id of it, and not the auth
 * token. The worst that a forged one could do is to stop further messages to a phone.
 */

let stack: Stack
let rows: Rows
let victim: Pilgrim
let messageId: number
let sid: string

const { accountSid, authToken } = demoAccounts.messaging
const pathOf = (id: number) => `${receiveMessageStatus.path}?message=${id}.`

beforeAll(async () => {
  stack = await ownStack({ env: { MESSAGES_ENABLED: 'true' } })
  rows = openRows(stack)
  victim = await signedUpPilgrim(stack)
  await paidOrder(stack, victim)
  const row = await eventually(
    async () => {
      const [found] = await rows.ask<{
        id: number
        ref: string
      }>`select id, ref from messages where state = 'delivered'`
      return found
    },
    { withinMs: 60_000 },
  )
  messageId = Number(row.id)
  sid = String(row.ref)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const optedOut = () => ({
  AccountSid: accountSid,
  ApiVersion: '2010-04-01',
  ErrorCode: '21610',
  From: 'Amtiati',
  MessageSid: sid,
  MessageStatus: 'undelivered',
  To: victim.user.phone ?? '',
})

const sign = (url: string, fields: Readonly<Record<string, string>>, token: string = authToken) =>
  createHmac('sha1', token).update(callbackSignatureText(url, fields)).digest('base64')

async function post(
  fields: Readonly<Record<string, string>>,
  signature?: string,
  headers: object = {},
  path = pathOf(messageId),
) {
  const response = await fetch(`${stack.gatewayUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signature === undefined ? {} : { 'x-twilio-signature': signature }),
      ...headers,
    },
    body: new URLSearchParams(fields),
  })
  await response.arrayBuffer()
  return response.status
}
const stored = async () => [
  await rows.ask<object>`select * from messages order by id`,
  await rows.ask<object>`select sms_refused from users order by id`,
]

describe('a forged status callback changes nothing', () => {
  it.each([
    ['without a signature', () => post(optedOut())],
    ['with an empty signature', () => post(optedOut(), '')],
    [
      'signed with a guessed token',
      () => post(optedOut(), sign(stack.gatewayUrl + pathOf(messageId), optedOut(), 'x')),
    ],
    [
      'signed for another message',
      () => post(optedOut(), sign(stack.gatewayUrl + pathOf(messageId + 1), optedOut())),
    ],
    [
      'signed for the address in its own Host header',
      () => {
        const url = `http://evil.example${pathOf(messageId)}`
        return post(optedOut(), sign(url, optedOut()), { 'x-forwarded-host': 'evil.example' })
      },
    ],
    [
      'with a field that was added after signing',
      () => {
        const { ErrorCode: _, ...signed } = optedOut()
        return post(optedOut(), sign(stack.gatewayUrl + pathOf(messageId), signed))
      },
    ],
  ])('%s', async (_, attack) => {
    const before = await stored()
    expect(await attack()).toBe(401)
    expect(await stored()).toEqual(before)
  })

  it.each([
    ['the last digit of our number', (path: string) => [path.slice(0, -2), path.slice(-2)]],
    ['the full stop after our number', (path: string) => [path.slice(0, -1), '.']],
    ['the whole query', (path: string) => path.split(/(?=\?)/)],
  ])('whose signature stays the same when %s is moved into a field', async (_, split) => {
    const before = await stored()
    const genuine = stack.gatewayUrl + pathOf(messageId)
    const [path = '', name = ''] = split(pathOf(messageId))
    // Sorted before all other fields, so that the signed text is the same.
    const moved = { [name]: '', ...optedOut() }
    expect(callbackSignatureText(stack.gatewayUrl + path, moved)).toBe(
      callbackSignatureText(genuine, optedOut()),
    )
    expect(await post(moved, sign(genuine, optedOut()), {}, path)).toBe(400)
    expect(await stored()).toEqual(before)
  })

  it('that is too large is refused before it is read', async () => {
    expect(await post({ ...optedOut(), Padding: 'x'.repeat(70_000) })).toBe(413)
  })
})

it('a genuine callback that is replayed changes nothing: a final status stays', async () => {
  const before = await stored()
  const url = `${stack.gatewayUrl}${pathOf(messageId)}`
  for (let time = 0; time < 3; time += 1) expect(await post(optedOut(), sign(url, optedOut()))).toBe(200)
  expect(await stored()).toEqual(before)
})
