import type { StaticDecode } from 'typebox'
import { brand } from '#shared/platform/brand.ts'
import { codeChannels } from '#shared/platform/code-channels.ts'
import { transitDaysOverall } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { hostForBrowsers, hostFromHere } from '#shared/platform/reachable-host.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { mailPortOf } from '#shared/wire/mail/mail.wire.ts'
import { demoPassword } from './compose-variables.ts'
import { type Environment, findUnknownNames, readSecretFiles } from './config-environment.ts'
import { parseText } from './config-parsers.ts'
import { type ConfigRow, configRows, type variables } from './config-variables.ts'
import { serversOf } from './database/url.ts'
import { demoWalletAccount } from './demo-wallet-account.ts'
import { type GatewayLimits, gatewayLimits } from './gateway-limits.ts'

type Values = StaticDecode<typeof variables>

export type Config = {
  readonly [N in keyof Required<Values>]: Values[N] | (undefined extends Values[N] ? undefined : never)
} & {
  readonly limits: GatewayLimits
}

export class ConfigError extends Error {
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`Invalid configuration:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`)
    this.name = 'ConfigError'
    this.reasons = reasons
  }
}

type Lookup = (name: string) => string | undefined

/** Reads the configuration. An empty variable counts as not set. */
export function readConfig(env: Environment, namesInFile: readonly string[] = []): Config {
  const files = readSecretFiles(env, configRows)
  const lookup: Lookup = (name) => env[name]?.trim() || files.values.get(name)
  const reasons = [...files.reasons]
  const values: Record<string, unknown> = { limits: gatewayLimits }
  for (const { name, schema, default: fallback } of configRows) {
    const text = lookup(name) ?? fallback
    if (text === undefined) continue
    try {
      values[name] = parseText(schema, text)
    } catch (error) {
      reasons.push(`${name} ${error instanceof Error ? error.message : 'is invalid'}`)
    }
  }
  const config = { ...derivedDefaults(values), ...values } as Config
  reasons.push(
    ...findUnknownNames(env, namesInFile, configRows),
    ...missingParts(lookup, config),
    ...contradictions(config),
    ...(config.MODE === 'live' ? reasonsAgainstLive(lookup, config) : []),
  )
  if (reasons.length > 0) throw new ConfigError(reasons)
  return config
}

function derivedDefaults(set: Partial<Config>): Partial<Config> {
  const { HOST = '', PORT, MOCK_PARTNER_PORT = 0, PUBLIC_URL = `http://${hostFromHere(HOST)}:${PORT}` } = set
  if (set.MODE === 'live')
    return {
      CALLBACK_URL: PUBLIC_URL,
      MESSAGES_ENABLED: false,
      MESSAGES_BASE_URL: 'https://api.twilio.com',
      OTP_CHANNELS: ['sms'],
      DRAIN_MS: 10_000,
      TRACKING_POLL_INTERVAL: 30 * 60_000,
    }
  const simulator = `http://${hostFromHere(HOST)}:${MOCK_PARTNER_PORT}`
  const forBrowsers = `http://${hostForBrowsers(HOST, set.PUBLIC_URL)}:${MOCK_PARTNER_PORT}`
  const { SHIPPING_BASE_URL = `${simulator}/shipping`, PAYMENT_WIDGET_SCRIPT = '' } = set
  // In containers the simulator has another host name, which only the configured addresses of services contain.
  const mail = URL.parse(isLoopback(SHIPPING_BASE_URL) ? SHIPPING_BASE_URL : simulator)
  return {
    PUBLIC_URL,
    CALLBACK_URL: PUBLIC_URL,
    OTP_BASE_URL: `${simulator}/otp/v2`,
    PAYMENT_BASE_URL: `${simulator}/payment`,
    PAYMENT_WIDGET_SCRIPT: forBrowsers + simulatorsScript,
    PAYMENT_WIDGET_FRAMES: [forBrowsers],
    SHIPPING_BASE_URL,
    MESSAGES_ENABLED: true,
    MESSAGES_BASE_URL: `${simulator}/messaging`,
    OTP_CHANNELS: codeChannels,
    DRAIN_MS: 1_000,
    TRACKING_POLL_INTERVAL: 30_000,
    SMTP_URL: `smtp://${mail?.hostname}:${mailPortOf(Number(mail?.port))}`,
    SMTP_FROM: brand.contact.email,
    ...(promiseNames.every((name) => set[name] === undefined) && examplePromises),
    ...(set.DESK_OIDC_ISSUER === undefined && {
      DESK_OIDC_ISSUER: `${simulatorOf(PAYMENT_WIDGET_SCRIPT) ?? forBrowsers}/identity`,
      DESK_OIDC_CLIENT_ID: demoAccounts.identity.clientId,
      DESK_OIDC_CLIENT_SECRET: demoAccounts.identity.clientSecret,
    }),
  }
}

