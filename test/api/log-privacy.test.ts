import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLabel, readOrder } from '#shared/orders/orders.operations.ts'
import { verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { issuedAwb, newPhone } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

/** The log of the gateway, at its most detailed level, of a journey with every kind of failure. */

let stack: Stack
beforeAll(async () => {
  stack = await ownStack({ env: { LOG_LEVEL: 'trace' } })
})
afterAll(() => stack?.close())

const linesOfGateway = () => stack.logs().filter((line) => line.startsWith('gateway: '))

it('a whole journey leaves no phone, name, code, cookie, key or secret in the log', async () => {
  const secrets = new Map<string, string>()
  const keep = (what: string, secret: string | undefined) => {
    if (secret === undefined || secret.length < 4) throw new Error(`${what} is not a secret worth the name`)
    secrets.set(what, secret)
  }
  const name = 'Zubaydah al-Qurtubiyyah'
  const phone = newPhone()
  const agentPhone = '+966500000101'
  keep('name', name)
  // Every spelling of the phone ends in these nine digits. Fewer could occur in a measured time by chance.
  keep('phone', phone.slice(-9))
  keep('phone of the agent', agentPhone.slice(-9))

  // 1. Sign-in: a failing service, a wrong code, the right one.
  const person = newPerson(stack, { lang: 'en' })
  await stack.control.setFault('otp', { kind: 'status', status: 500, count: 3 })
  await person.send('POST', '/api/auth/request-otp', { body: { phone, name } })
  await stack.control.endFaults()
  await person.send('POST', '/api/auth/request-otp', { body: { phone, name } })
  const code = await stack.control.codeFor(phone)
  const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0')
  await person.refusalOf(verifyOtp, { body: { phone, code: wrong, name } })
  const { user } = await person.call(verifyOtp, { body: { phone, code, name } })
  for (const [cookie, value] of person.cookies) if (cookie !== 'lang') keep(`cookie ${cookie}`, value)

  // 2. A booking: refused by the provider once, then paid; the address of the payment page holds the client secret.
  await stack.control.setFault('payment', { kind: 'status', status: 400, count: 1 })
  await person.send('POST', '/api/checkout', {
    body: {
      userId: user.id,
      type: 'FROM_MINA',
      noOfPackages: 1,
      agentCode: 'unknown',
      centerCode: 'x',
      amount: 50,
    },
    headers: { 'idempotency-key': 'hush-this-key-is-mine' },
  })
  keep('key of a repeated call', 'hush-this-key-is-mine')
  const { orderId, clientSecret, publicKey } = await person
    .checkout(user.id)
    .catch(() => person.checkout(user.id))
  keep('client secret', clientSecret)
  const query = new URLSearchParams({ clientSecret, publicKey, orderId: String(orderId) })
  await person.send('GET', `/payment?${query}`)
  await person.send('GET', `/api/nothing?phone=${encodeURIComponent(phone)}&${query}`)

  // 3. The callback: forged, then genuine.
  const { callbacks: forged } = await stack.control.replay(orderId, 'success', { callback: 'forge' })
  expect(forged.length).toBeGreaterThan(0)
  await stack.control.setFault('shipping', { kind: 'status', status: 500, count: 1 })
  await stack.control.replay(orderId, 'success')
  for (const { callbacks } of await stack.control.paymentsOf(orderId))
    for (const { id, url } of callbacks)
      keep(`signature of callback ${id}`, new URL(url).searchParams.get('hmac') ?? undefined)

  // 4. The label, the agent, the end.
  const awb = await issuedAwb(person, orderId)
  await person.call(readLabel, { params: { awb } })
  await person.call(readOrder, { params: { id: String(orderId) } })
  const agent = newPerson(stack)
  const { token } = await agent.signInAgent(agentPhone)
  keep('token of the agent', token)
  for (const [cookie, value] of agent.cookies) keep(`cookie of the agent ${cookie}`, value)
  await agent.logout()
  await person.logout()

  const { otp, payment, shipping } = demoAccounts
  keep('password at the OTP service', otp.authToken)
  for (const key of ['secretKey', 'apiKey', 'hmacSecret'] as const) keep(key, payment[key])
  keep('key at the partner', shipping.apiKey)

  // The process id may equal a code.
  const lines = linesOfGateway().map((line) => line.replace(/"pid":\d+,/, ''))
  expect(lines.length).toBeGreaterThan(25)
  for (const [what, secret] of secrets)
    expect(
      lines.filter((line) => line.includes(secret)),
      what,
    ).toEqual([])
  // Many numbers contain these four digits: only a separate run of four digits is a code.
  for (const digits of [code, wrong])
    expect(lines.filter((line) => new RegExp(`["':= ]${digits}["', }]`).test(line))).toEqual([])
  expect(lines.filter((line) => /hmac=|clientSecret=|phone=/.test(line))).toEqual([])
  // The log has no personal data, and still reports the events.
  const events = lines.flatMap((line) => /"event":"([^"]+)"/.exec(line)?.[1] ?? [])
  expect(events).toEqual(
    expect.arrayContaining(['sign-in.done', 'shipments.issued', 'payments.callback-refused']),
  )
  expect(lines.some((line) => line.includes('"path":"/payment"'))).toBe(true)
})
