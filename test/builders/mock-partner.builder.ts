import { createMockPartner, type MockPartnerOptions } from '#mock/app.ts'
import type { intentionObject } from '#mock/payment/payment.wire.ts'
import { createClock } from '#mock/platform/clock.ts'
import type { CallbackAnswer } from '#mock/platform/deliveries.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { type CreateIntentionRequest, paymentPaths } from '#shared/wire/payment/payment.wire.ts'
import { apiKeyHeader } from '#shared/wire/shipping/shipping.wire.ts'

const { payment, shipping } = demoAccounts

/** An answer to a callback with a body that names its status, as a gateway's refusal would. */
const answerOf = (status: number): CallbackAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status }),
})

/** A simulator whose clock is advanced by hand and whose callbacks are caught instead of sent. */
export function buildPartner(options: MockPartnerOptions = {}) {
  const caught: { url: string; body: unknown; headers?: Record<string, string> }[] = []
  let answer: () => number | Promise<number> = () => 200
  const partner = createMockPartner({
    clock: createClock(() => Date.UTC(2026, 4, 27, 9, 30)),
    setTimer: () => () => {},
    post: async (url, body, _, headers) => {
      const isForm = headers?.['content-type']?.includes('form')
      const read = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
      caught.push({ url, body: read, ...(headers && { headers }) })
      return answerOf(await answer())
    },
    newCode: () => '4821',
    random: () => 0,
    ...options,
  })
  const { app } = partner
  /** A call of the control API. */
  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) {
    const url = `/control${path}`
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const isJson = answer.headers['content-type']?.toString().includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
  }
  return {
    ...partner,
    ask,
    replay: (body: object, ref: number | string = 42) => ask('POST', `/payments/${ref}/replay`, body),
    /** A call of the courier's API. */
    courier: (method: 'GET' | 'POST', path: string, payload?: object) =>
      app.inject({
        method,
        url: `/shipping${path}`,
        headers: { [apiKeyHeader]: shipping.apiKey },
        ...(payload && { payload }),
      }),
    /** A form, sent to the SMS or the OTP service. */
    form: (
      url: string,
      { accountSid, authToken }: { accountSid: string; authToken: string },
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ) =>
      app.inject({
        method: 'POST',
        url,
        headers: {
          authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        payload: new URLSearchParams(fields).toString(),
      }),
    /** Pays as the card form does. */
    pay: (clientSecret: string, card: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/payment/widget/pay',
        payload: { publicKey: payment.publicKey, clientSecret, expiry: '01/39', ...card },
      }),
    /** What an inquiry at the payment provider finds. */
    async inquire(payload: Record<string, unknown>, token?: string) {
      return app.inject({
        method: 'POST',
        url: `/payment${paymentPaths.transactionInquiry}`,
        headers: { authorization: `Bearer ${token ?? (await readAuthToken(partner))}` },
        payload,
      })
    },
    /** Callbacks in the order they were sent. */
    caught,
    /** Sets what the receiver of callbacks answers; a throw is a failed connection. */
    answerCallbacksWith(next: () => number | Promise<number>) {
      answer = next
    },
  }
}
export type TestPartner = ReturnType<typeof buildPartner>

export function buildIntentionRequest(changes: Partial<CreateIntentionRequest> = {}): CreateIntentionRequest {
  return {
    amount: 5_000,
    currency: 'SAR',
    payment_methods: [payment.integrationId],
    items: [{ name: 'Booking', amount: 5_000, quantity: 1 }],
    billing_data: {
      first_name: 'Abdullah',
      last_name: 'NA',
      email: 'guest@example.com',
      phone_number: '+966500000001',
    },
    special_reference: '42-1',
    extras: { order_number: 42 },
    expiration: 3_600,
    notification_url: 'http://shop.example/callback',
    redirection_url: 'http://shop.example/thank-you',
    ...changes,
  }
}

export const secretKeyHeader = { authorization: `Token ${payment.secretKey}` }

export async function createIntention(
  { app }: Pick<TestPartner, 'app'>,
  changes: Partial<CreateIntentionRequest> = {},
): Promise<ReturnType<typeof intentionObject>> {
  const answer = await app.inject({
    method: 'POST',
    url: '/payment/v1/intention/',
    headers: secretKeyHeader,
    payload: buildIntentionRequest(changes),
  })
  if (answer.statusCode >= 300) throw new Error(`no intention: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}

export async function readAuthToken({ app }: Pick<TestPartner, 'app'>): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/payment/api/auth/tokens',
    payload: { api_key: payment.apiKey },
  })
  return answer.json().token
}
