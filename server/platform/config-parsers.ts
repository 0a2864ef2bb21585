import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import Type, { type TSchema, type TSchemaOptions } from 'typebox'
import { Check } from 'typebox/value'
import { cityCode, codedCities } from '#shared/platform/city-codes.ts'
import { isDate } from '#shared/platform/instant.ts'
import type { DaySpan, Promises } from '#shared/platform/promises.schemas.ts'
import { serversOf } from './database/url.ts'

// The message of a refusal must not contain the value, which can be a secret.

export interface Shape extends TSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Shape
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly fault?: string
}

export function parseText(schema: Shape, text: string): unknown {
  const value = fromText(schema, text)
  if (!Check(schema, value)) throw new Error(faultOf(schema))
  return Type.IsCodec(schema) ? schema['~codec'].decode(value) : value
}

const split = (text: string) => text.split(',').map((part) => part.trim())

function fromText({ type }: Shape, text: string): unknown {
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  return type === 'array' ? split(text).filter(Boolean) : text
}

function faultOf({ type, enum: choices, items, minimum, maximum, minLength, fault }: Shape) {
  if (fault !== undefined) return fault
  if (items !== undefined) return faultOf(items)
  if (choices !== undefined) return `is not one of ${choices.join(', ')}`
  if (type === 'boolean') return 'is not one of true, false'
  if (minLength !== undefined) return `is shorter than ${minLength} characters`
  return `is not a whole number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`
}

function checked(check: (text: string) => boolean, fault: string) {
  return (options: TSchemaOptions) => Type.Refine(Type.String({ ...options, fault }), check)
}

export function parsed<T>(parse: (text: string) => T) {
  return (options: TSchemaOptions) => Type.Decode(Type.String(options), parse)
}

export function someOf<const T extends string>(choices: readonly T[], options: TSchemaOptions) {
  const list = Type.Array(Type.Enum([...choices]), { ...options, minItems: 1 })
  return Type.Decode(list, (given): readonly T[] => choices.filter((choice) => given.includes(choice)))
}

export const secret = (options: TSchemaOptions) => Type.String({ ...options, minLength: 16, secret: true })

const isHttp = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** A slash at the end is a part of an issuer's name, so it is not removed. */
export const issuer = checked(isHttp, 'is not an http(s) URL')

export const url = (options: TSchemaOptions) => Type.Decode(issuer(options), withoutSlash)

export const urlList = (options: TSchemaOptions) =>
  Type.Decode(Type.Array(issuer({}), options), (urls) => urls.map(withoutSlash))

export const databaseUrl = checked(
  (text) => serversOf(text).every((each) => /^postgres(ql)?:$/.test(URL.parse(each)?.protocol ?? '')),
  'is not a postgres:// URL',
)

export const smtpUrl = checked((text) => {
  const server = URL.parse(text)
  if (!server?.hostname || !/^smtps?:$/.test(server.protocol)) return false
  return /^\/?$/.test(server.pathname + server.search + server.hash)
}, 'is not an smtp(s):// URL of user, password, host and port')

export const printedLine = (mostBytes: number) =>
  checked(
    (text) => Buffer.byteLength(text, 'utf8') <= mostBytes && !/\p{Cc}/u.test(text),
    `is not one line of at most ${mostBytes} bytes`,
  )

export const date = checked(isDate, 'is not a date such as 2027-05-29')

export const pushKey = checked((text) => {
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url')
    return /^[\w-]{43}$/.test(text)
  } catch {
    return false
  }
}, 'is not a private key of P-256 in base64url')

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

export const duration = parsed((text) => {
  const [, amount, unit] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  const ms = Number(amount) * (units[unit ?? ''] ?? Number.NaN)
  if (!(ms >= 5_000 && ms <= 86_400_000)) throw new Error('is not a time from 5s to 24h, such as 30m')
  return ms
})

export const cancellationTerms = (options: TSchemaOptions) =>
  Type.Decode(
    Type.String({
      ...options,
      pattern: '^(off|until-hand-over|[1-9]\\d{0,3}h)$',
      fault: 'is not off, until-hand-over or a number of hours such as 48h',
    }),
    (text) => ({ isOffered: text !== 'off', hours: Number.parseInt(text, 10) || 0 }),
  )

/** TRUSTED_PROXIES has this text in the files of `deploy/` until an operator names the proxy. */
export const proxiesPlaceholder = 'name-the-proxy'

/**
 * A client whose address is in TRUSTED_PROXIES can claim any address by `X-Forwarded-For`, so Fastify's short forms
 * (`true`, a number of hops, names) and networks wider than /8 (IPv4) or /16 (IPv6) are refused.
 */
export function parseProxies(text: string): readonly string[] {
  if (text === proxiesPlaceholder)
    throw new Error('is the placeholder of deploy/: name the proxy in front of the gateway, or none')
  if (text === 'none') return []
  const networks = split(text)
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/')
    const [least, most] = isIP(address) === 4 ? [8, 32] : [16, 128]
    const isNetwork = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= most)
    if (isIP(address) === 0 || rest.length > 0 || /^::ffff:/i.test(address) || !isNetwork)
      throw new Error('is not a list of addresses and networks (CIDR)')
    if (Number(length) < least) throw new Error('trusts a network too wide to be a proxy’s')
  }
  return networks
}

const codes = new Set(codedCities.map(cityCode))

/** Parses days in transit by city code: `RUH=2-4,JED=1-2,*=3-6`, where `*` stands for all other cities. */
export const transitDays = parsed((text): Promises['transitDays'] => {
  if (text === 'none') return {}
  const days = new Map<string, DaySpan>()
  for (const part of split(text)) {
    const [, city, least, most] = /^([A-Z]{3}|\*)=(\d{1,2})-(\d{1,2})$/.exec(part) ?? []
    if (city === undefined || Number(least) > Number(most))
      throw new Error('is not none or a list of days by city such as RUH=2-4,JED=1-2,*=3-6')
    if (city !== '*' && !codes.has(city)) throw new Error(`names ${city}, which is the code of no city`)
    const key = city === '*' ? 'default' : city
    if (days.has(key)) throw new Error(`names ${city} twice`)
    days.set(key, [Number(least), Number(most)])
  }
  return Object.fromEntries(days)
})

export interface WalletAccount {
  readonly email: string
  readonly key: KeyObject
}

/** Google accepts only RS256, so the key must be RSA. */
export const walletAccount = parsed((text): WalletAccount => {
  try {
    const { client_email: email, private_key: pem } = JSON.parse(text) as Record<string, unknown>
    const key = createPrivateKey(String(pem))
    if (typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && key.asymmetricKeyType === 'rsa')
      return { email, key }
  } catch {}
  throw new Error('is not the key file of a service account: JSON with client_email and an RSA private_key')
})
