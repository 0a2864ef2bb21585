import { createECDH } from 'node:crypto'
import { brand } from '#shared/platform/brand.ts'
import { codeChannels } from '#shared/platform/code-channels.ts'
import { transitDaysOverall } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { hostForBrowsers, hostFromHere } from '#shared/platform/reachable-host.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { mailPortOf } from '#shared/wire/mail/mail.wire.ts'
import { demoPassword } from './compose-variables.ts'
import { type Environment, findUnknownNames, readSecretFiles } from './config-environment.ts'
import type { WalletAccount } from './config-parsers.ts'
import { configRows, type Variable, variables } from './config-variables.ts'
import { serversOf } from './database/url.ts'
import { demoWalletAccount } from './demo-wallet-account.ts'
import { type GatewayLimits, gatewayLimits } from './gateway-limits.ts'

type Names = keyof typeof variables
type Parsed = { [N in Names]: ReturnType<(typeof variables)[N]['parse']> }
const promiseNames = [
  'TRANSIT_DAYS',
  'HAND_IN_UNTIL',
  'STORAGE_DAYS',
  'LATE_AFTER_DAYS',
  'LIABILITY_LOST_SAR',
] as const
export type PromiseNames = (typeof promiseNames)[number]
const sellerNames = ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'SELLER_CR_NUMBER'] as const
/** Each group is set whole or not at all. */
const groups: readonly (readonly Names[])[] = [
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'],
  ['GOOGLE_WALLET_ISSUER_ID', 'GOOGLE_WALLET_ACCOUNT'],
  ['LIABILITY_SENTENCE_AR', 'LIABILITY_SENTENCE_EN'],
  ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'],
]
/** Those that have no default and derive none: undefined where they are not set. */
type OptionalNames = Exclude<Names, NamesWithDefault | keyof ReturnType<typeof derivedDefaults>>
type NamesWithDefault = {
  [N in Names]: (typeof variables)[N] extends { readonly default: string } ? N : never
}[Names]

export type Config = Readonly<
  Omit<Parsed, OptionalNames> & { [N in OptionalNames]: Parsed[N] | undefined }
> & {
  /** Not read from the environment. */
  readonly limits: GatewayLimits
}

const entries = Object.entries(variables) as [Names, Variable<unknown>][]

/** Names every wrong variable at once, and no value. */
export class ConfigError extends Error {
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`Invalid configuration:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`)
    this.name = 'ConfigError'
    this.reasons = reasons
  }
}

/** The value of a variable; undefined where it is not set or empty. */
type Lookup = (name: string) => string | undefined

/**
 * `namesInFile`: the variables that a `.env` file sets. Every unknown one among them is refused.
 * @throws ConfigError naming every variable that is missing, invalid or unknown. An empty variable counts as not set.
 */
export function readConfig(env: Environment, namesInFile: readonly string[] = []): Config {
  const files = readSecretFiles(
    env,
    configRows.filter(({ secret }) => secret).map(({ name }) => name),
  )
  const lookup: Lookup = (name) => env[name]?.trim() || files.values.get(name)
  const derived: Readonly<Record<string, string>> = {
    ...derivedDefaults(lookup),
    ...demoMail(lookup),
    ...demoIdentity(lookup),
    ...demoPromises(lookup),
  }
  const reasons: string[] = [...files.reasons]
  const derivedReasons: string[] = []

  const parsed: Record<string, unknown> = {}
  for (const [name, { parse, default: fallback }] of entries) {
    const value = lookup(name) ?? derived[name] ?? fallback
    if (value === undefined) continue
    try {
      parsed[name] = parse(value)
    } catch (error) {
      const isDerived = lookup(name) === undefined && name in derived
      const reason = `${name} ${error instanceof Error ? error.message : 'is invalid'}`
      ;(isDerived ? derivedReasons : reasons).push(reason)
    }
  }
  reasons.push(...findUnknownNames(env, namesInFile, configRows))
  for (const name of ['PAYMENT_HMAC_SECRET', 'SHIPPING_WEBHOOK_KEY'] as const)
    if (parsed[name] !== undefined && parsed[`${name}_PREVIOUS`] === parsed[name])
      reasons.push(`${name}_PREVIOUS equals ${name}`)
  reasons.push(
    ...reasonsAgainstHalves(lookup),
    ...reasonsAgainstVapid(parsed),
    ...reasonsAgainstEqualRoles(parsed),
    ...reasonsAgainstPromises(parsed),
  )
  if (parsed.MODE === 'live') reasons.push(...reasonsAgainstLive(lookup, parsed))
  // A variable that is not set is named only where everything it derives from is valid.
  if (reasons.length === 0) reasons.push(...derivedReasons)
  if (reasons.length > 0) throw new ConfigError(reasons)
  return { ...parsed, limits: gatewayLimits } as Config
}

