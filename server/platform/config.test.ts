import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { composeVariables, demoPassword } from './compose-variables.ts'
import { ConfigError, promisesOf, reachedAt, readConfig, warningsAbout, widgetStyles } from './config.ts'
import { families, removedVariables } from './config-environment.ts'
import { proxiesPlaceholder } from './config-parsers.ts'
import { configRows, variables } from './config-variables.ts'

type Env = Record<string, string | undefined>

function reasonsOf(env: Env, namesInFile?: readonly string[]): readonly string[] {
  try {
    readConfig(env, namesInFile)
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons
    throw error
  }
  throw new Error('the configuration is accepted')
}

/** A complete environment of a real deployment. */
const live: Env = {
  MODE: 'live',
  PUBLIC_URL: 'https://amtiati.example',
  TRUSTED_PROXIES: '10.0.0.7',
  DATABASE_URL: 'postgres://db/amtiati',
  OTP_BASE_URL: 'https://verify.twilio.com/v2',
  OTP_ACCOUNT_SID: 'AC-live',
  OTP_AUTH_TOKEN: 'otp-live',
  OTP_USER_SERVICE_SID: 'VA-users',
  OTP_AGENT_SERVICE_SID: 'VA-agents',
  PAYMENT_BASE_URL: 'https://ksa.paymob.com',
  PAYMENT_SECRET_KEY: 'sau_sk_live_1',
  PAYMENT_PUBLIC_KEY: 'sau_pk_live_1',
  PAYMENT_API_KEY: 'api-live',
  PAYMENT_HMAC_SECRET: 'hmac-live',
  PAYMENT_INTEGRATION_ID: '123456',
  PAYMENT_WIDGET_SCRIPT: 'https://cdn.jsdelivr.net/npm/paymob-pixel@1.2.7/main.js',
  PAYMENT_WIDGET_INTEGRITY: `sha384-${'A'.repeat(64)}`,
  PAYMENT_WIDGET_FRAMES: 'https://ksa.checkout.paymob.com,https://ksa.paymob.com',
  SHIPPING_BASE_URL: 'https://ecomapis.smsaexpress.com',
  SHIPPING_API_KEY: 'ship-live',
  SHIPPING_WEBHOOK_KEY: 'webhook-live-0123456789',
}

describe('readConfig of an empty environment', () => {
  it('is the demo: every URL is the simulator’s and no account is needed', () => {
    expect(readConfig({})).toMatchObject({
      MODE: 'demo',
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      CALLBACK_URL: 'http://localhost:3000',
      DATA_DIR: './data',
      LOG_LEVEL: 'info',
      ENABLED_BOOKING_TYPES: ['FROM_MINA'],
      MOCK_PARTNER_PORT: 4000,
      OTP_BASE_URL: 'http://localhost:4000/otp/v2',
      OTP_ACCOUNT_SID: demoAccounts.otp.accountSid,
      PAYMENT_BASE_URL: 'http://localhost:4000/payment',
      PAYMENT_HMAC_SECRET: demoAccounts.payment.hmacSecret,
      PAYMENT_INTEGRATION_ID: demoAccounts.payment.integrationId,
      PAYMENT_WIDGET_FRAMES: ['http://localhost:4000'],
      SHIPPING_BASE_URL: 'http://localhost:4000/shipping',
    })
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '  ', DATABASE_URL: '' })).toEqual(readConfig({}))
  })
})

// From the example in RFC 8291, section 5.
const pushKeys = { VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw' }
const asPem = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256', ...asPem }).privateKey
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 1_024, ...asPem }).privateKey
const demoKey = `-----BEGIN PRIVATE KEY-----\n${demoAccounts.wallet.privateKey}\n-----END PRIVATE KEY-----\n`

const accountOf = (private_key: string, client_email = 'passes@amtiati-live.iam.gserviceaccount.com') =>
  JSON.stringify({ client_email, private_key })
const wallet = {
  GOOGLE_WALLET_ISSUER_ID: '3388000000012345678',
  GOOGLE_WALLET_ACCOUNT: accountOf(rsaKey),
}
const notAccount = 'is not the key file of a service account: JSON with client_email and an RSA private_key'

const notDays = 'is not none or a list of days by city such as RUH=2-4,JED=1-2,*=3-6'

const liability = {
  LIABILITY_SENTENCE_AR: 'يعوّضك شريك الشحن عن الحقيبة المفقودة بما لا يزيد على 75 ر.س.',
  LIABILITY_SENTENCE_EN: 'For a lost bag the shipping partner pays at most SAR 75.',
}