const promiseNames = [
  'TRANSIT_DAYS',
  'HAND_IN_UNTIL',
  'STORAGE_DAYS',
  'LATE_AFTER_DAYS',
  'LIABILITY_LOST_SAR',
] as const
export type PromiseNames = (typeof promiseNames)[number]

const examplePromises: Partial<Config> = {
  TRANSIT_DAYS: { RUH: [2, 4], JED: [1, 2], MED: [2, 3], default: [3, 6] },
  STORAGE_DAYS: 7,
  LATE_AFTER_DAYS: 8,
  LIABILITY_LOST_SAR: 75,
}

function missingParts(lookup: Lookup, config: Config) {
  const groups: (readonly string[])[] = [
    ['GOOGLE_WALLET_ISSUER_ID', 'GOOGLE_WALLET_ACCOUNT'],
    ['LIABILITY_SENTENCE_AR', 'LIABILITY_SENTENCE_EN'],
    ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'],
  ]
  if (config.MODE === 'live') {
    groups.push(['SMTP_URL', 'SMTP_FROM'])
    if (config.INVOICE_PHASE !== undefined)
      groups.push(['INVOICE_PHASE', 'SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'SELLER_CR_NUMBER'])
    if (config.MESSAGES_ENABLED)
      groups.push(['MESSAGES_ENABLED', 'MESSAGES_ACCOUNT_SID', 'MESSAGES_AUTH_TOKEN', 'MESSAGES_FROM'])
  }
  return groups.flatMap((names) => {
    const set = names.find((name) => lookup(name) !== undefined)
    const missing = set === undefined ? [] : names.filter((name) => lookup(name) === undefined)
    return missing.map((name) => `${name} is missing, and ${set} needs it`)
  })
}

const unequal = [
  ['PAYMENT_HMAC_SECRET_PREVIOUS', 'PAYMENT_HMAC_SECRET'],
  ['SHIPPING_WEBHOOK_KEY_PREVIOUS', 'SHIPPING_WEBHOOK_KEY'],
  ['OTP_AGENT_SERVICE_SID', 'OTP_USER_SERVICE_SID'],
  ['DESK_ROLE_MONEY', 'DESK_ROLE_SUPPORT'],
  ['DESK_ROLE_LEAD', 'DESK_ROLE_SUPPORT'],
  ['DESK_ROLE_LEAD', 'DESK_ROLE_MONEY'],
] as const

function contradictions(config: Config) {
  const reasons = unequal
    .filter(([name, other]) => config[name] !== undefined && config[name] === config[other])
    .map(([name, other]) => `${name} equals ${other}`)
  const { TRANSIT_DAYS: transitDays = {}, LATE_AFTER_DAYS } = config
  const [, mostDays = 0] = transitDaysOverall({ transitDays }) ?? []
  if (LATE_AFTER_DAYS !== undefined && LATE_AFTER_DAYS < mostDays)
    reasons.push('LATE_AFTER_DAYS is less than the most days of TRANSIT_DAYS')
  return [...reasons, ...listenFaults(config)]
}

/**
 * With LISTEN_URL, DATABASE_URL is a PgBouncer, which hides the servers among which the gateway looks for the primary.
 */
function listenFaults({ DATABASE_URL, LISTEN_URL }: Config) {
  if (LISTEN_URL === undefined) return []
  if (DATABASE_URL === undefined) return ['LISTEN_URL is set without DATABASE_URL']
  const isOne = [DATABASE_URL, LISTEN_URL].every((each) => serversOf(each).length === 1)
  return isOne ? [] : ['LISTEN_URL is set, and it or DATABASE_URL names several servers']
}

function reasonsAgainstLive(lookup: Lookup, config: Config) {
  const reasons = configRows.flatMap((row) => {
    const fault = faultInLive(row, lookup(row.name), config)
    return fault === undefined ? [] : [`${row.name} ${fault}`]
  })
  const { SMTP_URL, DATABASE_URL, GOOGLE_WALLET_ACCOUNT: account } = config
  const demoAccount = demoWalletAccount()
  if (SMTP_URL !== undefined && isLoopback(SMTP_URL)) reasons.push(`SMTP_URL ${isOfThisMachine}`)
  if (DATABASE_URL && URL.parse(serversOf(DATABASE_URL)[0] ?? '')?.password === demoPassword)
    reasons.push('DATABASE_URL has the password of the demo')
  // The demo's wallet key is public, so anyone can sign with it.
  if (account && (account.email === demoAccount.email || account.key.equals(demoAccount.key)))
    reasons.push('GOOGLE_WALLET_ACCOUNT is the demo value')
  return [...reasons, ...paymentKeyFaults(config)]
}

const isOfThisMachine = 'points at the simulator or at this machine'

function faultInLive(row: ConfigRow, text: string | undefined, config: Config) {
  const { name, table, demo, demoOnly, url, whenMissing } = row
  if (text === undefined)
    return table === 'must' ? `is missing${whenMissing === undefined ? '' : `: ${whenMissing}`}` : undefined
  if (demoOnly) return 'is set'
  if (text === demo) return 'is the demo value'
  if (!url || (name === 'MESSAGES_BASE_URL' && !config.MESSAGES_ENABLED)) return undefined
  const addresses = [config[name as keyof Config] ?? []].flat().map(String)
  if (addresses.some(isLoopback)) return isOfThisMachine
  return addresses.every((address) => address.startsWith('https://')) ? undefined : 'is not https'
}

/** A key contains its country, kind and mode: `sau_sk_test_…` (docs/wires/payment.md). */
function paymentKeyFaults({ PAYMENT_TEST: isTest, ...config }: Partial<Config>) {
  const wrong = isTest ? 'live' : 'test'
  const why = isTest
    ? 'and PAYMENT_TEST=true says that no card is charged'
    : 'with which no card is charged. Set the live key, or PAYMENT_TEST=true for a trial'
  const form = new RegExp(`^[a-z]+_[a-z]+_${wrong}_`)
  return (['PAYMENT_SECRET_KEY', 'PAYMENT_PUBLIC_KEY'] as const)
    .filter((name) => form.test(config[name] ?? ''))
    .map((name) => `${name} is a ${wrong} key, ${why}`)
}

export const isLoopback = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|mock-partner)$/.test(host)
}