const simulatorsScript = '/payment/widget/main.js'

/** The simulator's address as browsers reach it; undefined where it is not in use. */
export function simulatorForBrowsers({ PAYMENT_WIDGET_SCRIPT: script }: Config): string | undefined {
  return script.endsWith(simulatorsScript) ? script.slice(0, -simulatorsScript.length) : undefined
}

/** Where this gateway reaches an address of the simulator that browsers open: in containers the two differ. */
export function reachedAt(config: Config, address: string): string {
  const forBrowsers = simulatorForBrowsers(config)
  if (forBrowsers === undefined || !address.startsWith(`${forBrowsers}/`)) return address
  return new URL(config.SHIPPING_BASE_URL).origin + address.slice(forBrowsers.length)
}

/** Both sentences or none (`readConfig`). */
export function liabilityOf({
  LIABILITY_SENTENCE_AR: ar,
  LIABILITY_SENTENCE_EN: en,
}: Partial<Pick<Config, 'LIABILITY_SENTENCE_AR' | 'LIABILITY_SENTENCE_EN'>>) {
  return ar === undefined || en === undefined ? {} : { liability: { ar, en } }
}

/** Style sheets of the card widget: the simulator has its own, and the provider's script brings its own. */
export function widgetStyles(config: Config): readonly string[] {
  if (simulatorForBrowsers(config) === undefined) return []
  return ['styles.css', 'main.css'].map((name) => new URL(name, config.PAYMENT_WIDGET_SCRIPT).href)
}

/** Defaults that depend on other variables: addresses of the gateway and of the simulator. */
function derivedDefaults(lookup: Lookup) {
  const host = lookup('HOST') ?? variables.HOST.default ?? ''
  const reachable = hostFromHere(host)
  const publicUrl = lookup('PUBLIC_URL') ?? `http://${reachable}:${lookup('PORT') ?? variables.PORT.default}`
  const simulatorPort = lookup('MOCK_PARTNER_PORT') ?? variables.MOCK_PARTNER_PORT.default
  const simulator = `http://${reachable}:${simulatorPort}`
  const forBrowsers = `http://${hostForBrowsers(host, lookup('PUBLIC_URL'))}:${simulatorPort}`
  const isLive = lookup('MODE') === 'live'
  return {
    PUBLIC_URL: publicUrl,
    CALLBACK_URL: publicUrl,
    OTP_BASE_URL: `${simulator}/otp/v2`,
    PAYMENT_BASE_URL: `${simulator}/payment`,
    PAYMENT_WIDGET_SCRIPT: `${forBrowsers}${simulatorsScript}`,
    PAYMENT_WIDGET_FRAMES: forBrowsers,
    SHIPPING_BASE_URL: `${simulator}/shipping`,
    MESSAGES_ENABLED: String(!isLive),
    MESSAGES_BASE_URL: isLive ? 'https://api.twilio.com' : `${simulator}/messaging`,
    OTP_CHANNELS: isLive ? 'sms' : codeChannels.join(','),
    DRAIN_MS: isLive ? '10000' : '1000',
    TRACKING_POLL_INTERVAL: isLive ? '30m' : '30s',
  }
}

/** The simulator's mailbox. In MODE=live there is no e-mail unless it is set up. */
function demoMail(lookup: Lookup): Readonly<Record<string, string>> {
  if (lookup('MODE') === 'live') return {}
  // In containers the simulator has a name of its own, which only the addresses that are set know.
  const shipping = lookup('SHIPPING_BASE_URL') ?? ''
  const simulator = URL.parse(isLoopback(shipping) ? shipping : derivedDefaults(lookup).SHIPPING_BASE_URL)
  if (simulator === null) return {}
  const { hostname, port } = simulator
  return { SMTP_URL: `smtp://${hostname}:${mailPortOf(Number(port))}`, SMTP_FROM: brand.contact.email }
}

/** The operator's promises about the way of a bag. */
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

/** Examples, which pages of the demo name as such. */
function demoPromises(lookup: Lookup): Readonly<Record<string, string>> {
  if (lookup('MODE') === 'live' || promiseNames.some((name) => lookup(name) !== undefined)) return {}
  return {
    TRANSIT_DAYS: 'RUH=2-4,JED=1-2,MED=2-3,*=3-6',
    STORAGE_DAYS: '7',
    LATE_AFTER_DAYS: '8',
    LIABILITY_LOST_SAR: '75',
  }
}

