import { isIP } from 'node:net'

/**
 * What one caller's addresses have in common: an IPv4 address is whole, an IPv6 caller has a /64 to itself and could
 * answer from any address of it. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
 * What is no address at all is one group of its own.
 */
export function addressGroup(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) === 4) return plain
  const words = wordsOf(plain)
  if (!words) return 'unknown'
  return ipv4In(words) ?? `${words.slice(0, 4).map(hex).join(':')}::/64`
}

/** As it may stand in a log: enough to see an attack, too little to find a person. */
export function truncatedAddress(address: string): string {
  const group = addressGroup(address)
  if (isIP(group) === 4) return `${group.split('.').slice(0, 3).join('.')}.0/24`
  const words = wordsOf(group.replace('/64', ''))
  return words ? `${words.slice(0, 3).map(hex).join(':')}::/48` : group
}

const hex = (word: number) => word.toString(16)

/** The eight words of an IPv6 address; undefined for what is none. */
function wordsOf(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined
  // An IPv4 tail is two words.
  const folded = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(hex).join(':'),
  )
  const [head = '', tail] = folded.split('::')
  const read = (text: string) => (text ? text.split(':').map((word) => Number.parseInt(word, 16)) : [])
  if (tail === undefined) return read(head)
  const [before, after] = [read(head), read(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function ipv4In(words: readonly number[]): string | undefined {
  const [high = 0, low = 0] = words.slice(6)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}
