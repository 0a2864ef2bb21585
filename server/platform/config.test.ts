import { createECDH } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { composeVariables, demoPassword } from './compose-variables.ts'
import { ConfigError, readConfig, warningsAbout, widgetStyles } from './config.ts'
import { families } from './config-environment.ts'
import { configRows } from './config-variables.ts'
import { workerNames } from './worker-names.ts'

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

  it('uses SQLite, trusts no proxy and allows every country', () => {
    const config = readConfig({})
    expect(config.DATABASE_URL).toBeUndefined()
    expect(config.TRUSTED_PROXIES).toBeUndefined()
    expect(config.METRICS_TOKEN).toBeUndefined()
    expect(config.ALLOWED_PHONE_COUNTRIES).toBeUndefined()
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '  ', DATABASE_URL: '' })).toEqual(readConfig({}))
  })
})

describe('readConfig', () => {
  it('derives every address from the two ports', () => {
    expect(readConfig({ PORT: '3100', MOCK_PARTNER_PORT: '4100' })).toMatchObject({
      PUBLIC_URL: 'http://localhost:3100',
      CALLBACK_URL: 'http://localhost:3100',
      OTP_BASE_URL: 'http://localhost:4100/otp/v2',
      PAYMENT_WIDGET_SCRIPT: 'http://localhost:4100/payment/widget/main.js',
    })
  })

  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['gateway.test', 'http://gateway.test:3000'],
  ])('derives the public address from the host %s', (HOST, PUBLIC_URL) => {
    expect(readConfig({ HOST })).toMatchObject({ PUBLIC_URL })
  })

  it('accepts a hash of the widget’s script, and requires none', () => {
    const PAYMENT_WIDGET_INTEGRITY = `sha384-${'A'.repeat(64)}`
    expect(readConfig({ PAYMENT_WIDGET_INTEGRITY })).toMatchObject({ PAYMENT_WIDGET_INTEGRITY })
    expect(readConfig({})).not.toHaveProperty('PAYMENT_WIDGET_INTEGRITY')
  })

  it('parses lists and removes trailing slashes of addresses', () => {
    const config = readConfig({
      PUBLIC_URL: 'https://amtiati.example//',
      ENABLED_BOOKING_TYPES: 'TO_AND_FROM_MINA, FROM_MINA,FROM_MINA',
      ALLOWED_PHONE_COUNTRIES: 'SA, EG',
      PAYMENT_WIDGET_FRAMES: 'https://a.example, ,https://b.example/',
      DATABASE_URL: 'postgres://localhost/amtiati',
      TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32',
    })
    expect(config).toMatchObject({
      PUBLIC_URL: 'https://amtiati.example',
      CALLBACK_URL: 'https://amtiati.example',
      ENABLED_BOOKING_TYPES: ['FROM_MINA', 'TO_AND_FROM_MINA'],
      ALLOWED_PHONE_COUNTRIES: ['SA', 'EG'],
      PAYMENT_WIDGET_FRAMES: ['https://a.example', 'https://b.example'],
      DATABASE_URL: 'postgres://localhost/amtiati',
      TRUSTED_PROXIES: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
    })
  })

  it.each([
    ['MODE', 'test'],
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'amtiati.example'],
    ['PUBLIC_URL', 'ftp://amtiati.example'],
    ['LOG_LEVEL', 'loud'],
    ['ENABLED_BOOKING_TYPES', 'FROM_MARS'],
    ['ALLOWED_PHONE_COUNTRIES', 'Saudi Arabia'],
    ['ALLOWED_PHONE_COUNTRIES', 'sa'],
    ['PAYMENT_INTEGRATION_ID', '12a'],
    ['PAYMENT_WIDGET_FRAMES', 'https://a.example,nonsense'],
    ['PAYMENT_WIDGET_INTEGRITY', 'abc'],
    ['PAYMENT_WIDGET_INTEGRITY', 'md5-1B2M2Y8AsgTpgAmY7PhCfg=='],
    ['PAYMENT_WIDGET_INTEGRITY', 'sha384-tooshort'],
    ['DATABASE_URL', 'mysql://localhost/amtiati'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', 'loopback'],
    ['TRUSTED_PROXIES', '*'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', '128.0.0.0/1'],
    ['TRUSTED_PROXIES', '::ffff:0:0/96'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/255.0.0.0'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['TRUSTED_PROXIES', '10.0.0.256'],
    ['METRICS_TOKEN', 'short'],
  ])('refuses %s=%s and names no other variable', (name, value) => {
    const reasons = reasonsOf({ [name]: value })
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons) expect(reason).toMatch(new RegExp(`^${name} `))
  })

  it('names every wrong variable at once', () => {
    const reasons = reasonsOf({ PORT: 'x', LOG_LEVEL: 'y', PAYMENT_INTEGRATION_ID: 'z' })
    expect(reasons.map((reason) => reason.split(' ')[0])).toEqual([
      'PAYMENT_INTEGRATION_ID',
      'PORT',
      'LOG_LEVEL',
    ])
  })

  it('names a derived variable only where the variables it derives from are valid', () => {
    expect(reasonsOf({ HOST: 'not a host' })).toContain('PUBLIC_URL is not an http(s) URL')
  })

  it('never prints a value', () => {
    const env: Env = Object.fromEntries(
      configRows.map(({ name }) => [name, `hush-hush ${name.toLowerCase()}`]),
    )
    const { message } = (() => {
      try {
        readConfig(env)
      } catch (error) {
        return error as Error
      }
      throw new Error('the configuration is accepted')
    })()
    expect(message).toContain('PORT')
    expect(message).not.toContain('hush-hush')
  })
})