/** The simulator's people. In MODE=live there is no desk unless an identity provider is named. */
function demoIdentity(lookup: Lookup): Readonly<Record<string, string>> {
  if (lookup('MODE') === 'live' || lookup('DESK_OIDC_ISSUER') !== undefined) return {}
  const { clientId, clientSecret } = demoAccounts.identity
  const script = lookup('PAYMENT_WIDGET_SCRIPT') ?? ''
  const simulator = script.endsWith(simulatorsScript)
    ? script.slice(0, -simulatorsScript.length)
    : derivedDefaults(lookup).PAYMENT_WIDGET_FRAMES
  return {
    DESK_OIDC_ISSUER: `${simulator}/identity`,
    DESK_OIDC_CLIENT_ID: clientId,
    DESK_OIDC_CLIENT_SECRET: clientSecret,
  }
}

function reasonsAgainstHalves(lookup: Lookup): string[] {
  return groups.flatMap((names) => {
    const set = names.find((name) => lookup(name) !== undefined)
    const missing = set === undefined ? [] : names.filter((name) => lookup(name) === undefined)
    return missing.map((name) => `${name} is missing, and ${set} is set`)
  })
}

/** Refuses two figures that contradict each other. */
function reasonsAgainstPromises({ TRANSIT_DAYS, LATE_AFTER_DAYS }: Partial<Config>): string[] {
  const [, most] = transitDaysOverall({ transitDays: TRANSIT_DAYS ?? {} }) ?? []
  return LATE_AFTER_DAYS !== undefined && most !== undefined && LATE_AFTER_DAYS < most
    ? ['LATE_AFTER_DAYS is less than the most days of TRANSIT_DAYS']
    : []
}

/** Keys that belong together: with others every push message would be refused. */
function reasonsAgainstVapid(parsed: Readonly<Record<string, unknown>>): string[] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = parsed
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string') return []
  return isKeyPair(publicKey, privateKey) ? [] : ['VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY']
}

/** One value would give both rights. */
function reasonsAgainstEqualRoles(parsed: Readonly<Record<string, unknown>>): string[] {
  const values = ['DESK_ROLE_SUPPORT', 'DESK_ROLE_MONEY', 'DESK_ROLE_LEAD'].map((name) => parsed[name])
  return new Set(values).size === values.length
    ? []
    : ['two of DESK_ROLE_SUPPORT, DESK_ROLE_MONEY and DESK_ROLE_LEAD are equal']
}

function isKeyPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
  } catch {
    // Zero, or beyond the order of the curve.
    return false
  }
  return pair.getPublicKey('base64url') === publicKey
}

export const isLoopback = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|mock-partner)$/.test(host)
}

/** Needed in MODE=live once messages are switched on. */
const messagingKeys = ['MESSAGES_ACCOUNT_SID', 'MESSAGES_AUTH_TOKEN', 'MESSAGES_FROM']

