import { describe, expect, it } from 'vitest'
import { handlingOf, patienceFor, storedPageOf } from './worker.rules.ts'

const origin = 'https://amtiati.example'
const handling = (path: string, change: { method?: string; mode?: string } = {}) =>
  handlingOf({ method: 'GET', mode: 'navigate', url: new URL(path, origin).href, ...change }, origin)

const orderPages = ['thankYou', 'orders', 'order'] as const

describe('the worker', () => {
  it.each(['/', '/orders', '/orders/42', '/thank-you?success=true&merchant_order_id=42', '/no/such/page'])(
    'may answer the document %s from the store',
    (path) => {
      expect(handling(path)).toBe('document')
    },
  )

  it.each(['/payment', '/payment/', '/Payment?clientSecret=s', '/PAYMENT//'])(
    'leaves the payment document to the server: %s',
    (path) => {
      expect(handling(path)).toBe('pass')
    },
  )

  it.each(['/api/orders/42', '/api', '/api/orders/barcode/290012345678.pdf?download=1', '/api/docs'])(
    'leaves the API to the server, opened or called: %s',
    (path) => {
      expect(handling(path)).toBe('pass')
      expect(handling(path, { mode: 'cors' })).toBe('pass')
    },
  )

  it.each(['/desk', '/desk/orders/OD-1', '/desk/callback?code=C', '/desk/'])(
    'leaves the desk, which is another app, to the server: %s',
    (path) => {
      expect(handling(path)).toBe('pass')
      expect(handling('/desktop')).toBe('document')
    },
  )

  it('answers hashed files from the store, and no other file', () => {
    expect(handling('/assets/index-abc.js', { mode: 'cors' })).toBe('asset')
    expect(handling('/assets/cairo-abc.woff2', { mode: 'cors' })).toBe('asset')
    for (const path of ['/favicon.svg', '/sw.js', '/manifest.webmanifest'])
      expect(handling(path, { mode: 'no-cors' })).toBe('pass')
    expect(handling('/robots.txt')).toBe('pass')
  })

  it.each(['/agent-scan', '/agent-scan/', '/Agent-Scan'])(
    'has a document of its own for the scanner, with its policy: %s',
    (path) => {
      expect(handling(path)).toBe('document')
      expect(storedPageOf(path)).toBe('/agent-scan')
    },
  )

  it.each(['/', '/orders/42', '/agent-orders', '/agent-scan/1', '/agent-scanner'])(
    'has one document for every other page: %s',
    (path) => {
      expect(storedPageOf(path)).toBe('/orders')
    },
  )

  it.each(['/orders', '/Orders/', '/orders/42', '/thank-you'])(
    'waits half a second for the document of %s, which shows what is kept on the phone',
    (path) => {
      expect(patienceFor(path, orderPages)).toBe(500)
    },
  )

  it.each(['/', '/booking', '/ordersx', '/agent-scan'])('waits longer for the document of %s', (path) => {
    expect(patienceFor(path, orderPages)).toBe(4_000)
  })

  it('leaves other methods and other origins alone', () => {
    expect(handling('/orders', { method: 'POST' })).toBe('pass')
    expect(handling('https://pay.example/assets/pixel.js', { mode: 'cors' })).toBe('pass')
  })
})
