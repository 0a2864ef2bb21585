// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { crossesDocuments } from './documents.tsx'

describe('links to and from a document of its own', () => {
  it.each([
    ['/payment', '/orders', true],
    ['/orders', '/payment?clientSecret=a&publicKey=b&orderId=1', true],
    ['/payment/', '/', true],
    ['/payment', '/payment?orderId=2', false],
    ['/booking', '/checkout', false],
    ['/agent-orders', '/agent-scan', true],
    ['/agent-scan/', '/agent-orders', true],
    ['/agent-scan', '/payment', true],
    ['/agent-scan', '/agent-scan?x=1', false],
    ['/', '/#services', false],
  ])('between %s and %s is crossed: %s', (from, to, crossed) => {
    expect(crossesDocuments(from, to)).toBe(crossed)
  })
})
