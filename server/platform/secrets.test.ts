import { describe, expect, it } from 'vitest'
import { systemRandom } from './random.ts'
import { hashOf, isToken, randomSuffix, randomToken } from './secrets.ts'

describe('randomToken', () => {
  it('encodes 256 bits in characters allowed in a cookie', () => {
    const token = randomToken(systemRandom)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => randomToken(systemRandom))).size).toBe(1_000)
  })
})

describe('isToken', () => {
  it('accepts tokens of randomToken', () => {
    expect(isToken(randomToken(systemRandom))).toBe(true)
  })

  it.each([undefined, '', 'x', 'x'.repeat(44), `${'x'.repeat(42)}\n`, `${'x'.repeat(42)}=`])(
    'refuses %j',
    (text) => {
      expect(isToken(text)).toBe(false)
    },
  )
})

describe('hashOf', () => {
  it('is SHA-256 in hexadecimal', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('randomSuffix', () => {
  it('uses only characters that are not confused when read aloud', () => {
    expect(randomSuffix(systemRandom)).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  })
})
