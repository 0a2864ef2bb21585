import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Limits count requests by this group of addresses: an IPv6 address counts as its /48, because one client can own all
 * of it.
 */
export function addressGroup(address: string): string {
  const [plain = ''] = address.split('%')
  // `isIP` refuses short forms such as `1` and `0x7f.1`, which ipaddr.js accepts.
  if (isIP(plain) === 0 || !ipaddr.isValid(plain)) return 'unknown'
  const parsed = ipaddr.process(plain)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')}::/48`
}

/** Log lines contain these shortened addresses, which show an attack but do not identify a person. */
export function truncatedAddress(address: string): string {
  const group = addressGroup(address)
  return isIP(group) === 4 ? `${group.split('.').slice(0, 3).join('.')}.0/24` : group
}

export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}
