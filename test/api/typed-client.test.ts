import createClient from 'openapi-fetch'
import { beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import type { Stack } from '#test/kit/stack.ts'
import type { paths } from '../../docs/openapi.d.ts'

let stack: Stack
beforeAll(async () => {
  stack = await sharedStack()
})

/** A client generated from the OpenAPI document alone, outside a browser. */
function newClient() {
  const cookies = new Map<string, string>()
  const client = createClient<paths>({ baseUrl: stack.gatewayUrl, headers: { origin: stack.gatewayUrl } })
  client.use({
    onRequest({ request }) {
      request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    },
    onResponse({ response }) {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
    },
  })
  return client
}

describe('a client generated from docs/openapi.json', () => {
  it('signs up, books and reads the order', async () => {
    const client = newClient()
    const phone = newPhone()
    await client.POST('/api/auth/request-otp', { body: { phone, name: 'Sara Ahmed' } })
    const code = await stack.control.codeFor(phone)
    const signedIn = await client.POST('/api/auth/verify-otp', { body: { phone, code, name: 'Sara Ahmed' } })
    const userId = signedIn.data?.user.id ?? 0
    expect(userId).toBeGreaterThan(0)

    const { data: agents } = await client.GET('/api/partner/agents')
    const { data: centers } = await client.GET('/api/partner/centers')
    const started = await client.POST('/api/checkout', {
      params: { header: { 'idempotency-key': crypto.randomUUID() } },
      body: {
        userId,
        type: 'FROM_MINA',
        noOfPackages: 1,
        agentCode: agents?.agents[0]?.id ?? '',
        centerCode: centers?.centers[0]?.code ?? '',
        amount: 50,
      },
    })
    const orderId = started.data?.orderId ?? 0
    const { data } = await client.GET('/api/orders/{id}', { params: { path: { id: String(orderId) } } })
    expect(data?.order).toMatchObject({ orderId, status: 'PENDING_PAYMENT', type: 'FROM_MINA' })
    expect(data?.order.bookings[0]?.awb).toBeNull()

    // The document declares this body optional.
    expect((await client.POST('/api/auth/logout')).data?.success).toBe(true)
  })

  it('knows the codes of each failure', async () => {
    const client = newClient()
    const { error, response } = await client.GET('/api/orders/{id}', { params: { path: { id: '1' } } })
    expect(response.status).toBe(401)
    expect(error?.code === 'NOT_SIGNED_IN').toBe(true)
    // @ts-expect-error: a code of another operation
    expect(error?.code === 'CALLBACK_REFUSED').toBe(false)
  })

  it('refuses at compile time what the gateway refuses', async () => {
    const client = newClient()
    // @ts-expect-error: a phone is a text
    const { error } = await client.POST('/api/auth/request-otp', { body: { phone: 512345678 } })
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', fields: [{ field: 'phone' }] })
  })
})