const simulatorsScript = '/payment/widget/main.js'

const simulatorOf = (script: string) =>
  script.endsWith(simulatorsScript) ? script.slice(0, -simulatorsScript.length) : undefined

export const simulatorForBrowsers = (config: Config) => simulatorOf(config.PAYMENT_WIDGET_SCRIPT)

/** In containers the gateway reaches the simulator's pages at another address than browsers do. */
export function reachedAt(config: Config, address: string): string {
  const forBrowsers = simulatorForBrowsers(config)
  if (forBrowsers === undefined || !address.startsWith(`${forBrowsers}/`)) return address
  return new URL(config.SHIPPING_BASE_URL).origin + address.slice(forBrowsers.length)
}

export function liabilityOf({
  LIABILITY_SENTENCE_AR: ar,
  LIABILITY_SENTENCE_EN: en,
}: Partial<Pick<Config, 'LIABILITY_SENTENCE_AR' | 'LIABILITY_SENTENCE_EN'>>) {
  return ar === undefined || en === undefined ? {} : { liability: { ar, en } }
}

export function widgetStyles(config: Config): readonly string[] {
  if (simulatorForBrowsers(config) === undefined) return []
  return ['styles.css', 'main.css'].map((name) => new URL(name, config.PAYMENT_WIDGET_SCRIPT).href)
}

export function promisesOf(config: Partial<Pick<Config, PromiseNames>>): Promises {
  const { TRANSIT_DAYS = {}, HAND_IN_UNTIL, STORAGE_DAYS, LATE_AFTER_DAYS, LIABILITY_LOST_SAR } = config
  return {
    transitDays: TRANSIT_DAYS,
    ...(HAND_IN_UNTIL !== undefined && { handInUntil: HAND_IN_UNTIL }),
    ...(STORAGE_DAYS !== undefined && { storageDays: STORAGE_DAYS }),
    ...(LATE_AFTER_DAYS !== undefined && { lateAfterDays: LATE_AFTER_DAYS }),
    ...(LIABILITY_LOST_SAR !== undefined && { lostSar: LIABILITY_LOST_SAR }),
  }
}

export function warningsAbout(config: Config, node: string): readonly string[] {
  if (config.MODE !== 'live') return []
  const warnings: string[] = []
  if (node.includes('node_modules'))
    warnings.push(
      'MODE=live on the Node of npm, which can lack security releases of nodejs.org. Run the image (docs/operate.md).',
    )
  if (config.PAYMENT_TEST)
    warnings.push('PAYMENT_TEST=true: no card is charged, while bags are booked at the shipping partner.')
  if (config.TRUSTED_PROXIES?.length === 0)
    warnings.push(
      'TRUSTED_PROXIES=none: if a proxy is in front of the gateway, all clients share its address and their limits of sign-in. Name the proxy.',
    )
  if (config.SMTP_URL !== undefined && !config.MESSAGES_ENABLED)
    warnings.push(
      'E-mail is on and SMS are off: a number that loses its account to another one gets no notice (docs/operate.md). MESSAGES_ENABLED=true sends them.',
    )
  return warnings
}
