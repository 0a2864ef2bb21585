import { generateKeyPairSync } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MockAccounts } from '#mock/app.ts'
import { type Config, readConfig as readVariables } from '#server/platform/config.ts'
import { configRows } from '#server/platform/config-variables.ts'
import { exportUser } from '#shared/account/account.operations.ts'
import { openClaim } from '#shared/claims/claims.operations.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import { askNumber } from '#shared/desk/orders/people.operations.ts'
import { readDeskSession } from '#shared/desk/staff/staff.operations.ts'
import { readWalletLink } from '#shared/passes/passes.operations.ts'
import { readPush } from '#shared/push/push.operations.ts'
import { recoverAccount } from '#shared/sessions/emails.operations.ts'
import { requestOtp } from '#shared/sessions/sessions.operations.ts'
import { receiveScans } from '#shared/tracking/tracking.api.ts'
import { issuedAwb, newPhone, paidOrder, signedUpPilgrim, withEmail } from '#test/builders/pilgrim.builder.ts'
import { day, minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { rfcSender } from '#test/kit/gateway/web-push.ts'
import { callbackOf, deliver, signatureOf, successOn } from '#test/kit/orders/callbacks.ts'
import { stackEnv } from '#test/kit/programs/stack.ts'
import { isInRepo, readRepoFile } from '#test/kit/repo/repo-files.ts'

/** The gateway as it is composed, with another value than the default in each variable that a feature reads. */

const accounts: MockAccounts = {
  otp: {
    accountSid: 'AC000000000000000000000000000000a1',
    authToken: 'the-otp-token-of-this-test',
    userServiceSid: 'VA000000000000000000000000000000a1',
    agentServiceSid: 'VA000000000000000000000000000000a2',
  },
  messaging: {
    accountSid: 'AC000000000000000000000000000000a2',
    authToken: 'the-sms-token-of-this-test',
    from: 'Bags',
  },
  payment: {
    secretKey: 'sau_sk_test_of_this_test',
    publicKey: 'sau_pk_test_of_this_test',
    apiKey: 'the-inquiry-key-of-this-test',
    hmacSecret: 'the-callback-secret-of-this-test',
    integrationId: 700_007,
  },
  shipping: { apiKey: 'the-courier-key-of-this-test', webhookKey: 'the-webhook-key-of-this-test' },
  identity: { clientId: 'the-desk-of-this-test', clientSecret: 'the-desk-secret-of-this-test' },
}

const walletKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey

/** The next forty days. */
const holidays = Array.from({ length: 40 }, (_, days) =>
  new Date(Date.now() + days * day).toISOString().slice(0, 10),
)

const environment = {
  OTP_ACCOUNT_SID: accounts.otp.accountSid,
  OTP_AUTH_TOKEN: accounts.otp.authToken,
  OTP_USER_SERVICE_SID: accounts.otp.userServiceSid,
  OTP_AGENT_SERVICE_SID: accounts.otp.agentServiceSid,
  OTP_SENDS_PER_PHONE: '2/60s',
  OTP_CHANNELS: 'sms,call',
  OTP_CALL_COUNTRIES: 'TR',
  ALLOWED_PHONE_COUNTRIES: 'SA,TR',
  PAYMENT_SECRET_KEY: accounts.payment.secretKey,
  PAYMENT_PUBLIC_KEY: accounts.payment.publicKey,
  PAYMENT_API_KEY: accounts.payment.apiKey,
  PAYMENT_HMAC_SECRET: accounts.payment.hmacSecret,
  PAYMENT_HMAC_SECRET_PREVIOUS: 'the-callback-secret-before',
  PAYMENT_INTEGRATION_ID: String(accounts.payment.integrationId),
  SHIPPING_API_KEY: accounts.shipping.apiKey,
  SHIPPING_WEBHOOK_KEY: accounts.shipping.webhookKey,
  SHIPPING_WEBHOOK_KEY_PREVIOUS: 'the-webhook-key-before',
  TRACKING_POLL_INTERVAL: '24h',
  TRACKING_SILENCE_HOURS: '7',
  MESSAGES_ENABLED: 'true',
  MESSAGES_ACCOUNT_SID: accounts.messaging.accountSid,
  MESSAGES_AUTH_TOKEN: accounts.messaging.authToken,
  MESSAGES_FROM: accounts.messaging.from,
  SMTP_FROM: 'letters@bags.example',
  ENABLED_BOOKING_TYPES: 'TO_MINA,FROM_MINA',
  CANCELLATION: '48h',
  HANDOVER_PHOTO: 'false',
  LIABILITY_SENTENCE_AR: 'يُدفع 100 ريال عن الحقيبة.',
  LIABILITY_SENTENCE_EN: 'SAR 100 are paid for a bag.',
  TRANSIT_DAYS: 'RUH=2-3,*=4-5',
  HAND_IN_UNTIL: '2099-12-31',
  STORAGE_DAYS: '9',
  LATE_AFTER_DAYS: '6',
  LIABILITY_LOST_SAR: '100',
  WORK_HOLIDAYS: holidays.join(','),
  SELLER_NAME: 'شركة الحقائب',
  SELLER_ADDRESS: 'شارع العزيزية، مكة',
  SELLER_VAT_NUMBER: '300000000000013',
  SELLER_CR_NUMBER: '1234567890',
  VAPID_PRIVATE_KEY: rfcSender.privateKey,
  GOOGLE_WALLET_ISSUER_ID: '3388000000000000777',
  GOOGLE_WALLET_ACCOUNT: JSON.stringify({
    client_email: 'passes@bags.example',
    private_key: walletKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
  DESK_OIDC_CLIENT_ID: accounts.identity.clientId,
  DESK_OIDC_CLIENT_SECRET: accounts.identity.clientSecret,
  DESK_OIDC_SCOPE: 'profile openid',
  // The simulator's people have two names each, which serve as roles here.
  DESK_ROLES_CLAIM: 'name',
  DESK_ROLES_SEPARATED: 'true',
  DESK_ROLE_SUPPORT: 'سارة',
  DESK_ROLE_MONEY: 'ماجد',
  DESK_ROLE_LEAD: 'لولوة',
} satisfies Partial<Record<keyof Config, string>>

let stack: InProcessStack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack({ env: environment, accounts, limits: { messagesPerDay: 1 } })
  rows = openRows(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const british = '+447400123456'

describe('the accounts at the services', () => {
  it('send codes, open and look up payments, make airway bills, and receive scans', async () => {
    await newPerson(stack).signInAgent('+966500000101')
    const { person, user } = await signedUpPilgrim(stack)
    const { orderId, publicKey } = await person.checkout(user.id)
    expect(publicKey).toBe(accounts.payment.publicKey)
    // Without a callback: only an inquiry tells that the card was charged.
    await stack.control.replay(orderId, 'success', { callback: 'lose' })
    await eventually(async () => ((await person.order(orderId)).status === 'PAID' ? true : undefined))
    const awb = await issuedAwb(person, orderId)
    const { pushes } = await stack.control.advance(awb)
    expect(pushes.map(({ status }) => status)).toEqual([200])
  })

  it('accept callbacks and scans that are proven by the secret before, and by no other', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const { orderId } = await person.checkout(user.id)
    const [payment] = await stack.control.paymentsOf(orderId)
    if (!payment) throw new Error('the order has a payment')
    const paid = successOn(payment, { integration_id: accounts.payment.integrationId })
    const signed = (secret: string) => deliver(stack.gatewayUrl, callbackOf(paid, signatureOf(paid, secret)))
    expect(await signed('the-callback-secret-of-a-stranger')).toBe(401)
    expect(await signed(environment.PAYMENT_HMAC_SECRET_PREVIOUS)).toBe(200)
    expect((await person.order(orderId)).status).toBe('PAID')

    const pushed = async (key: string) =>
      (await person.send('POST', receiveScans.path, { body: [], headers: { 'x-webhook-key': key } })).status
    expect(await pushed('the-webhook-key-of-a-stranger')).toBe(401)
    expect(await pushed(environment.SHIPPING_WEBHOOK_KEY_PREVIOUS)).toBe(200)
  })

  it('send SMS from the own sender, and none once the budget of the day is spent', async () => {
    const sent = async (phone?: string) => (await stack.control.messages(phone)).map(({ status }) => status)
    await paidOrder(stack, await signedUpPilgrim(stack))
    await eventually(async () => ((await sent()).includes('delivered') ? true : undefined))
    const { person, user } = await signedUpPilgrim(stack)
    const orderId = await paidOrder(stack, { person, user })
    await eventually(async () => {
      const [held] = await rows.ask`SELECT id FROM messages
        WHERE order_id = ${orderId} AND state = 'waiting' AND due_at > ${stack.now() + 10 * minute}`
      return held
    })
    expect(await sent(user.phone ?? '')).toEqual([])
  })

  it('send letters from the own address', async () => {
    const email = 'maryam@example.com'
    await withEmail(stack, await signedUpPilgrim(stack), email)
    const letters = async () => (await stack.control.mails(email)).find(({ by }) => by === 'smtp')
    expect((await eventually(letters)).from).toContain(environment.SMTP_FROM)
  })

  it('sign wallet passes, and give browsers the key of push messages', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    const orderId = await paidOrder(stack, pilgrim)
    const awb = await issuedAwb(pilgrim.person, orderId)
    const { url } = await pilgrim.person.call(readWalletLink, { params: { id: String(orderId), awb } })
    const pass = JSON.parse(Buffer.from(url.split('.')[3] ?? '', 'base64url').toString())
    expect(pass).toMatchObject({
      iss: 'passes@bags.example',
      payload: { genericObjects: [{ id: `${environment.GOOGLE_WALLET_ISSUER_ID}.${awb}` }] },
    })
    expect((await pilgrim.person.call(readPush)).publicKey).toBe(rfcSender.publicKey)
  })
})

describe('the desk', () => {
  it.each([
    ['sara', 'support'],
    ['majed', 'money'],
    ['lulwa', 'lead'],
  ])('gives %s the role that the provider names in the own words', async (as, role) => {
    const browser = newDeskBrowser(stack)
    const { searchParams } = new URL(await browser.begin())
    expect(searchParams.get('scope')).toBe(environment.DESK_OIDC_SCOPE)
    await browser.signIn({ as })
    expect((await browser.person.call(readDeskSession)).staff.roles).toEqual([role])
  })
})

describe('phones of a country that is not allowed', () => {
  const refused = 'PHONE_CANNOT_RECEIVE_CODES'

  it('get no code, neither to sign in nor for an account whose number is gone, and no account', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    expect((await newPerson(stack).attempt(requestOtp, { body: { phone: british } })).code).toBe(refused)
    const body = { email: 'maryam@example.com', phone: british }
    expect((await newPerson(stack).attempt(recoverAccount, { body })).code).toBe(refused)
    const desk = newDeskBrowser(stack)
    await desk.signIn({ as: 'sara' })
    const asked = await desk.person.attempt(askNumber, {
      params: { userId: String(pilgrim.user.id) },
      body: { phone: british, reason: 'lost the phone in Mina' },
    })
    expect(asked.code).toBe(refused)
  })

  it('get no message', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    await rows.ask`UPDATE users SET phone = ${british} WHERE id = ${pilgrim.user.id}`
    const orderId = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, orderId)
    await eventually(async () => {
      const waiting = await rows.ask`SELECT id FROM messages WHERE order_id = ${orderId}`
      return waiting.length === 0 ? true : undefined
    })
  })
})

