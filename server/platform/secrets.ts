import { hash, timingSafeEqual } from 'node:crypto'
import type { Random } from './random.ts'

export function randomToken(random: Random): string {
  return random.bytes(32).toString('base64url')
}

export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/** The hash of a token. The database stores only the hash, so a copy of the database opens no session. */
export function hashOf(token: string | Uint8Array): string {
  return hash('sha256', token)
}

export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Uses Crockford's base 32, whose characters are not confused when they are read aloud. */
export function randomSuffix(random: Random): string {
  return Array.from(random.bytes(8), (byte) => alphabet[byte % 32]).join('')
}