describe('the keys of push messages', () => {
  // Of the example in RFC 8291, section 5.
  const keys = {
    VAPID_PUBLIC_KEY:
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    VAPID_SUBJECT: 'mailto:care@amtiati.example',
  }
  const otherKey = createECDH('prime256v1').generateKeys('base64url')

  it('may be absent, also in MODE=live', () => {
    for (const env of [{}, live]) expect(readConfig(env).VAPID_PUBLIC_KEY).toBeUndefined()
  })

  it('are accepted together', () => {
    expect(readConfig({ ...live, ...keys })).toMatchObject(keys)
    expect(readConfig({ ...keys, VAPID_SUBJECT: 'https://amtiati.example' })).toBeTruthy()
  })

  it.each(Object.keys(keys))('are refused without %s', (name) => {
    const reason = `${name} is missing, and the other VAPID_* are set`
    expect(reasonsOf({ ...keys, [name]: undefined })).toEqual([reason])
  })

  it('are refused when they do not belong together', () => {
    const reason = 'VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY'
    expect(reasonsOf({ ...keys, VAPID_PUBLIC_KEY: otherKey })).toEqual([reason])
    expect(reasonsOf({ ...keys, VAPID_PRIVATE_KEY: 'A'.repeat(43) })).toEqual([reason])
  })

  it.each([
    ['VAPID_PUBLIC_KEY', 'BAAA', 'is not a public key of P-256 in base64url'],
    ['VAPID_PRIVATE_KEY', 'short', 'is not a private key of P-256 in base64url'],
    ['VAPID_SUBJECT', 'care@amtiati.example', 'is not a mailto: or https: address'],
    ['VAPID_SUBJECT', 'http://amtiati.example', 'is not a mailto: or https: address'],
  ])('are refused by name: %s as %s', (name, value, reason) => {
    expect(reasonsOf({ ...keys, [name]: value })).toEqual([`${name} ${reason}`])
  })
})

