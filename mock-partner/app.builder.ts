import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import type { CreateIntentionRequest } from '#shared/wire/payment/payment.wire.ts'
import { createMockPartner, type MockPartnerOptions } from './app.ts'
import type { intentionObject } from './payment/payment.wire.ts'
import { createClock } from './platform/clock.ts'
import type { CallbackAnswer } from './platform/deliveries.ts'

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
  return {
    ...partner,
    /** Callbacks in the order they were sent. */
    caught,
    /** Sets what the receiver of callbacks answers; a throw is a failed connection. */
    answerCallbacksWith(next: () => number | Promise<number>) {
      answer = next
    },
  }
}
export type TestPartner = ReturnType<typeof buildPartner>

const { payment } = demoAccounts

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
