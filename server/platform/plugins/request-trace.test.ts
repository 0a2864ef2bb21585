import { describe, expect, it } from 'vitest'
import { requestIdOf } from './request-trace.ts'

const idFor = (given: string | string[] | undefined) => requestIdOf({ headers: { 'x-request-id': given } })
const newId = /^[\w-]{20}$/

describe('the id of a request', () => {
  it.each(['0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d', '7F000001:8296_7F00001E:1F90.0003', 'a'.repeat(64)])(
    'is the caller’s: %s',
    (given) => {
      expect(idFor(given)).toBe(given)
    },
  )

  it.each([
    undefined,
    '',
    'too-short',
    'a'.repeat(65),
    'with a space in it',
    '"><script>alert(1)</script>',
    'two-lines-of-text\nlevel',
    // A phone.
    'x.966512345678.y',
    'معرف-الطلب-الطويل',
  ])('is a new one instead of %j', (given) => {
    expect(idFor(given)).toMatch(newId)
    expect(idFor(given)).not.toBe(idFor(given))
  })

  it('is never given twice', () => {
    const ids = Array.from({ length: 2_000 }, () => idFor(undefined))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is a new one where the header came twice', () => {
    expect(idFor(['0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d', 'x'])).toMatch(newId)
  })
})
