import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/** SHA-256. A copy of the database, which holds only this, opens no session. */
export function hashOf(token: string | Uint8Array): string {
  return hash('sha256', token)
}

/** Compares texts of any length in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Crockford's base 32, without characters that are confused when read aloud; 5 bits each. */
export function randomSuffix(length = 8): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % 32]).join('')
}
