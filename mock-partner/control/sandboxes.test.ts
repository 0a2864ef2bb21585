import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { buildIntentionRequest, buildPartner, secretKeyHeader } from '#test/builders/mock-partner.builder.ts'

const { otp } = demoAccounts
const phones = { one: '+966500901001', two: '+966500902001', none: '+966512345678' }

/** A simulator with the sandboxes `one` and `two`, and requests as a gateway sends them. */
async function setUp() {
  const partner = buildPartner()
  const { app } = partner
  const ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object, sandbox?: string) =>
    partner.ask(method, path, body, sandbox === undefined ? {} : { 'x-sandbox': sandbox })
  await ask('PUT', '/sandboxes/one', { phonePrefix: '+966500901' })
  await ask('PUT', '/sandboxes/two', { phonePrefix: '+966500902' })
  let order = 0
  return {
    ask,
    async sendCode(phone: string) {
      const url = `/otp/v2/Services/${otp.userServiceSid}/Verifications`
      return (await partner.form(url, otp, { To: phone, Channel: 'sms' })).statusCode
    },
    pay: async (phone: string) => {
      order += 1
      const { billing_data, ...rest } = buildIntentionRequest({
        special_reference: `R-${order}`,
        extras: { order_number: order },
      })
      const payload = { ...rest, billing_data: { ...billing_data, phone_number: phone } }
      const url = '/payment/v1/intention/'
      return (await app.inject({ method: 'POST', url, headers: secretKeyHeader, payload })).statusCode
    },
  }
}

describe('a fault of a sandbox', () => {
  it('meets requests about its phones alone', async () => {
    const { ask, sendCode, pay } = await setUp()
    await ask('PUT', '/faults/otp', { kind: 'status', status: 500 }, 'one')
    await ask('PUT', '/faults/payment', { kind: 'status', status: 502 }, 'two')
    expect(await Promise.all(Object.values(phones).map(sendCode))).toEqual([500, 201, 201])
    expect(await Promise.all(Object.values(phones).map(pay))).toEqual([201, 502, 201])
  })

  it('is replaced, listed and ended in its sandbox alone', async () => {
    const { ask, sendCode } = await setUp()
    const { body } = await ask('PUT', '/faults/otp', { kind: 'status', status: 500 }, 'one')
    await ask('PUT', '/faults/otp', { kind: 'status', status: 501 }, 'two')
    await ask('PUT', '/faults/otp', { kind: 'status', status: 503 })
    expect(await Promise.all(Object.values(phones).map(sendCode))).toEqual([500, 501, 503])
    for (const [sandbox, status] of [
      ['one', 500],
      ['two', 501],
      [undefined, 503],
    ] as const)
      expect((await ask('GET', '/faults', undefined, sandbox)).body.faults).toMatchObject({ otp: { status } })
    expect((await ask('GET', '/faults')).body.active).toHaveLength(3)

    expect((await ask('DELETE', `/faults/${body.id}`, undefined, 'two')).status).toBe(404)
    await ask('DELETE', '/faults', undefined, 'two')
    expect(await Promise.all(Object.values(phones).map(sendCode))).toEqual([500, 201, 503])
    await ask('DELETE', '/faults')
    expect(await Promise.all(Object.values(phones).map(sendCode))).toEqual([500, 201, 201])
    expect((await ask('DELETE', `/faults/${body.id}`, undefined, 'one')).status).toBe(200)
    expect(await sendCode(phones.one)).toBe(201)
  })

  it('counts its own requests only', async () => {
    const { ask, sendCode } = await setUp()
    await ask('PUT', '/faults/otp', { kind: 'status', status: 500, match: { nth: 2 } }, 'one')
    expect(await sendCode(phones.one)).toBe(201)
    expect(await sendCode(phones.two)).toBe(201)
    expect(await sendCode(phones.none)).toBe(201)
    expect(await sendCode(phones.one)).toBe(500)
  })

  it('ends with its sandbox, and all end with a reset', async () => {
    const { ask, sendCode } = await setUp()
    await ask('PUT', '/faults/otp', { kind: 'status', status: 500 }, 'one')
    expect((await ask('DELETE', '/sandboxes/one')).body).toEqual({
      sandboxes: [{ name: 'two', phonePrefix: '+966500902' }],
    })
    expect(await sendCode(phones.one)).toBe(201)
    await ask('PUT', '/faults/otp', { kind: 'status', status: 500 }, 'two')
    await ask('POST', '/reset')
    expect(await sendCode(phones.two)).toBe(201)
    expect((await ask('GET', '/sandboxes')).body).toEqual({ sandboxes: [] })
  })
})

describe('in a sandbox', () => {
  it.each([
    ['POST', '/clock', { advanceMs: 1 }],
    ['POST', '/reset', undefined],
    ['POST', '/snapshots/mine', undefined],
    ['PUT', '/journey', { minutesPerDay: 1 }],
    ['PUT', '/unusual/payment', { probability: 1 }],
    ['PUT', '/widget', { refusal: 'expired' }],
  ] as const)('%s %s, which concerns everyone, is refused', async (method, path, body) => {
    const { ask } = await setUp()
    const { status, body: answer } = await ask(method, path, body, 'one')
    expect([status, answer.error]).toEqual([409, 'SHARED'])
  })

  it('everything can be read', async () => {
    const { ask } = await setUp()
    for (const path of ['/inbox', '/payments', '/shipments', '/counters', '/overview'])
      expect((await ask('GET', path, undefined, 'one')).status, path).toBe(200)
  })
})

describe('a sandbox', () => {
  it('that is not open is refused by name', async () => {
    const { ask } = await setUp()
    const { status, body } = await ask('GET', '/faults', undefined, 'three')
    expect([status, body.error]).toEqual([404, 'UNKNOWN_SANDBOX'])
    expect((await ask('DELETE', '/sandboxes/three')).status).toBe(404)
  })

  it('takes no phone of another one', async () => {
    const { ask } = await setUp()
    const { status, body } = await ask('PUT', '/sandboxes/three', { phonePrefix: '+9665009' })
    expect([status, body.error]).toEqual([409, 'SANDBOX_OVERLAPS'])
    expect(body.message).toContain('"one"')
  })

  it.each([[{}], [{ phonePrefix: '966' }], [{ phonePrefix: '+966', more: 1 }]])(
    'is not opened with %j',
    async (body) => {
      const { ask } = await setUp()
      expect((await ask('PUT', '/sandboxes/three', body)).status).toBe(400)
    },
  )
})