/** Error for a group that lacks only this name. */
const missingOf = (group: Env) =>
  Object.keys(group).map((name) => {
    const [set] = Object.keys(group).filter((other) => other !== name)
    return [name, `is missing, and ${set} needs it`, [''], group] as const
  })

const seller = {
  SELLER_NAME: 'شركة نقل الأمتعة',
  SELLER_ADDRESS: 'مكة المكرمة',
  SELLER_VAT_NUMBER: '310000000000013',
  SELLER_CR_NUMBER: '4030000001',
}

const messages = {
  MESSAGES_ENABLED: 'true',
  MESSAGES_ACCOUNT_SID: 'AC-live',
  MESSAGES_AUTH_TOKEN: 'messages-live',
  MESSAGES_FROM: 'Amtiati',
}

/** Values that are read unchanged. */
const asWritten = {
  MESSAGES_FROM: ['Amtiati', 'Bag 24', '+966500000001', `MG${'0'.repeat(32)}`],
  METRICS_TOKEN: ['sixteen-letters!'],
  PAYMENT_WIDGET_INTEGRITY: [`sha384-${'A'.repeat(64)}`],
  PAYMENT_HMAC_SECRET_PREVIOUS: ['old'],
  SHIPPING_WEBHOOK_KEY_PREVIOUS: ['an-old-webhook-key'],
  DATABASE_URL: [
    ...[
      'postgres://localhost/amtiati',
      'postgresql://amtiati:secret@one:5432,two/amtiati?sslmode=verify-full',
    ],
    `postgres://amtiati:${demoPassword}@database:5432/amtiati`,
  ],
}

