import { describe, expect, it } from 'vitest'
import { createRequestIds } from './request-trace.ts'

const idOf = createRequestIds(['192.0.2.1', '10.0.0.0/8', 'fd00::/16'])
const idFor = (given: string | string[] | undefined, remoteAddress: string | undefined = '192.0.2.1') =>
  idOf({ headers: { 'x-request-id': given }, socket: { remoteAddress } })
const newId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

describe('the id of a request', () => {
  it.each(['0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d', '7F000001:8296_7F00001E:1F90.0003', 'a'.repeat(64)])(
    'is that of a trusted proxy: %s',
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

  it('is that of a proxy in a network, and a new one for any other caller', () => {
    const given = 'a'.repeat(20)
    for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::7']) expect(idFor(given, proxy)).toBe(given)
    for (const caller of ['192.0.2.2', '::ffff:192.0.2.2', 'fd01::7', ''])
      expect(idFor(given, caller)).toMatch(newId)
  })

  it('is a new one where the header came twice', () => {
    expect(idFor(['0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d', 'x'])).toMatch(newId)
  })
})
