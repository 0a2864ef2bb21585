import { createPrivateKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { cityCode, codedCities } from '#shared/platform/city-codes.ts'
import { isDate } from '#shared/platform/instant.ts'
import type { DaySpan, Promises } from '#shared/platform/promises.schemas.ts'
import { serversOf } from './database/url.ts'

// Parse the text of a variable. The message of an error continues the variable's name and never contains the value.

export const text = (value: string): string => value

/** A value of this form. `reason` continues the variable's name. */
export function matching(form: RegExp, reason: string) {
  return (value: string): string => {
    if (!form.test(value)) throw new Error(reason)
    return value
  }
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** `30s`, `30m` or `3h`, from 5 s to a day, in milliseconds. */
export function duration(value: string): number {
  const [, amount, unit] = /^([1-9]\d{0,4})([smh])$/.exec(value) ?? []
  const ms = Number(amount) * (units[unit ?? ''] ?? Number.NaN)
  if (!(ms >= 5_000 && ms <= 86_400_000)) throw new Error('is not a time from 5s to 24h, such as 30m')
  return ms
}

export function integer(value: string): number {
  const number = Number(value)
  if (!/^\d{1,15}$/.test(value)) throw new Error('is not a whole number')
  return number
}

export function integerBetween(least: number, most: number) {
  return (value: string): number => {
    const number = integer(value)
    if (number < least || number > most) throw new Error(`is not between ${least} and ${most}`)
    return number
  }
}

export const port = integerBetween(0, 65_535)

export function count(value: string): number {
  const number = integer(value)
  if (number < 1) throw new Error('is not at least 1')
  return number
}

/** Of one PostgreSQL or of several, each with an address of its own. */
export function databaseUrl(value: string): string {
  const isOne = (each: string) => /^postgres(ql)?:$/.test(URL.parse(each)?.protocol ?? '')
  if (!serversOf(value).every(isOne)) throw new Error('is not a postgres:// URL')
  return value
}

export function url(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error('is not an http(s) URL')
  return value.replace(/\/+$/, '')
}

/** The name of an identity provider. As it is written: a slash at its end belongs to it. */
export function issuer(value: string): string {
  url(value)
  return value
}

export function smtpUrl(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed?.hostname || !/^smtps?:$/.test(parsed.protocol)) throw new Error('is not an smtp(s):// URL')
  if (parsed.search !== '' || parsed.hash !== '' || !/^\/?$/.test(parsed.pathname))
    throw new Error('has more than user, password, host and port')
  return value
}

export function urlList(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(url)
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  return (value: string): T => {
    const choice = choices.find((candidate) => candidate === value)
    if (!choice) throw new Error(`is not one of ${choices.join(', ')}`)
    return choice
  }
}

/** `off`, `until-hand-over`, or so many hours after the payment at most, such as `48h`. */
export function cancellationTerms(value: string) {
  const [, hours] = /^([1-9]\d{0,3})h$/.exec(value) ?? []
  if (hours !== undefined) return { isOffered: true, hours: Number(hours) }
  if (value !== 'off' && value !== 'until-hand-over')
    throw new Error('is not off, until-hand-over or a number of hours such as 48h')
  return { isOffered: value === 'until-hand-over', hours: 0 }
}

/** Values of `choices`, separated by commas; in the order of `choices`, each once. */
export function listOf<const T extends string>(...choices: readonly T[]) {
  return (value: string): readonly T[] => {
    const given = value.split(',').map((part) => oneOf(...choices)(part.trim()))
    return choices.filter((choice) => given.includes(choice))
  }
}

export const yesOrNo = (value: string): boolean => oneOf('true', 'false')(value) === 'true'

/**
 * Addresses and networks. A client in the list can claim any address by `X-Forwarded-For`, so shorthands of Fastify
 * (`true`, a number of hops, names) are refused, and so are networks wider than /8 (IPv4) and /16 (IPv6).
 */
export function networkList(value: string): readonly string[] {
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

/** Stands in the files for Kubernetes and systemd until an operator names the proxy. */
export const proxiesPlaceholder = 'name-the-proxy'

/** The networks of `networkList`, or `none`. */
export function proxyList(value: string): readonly string[] {
  if (value === proxiesPlaceholder)
    throw new Error('is the placeholder of deploy/: name the proxy in front of the gateway, or none')
  return value === 'none' ? [] : networkList(value)
}

/** One line of so many bytes at most. */
export function printedLine(mostBytes: number) {
  return (value: string): string => {
    if (Buffer.byteLength(value, 'utf8') > mostBytes) throw new Error(`is longer than ${mostBytes} bytes`)
    if (/\p{Cc}/u.test(value)) throw new Error('is not one line')
    return value
  }
}

export function secret(value: string): string {
  if (value.length < 16) throw new Error('is shorter than 16 characters')
  return value
}

/** ISO dates that exist, separated by commas; in order, each once. */
export function dateList(value: string): readonly string[] {
  const dates = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (!dates.every(isDate)) throw new Error('is not a list of dates, such as 2027-05-26,2027-05-27')
  return [...new Set(dates)].sort()
}

/** A date that exists. */
export function date(value: string): string {
  if (!isDate(value)) throw new Error('is not a date such as 2027-05-29')
  return value
}

const codes = new Set(codedCities.map(cityCode))

/** `RUH=2-4,JED=1-2,*=3-6`: days by the code of a city, `*` for all others; `none` for no city. */
export function transitDays(value: string): Promises['transitDays'] {
  if (value === 'none') return {}
  const spans = value.split(',').map((part): readonly [string, DaySpan] => {
    const [, city, least, most] = /^([A-Z]{3}|\*)=(\d{1,2})-(\d{1,2})$/.exec(part.trim()) ?? []
    const span: DaySpan = [Number(least), Number(most)]
    if (city === undefined || span[0] > span[1])
      throw new Error('is not none or a list of days by city such as RUH=2-4,JED=1-2,*=3-6')
    // Three letters are no secret, and the list may be long.
    if (city !== '*' && !codes.has(city)) throw new Error(`names ${city}, which is the code of no city`)
    return [city === '*' ? 'default' : city, span]
  })
  const cities = spans.map(([city]) => city)
  const twice = cities.find((city, at) => cities.indexOf(city) !== at)
  if (twice !== undefined) throw new Error(`names ${twice === 'default' ? '*' : twice} twice`)
  return Object.fromEntries(spans)
}

export function countryList(value: string): readonly string[] {
  const countries = value.split(',').map((part) => part.trim())
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country)))
    throw new Error('is not a list of ISO country codes')
  return countries
}

export interface WalletAccount {
  readonly email: string
  readonly key: KeyObject
}

/** The key file of a service account. Google accepts RS256 only, so the key is RSA. */
export function walletAccount(value: string): WalletAccount {
  try {
    const { client_email: email, private_key: pem } = JSON.parse(value) as Record<string, unknown>
    const key = createPrivateKey(String(pem))
    if (typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && key.asymmetricKeyType === 'rsa')
      return { email, key }
  } catch {
    // Neither error may show what was read.
  }
  throw new Error('is not the key file of a service account: JSON with client_email and an RSA private_key')
}