it('codes go by the channels on offer, to listed countries by call, and as often as is allowed', async () => {
  const person = newPerson(stack)
  const ask = async (phone: string) => {
    const { channels, sent } = await person.call(requestOtp, { body: { phone } })
    return { channels, sent }
  }
  const phone = newPhone()
  expect(await ask(phone)).toEqual({ channels: ['sms'], sent: true })
  expect(await ask(phone)).toEqual({ channels: ['sms'], sent: true })
  expect(await ask(phone)).toEqual({ channels: ['sms'], sent: false })
  expect(await ask('+905321234567')).toEqual({ channels: ['sms', 'call'], sent: true })
})

it('browsers read the terms of sale, the seller, what is promised, how long a bag may be silent, and that no bag is pictured', async () => {
  const shown = await newPerson(stack).call(readConfig)
  expect(shown).toMatchObject({
    enabledTypes: ['TO_MINA', 'FROM_MINA'],
    purchase: {
      cancellation: { isOffered: true, hours: 48 },
      liability: { ar: environment.LIABILITY_SENTENCE_AR, en: environment.LIABILITY_SENTENCE_EN },
      seller: {
        vatNumber: environment.SELLER_VAT_NUMBER,
        registrationNumber: environment.SELLER_CR_NUMBER,
        isExample: false,
      },
    },
    promises: {
      transitDays: { RUH: [2, 3], default: [4, 5] },
      handInUntil: '2099-12-31',
      storageDays: 9,
      lateAfterDays: 6,
      lostSar: 100,
    },
    tracking: { silenceHours: 7 },
    handoverPhoto: false,
  })
})

