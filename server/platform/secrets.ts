import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as a cookie carries them. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** True for what `randomToken` makes. A cookie may hold anything, nothing included. */
export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/** What the database holds of a token, so that a copy of the database opens no session. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Crockford's base 32: nothing that is misread aloud. 8 characters are 40 bits. */
export function randomSuffix(length = 8): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % 32]).join('')
}