describe('the sender of messages', () => {
  it.each(['Amtiati', 'Bag 24', '+966500000001', `MG${'0'.repeat(32)}`])('may be %s', (MESSAGES_FROM) => {
    expect(readConfig({ MESSAGES_FROM })).toMatchObject({ MESSAGES_FROM })
  })

  it.each(['Amtiati Travel', '12345', 'أمتعتي', '0500000001'])('may not be %s', (MESSAGES_FROM) => {
    expect(reasonsOf({ MESSAGES_FROM })).toEqual([
      'MESSAGES_FROM is not a number, a name of at most 11 letters and digits, or MG…',
    ])
  })
})

describe('the seller', () => {
  const seller = {
    SELLER_NAME: 'شركة نقل الأمتعة',
    SELLER_ADDRESS: 'مكة المكرمة',
    SELLER_VAT_NUMBER: '310000000000013',
    SELLER_CR_NUMBER: '4030000001',
  }

  it('is optional, and is read as it is printed', () => {
    expect(readConfig(live).SELLER_NAME).toBeUndefined()
    expect(readConfig({ ...live, ...seller, INVOICE_PHASE: '1' })).toMatchObject(seller)
  })

  it.each([
    ['SELLER_VAT_NUMBER', '210000000000013', 'is not 15 digits that begin and end with 3'],
    ['SELLER_VAT_NUMBER', '31000000000003', 'is not 15 digits that begin and end with 3'],
    ['SELLER_CR_NUMBER', '403000000', 'is not ten digits'],
    ['SELLER_NAME', 'ن'.repeat(128), 'is longer than 255 bytes'],
    ['SELLER_ADDRESS', 'Makkah\nMina', 'is not one line'],
    ['INVOICE_PHASE', '2', 'is not one of 1'],
  ])('is refused: %s %s', (name, value, reason) => {
    expect(reasonsOf({ ...live, [name]: value })).toContain(`${name} ${reason}`)
  })

  it('must be whole before invoices are issued in live, and real', () => {
    const { SELLER_CR_NUMBER: _, ...without } = seller
    expect(reasonsOf({ ...live, ...without, INVOICE_PHASE: '1' })).toEqual([
      'SELLER_CR_NUMBER is missing, and INVOICE_PHASE needs it',
    ])
    expect(reasonsOf({ ...live, SELLER_VAT_NUMBER: '300000000000003' })).toEqual([
      'SELLER_VAT_NUMBER is the demo value',
    ])
  })
})