it('an order keeps the version of the terms that browsers read', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const { termsVersion } = await pilgrim.person.call(readConfig)
  await pilgrim.person.checkout(pilgrim.user.id)
  await pilgrim.person.confirm('export')
  const { orders } = await pilgrim.person.call(exportUser)
  expect(orders.map(({ terms }) => terms?.version)).toEqual([termsVersion])
})

it('a paid order has a receipt of the seller, a first question to the courier, and a claim no answer on a holiday', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const orderId = await paidOrder(stack, pilgrim)
  await issuedAwb(pilgrim.person, orderId)
  const receipt = await eventually(async () => {
    const [row] = await rows.ask<{
      document: string
    }>`SELECT document FROM receipts WHERE order_id = ${orderId}`
    return row?.document || undefined
  })
  expect(JSON.parse(receipt).seller).toEqual({
    name: environment.SELLER_NAME,
    address: environment.SELLER_ADDRESS,
    vatNumber: environment.SELLER_VAT_NUMBER,
    registrationNumber: environment.SELLER_CR_NUMBER,
  })

  const [tracked] = await rows.ask<{ due_at: number }>`SELECT due_at FROM tracked_bookings
    WHERE booking_id IN (SELECT id FROM bookings WHERE order_id = ${orderId})`
  expect(Number(tracked?.due_at)).toBeGreaterThan(stack.now() + 2 * day)

  await stack.control.advance(await issuedAwb(pilgrim.person, orderId), { to: 'at-branch' })
  const { claim } = await pilgrim.person.call(openClaim, {
    params: { id: String(orderId) },
    body: { kind: 'other', text: 'A wheel of my bag is broken.' },
  })
  expect(claim.answerBy > (holidays.at(-1) ?? '')).toBe(true)
})

