import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { issuedAwb, newPhone, paidOrder } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { askForCode, typeCode, wrongCodes } from '#test/kit/gateway/sign-in.ts'
import { callbackOf, successOn } from '#test/kit/orders/callbacks.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

/** Logs and addresses contain nothing with which a reader could sign in, pay or identify a user. */

let stack: Stack
beforeAll(async () => {
  stack = await ownStack({ env: { LOG_LEVEL: 'trace' } })
})
afterAll(() => stack?.close())

const gatewayLines = () => stack.logs().filter((line) => line.startsWith('gateway'))

describe('the log of a journey at the most detailed level', () => {
  it('holds no code, phone, name, cookie, key, secret or signature, also after failures', async () => {
    const secrets = new Map<string, string>()
    const keep = (what: string, value: string | undefined) => value && secrets.set(what, value)
    const name = 'Umm-Kulthum Zahrani-Test'
    const phone = newPhone()
    const person = newPerson(stack)
    await askForCode(person, phone)
    const code = await stack.control.codeFor(phone)
    for (const wrong of wrongCodes(code, 2)) await typeCode(person, phone, wrong)
    await person.send('POST', '/api/auth/verify-otp', { body: { phone, code, name } })
    const { userId } = (await person.send('GET', '/api/auth/user')).json as { userId: number }
    const user = { id: userId, name, phone }

    const { orderId, clientSecret } = await person.checkout(user.id)
    await person.send('GET', `/payment?clientSecret=${clientSecret}&publicKey=pk&orderId=${orderId}`)
    const paid = await paidOrder(stack, { person, user })
    await issuedAwb(person, paid)
    const [payment] = await stack.control.paymentsOf(orderId)
    if (!payment) throw new Error('the order has a payment')
    const forged = callbackOf(successOn(payment), 'f0'.repeat(64))
    await fetch(`${stack.gatewayUrl}${forged.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: forged.body,
    })

    // Failures are logged with more details.
    const other = newPhone()
    await stack.control.setFault('otp', { kind: 'status', status: 500, count: 1 })
    await askForCode(newPerson(stack), other)
    await stack.control.setFault('payment', { kind: 'status', status: 400, count: 1 })
    await person.send('POST', `/api/orders/${orderId}/payment`, { body: {} })
    await stack.control.endFaults()
    await person.send('POST', '/api/auth/request-otp', { rawBody: `{"phone":"${other}","name":"${name}"` })
    const key = 'hush-this-key-is-mine'
    const headers = { 'idempotency-key': key }
    await person.send('POST', '/api/checkout', { body: { name, phone: other, code }, headers })
    keep('key of a repeated call', key)
    await person.send('GET', `/api/orders/${phone.replace('+', '%2b')}?phone=${other}`)
    const agent = newPerson(stack)
    const { token } = await agent.signInAgent('+966500000101')

    // The cookie `role` says `user` or `agent`, which is no secret.
    const cookies = [...person.cookies, ...agent.cookies].filter(([cookie]) => !cookie.startsWith('role_'))
    for (const [cookie, value] of cookies) keep(cookie, value)
    keep('phone', phone.slice(1))
    keep('phone that failed', other.slice(1))
    keep('agent’s phone', '966500000101')
    keep('name', name)
    keep('part of the name', 'Zahrani-Test')
    keep('client secret', clientSecret)
    keep('agent’s token', token)
    keep('signature', 'f0'.repeat(64))
    const { otp, payment: account, shipping } = demoAccounts
    keep('password of the OTP service', otp.authToken)
    const keys = Object.entries({ ...account, ...shipping }).filter(
      ([what]) => /secret|key/i.test(what) && what !== 'publicKey',
    )
    expect(keys.length).toBeGreaterThan(2)
    for (const [what, value] of keys) keep(what, String(value))

    // When the last event is in the log, all earlier ones are.
    await eventually(() => gatewayLines().some((line) => line.includes('"role":"agent"')) || undefined)
    const lines = gatewayLines()
    expect(lines.length).toBeGreaterThan(20)
    for (const [what, secret] of secrets)
      expect(lines.filter((line) => line.includes(secret)).slice(0, 2), what).toEqual([])
    // Four digits occur by chance; a field named as a code does not.
    expect(lines.filter((line) => new RegExp(`"(code|otp|Code)":"?${code}`).test(line))).toEqual([])
    // Addresses are logged without their query, which may contain secrets.
    expect(lines.filter((line) => /"(url|path)":"[^"]*\?/.test(line))).toEqual([])
    expect(
      lines.filter((line) => /"cookie":"(?!\[redacted)|"authorization":"(?!\[redacted)/i.test(line)),
    ).toEqual([])
  })
})
