import { isIP } from 'node:net'
import { type BookingType, bookingTypes, defaultBookingType } from '#shared/orders/orders.schemas.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { limitList } from './limits.ts'

/** One variable of the environment. `.env.example` and `docs/configuration.md` are derived from these rows. */
export interface ConfigRow {
  readonly name: string
  readonly description: string
  /** Text form; none means that the variable is optional or derived, as the description says. */
  readonly default?: string
  /** Never printed. */
  readonly secret?: true
  /** The default works only with the simulator: MODE=live refuses it. */
  readonly demo?: true
  /** Must be https and not loopback in MODE=live. */
  readonly url?: true
}

interface Row<T> extends ConfigRow {
  /** Throws a sentence without the value. */
  readonly parse: (text: string) => T
}

function row<T>(parse: (text: string) => T, fields: Omit<ConfigRow, 'name'>): Omit<Row<T>, 'name'> {
  return { ...fields, parse }
}

const text = (value: string): string => value

function port(value: string): number {
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65_535) throw new Error('is not a port number')
  return number
}

function integer(value: string): number {
  const number = Number(value)
  if (!/^\d{1,15}$/.test(value)) throw new Error('is not a whole number')
  return number
}

function url(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error('is not an http(s) URL')
  return value.replace(/\/+$/, '')
}

function urlList(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(url)
}

function oneOf<const T extends string>(...choices: readonly T[]) {
  return (value: string): T => {
    const choice = choices.find((candidate) => candidate === value)
    if (!choice) throw new Error(`is not one of ${choices.join(', ')}`)
    return choice
  }
}

function bookingTypeList(value: string): readonly BookingType[] {
  const types = value.split(',').map((part) => oneOf(...bookingTypes)(part.trim()))
  return bookingTypes.filter((type) => types.includes(type))
}

/** In milliseconds. Nothing of ours waits an hour, and a 0 would switch the limit off. */
function milliseconds(value: string): number {
  const number = integer(value)
  if (number < 100 || number > 3_600_000) throw new Error('is not between 100 and 3600000')
  return number
}

function count(value: string): number {
  const number = integer(value)
  if (number < 1) throw new Error('is not at least 1')
  return number
}

/**
 * Addresses and networks. Whoever is in the list may say who a request is from, so the list takes no shorthand: `true`,
 * a number of hops and names are refused, and so is a network that is most of the internet.
 */
function networkList(value: string): readonly string[] {
  const networks = value.split(',').map((part) => part.trim())
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/')
    const version = isIP(address)
    if (version === 0 || rest.length > 0 || /^::ffff:/i.test(address))
      throw new Error('is not a list of addresses and networks (CIDR)')
    if (length === undefined) continue
    const [least, most] = version === 4 ? [8, 32] : [16, 128]
    if (!/^\d{1,3}$/.test(length) || Number(length) > most)
      throw new Error('is not a list of addresses and networks (CIDR)')
    if (Number(length) < least) throw new Error('trusts a network too wide to be a proxy’s')
  }
  return networks
}

function secret(value: string): string {
  if (value.length < 16) throw new Error('is shorter than 16 characters')
  return value
}

function countryList(value: string): readonly string[] {
  const countries = value.split(',').map((part) => part.trim())
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country)))
    throw new Error('is not a list of ISO country codes')
  return countries
}

const { otp, payment, shipping } = demoAccounts

