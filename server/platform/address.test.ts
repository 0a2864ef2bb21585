import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressGroup, truncatedAddress } from './address.ts'

describe('addressGroup', () => {
  it.each([
    ['192.0.2.17', '192.0.2.17'],
    ['::ffff:192.0.2.17', '192.0.2.17'],
    ['::FFFF:c000:211', '192.0.2.17'],
    ['0:0:0:0:0:ffff:192.0.2.17', '192.0.2.17'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
    ['64:ff9b::192.0.2.17', '64:ff9b:0::/48'],
    ['', 'unknown'],
    ['example.com', 'unknown'],
    ['192.0.2.17, 10.0.0.1', 'unknown'],
  ])('of %s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it.each([
    ['fe80::1%eth-0', 'fe80:0:0::/48'],
    ['1', 'unknown'],
    ['0x7f.1', 'unknown'],
    ['1::2:3:4:5:6:7', '1:0:2::/48'],
  ])('of %s is %s, however it is spelled', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it('reads every valid address', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => addressGroup(address) === address))
    fc.assert(fc.property(fc.ipV6(), (address) => addressGroup(address) !== 'unknown'))
  })

  it('is one for all addresses of a /48, and another for the next /48', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 5, maxLength: 5 }), (words) => {
        const tail = words.map((word) => word.toString(16)).join(':')
        return (
          addressGroup(`2001:db8:1:${tail}`) === '2001:db8:1::/48' &&
          addressGroup(`2001:db8:2:${tail}`) === '2001:db8:2::/48'
        )
      }),
    )
  })
})

describe('truncatedAddress', () => {
  it.each([
    ['192.0.2.17', '192.0.2.0/24'],
    ['::ffff:192.0.2.17', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['nonsense', 'unknown'],
  ])('of %s is %s', (address, truncated) => {
    expect(truncatedAddress(address)).toBe(truncated)
  })
})
