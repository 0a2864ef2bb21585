import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressGroup, truncatedAddress } from './address.ts'

describe('addressGroup', () => {
  it.each([
    ['192.0.2.17', '192.0.2.17'],
    ['::ffff:192.0.2.17', '192.0.2.17'],
    ['::FFFF:c000:211', '192.0.2.17'],
    ['0:0:0:0:0:ffff:192.0.2.17', '192.0.2.17'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.17', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['example.com', 'unknown'],
    ['192.0.2.17, 10.0.0.1', 'unknown'],
  ])('of %s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it('is one for all addresses of a /64, and another for its neighbour', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }), (words) => {
        const tail = words.map((word) => word.toString(16)).join(':')
        return (
          addressGroup(`2001:db8:1:2:${tail}`) === '2001:db8:1:2::/64' &&
          addressGroup(`2001:db8:1:3:${tail}`) === '2001:db8:1:3::/64'
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