/** Derived defaults (`PUBLIC_URL` and what hangs on the simulator's port) are filled in by `readConfig`. */
const rows = {
  MODE: row(oneOf('demo', 'live'), {
    default: 'demo',
    description: '`demo` runs against the simulator; `live` refuses demo keys, plain http and the simulator.',
  }),
  PORT: row(port, { default: '3000', description: 'Port of the gateway.' }),
  HOST: row(text, { default: '127.0.0.1', description: 'Address the gateway and the simulator listen on.' }),
  PUBLIC_URL: row(url, {
    url: true,
    description:
      'Address people open. Default: `http://localhost:PORT`, or HOST where that is a name of its own.',
  }),
  CALLBACK_URL: row(url, {
    url: true,
    description: 'Address under which the payment provider reaches the gateway. Default: PUBLIC_URL.',
  }),
  DATA_DIR: row(text, {
    default: './data',
    description: 'Folder of the SQLite file and of what the simulator remembers.',
  }),
  DATABASE_URL: row(text, {
    secret: true,
    description: '`postgres://…` to use PostgreSQL. Without it: SQLite in DATA_DIR.',
  }),
  LOG_LEVEL: row(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    default: 'info',
    description: 'Least severe level that is logged.',
  }),
  TRUSTED_PROXIES: row(networkList, {
    description:
      'Addresses and networks (CIDR), separated by commas, of the proxies in front, whose `X-Forwarded-For` is believed. Without it: nobody’s, and a caller’s address is that of the connection.',
  }),
  METRICS_TOKEN: row(secret, {
    secret: true,
    description:
      'Bearer token that `GET /metrics` asks for, at least 16 characters. Without it: open in `MODE=demo`, not there in `MODE=live`.',
  }),
  HEADERS_TIMEOUT_MS: row(milliseconds, {
    default: '10000',
    description: 'A caller who has not sent the headers of a request by then is cut off.',
  }),
  REQUEST_TIMEOUT_MS: row(milliseconds, {
    default: '20000',
    description: 'A caller who has not sent a whole request by then is cut off. At least HEADERS_TIMEOUT_MS.',
  }),
  KEEP_ALIVE_TIMEOUT_MS: row(milliseconds, {
    default: '72000',
    description:
      'How long an idle connection is kept. Longer than the proxy in front keeps it, or the proxy sends into a closed one.',
  }),
  MAX_CONNECTIONS: row(count, {
    default: '10000',
    description: 'Connections open at once; more are closed as they come.',
  }),
  ENABLED_BOOKING_TYPES: row(bookingTypeList, {
    default: defaultBookingType,
    description: `Routes on offer, separated by commas: ${bookingTypes.join(', ')}.`,
  }),
  ALLOWED_PHONE_COUNTRIES: row(countryList, {
    description: 'ISO codes, separated by commas, of countries whose phones may sign in. Without it: all.',
  }),
  MOCK_PARTNER_PORT: row(port, { default: '4000', description: 'Port of the simulator.' }),
  OTP_BASE_URL: row(url, {
    url: true,
    description:
      'OTP service (Twilio Verify v2). Default: the simulator. Live: `https://verify.twilio.com/v2`.',
  }),
  OTP_ACCOUNT_SID: row(text, {
    default: otp.accountSid,
    demo: true,
    description: 'User name at the OTP service.',
  }),
  OTP_AUTH_TOKEN: row(text, {
    default: otp.authToken,
    demo: true,
    secret: true,
    description: 'Password at the OTP service.',
  }),
  OTP_USER_SERVICE_SID: row(text, {
    default: otp.userServiceSid,
    demo: true,
    description: 'Verify service for pilgrims; its code length must be 4.',
  }),
  OTP_AGENT_SERVICE_SID: row(text, {
    default: otp.agentServiceSid,
    demo: true,
    description: 'Verify service for agents, another one than for pilgrims; its code length must be 4.',
  }),
  OTP_WRONG_PER_CODE: row(count, {
    default: '3',
    description: 'Wrong tries after which a code is dead.',
  }),
  OTP_WRONG_PER_PHONE: row(limitList, {
    default: '5/1h,10/1d',
    description: 'Wrong codes of a phone per screen (pilgrims, agents), as `count/window` with s, m, h or d.',
  }),
  OTP_WRONG_IN_A_ROW: row(count, {
    default: '20',
    description:
      'Wrong codes of a phone without a right one in between, however long it takes, after which only a known device signs in until support opens the phone again.',
  }),
  OTP_SENDS_PER_PHONE: row(limitList, {
    default: '1/60s,3/10m,5/1h,10/1d',
    description: 'Codes sent to a phone per screen.',
  }),
  OTP_ROOM_PER_SIGN_IN: row(integer, {
    default: '1',
    description:
      'How many more unanswered or wrong codes each right code of the same group and window makes room for.',
  }),
  OTP_UNANSWERED_PER_PREFIX: row(limitList, {
    default: '30/10m,100/1d',
    description:
      'Codes sent to one prefix (a number without its last four digits) and never rightly entered.',
  }),
  OTP_UNANSWERED_PER_COUNTRY: row(limitList, {
    default: '600/10m',
    description: 'The same for one country of phones.',
  }),
  OTP_UNANSWERED_PER_ADDRESS: row(limitList, {
    default: '300/10m,1000/1d',
    description: 'The same for one client address (IPv6: a /64). Thousands of pilgrims share one.',
  }),
  OTP_UNANSWERED_IN_ALL: row(limitList, {
    default: '1000/10m',
    description: 'The same for everybody together: the breaker against SMS pumping.',
  }),
  OTP_WRONG_PER_ADDRESS: row(limitList, {
    default: '100/10m',
    description: 'Wrong codes from one client address.',
  }),
  OTP_WRONG_IN_ALL: row(limitList, {
    default: '500/10m',
    description: 'Wrong codes of everybody together: the breaker against one guess at many phones.',
  }),
  OTP_SENDS_PER_ADDRESS: row(limitList, {
    default: '600/1m',
    description: 'Codes asked for from one client address, answered or not.',
  }),
  OTP_SENDS_IN_ALL: row(limitList, {
    default: '1200/1m,100000/1d',
    description: 'Codes sent to everybody together, answered or not: what the SMS bill can bear.',
  }),
  PAYMENT_BASE_URL: row(url, {
    url: true,
    description: 'Payment provider (Paymob KSA). Default: the simulator. Live: `https://ksa.paymob.com`.',
  }),
  PAYMENT_SECRET_KEY: row(text, {
    default: payment.secretKey,
    demo: true,
    secret: true,
    description: 'Secret key: creates intentions, refunds.',
  }),
  PAYMENT_PUBLIC_KEY: row(text, {
    default: payment.publicKey,
    demo: true,
    description: 'Public key: the browser opens the widget with it.',
  }),
  PAYMENT_API_KEY: row(text, {
    default: payment.apiKey,
    demo: true,
    secret: true,
    description: 'API key: inquiries.',
  }),
  PAYMENT_HMAC_SECRET: row(text, {
    default: payment.hmacSecret,
    demo: true,
    secret: true,
    description: 'Secret that callbacks are signed with.',
  }),
  PAYMENT_INTEGRATION_ID: row(integer, {
    default: String(payment.integrationId),
    demo: true,
    description: 'Id of the card integration.',
  }),
  PAYMENT_WIDGET_SCRIPT: row(url, {
    url: true,
    description: 'Module script of the card widget, a pinned version. Default: the simulator’s.',
  }),
  PAYMENT_WIDGET_STYLES: row(urlList, {
    description: 'Style sheets of the card widget, separated by commas. Default: the simulator’s.',
  }),
  PAYMENT_WIDGET_FRAMES: row(urlList, {
    description:
      'Origins the widget frames and calls, separated by commas. Default: the simulator. Live: `https://ksa.checkout.paymob.com,https://ksa.paymob.com`.',
  }),
  SHIPPING_BASE_URL: row(url, {
    url: true,
    description:
      'Shipping partner (SMSA e-commerce API and the agents directory). Default: the simulator. Live: `https://ecomapis.smsaexpress.com`.',
  }),
  SHIPPING_API_KEY: row(text, {
    default: shipping.apiKey,
    demo: true,
    secret: true,
    description: 'API key at the shipping partner.',
  }),
} as const