function reasonsAgainstLive(lookup: Lookup, parsed: Readonly<Record<string, unknown>>): string[] {
  const reasons: string[] = []
  const hasMessages = parsed.MESSAGES_ENABLED === true
  for (const { name, table, demoOnly, whenMissing, default: fallback } of configRows) {
    if (demoOnly && lookup(name) !== undefined) reasons.push(`${name} is set`)
    if (table !== 'must' && !(hasMessages && messagingKeys.includes(name))) continue
    if (lookup(name) === undefined)
      reasons.push(whenMissing === undefined ? `${name} is missing` : `${name} is missing: ${whenMissing}`)
    // A name may be the operator's own, and registered.
    else if (lookup(name) === fallback && name !== 'MESSAGES_FROM') reasons.push(`${name} is the demo value`)
    // Simulators everywhere sign with it.
    if (fallback !== undefined && lookup(`${name}_PREVIOUS`) === fallback)
      reasons.push(`${name}_PREVIOUS is the demo value`)
  }
  const names = [
    ...configRows.filter(({ url }) => url).map(({ name }) => name),
    ...(hasMessages ? ['MESSAGES_BASE_URL'] : []),
    'PAYMENT_WIDGET_FRAMES',
  ]
  // The default of one that is not set derives from another, which is checked itself.
  for (const name of names.filter(lookup)) {
    // Undefined where it could not be parsed, which is a reason already.
    const reason = [parsed[name] ?? []]
      .flat()
      .map((address) => reasonAgainst(String(address)))
      .find(Boolean)
    if (reason) reasons.push(`${name} ${reason}`)
  }
  reasons.push(...reasonsAgainstPaymentKeys(parsed))
  if (parsed.OTP_USER_SERVICE_SID === parsed.OTP_AGENT_SERVICE_SID)
    reasons.push('OTP_AGENT_SERVICE_SID equals OTP_USER_SERVICE_SID')
  if (parsed.SMTP_URL !== undefined) {
    if (lookup('SMTP_FROM') === undefined) reasons.push('SMTP_FROM is missing, and SMTP_URL needs it')
    if (isLoopback(String(parsed.SMTP_URL)))
      reasons.push('SMTP_URL points at the simulator or at this machine')
  } else if (lookup('SMTP_FROM') !== undefined) reasons.push('SMTP_URL is missing, and SMTP_FROM needs it')
  if (parsed.INVOICE_PHASE !== undefined)
    for (const name of sellerNames)
      if (lookup(name) === undefined) reasons.push(`${name} is missing, and INVOICE_PHASE needs it`)
  if (URL.parse(String(serversOf(String(parsed.DATABASE_URL))[0]))?.password === demoPassword)
    reasons.push('DATABASE_URL has the password of the demo')
  if (parsed.SELLER_VAT_NUMBER === brand.purchase.seller.vatNumber)
    reasons.push('SELLER_VAT_NUMBER is the demo value')
  if (parsed.GOOGLE_WALLET_ISSUER_ID === demoAccounts.wallet.issuerId)
    reasons.push('GOOGLE_WALLET_ISSUER_ID is the demo value')
  for (const [name, value] of [
    ['DESK_OIDC_CLIENT_ID', demoAccounts.identity.clientId],
    ['DESK_OIDC_CLIENT_SECRET', demoAccounts.identity.clientSecret],
  ] as const)
    if (parsed[name] === value) reasons.push(`${name} is the demo value`)
  if (isOfDemo(parsed.GOOGLE_WALLET_ACCOUNT as WalletAccount | undefined))
    reasons.push('GOOGLE_WALLET_ACCOUNT is the demo value')
  return reasons
}

/** A key names its country, its kind and its mode: `sau_sk_test_…` (docs/wires/payment.md). */
function reasonsAgainstPaymentKeys({
  PAYMENT_TEST: isTest,
  ...parsed
}: Readonly<Record<string, unknown>>): string[] {
  const keys = ['PAYMENT_SECRET_KEY', 'PAYMENT_PUBLIC_KEY'] as const
  const wrong = isTest ? 'live' : 'test'
  const way = isTest
    ? 'and PAYMENT_TEST=true says that no card is charged'
    : 'with which no card is charged. Set the live key, or PAYMENT_TEST=true for a trial'
  return keys
    .filter((name) => new RegExp(`^[a-z]+_[a-z]+_${wrong}_`).test(String(parsed[name])))
    .map((name) => `${name} is a ${wrong} key, ${way}`)
}

/** Anyone can sign with its key: it is public. */
function isOfDemo(account: WalletAccount | undefined): boolean {
  if (account === undefined) return false
  const demo = demoWalletAccount()
  return account.email === demo.email || account.key.equals(demo.key)
}

/** Why an address is refused in MODE=live. */
function reasonAgainst(address: string): string | undefined {
  if (isLoopback(address)) return 'points at the simulator or at this machine'
  return address.startsWith('https://') ? undefined : 'is not https'
}

/**
 * What an operator should know at the start; each is logged as a warning.
 * @param node the path of the running Node
 */
export function warningsAbout(config: Config, node: string): readonly string[] {
  if (config.MODE !== 'live') return []
  const warnings: string[] = []
  if (node.includes('node_modules'))
    warnings.push(
      'MODE=live on the Node of npm, which can lack security releases of nodejs.org. Run the image (docs/deployment.md).',
    )
  if (config.PAYMENT_TEST)
    warnings.push('PAYMENT_TEST=true: no card is charged, while bags are booked at the shipping partner.')
  if (config.TRUSTED_PROXIES?.length === 0)
    warnings.push(
      'TRUSTED_PROXIES=none: if a proxy is in front of the gateway, all clients share its address and their limits of sign-in. Name the proxy.',
    )
  if (config.SMTP_URL !== undefined && !config.MESSAGES_ENABLED)
    warnings.push(
      'E-mail is on and SMS are off: a number that loses its account to another one is told by nothing (docs/runbook.md). MESSAGES_ENABLED=true sends them.',
    )
  return warnings
}
