import { isIP } from 'node:net'

// Parse the text of a variable. The message of an error continues the variable's name and never contains the value.

export const text = (value: string): string => value

export function port(value: string): number {
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65_535) throw new Error('is not a port number')
  return number
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

export function url(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error('is not an http(s) URL')
  return value.replace(/\/+$/, '')
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes headers. */
export function headerList(value: string): Readonly<Record<string, string>> {
  const pairs = value.split(',').map((pair) => /^\s*([\w-]+)=([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    return Object.fromEntries(
      pairs.map((found) => {
        if (!found) throw new Error()
        return [found[1]?.toLowerCase(), decodeURIComponent(found[2] ?? '')]
      }),
    )
  } catch {
    throw new Error('is not a list such as name=value,name=value')
  }
}

export function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new Error('is not a postgres:// URL')
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

/** Values of `choices`, separated by commas; in the order of `choices`, each once. */
export function listOf<const T extends string>(...choices: readonly T[]) {
  return (value: string): readonly T[] => {
    const given = value.split(',').map((part) => oneOf(...choices)(part.trim()))
    return choices.filter((choice) => given.includes(choice))
  }
}

/** Above an hour it is a typing error, and 0 would switch the limit off. */
export function milliseconds(value: string): number {
  const number = integer(value)
  if (number < 100 || number > 3_600_000) throw new Error('is not between 100 and 3600000')
  return number
}

/** As `milliseconds`, or 0 to switch the limit off. */
export const millisecondsOrNone = (value: string) => (integer(value) === 0 ? 0 : milliseconds(value))

/** A part of `stopGraceMs`; the greater part remains for requests under way. */
export function drainTime(value: string): number {
  const number = integer(value)
  if (number > 30_000) throw new Error('is more than 30000')
  return number
}

export function count(value: string): number {
  const number = integer(value)
  if (number < 1) throw new Error('is not at least 1')
  return number
}

export function daysBetween(least: number, most: number) {
  return (value: string): number => {
    const number = integer(value)
    if (number < least || number > most) throw new Error(`is not between ${least} and ${most}`)
    return number
  }
}

export const yesOrNo = (value: string): boolean => oneOf('true', 'false')(value) === 'true'

/** A sender of SMS: a number, a name of letters, digits and spaces, or the id of a messaging service. */
export function sender(value: string): string {
  const isName = /^[A-Za-z0-9 ]{1,11}$/.test(value) && /[A-Za-z]/.test(value)
  if (!isName && !/^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32})$/.test(value))
    throw new Error('is not a number, a name of at most 11 letters and digits, or MG…')
  return value
}

export function percent(value: string): number {
  const number = integer(value)
  if (number < 1 || number > 100) throw new Error('is not between 1 and 100')
  return number
}

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

/** Subresource Integrity of one script; several hashes, separated by spaces, are alternatives. */
export function integrity(value: string): string {
  if (
    !/^sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}( sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2})*$/.test(
      value,
    )
  )
    throw new Error('is not a hash like sha384-…')
  return value
}

/** One line on an invoice. Its QR code counts the bytes of a field in one byte. */
export function printedLine(value: string): string {
  if (Buffer.byteLength(value, 'utf8') > 255) throw new Error('is longer than 255 bytes')
  if (/\p{Cc}/u.test(value)) throw new Error('is not one line')
  return value
}

export function vatNumber(value: string): string {
  if (!/^3\d{13}3$/.test(value)) throw new Error('is not 15 digits that begin and end with 3')
  return value
}

export function registrationNumber(value: string): string {
  if (!/^\d{10}$/.test(value)) throw new Error('is not ten digits')
  return value
}

/** base64url of an uncompressed point of P-256. */
export function vapidPublicKey(value: string): string {
  if (!/^B[\w-]{86}$/.test(value)) throw new Error('is not a public key of P-256 in base64url')
  return value
}

export function vapidPrivateKey(value: string): string {
  if (!/^[\w-]{43}$/.test(value)) throw new Error('is not a private key of P-256 in base64url')
  return value
}

/** Where push services reach the operator (RFC 8292). */
export function vapidSubject(value: string): string {
  if (!/^mailto:[^\s@<>]+@[^\s@<>]+$/.test(value) && !/^https:\/\/[^\s/]+/.test(value))
    throw new Error('is not a mailto: or https: address')
  return value
}

export function secret(value: string): string {
  if (value.length < 16) throw new Error('is shorter than 16 characters')
  return value
}

export function countryList(value: string): readonly string[] {
  const countries = value.split(',').map((part) => part.trim())
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country)))
    throw new Error('is not a list of ISO country codes')
  return countries
}