export const configRows: readonly ConfigRow[] = Object.entries(rows).map(([name, fields]) => {
  const { parse: _, ...shown } = fields as Omit<Row<unknown>, 'name'>
  return { name, ...shown }
})

type Names = keyof typeof rows
type Parsed = { [N in Names]: ReturnType<(typeof rows)[N]['parse']> }
type OptionalNames = 'DATABASE_URL' | 'ALLOWED_PHONE_COUNTRIES' | 'TRUSTED_PROXIES' | 'METRICS_TOKEN'

export type Config = Readonly<Omit<Parsed, OptionalNames> & { [N in OptionalNames]: Parsed[N] | undefined }>

/** Every wrong variable at once, by name and never by value. */
export class ConfigError extends Error {
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`The configuration does not hold:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`)
    this.name = 'ConfigError'
    this.reasons = reasons
  }
}

const isLoopback = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|mock-partner)$/.test(host)
}

/** @throws ConfigError naming every variable that is missing or does not fit. An empty variable counts as absent. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = (name: string) => (env[name]?.trim() ? env[name].trim() : undefined)
  const reasons: string[] = []
  const consequences: string[] = []

  const own = given('PORT') ?? rows.PORT.default
  const host = given('HOST') ?? '127.0.0.1'
  const reachable = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host
  const publicUrl = given('PUBLIC_URL') ?? `http://${reachable}:${own}`
  const simulator = `http://${reachable}:${given('MOCK_PARTNER_PORT') ?? rows.MOCK_PARTNER_PORT.default}`
  const derived: Record<string, string> = {
    PUBLIC_URL: publicUrl,
    CALLBACK_URL: publicUrl,
    OTP_BASE_URL: `${simulator}/otp/v2`,
    PAYMENT_BASE_URL: `${simulator}/payment`,
    PAYMENT_WIDGET_SCRIPT: `${simulator}/payment/widget/main.js`,
    PAYMENT_WIDGET_STYLES: `${simulator}/payment/widget/styles.css,${simulator}/payment/widget/main.css`,
    PAYMENT_WIDGET_FRAMES: simulator,
    SHIPPING_BASE_URL: `${simulator}/shipping`,
  }

  const parsed: Record<string, unknown> = {}
  for (const [name, fields] of Object.entries(rows) as [string, Omit<Row<unknown>, 'name'>][]) {
    const value = given(name) ?? derived[name] ?? fields.default
    if (value === undefined) continue
    try {
      parsed[name] = fields.parse(value)
    } catch (error) {
      const reason = `${name} ${error instanceof Error ? error.message : 'does not fit'}`
      if (given(name) === undefined && name in derived) consequences.push(reason)
      else reasons.push(reason)
    }
  }
  if (given('DATABASE_URL') && !/^postgres(ql)?:\/\//.test(given('DATABASE_URL') ?? ''))
    reasons.push('DATABASE_URL is not a postgres:// URL')
  if (Number(parsed.REQUEST_TIMEOUT_MS) < Number(parsed.HEADERS_TIMEOUT_MS))
    reasons.push('REQUEST_TIMEOUT_MS is less than HEADERS_TIMEOUT_MS')
  if (parsed.MODE === 'live') reasons.push(...reasonsAgainstLive(given, parsed))
  // What nobody has set is worth a word only where nothing that it derives from is wrong.
  if (reasons.length === 0) reasons.push(...consequences)
  if (reasons.length > 0) throw new ConfigError(reasons)
  return parsed as Config
}

function reasonsAgainstLive(
  given: (name: string) => string | undefined,
  parsed: Readonly<Record<string, unknown>>,
): string[] {
  const reasons: string[] = []
  for (const { name, demo, default: fallback } of configRows) {
    if (!demo) continue
    if (given(name) === undefined) reasons.push(`${name} is missing`)
    else if (given(name) === fallback) reasons.push(`${name} is the demo value`)
  }
  const addresses = [
    ...configRows.filter((candidate) => candidate.url).map(({ name }) => [name, parsed[name]] as const),
    ...['PAYMENT_WIDGET_STYLES', 'PAYMENT_WIDGET_FRAMES'].flatMap((name) =>
      ((parsed[name] ?? []) as readonly string[]).map((address) => [name, address] as const),
    ),
  ]
  const said = new Set<string>()
  for (const [name, address] of addresses) {
    if (typeof address !== 'string' || said.has(name)) continue
    if (isLoopback(address)) reasons.push(`${name} points at the simulator or at this machine`)
    else if (!address.startsWith('https://')) reasons.push(`${name} is not https`)
    else continue
    said.add(name)
  }
  if (parsed.OTP_USER_SERVICE_SID === parsed.OTP_AGENT_SERVICE_SID)
    reasons.push('OTP_AGENT_SERVICE_SID is the service of the pilgrims')
  return reasons
}
