import { readFileSync } from 'node:fs'
import { composeVariables } from './compose-variables.ts'
import type { ConfigRow } from './config-variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const suffix = '_FILE'

export function readSecretFiles(env: Environment, rows: readonly ConfigRow[]) {
  const values = new Map<string, string>()
  const reasons: string[] = []
  for (const { name, secret } of rows) {
    const path = secret && env[`${name}${suffix}`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) {
      reasons.push(`${name} and ${name}${suffix} are both set: remove one`)
      continue
    }
    try {
      const value = readFileSync(path, 'utf8').trim()
      if (value === '') reasons.push(`${name}${suffix} names an empty file`)
      else values.set(name, value)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      reasons.push(`${name}${suffix} names a file that cannot be read (${code ?? 'unknown error'})`)
    }
  }
  return { values, reasons }
}

/** Only variables of the gateway begin with these words, so an unknown variable that does is a mistake. */
export const families = [
  'ALLOWED_PHONE',
  'CALLBACK_',
  'CANCELLATION',
  'DEMO_CONTROL_',
  'DESK_',
  'DRAIN_',
  'ENABLED_BOOKING',
  'EVENT_STREAM',
  'GOOGLE_WALLET_',
  'HAND_IN_',
  'INVOICE_',
  'LATE_AFTER_',
  'LIABILITY_',
  'MESSAGES_',
  'OTP_',
  'PAYMENT_',
  'SELLER_',
  'SHIPPING_',
  'SMTP_',
  'STORAGE_DAY',
  'TRACKING_',
  'TRANSIT_',
  'TRUSTED_',
  'VAPID_',
  'WORK_HOLIDAY',
]

const constant = 'it is now a constant (server/platform/gateway-limits.ts), so unset it'

export const removedVariables: Readonly<Record<string, string>> = {
  OTP_WRONG_PER_PHONE: constant,
  OTP_CODES_PER_PREFIX: constant,
  OTP_CODES_PER_COUNTRY: constant,
  VAPID_PUBLIC_KEY: 'it follows from VAPID_PRIVATE_KEY, so unset it',
  VAPID_SUBJECT: 'it is now the contact of the product (shared/platform/brand.ts), so unset it',
  DATABASE_POOL: constant,
  MESSAGES_DAILY_BUDGET: constant,
  WORKERS:
    'every gateway does all background work, which `npm run ops -- pause` stops by its kind, so unset it',
}

const forOthers =
  /^((COMPOSE|DOCKER|BUILDKIT|MOCK|VITE|NODE|OTEL|npm_config)_\w+|CHROMIUM_PATH|TZ|(https?|no)_proxy)$/i

/**
 * Kubernetes sets variables with these endings for each service. For a service called "payment" they begin like ours.
 */
const ofKubernetes = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_\d+_(TCP|UDP)\w*)$/

/** An error message prints the name of a variable only in this form: any other text can be a line of a private key. */
const printable = /^[A-Z][A-Z0-9_]*$/
const notName =
  'a name is not one of capital letters, digits and _; a value of several lines must be a file (NAME_FILE)'

/** In `.env` every unknown variable is refused; in the environment only one whose name resembles a variable of ours. */
export function findUnknownNames(
  env: Environment,
  namesInFile: readonly string[],
  rows: readonly ConfigRow[],
): readonly string[] {
  const known = rows.flatMap(({ name, secret }) => (secret ? [name, `${name}${suffix}`] : [name]))
  const isKnown = (name: string) =>
    known.includes(name) || composeVariables.some((each) => each.name === name)
  const isMeantForUs = (name: string) =>
    (families.some((family) => name.startsWith(family)) && !ofKubernetes.test(name)) ||
    (namesInFile.includes(name) && !forOthers.test(name)) ||
    isMisspelt(name, known)
  const reasons = Object.entries(env).flatMap(([name, value]) => {
    if (!value?.trim() || isKnown(name)) return []
    const replacement = Object.hasOwn(removedVariables, name) ? removedVariables[name] : undefined
    if (replacement !== undefined) return [`${name} was removed: ${replacement}`]
    return isMeantForUs(name) ? [reasonOf(name, known)] : []
  })
  return [...new Set(reasons)]
}

function reasonOf(name: string, known: readonly string[]) {
  if (!printable.test(name)) return notName
  if (name.endsWith(suffix) && known.includes(name.slice(0, -suffix.length)))
    return `${name} is not known: only secrets are read from files`
  return `${name} is not known; the nearest name is ${nearestOf(name, known)}`
}

/**
 * Names shorter than eight letters, such as HOST, are not checked for misspelling: they resemble names of other
 * programs.
 */
const isMisspelt = (name: string, known: readonly string[]) =>
  name.length >= 8 && known.some((each) => isNear(name, each) || hasSimilarWords(name, each))

const isNear = (name: string, known: string) =>
  Math.abs(name.length - known.length) <= 2 && distanceOf(name, known) <= 2

/** TRUST_PROXY is recognised as a misspelling of TRUSTED_PROXIES. */
function hasSimilarWords(name: string, known: string) {
  const words = name.split('_')
  const others = known.split('_')
  return (
    words.length > 1 &&
    words.length === others.length &&
    words.every((word, at) => {
      const other = others[at] ?? ''
      return distanceOf(word, other) <= Math.max(word.length, other.length) / 2
    })
  )
}

const nearestOf = (name: string, known: readonly string[]) =>
  known.reduce((best, next) => (distanceOf(name, next) < distanceOf(name, best) ? next : best))

function distanceOf(from: string, to: string) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries())
      next.push(
        Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