/**
 * Every stack of the tests derives these from MOCK_PARTNER_PORT. With another address of a service its tests fail; the
 * mailbox is read in `test/api/mail.test.ts`.
 */
const derived = [
  'OTP_BASE_URL',
  'PAYMENT_BASE_URL',
  'SHIPPING_BASE_URL',
  'MESSAGES_BASE_URL',
  'SMTP_URL',
] as const

/** Other variables, each with a test that sets it and sees what follows. */
const provenElsewhere: Readonly<
  Record<Exclude<keyof Config, 'limits' | keyof typeof environment | (typeof derived)[number]>, string>
> = {
  MODE: 'server/app.test.ts',
  PUBLIC_URL: 'test/attacks/session-theft.test.ts',
  TRUSTED_PROXIES: 'server/app.test.ts',
  PAYMENT_TEST: 'server/features/config/config.rules.test.ts',
  PAYMENT_WIDGET_SCRIPT: 'test/api/payment-page.test.ts',
  PAYMENT_WIDGET_INTEGRITY: 'test/api/payment-page.test.ts',
  PAYMENT_WIDGET_FRAMES: 'test/journeys/real-widget.test.ts',
  DATABASE_URL: 'test/api/start.process.test.ts',
  LISTEN_URL: 'test/money/pgbouncer.process.full.test.ts',
  METRICS_TOKEN: 'server/app.test.ts',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'server/app.telemetry.test.ts',
  OTP_DAILY_BUDGET: 'test/attacks/sign-in-limits.test.ts',
  INVOICE_PHASE: 'server/features/receipts/receipts.rules.test.ts',
  DESK_OIDC_ISSUER: 'test/attacks/desk.test.ts',
  DESK_REFUND_ALONE: 'server/desk/orders/desk-orders.test.ts',
  PORT: 'test/api/start.process.test.ts',
  HOST: 'test/api/start.process.test.ts',
  CALLBACK_URL: 'test/attacks/payment-forgery.test.ts',
  DATA_DIR: 'test/api/start.process.test.ts',
  EVENT_STREAMS: 'test/api/streams.test.ts',
  LOG_LEVEL: 'test/api/start.process.test.ts',
  DEMO_CONTROL_KEY: 'test/attacks/demo.test.ts',
  DRAIN_MS: 'test/api/start.process.test.ts',
  MOCK_PARTNER_PORT: 'mock-partner/main.test.ts',
}

it('every variable is set to another value than its default by a test that sees what follows', () => {
  const valuesOf = (env: Readonly<Record<string, string>>) => new Map(Object.entries(readVariables(env)))
  const usual = valuesOf(stackEnv)
  const own = valuesOf({ ...environment, DESK_OIDC_ISSUER: 'http://localhost:4000/identity' })
  const sets = (path: string, name: string) =>
    isInRepo(path) && new RegExp(`\\b${name}\\b`).test(readRepoFile(path))
  const isProven = (name: string) => {
    if (name in environment) return !isDeepStrictEqual(own.get(name), usual.get(name))
    const path = new Map(Object.entries(provenElsewhere)).get(name)
    return path === undefined ? derived.some((each) => each === name) : sets(path, name)
  }
  expect(configRows.map(({ name }) => name).filter((name) => !isProven(name))).toEqual([])
})