describe('readConfig with MODE=live', () => {
  it('accepts a complete environment', () => {
    expect(readConfig(live)).toMatchObject({ MODE: 'live', CALLBACK_URL: 'https://amtiati.example' })
  })

  it('refuses a card script without integrity, and a key of testers', () => {
    expect(reasonsOf({ ...live, PAYMENT_WIDGET_INTEGRITY: '' })).toEqual([
      'PAYMENT_WIDGET_INTEGRITY is missing',
    ])
    expect(reasonsOf({ ...live, DEMO_CONTROL_KEY: 'a-key-of-the-testers' })).toEqual([
      'DEMO_CONTROL_KEY is set',
    ])
  })

  it('names every missing key at once', () => {
    const reasons = reasonsOf({ MODE: 'live' })
    for (const { name, table } of configRows) {
      if (table === 'must' && name !== 'MODE') expect(reasons).toContain(`${name} is missing`)
    }
  })

  it('names every address that is still the simulator’s', () => {
    const named = reasonsOf({ MODE: 'live' }).map((reason) => reason.split(' ')[0])
    for (const { name, table, url } of configRows) if (url && table === 'must') expect(named).toContain(name)
    expect(named).toContain('PAYMENT_WIDGET_FRAMES')
  })

  const demoValues = configRows.flatMap(({ name, table, default: value }) =>
    table === 'must' && name !== 'MODE' && value !== undefined ? [[name, value] as const] : [],
  )

  it.each(demoValues)('refuses the demo value of %s without printing it', (name, value) => {
    const reasons = reasonsOf({ ...live, [name]: value })
    expect(reasons).toContain(`${name} is the demo value`)
    expect(reasons.join()).not.toContain(value)
  })

  it.each(configRows.filter(({ url }) => url).map(({ name }) => name))(
    'refuses plain http for %s',
    (name) => {
      expect(reasonsOf({ ...live, [name]: 'http://amtiati.example' })).toContain(`${name} is not https`)
    },
  )

  it.each([
    'https://localhost:4000',
    'https://127.0.0.1:4000',
    'https://127.1:4000',
    'https://[::1]:4000',
    'https://0.0.0.0',
    'https://mock-partner:4000',
    'https://app.localhost',
  ])('refuses an external service at %s', (address) => {
    expect(reasonsOf({ ...live, OTP_BASE_URL: address })).toEqual([
      'OTP_BASE_URL points at the simulator or at this machine',
    ])
  })

  it('names a list once, even if several of its addresses are wrong', () => {
    const PAYMENT_WIDGET_FRAMES = 'http://a.example,http://b.example'
    expect(reasonsOf({ ...live, PAYMENT_WIDGET_FRAMES })).toEqual(['PAYMENT_WIDGET_FRAMES is not https'])
  })

  it('sends no messages unless they are switched on, and then needs their keys', () => {
    expect(readConfig(live)).toMatchObject({
      MESSAGES_ENABLED: false,
      MESSAGES_BASE_URL: 'https://api.twilio.com',
    })
    expect(reasonsOf({ ...live, MESSAGES_ENABLED: 'true' })).toEqual([
      'MESSAGES_ACCOUNT_SID is missing',
      'MESSAGES_AUTH_TOKEN is missing',
      'MESSAGES_FROM is missing',
    ])
    const complete = {
      ...live,
      MESSAGES_ENABLED: 'true',
      MESSAGES_ACCOUNT_SID: 'AC-live',
      MESSAGES_AUTH_TOKEN: 'messages-live',
      MESSAGES_FROM: 'Amtiati',
    }
    expect(readConfig(complete)).toMatchObject({ MESSAGES_ENABLED: true, MESSAGES_FROM: 'Amtiati' })
    expect(reasonsOf({ ...complete, MESSAGES_BASE_URL: 'http://sms.example' })).toEqual([
      'MESSAGES_BASE_URL is not https',
    ])
    expect(reasonsOf({ ...complete, MESSAGES_AUTH_TOKEN: 'demo-messaging-auth-token' })).toEqual([
      'MESSAGES_AUTH_TOKEN is the demo value',
    ])
  })

  it('requires different OTP services for users and agents', () => {
    expect(reasonsOf({ ...live, OTP_AGENT_SERVICE_SID: 'VA-users' })).toEqual([
      'OTP_AGENT_SERVICE_SID equals OTP_USER_SERVICE_SID',
    ])
  })
})

describe('configRows', () => {
  it('are at most sixty', () => {
    expect(configRows.length).toBeLessThanOrEqual(60)
  })

  it('describes every variable and marks every secret', () => {
    for (const { name, description } of configRows) {
      expect(name).toMatch(/^[A-Z][A-Z_]*$/)
      expect(description.length).toBeGreaterThan(10)
    }
    const secrets = configRows.filter(({ secret }) => secret).map(({ name }) => name)
    expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'PAYMENT_HMAC_SECRET', 'OTP_AUTH_TOKEN']))
    for (const { name } of configRows)
      if (/SECRET|TOKEN|API_KEY/.test(name)) expect(secrets, `${name} is marked as a secret`).toContain(name)
  })
})