const accepted: readonly (readonly [env: Env, config: object])[] = [
  ...Object.entries(asWritten).flatMap(([name, values]) =>
    values.map((value) => [{ [name]: value }, { [name]: value }] as const),
  ),
  [
    { PORT: '3100', MOCK_PARTNER_PORT: '4100' },
    {
      PUBLIC_URL: 'http://localhost:3100',
      CALLBACK_URL: 'http://localhost:3100',
      OTP_BASE_URL: 'http://localhost:4100/otp/v2',
      PAYMENT_WIDGET_SCRIPT: 'http://localhost:4100/payment/widget/main.js',
    },
  ],
  [
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.0.2.7:3000' },
    {
      PAYMENT_WIDGET_SCRIPT: 'http://192.0.2.7:4000/payment/widget/main.js',
      PAYMENT_WIDGET_FRAMES: ['http://192.0.2.7:4000'],
      DESK_OIDC_ISSUER: 'http://192.0.2.7:4000/identity',
      SHIPPING_BASE_URL: 'http://localhost:4000/shipping',
      SMTP_URL: 'smtp://localhost:4025',
    },
  ],
  [
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.example' },
    { PAYMENT_WIDGET_FRAMES: ['http://localhost:4000'], DESK_OIDC_ISSUER: 'http://localhost:4000/identity' },
  ],
  [{ TRANSIT_DAYS: ' RUH=2-4, *=3-6' }, { TRANSIT_DAYS: { RUH: [2, 4], default: [3, 6] } }],
  [{ TRANSIT_DAYS: '*=3-6', LATE_AFTER_DAYS: '6' }, { LATE_AFTER_DAYS: 6 }],
  [{ HOST: '::' }, { PUBLIC_URL: 'http://localhost:3000' }],
  [{ HOST: '2001:db8::7' }, { PUBLIC_URL: 'http://[2001:db8::7]:3000' }],
  [
    { PUBLIC_URL: 'https://amtiati.example//' },
    { PUBLIC_URL: 'https://amtiati.example', CALLBACK_URL: 'https://amtiati.example' },
  ],
  [
    { PUBLIC_URL: ' https://amtiati.example ', PORT: '3100 ' },
    { PUBLIC_URL: 'https://amtiati.example', PORT: 3_100 },
  ],
  [
    { ENABLED_BOOKING_TYPES: 'TO_AND_FROM_MINA, FROM_MINA,FROM_MINA' },
    { ENABLED_BOOKING_TYPES: ['FROM_MINA', 'TO_AND_FROM_MINA'] },
  ],
  [{ ALLOWED_PHONE_COUNTRIES: 'SA, EG' }, { ALLOWED_PHONE_COUNTRIES: ['SA', 'EG'] }],
  [
    { PAYMENT_WIDGET_FRAMES: 'https://a.example, ,https://b.example/' },
    { PAYMENT_WIDGET_FRAMES: ['https://a.example', 'https://b.example'] },
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32' },
    { TRUSTED_PROXIES: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'] },
  ],
  [{ ...live, TRUSTED_PROXIES: 'none' }, { TRUSTED_PROXIES: [] }],
  [{ OTP_DAILY_BUDGET: '0' }, { OTP_DAILY_BUDGET: 0 }],
  [{ CANCELLATION: 'off' }, { CANCELLATION: { isOffered: false, hours: 0 } }],
  [{ CANCELLATION: '48h' }, { CANCELLATION: { isOffered: true, hours: 48 } }],
  [live, { MODE: 'live', CALLBACK_URL: 'https://amtiati.example', TRACKING_POLL_INTERVAL: 1_800_000 }],
  [live, { MESSAGES_ENABLED: false, MESSAGES_BASE_URL: 'https://api.twilio.com' }],
  [
    { ...live, ...messages },
    { MESSAGES_ENABLED: true, MESSAGES_FROM: 'Amtiati' },
  ],
  [{ ...live, ...pushKeys }, pushKeys],
  [
    { ...live, ...wallet },
    { GOOGLE_WALLET_ACCOUNT: { email: 'passes@amtiati-live.iam.gserviceaccount.com' } },
  ],
  [{ ...live, ...liability }, liability],
  [{ ...live, ...seller, INVOICE_PHASE: '1' }, seller],
]

const severalServers = 'is set, and it or DATABASE_URL names several servers'
const notNetworks = 'is not a list of addresses and networks (CIDR)'
const tooWide = 'trusts a network too wide to be a proxy’s'
const isPlaceholder = 'is the placeholder of deploy/: name the proxy in front of the gateway, or none'
const notWindows = 'is not a list of count/window, such as 3/10m,10/1d'
const notVat = 'is not 15 digits that begin and end with 3'

/** Each value alone is refused for exactly this reason. */
const refused: readonly (readonly [name: string, reason: string, values: readonly string[], beside?: Env])[] =
  [
    ['MODE', 'is not one of demo, live', ['test']],
    ['PORT', 'is not a whole number from 0 to 65535', ['65536', '3e3', '-1']],
    ['HOST', 'is not an address or a name', ['not a host']],
    ['PUBLIC_URL', 'is not an http(s) URL', ['amtiati.example', 'ftp://amtiati.example']],
    ['LOG_LEVEL', 'is not one of fatal, error, warn, info, debug, trace, silent', ['loud']],
    ['ENABLED_BOOKING_TYPES', 'is not one of TO_MINA, FROM_MINA, TO_AND_FROM_MINA', ['FROM_MARS', ',']],
    ['ALLOWED_PHONE_COUNTRIES', 'is not a list of ISO country codes', ['Saudi Arabia', 'sa']],
    ['PAYMENT_INTEGRATION_ID', 'is not a whole number of at least 1', ['12a', '0']],
    ['PAYMENT_WIDGET_FRAMES', 'is not an http(s) URL', ['https://a.example,nonsense']],
    [
      'PAYMENT_WIDGET_INTEGRITY',
      'is not a hash like sha384-…',
      ['abc', 'md5-1B2M2Y8AsgTpgAmY7PhCfg==', 'sha384-tooshort'],
    ],
    ['DATABASE_URL', 'is not a postgres:// URL', ['mysql://localhost/amtiati', 'postgres://one,two:x/a']],
    ['LISTEN_URL', 'is set without DATABASE_URL', ['postgres://db/amtiati']],
    [
      'LISTEN_URL',
      severalServers,
      ['postgres://one,two/amtiati'],
      { DATABASE_URL: 'postgres://pool/amtiati' },
    ],
    ['LISTEN_URL', severalServers, ['postgres://db/amtiati'], { DATABASE_URL: 'postgres://one,two/amtiati' }],
    [
      'TRUSTED_PROXIES',
      notNetworks,
      ['true', '1', 'loopback', '*', '::ffff:0:0/96', '10.0.0.1,', '10.0.0.256'],
    ],
    ['TRUSTED_PROXIES', notNetworks, ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0']],
    ['TRUSTED_PROXIES', notNetworks, ['2001:db8::1/129']],
    ['TRUSTED_PROXIES', tooWide, ['0.0.0.0/0', '::/0', '128.0.0.0/1']],
    ['TRUSTED_PROXIES', notNetworks, ['none,10.0.0.1', 'NONE']],
    ['TRUSTED_PROXIES', isPlaceholder, [proxiesPlaceholder], live],
    ['TRUSTED_PROXIES', 'is missing: name the proxy in front of the gateway, or none', [''], live],
    [
      'DATABASE_URL',
      'is missing: name a PostgreSQL, postgres://user:password@host:5432/name, because MODE=live does not run on SQLite',
      [''],
      live,
    ],
    ['METRICS_TOKEN', 'is shorter than 16 characters', ['short', 'fifteen-letters']],
    ['OTP_SENDS_PER_PHONE', notWindows, ['three an hour']],
    ['MESSAGES_ENABLED', 'is not one of true, false', ['yes']],
    [
      'CANCELLATION',
      'is not off, until-hand-over or a number of hours such as 48h',
      ['48', '0h', '2d', 'never'],
    ],
    [
      'MESSAGES_FROM',
      'is not a number, a name of at most 11 letters and digits, or MG…',
      ['Amtiati Travel', '12345', 'أمتعتي', '0500000001'],
    ],
    ...[wallet, liability].flatMap(missingOf),
    [
      'GOOGLE_WALLET_ACCOUNT',
      notAccount,
      ['{}', wallet.GOOGLE_WALLET_ACCOUNT.replace('@', ' '), accountOf(ecKey)],
      wallet,
    ],
    ['GOOGLE_WALLET_ISSUER_ID', 'is not an issuer id: digits alone', ['BCR2DN4T'], wallet],
    ['GOOGLE_WALLET_ISSUER_ID', 'is the demo value', [demoAccounts.wallet.issuerId], { ...live, ...wallet }],
    [
      'GOOGLE_WALLET_ACCOUNT',
      'is the demo value',
      [accountOf(demoKey), accountOf(rsaKey, demoAccounts.wallet.clientEmail)],
      { ...live, ...wallet },
    ],
    ['TRANSIT_DAYS', notDays, ['3-6', 'RUH=4-2', 'RUH=2', 'ruh=2-4', '*=1-100', 'RUH=2-4,']],
    ['TRANSIT_DAYS', 'names XXX, which is the code of no city', ['XXX=2-4', 'RUH=2-4,XXX=1-2']],
    ['TRANSIT_DAYS', 'names RUH twice', ['RUH=2-4,RUH=1-2']],
    ['TRANSIT_DAYS', 'names * twice', ['*=2-4,*=1-2']],
    ['HAND_IN_UNTIL', 'is not a date such as 2027-05-29', ['2027-02-30', '29.05.2027']],
    ['STORAGE_DAYS', 'is not a whole number from 1 to 365', ['0', '366']],
    [
      'LATE_AFTER_DAYS',
      'is less than the most days of TRANSIT_DAYS',
      ['5'],
      { TRANSIT_DAYS: 'RUH=2-4,*=3-6' },
    ],
    ['VAPID_PRIVATE_KEY', 'is not a private key of P-256 in base64url', ['short', 'A'.repeat(43)], {}],
    ['SELLER_VAT_NUMBER', notVat, ['210000000000013', '31000000000003'], live],
    ['SELLER_VAT_NUMBER', 'is the demo value', ['300000000000003'], live],
    ['SELLER_CR_NUMBER', 'is not ten digits', ['403000000'], live],
    [
      'SELLER_CR_NUMBER',
      'is missing, and INVOICE_PHASE needs it',
      [''],
      { ...live, ...seller, INVOICE_PHASE: '1' },
    ],
    ['SELLER_NAME', 'is not one line of at most 255 bytes', ['ن'.repeat(128), 'Makkah\nMina'], live],
    ['INVOICE_PHASE', 'is not one of 1', ['2'], live],
    ['PAYMENT_WIDGET_INTEGRITY', 'is missing', [''], live],
    ['DEMO_CONTROL_KEY', 'is set', ['a-key-of-the-testers'], live],
    [
      'OTP_BASE_URL',
      'points at the simulator or at this machine',
      [
        'https://localhost:4000',
        'https://127.0.0.1:4000',
        'https://127.1:4000',
        'https://[::1]:4000',
        'https://0.0.0.0',
        'https://mock-partner:4000',
        'https://app.localhost',
      ],
      live,
    ],
    // Once, although several addresses of the list are wrong.
    ['PAYMENT_WIDGET_FRAMES', 'is not https', ['http://a.example,http://b.example'], live],
    ['OTP_AGENT_SERVICE_SID', 'equals OTP_USER_SERVICE_SID', ['VA-users'], live],
    ['MESSAGES_AUTH_TOKEN', 'is the demo value', ['demo-messaging-auth-token'], { ...live, ...messages }],
    ['PAYMENT_HMAC_SECRET_PREVIOUS', 'equals PAYMENT_HMAC_SECRET', ['hmac-live'], live],
    ['PAYMENT_HMAC_SECRET_PREVIOUS', 'is the demo value', [demoAccounts.payment.hmacSecret], live],
    ['SHIPPING_WEBHOOK_KEY_PREVIOUS', 'is the demo value', [demoAccounts.shipping.webhookKey], live],
    [
      'DATABASE_URL',
      'has the password of the demo',
      ['database:5432', 'one,two'].map((host) => `postgres://amtiati:${demoPassword}@${host}/amtiati`),
      live,
    ],
  ]

describe('readConfig', () => {
  it.each(accepted)('accepts %j', (env, config) => {
    expect(readConfig(env)).toMatchObject(config)
  })

  it.each(
    refused.flatMap(([name, reason, values, beside]) =>
      values.map((value) => [name, value, reason, beside] as const),
    ),
  )('refuses %s=%s, which %s', (name, value, reason, beside) => {
    expect(reasonsOf({ ...beside, [name]: value })).toEqual([`${name} ${reason}`])
  })

  it('promises what examples say in the demo, until one figure is set, and nothing in live', () => {
    expect(readConfig({})).toMatchObject({ TRANSIT_DAYS: { RUH: [2, 4] }, LIABILITY_LOST_SAR: 75 })
    for (const env of [{ TRANSIT_DAYS: 'none' }, live]) {
      expect(promisesOf(readConfig(env))).toEqual({ transitDays: {} })
    }
    expect(promisesOf(readConfig({ STORAGE_DAYS: '5' }))).toEqual({ transitDays: {}, storageDays: 5 })
  })

  it('names every wrong variable at once', () => {
    const reasons = reasonsOf({ PORT: 'x', LOG_LEVEL: 'y', PAYMENT_INTEGRATION_ID: 'z' })
    expect(reasons.map((reason) => reason.split(' ')[0])).toEqual([
      'PAYMENT_INTEGRATION_ID',
      'PORT',
      'LOG_LEVEL',
    ])
  })

  it('never prints a value', () => {
    const env = Object.fromEntries(configRows.map(({ name }) => [name, `hush-hush ${name.toLowerCase()}`]))
    const reasons = reasonsOf(env).join()
    expect(reasons).toContain('PORT')
    expect(reasons).not.toContain('hush-hush')
  })
})

describe('readConfig with MODE=live', () => {
  it('names every missing key at once, and every address that is still the simulator’s', () => {
    const reasons = reasonsOf({ MODE: 'live' })
    const named = reasons.map((reason) => reason.split(' ')[0])
    for (const { name, table, url } of configRows) {
      if (table === 'must' && name !== 'MODE')
        expect(reasons).toContainEqual(expect.stringMatching(new RegExp(`^${name} is missing(?:: |$)`)))
      if (table === 'must' && url) expect(named).toContain(name)
    }
    expect(named).toContain('PAYMENT_WIDGET_FRAMES')
  })

  const demoValues = configRows.flatMap(({ name, table, default: value }) =>
    table === 'must' && name !== 'MODE' && value !== undefined ? [[name, value] as const] : [],
  )

  it.each<[string, Env, readonly string[]]>([
    [
      'test keys',
      { PAYMENT_SECRET_KEY: 'sau_sk_test_1', PAYMENT_PUBLIC_KEY: 'sau_pk_test_1' },
      ['test', 'test'],
    ],
    ['one test key', { PAYMENT_PUBLIC_KEY: 'ksa_pk_test_1' }, ['test']],
    ['live keys in a trial', { PAYMENT_TEST: 'true' }, ['live', 'live']],
    ['one live key in a trial', { PAYMENT_TEST: 'true', PAYMENT_SECRET_KEY: 'sau_sk_test_1' }, ['live']],
  ])('refuses %s', (_, change, wrong) => {
    const reasons = reasonsOf({ ...live, ...change })
    expect(reasons.map((reason) => / is a (\w+) key/.exec(reason)?.[1])).toEqual(wrong)
    expect(reasons.join()).not.toMatch(/sau_|ksa_/)
  })

  it.each(demoValues)('refuses the demo value of %s without printing it', (name, value) => {
    const reasons = reasonsOf({ ...live, [name]: value })
    expect(reasons).toContain(`${name} is the demo value`)
    expect(reasons.join()).not.toContain(value)
  })

  it.each(configRows.filter(({ url }) => url).map(({ name }) => name))(
    'refuses plain http for %s',
    (name) => {
      const reasons = reasonsOf({ ...live, ...messages, [name]: 'http://amtiati.example' })
      expect(reasons).toContain(`${name} is not https`)
    },
  )

  it('needs the keys of messages where they are switched on, and accepts any address where they are not', () => {
    expect(reasonsOf({ ...live, MESSAGES_ENABLED: 'true' })).toEqual([
      'MESSAGES_ACCOUNT_SID is missing, and MESSAGES_ENABLED needs it',
      'MESSAGES_AUTH_TOKEN is missing, and MESSAGES_ENABLED needs it',
      'MESSAGES_FROM is missing, and MESSAGES_ENABLED needs it',
    ])
    expect(readConfig({ ...live, MESSAGES_BASE_URL: 'http://mock-partner:4000/messaging' })).toMatchObject({
      MESSAGES_ENABLED: false,
    })
  })
})

describe('configRows', () => {
  it('have a value in each configuration, unless they are optional', () => {
    const without = (config: object) =>
      variables.required.filter((name) => !Object.keys(config).includes(name))
    expect([without(readConfig({})), without(readConfig(live))]).toEqual([[], []])
  })

  it('have a mailbox in the demo, beside the port of the simulator, and none live unless it is set up', () => {
    expect(readConfig({ MOCK_PARTNER_PORT: '4100' }).SMTP_URL).toBe('smtp://localhost:4125')
    const at = (address: string) => readConfig({ SHIPPING_BASE_URL: address }).SMTP_URL
    expect(at('http://mock-partner:4000/shipping')).toBe('smtp://mock-partner:4025')
    expect(at('http://127.0.0.1:4200/shipping')).toBe('smtp://127.0.0.1:4225')
    // A sandbox of the partner has no mailbox: letters stay with the simulator.
    expect(at('https://sandbox.partner.example/shipping')).toBe('smtp://localhost:4025')
    expect(readConfig(live).SMTP_URL).toBeUndefined()
    const mail = { SMTP_URL: 'smtps://u:p@mail.example.com', SMTP_FROM: 'orders@example.com' }
    expect(readConfig({ ...live, ...mail })).toMatchObject(mail)
    expect(reasonsOf({ ...live, SMTP_URL: 'smtp://localhost:25' })).toEqual([
      'SMTP_FROM is missing, and SMTP_URL needs it',
      'SMTP_URL points at the simulator or at this machine',
    ])
    expect(reasonsOf({ ...live, SMTP_FROM: mail.SMTP_FROM })).toEqual([
      'SMTP_URL is missing, and SMTP_FROM needs it',
    ])
    expect(reasonsOf({ SMTP_URL: 'https://u:hush@mail.example.com' })).toEqual([
      'SMTP_URL is not an smtp(s):// URL of user, password, host and port',
    ])
  })

  it('have an identity provider in the demo, and none live unless one is named, whole and not the simulator’s', () => {
    const demo = readConfig({ MOCK_PARTNER_PORT: '4100' })
    expect(demo).toMatchObject({
      DESK_OIDC_ISSUER: 'http://localhost:4100/identity',
      DESK_OIDC_CLIENT_ID: demoAccounts.identity.clientId,
      DESK_ROLES_CLAIM: 'roles',
    })
    expect(readConfig(live).DESK_OIDC_ISSUER).toBeUndefined()
    const desk = {
      DESK_OIDC_ISSUER: 'https://id.example/realms/company/',
      DESK_OIDC_CLIENT_ID: 'desk',
      DESK_OIDC_CLIENT_SECRET: 'a-secret-of-the-desk',
    }
    // The slash belongs to the issuer's name.
    expect(readConfig({ ...live, ...desk })).toMatchObject(desk)
    expect(reasonsOf({ ...live, ...desk, DESK_OIDC_CLIENT_ID: '' })).toEqual([
      'DESK_OIDC_CLIENT_ID is missing, and DESK_OIDC_ISSUER needs it',
    ])
    expect(reasonsOf({ ...live, ...desk, DESK_OIDC_ISSUER: 'http://localhost:4000/identity' })).toEqual([
      'DESK_OIDC_ISSUER points at the simulator or at this machine',
    ])
    const { clientId, clientSecret } = demoAccounts.identity
    expect(
      reasonsOf({ ...live, ...desk, DESK_OIDC_CLIENT_ID: clientId, DESK_OIDC_CLIENT_SECRET: clientSecret }),
    ).toEqual(['DESK_OIDC_CLIENT_ID is the demo value', 'DESK_OIDC_CLIENT_SECRET is the demo value'])
    expect(reasonsOf({ DESK_ROLE_LEAD: 'money' })).toEqual(['DESK_ROLE_LEAD equals DESK_ROLE_MONEY'])
  })

  it('mark every secret', () => {
    for (const { name, secret } of configRows)
      if (/SECRET|TOKEN|API_KEY/.test(name)) expect(secret, name).toBe(true)
  })
})

it('an address of the simulator that browsers open is reached where the gateway reaches the simulator', () => {
  const inContainers = readConfig({
    PAYMENT_WIDGET_SCRIPT: 'http://localhost:4100/payment/widget/main.js',
    SHIPPING_BASE_URL: 'http://mock-partner:4000/shipping',
  })
  expect(inContainers.DESK_OIDC_ISSUER).toBe('http://localhost:4100/identity')
  expect(reachedAt(inContainers, 'http://localhost:4100/identity/token?x=1')).toBe(
    'http://mock-partner:4000/identity/token?x=1',
  )
  expect(reachedAt(inContainers, 'https://id.example/token')).toBe('https://id.example/token')
  expect(reachedAt(readConfig(live), 'https://id.example/token')).toBe('https://id.example/token')
})

describe('the styles of the widget', () => {
  it('are the simulator’s where the script is the simulator’s, at whatever address, and none elsewhere', () => {
    const PAYMENT_WIDGET_SCRIPT = 'http://localhost:4100/payment/widget/main.js'
    expect(widgetStyles(readConfig({ PAYMENT_WIDGET_SCRIPT }))).toEqual([
      'http://localhost:4100/payment/widget/styles.css',
      'http://localhost:4100/payment/widget/main.css',
    ])
    expect(widgetStyles(readConfig(live))).toEqual([])
  })
})

describe('a secret in a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'amtiati-secrets-'))
    writeFileSync(join(folder, 'hmac'), 'a secret of a file\n')
    writeFileSync(join(folder, 'empty'), '\n')
    writeFileSync(join(folder, 'database'), 'postgres://localhost/from-a-file\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)

  it('is read without the line break at its end', () => {
    const config = readConfig({
      PAYMENT_HMAC_SECRET_FILE: at('hmac'),
      DATABASE_URL_FILE: at('database'),
      METRICS_TOKEN_FILE: '',
    })
    expect(config.PAYMENT_HMAC_SECRET).toBe('a secret of a file')
    expect(config.DATABASE_URL).toBe('postgres://localhost/from-a-file')
    expect(config).not.toHaveProperty('METRICS_TOKEN')
  })

  it('counts as set in MODE=live', () => {
    const { PAYMENT_HMAC_SECRET: _, ...rest } = live
    expect(reasonsOf(rest)).toEqual(['PAYMENT_HMAC_SECRET is missing'])
    expect(readConfig({ ...rest, PAYMENT_HMAC_SECRET_FILE: at('hmac') })).toMatchObject({ MODE: 'live' })
  })

  it('beside the variable itself is refused', () => {
    const env = { PAYMENT_HMAC_SECRET: 'one', PAYMENT_HMAC_SECRET_FILE: at('hmac') }
    expect(reasonsOf(env)).toEqual([
      'PAYMENT_HMAC_SECRET and PAYMENT_HMAC_SECRET_FILE are both set: remove one',
    ])
  })

  it.each([
    ['empty', 'PAYMENT_HMAC_SECRET_FILE names an empty file'],
    ['missing', 'PAYMENT_HMAC_SECRET_FILE names a file that cannot be read (ENOENT)'],
    ['.', 'PAYMENT_HMAC_SECRET_FILE names a file that cannot be read (EISDIR)'],
  ])('that is %s is refused', (name, reason) => {
    expect(reasonsOf({ PAYMENT_HMAC_SECRET_FILE: at(name) })).toEqual([reason])
  })

  it.each(configRows.filter(({ secret }) => secret).map(({ name }) => name))('may hold %s', (name) => {
    expect(reasonsOf({ [`${name}_FILE`]: at('missing') })[0]).toContain(`${name}_FILE names a file`)
  })

  it('holds no variable that is no secret', () => {
    expect(reasonsOf({ PAYMENT_PUBLIC_KEY_FILE: at('hmac') })).toEqual([
      'PAYMENT_PUBLIC_KEY_FILE is not known: only secrets are read from files',
    ])
  })
})

describe('an unknown variable', () => {
  /** As on usual machines, in containers, under npm, Kubernetes and a test runner. */
  const machine: Env = {
    PATH: '/usr/bin',
    HOME: '/root',
    HOSTNAME: 'a1b2c3',
    LANG: 'C.UTF-8',
    LOGNAME: 'root',
    DATABASE: 'x',
    DATABASE_HOST: 'db',
    NODE_ENV: 'production',
    NODE_OPTIONS: '--enable-source-maps',
    PUBLIC_DIR: '/srv',
    XDG_DATA_DIRS: '/usr/share',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    PAYMENT_SERVICE_HOST: '10.0.0.2',
    PAYMENT_SERVICE_PORT_HTTP: '80',
    // systemd sets it for a socket that it opens.
    LISTEN_PID: '1',
    PAYMENT_PORT: 'tcp://10.0.0.2:80',
    PAYMENT_PORT_80_TCP_ADDR: '10.0.0.2',
    npm_config_registry: 'https://registry.example',
    OTEL_LOG_LEVEL: 'amtiati',
    MOCK_LABELS: 'fixed',
    ...Object.fromEntries(composeVariables.map(({ name }) => [name, 'x'])),
  }

  it('of the machine is accepted', () => {
    expect(readConfig(machine)).toEqual(readConfig({}))
  })

  it.each([
    ['OTP_DAILY_BUGDET', 'OTP_DAILY_BUDGET'],
    ['SHIPPING_KEY', 'SHIPPING_API_KEY'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUST_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_ADDRESSES', 'TRUSTED_PROXIES'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['ENABLED_BOOKINGS', 'ENABLED_BOOKING_TYPES'],
    ['METRIC_TOKENS', 'METRICS_TOKEN'],
  ])('%s is refused, with the nearest name', (name, nearest) => {
    expect(reasonsOf({ [name]: 'x' })).toEqual([`${name} is not known; the nearest name is ${nearest}`])
  })

  it.each(Object.entries(removedVariables))(
    '%s, which was removed, is refused with what replaces it',
    (name, replacement) => {
      expect(reasonsOf({ [name]: '1' })).toEqual([`${name} was removed: ${replacement}`])
    },
  )

  it.each(configRows.map(({ name }) => name).filter((name) => name.length > 8))(
    'like %s is refused',
    (name) => {
      expect(reasonsOf({ [`${name}S`]: 'x' })[0]).toMatch(/S is not known; the nearest name is /)
    },
  )

  it.each(families)('that begins with %s is refused; known ones begin so', (family) => {
    expect(configRows.some(({ name }) => name.startsWith(family))).toBe(true)
    expect(reasonsOf({ [`${family}QUXQUUX`]: 'x' })[0]).toMatch(/^\w+ is not known; the nearest name is /)
  })

  it('in .env is refused whatever its name, unless it is for another program', () => {
    const names = Object.keys(machine)
    const refused = reasonsOf(machine, names).map((reason) => reason.split(' ')[0])
    expect(refused).toEqual(expect.arrayContaining(['PATH', 'DATABASE_HOST', 'PUBLIC_DIR']))
    for (const name of ['NODE_OPTIONS', 'OTEL_LOG_LEVEL', 'MOCK_LABELS', 'DATABASE_PASSWORD'])
      expect(refused).not.toContain(name)
  })

  it('is not printed where it may be a line of a private key', () => {
    const account = JSON.stringify(JSON.parse(accountOf(demoKey)), null, 2)
    const file = parseEnv(
      `GOOGLE_WALLET_ISSUER_ID=${wallet.GOOGLE_WALLET_ISSUER_ID}\nGOOGLE_WALLET_ACCOUNT=${account}\nport=3100`,
    )
    expect(Object.keys(file).join()).toContain('PRIVATE KEY')
    expect(reasonsOf(file, Object.keys(file))).toEqual([
      `GOOGLE_WALLET_ACCOUNT ${notAccount}`,
      'a name is not one of capital letters, digits and _; a value of several lines must be a file (NAME_FILE)',
    ])
  })

  it('that is empty is accepted', () => {
    expect(readConfig({ OTP_BUDGET: '', ANYTHING: ' ' }, ['ANYTHING'])).toEqual(readConfig({}))
  })
})

describe('a start in MODE=live', () => {
  const nodeOfImage = '/usr/local/bin/node'

  it('warns of a trial, of no proxy, and of letters without SMS', () => {
    expect(warningsAbout(readConfig(live), nodeOfImage)).toEqual([])
    expect(warningsAbout(readConfig({}), nodeOfImage)).toEqual([])
    expect(warningsAbout(readConfig({ ...live, TRUSTED_PROXIES: 'none' }), nodeOfImage)).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES=none: if a proxy is in front/),
    ])
    const trial = {
      PAYMENT_TEST: 'true',
      PAYMENT_SECRET_KEY: 'sau_sk_test_1',
      PAYMENT_PUBLIC_KEY: 'sau_pk_test_1',
    }
    expect(warningsAbout(readConfig({ ...live, ...trial }), nodeOfImage)).toEqual([
      expect.stringMatching(/^PAYMENT_TEST=true: no card is charged/),
    ])
    const mail = { SMTP_URL: 'smtps://u:p@mail.example.com', SMTP_FROM: 'orders@example.com' }
    expect(warningsAbout(readConfig({ ...live, ...mail }), nodeOfImage)).toEqual([
      expect.stringContaining('E-mail is on and SMS are off'),
    ])
  })

  it('warns of the Node of npm, which can lack security releases', () => {
    const nodeOfNpm = '/srv/amtiati/node_modules/node/bin/node'
    expect(warningsAbout(readConfig(live), nodeOfNpm)).toEqual([
      expect.stringMatching(/^MODE=live on the Node of npm/),
    ])
    expect(warningsAbout(readConfig({}), nodeOfNpm)).toEqual([])
  })
})
