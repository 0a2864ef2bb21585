import { describe, expect, it } from 'vitest'
import { isKnownHost } from './known-host.ts'

describe('a host', () => {
  const urls = ['https://demo.example/path', 'not an address']

  it.each([
    undefined,
    '',
    'localhost',
    'localhost:3000',
    'app.localhost:3000',
    '127.0.0.1:3000',
    '192.0.2.7',
    '[::1]:3000',
    'gateway:3000',
    'demo.example',
    'DEMO.example:8443',
  ])('of this program is known: %s', (host) => {
    expect(isKnownHost(host, urls)).toBe(true)
  })

  it.each([
    ...['rebind.attacker.example:3000', 'localhost.attacker.example', '127.0.0.1.attacker.example'],
    ...['sub.demo.example', 'demo.example.', 'attacker.example:80@localhost', 'a b', ':3000'],
  ])('of another name is not: %s', (host) => {
    expect(isKnownHost(host, urls)).toBe(false)
  })
})