describe('the limits of sign-in', () => {
  it('are parsed as counts and windows, with defaults', () => {
    expect(readConfig({})).toMatchObject({
      OTP_CODES_PER_PREFIX: 400,
      OTP_CODES_PER_COUNTRY: 5000,
      OTP_DAILY_BUDGET: 50_000,
      OTP_SENDS_PER_PHONE: [
        { count: 1, windowMs: 60_000 },
        { count: 3, windowMs: 600_000 },
        { count: 5, windowMs: 3_600_000 },
        { count: 10, windowMs: 86_400_000 },
      ],
    })
    expect(readConfig({ OTP_DAILY_BUDGET: '0' }).OTP_DAILY_BUDGET).toBe(0)
  })

  it('are five, beside the constant share of one address', () => {
    const limits = configRows.map(({ name }) => name).filter((name) => /^OTP_.*(_PER_|BUDGET)/.test(name))
    expect(limits).toHaveLength(5)
  })

  it.each([
    ['OTP_SENDS_PER_PHONE', 'three an hour'],
    ['OTP_WRONG_PER_PHONE', '5'],
    ['OTP_CODES_PER_PREFIX', '30/10m'],
    ['OTP_CODES_PER_COUNTRY', '0'],
    ['OTP_DAILY_BUDGET', 'all'],
  ])('are refused by name when invalid: %s', (name, value) => {
    expect(reasonsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))])
  })
})

describe('the background work of a gateway', () => {
  it.each([
    ['', workerNames],
    ['all', workerNames],
    ['none', []],
    ['refunds, shipments,refunds', ['shipments', 'refunds']],
  ])('is told by WORKERS=%s', (WORKERS, names) => {
    expect(readConfig({ WORKERS, DATABASE_URL: 'postgres://db/amtiati' }).WORKERS).toEqual(names)
  })

  it.each(['shipment', 'shipments,all', 'all,none'])('is refused as %s, with the names', (WORKERS) => {
    expect(reasonsOf({ WORKERS, DATABASE_URL: 'postgres://db/amtiati' })).toEqual([
      `WORKERS is not all, none or a list of ${workerNames.join(', ')}`,
    ])
  })
})

describe('the background work of the only gateway on a file', () => {
  it.each(['none', 'shipments'])('is not left out by WORKERS=%s', (WORKERS) => {
    expect(reasonsOf({ WORKERS })).toEqual([expect.stringMatching(/^WORKERS .*DATABASE_URL/)])
  })
})

describe('limits of a variable', () => {
  it.each([
    ['PORT', '65535', 65_535],
    ['METRICS_TOKEN', 'sixteen-letters!', 'sixteen-letters!'],
    ['TRUSTED_PROXIES', '192.0.2.7/32,2001:db8::1/128', ['192.0.2.7/32', '2001:db8::1/128']],
  ])('accepts %s=%s', (name, text, value) => {
    expect(readConfig({ [name]: text })).toMatchObject({ [name]: value })
  })

  it.each([
    ['METRICS_TOKEN', 'fifteen-letters'],
    ['TRUSTED_PROXIES', '2001:db8::1/129'],
  ])('refuses %s=%s', (name, text) => {
    expect(reasonsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name} `))])
  })

  it.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])(
    'accepts LOG_LEVEL=%s',
    (LOG_LEVEL) => {
      expect(readConfig({ LOG_LEVEL })).toMatchObject({ LOG_LEVEL })
    },
  )

  it('trims values', () => {
    expect(readConfig({ PUBLIC_URL: ' https://amtiati.example ', PORT: '3100 ' })).toMatchObject({
      PUBLIC_URL: 'https://amtiati.example',
      PORT: 3_100,
    })
  })

  it('derives localhost from an IPv6 loopback host', () => {
    expect(readConfig({ HOST: '::1' })).toMatchObject({ PUBLIC_URL: 'http://localhost:3000' })
  })
})

describe('CANCELLATION', () => {
  it.each([
    ['off', { isOffered: false, hours: 0 }],
    ['until-hand-over', { isOffered: true, hours: 0 }],
    ['48h', { isOffered: true, hours: 48 }],
  ])('accepts %s', (CANCELLATION, terms) => {
    expect(readConfig({ CANCELLATION }).CANCELLATION).toEqual(terms)
  })

  it.each(['48', '0h', '2d', 'never'])('refuses %s', (CANCELLATION) => {
    expect(reasonsOf({ CANCELLATION })[0]).toMatch(/^CANCELLATION is not off/)
  })
})

describe('TRACKING_POLL_INTERVAL', () => {
  it('defaults to half an hour in MODE=live and half a minute in MODE=demo', () => {
    expect([readConfig({}).TRACKING_POLL_INTERVAL, readConfig(live).TRACKING_POLL_INTERVAL]).toEqual([
      30_000, 1_800_000,
    ])
  })
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
  ])('%s is refused, with the nearest name', (name, nearest) => {
    const reasons = name === 'TRUSTED_PROXY' ? reasonsOf({ [name]: 'x' }, [name]) : reasonsOf({ [name]: 'x' })
    expect(reasons).toEqual([`${name} is not known; the nearest name is ${nearest}`])
  })

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
    expect(reasonsOf({ port: '3100' }, ['port'])).toEqual(['port is not known; the nearest name is PORT'])
  })

  it('that is empty is accepted', () => {
    expect(readConfig({ OTP_BUDGET: '', ANYTHING: ' ' }, ['ANYTHING'])).toEqual(readConfig({}))
  })
})

describe('an exchange of secrets', () => {
  it('has a previous one beside the current one', () => {
    const env = {
      PAYMENT_HMAC_SECRET_PREVIOUS: 'old',
      SHIPPING_WEBHOOK_KEY_PREVIOUS: 'an-old-webhook-key',
    }
    expect(readConfig({ ...live, ...env })).toMatchObject(env)
    expect(readConfig(live)).not.toHaveProperty('PAYMENT_HMAC_SECRET_PREVIOUS')
  })

  it('needs two different ones, and in MODE=live not the demo’s', () => {
    const { payment, shipping } = demoAccounts
    expect(reasonsOf({ ...live, PAYMENT_HMAC_SECRET_PREVIOUS: 'hmac-live' })).toEqual([
      'PAYMENT_HMAC_SECRET_PREVIOUS equals PAYMENT_HMAC_SECRET',
    ])
    expect(
      reasonsOf({
        ...live,
        PAYMENT_HMAC_SECRET_PREVIOUS: payment.hmacSecret,
        SHIPPING_WEBHOOK_KEY_PREVIOUS: shipping.webhookKey,
      }),
    ).toEqual([
      'PAYMENT_HMAC_SECRET_PREVIOUS is the demo value',
      'SHIPPING_WEBHOOK_KEY_PREVIOUS is the demo value',
    ])
  })
})

describe('a start in MODE=live', () => {
  const onPostgres = { ...live, DATABASE_URL: 'postgres://db/amtiati' }
  const nodeOfImage = '/usr/local/bin/node'

  it('warns of SQLite', () => {
    expect(warningsAbout(readConfig(live), nodeOfImage)).toEqual([
      expect.stringMatching(/^MODE=live on SQLite: one gateway/),
    ])
    expect(warningsAbout(readConfig(onPostgres), nodeOfImage)).toEqual([])
    expect(warningsAbout(readConfig({}), nodeOfImage)).toEqual([])
  })

  it('warns of the Node of npm, which can lack security releases', () => {
    const nodeOfNpm = '/srv/amtiati/node_modules/node/bin/node'
    expect(warningsAbout(readConfig(onPostgres), nodeOfNpm)).toEqual([
      expect.stringMatching(/^MODE=live on the Node of npm/),
    ])
    expect(warningsAbout(readConfig({}), nodeOfNpm)).toEqual([])
  })

  it('refuses the password of the demo’s database', () => {
    const DATABASE_URL = `postgres://amtiati:${demoPassword}@database:5432/amtiati`
    expect(readConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
    expect(reasonsOf({ ...live, DATABASE_URL })).toEqual(['DATABASE_URL has the password of the demo'])
  })
})
