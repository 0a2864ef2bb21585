import { describe, expect, it } from 'vitest'
import { readViolations } from './reports.rules.ts'

const one = (report: object) => readViolations({ 'csp-report': report })

describe('readViolations', () => {
  it('reads what a browser sends at once', () => {
    expect(
      one({
        'document-uri': 'https://amtiati.example/orders',
        'violated-directive': 'script-src-elem',
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'https://evil.example/a.js',
        'source-file': 'https://amtiati.example/assets/main.js',
      }),
    ).toEqual([
      {
        directive: 'script-src-elem',
        blocked: 'https://evil.example/a.js',
        page: 'https://amtiati.example/orders',
        source: 'https://amtiati.example/assets/main.js',
      },
    ])
  })

  it('reads the list a browser sends later, and only what is about the content policy', () => {
    const body = { effectiveDirective: 'img-src', blockedURL: 'inline', documentURL: 'https://a.example/' }
    expect(
      readViolations([
        { type: 'deprecation', body },
        { type: 'csp-violation', body },
      ]),
    ).toEqual([{ directive: 'img-src', blocked: 'inline', page: 'https://a.example/', source: '' }])
  })

  it('keeps no query, no fragment and no user: there are client secrets in them', () => {
    const [violation] = one({
      'effective-directive': 'frame-src',
      'document-uri': 'https://amtiati.example/payment?clientSecret=hush#hush',
      'blocked-uri': 'https://hush:hush@pay.example/frame?token=hush',
    })
    expect(violation).toMatchObject({
      page: 'https://amtiati.example/payment',
      blocked: 'https://pay.example/frame',
    })
    expect(JSON.stringify(violation)).not.toContain('hush')
  })

  it.each(['data:text/html,hush', 'javascript:hush()', 'hush hush', 5, null, { hush: 1 }, ['hush']])(
    'keeps no content that stands in an address: %j',
    (blocked) => {
      expect(JSON.stringify(one({ 'blocked-uri': blocked }))).not.toContain('hush')
    },
  )

  it('gives no label that a stranger chooses', () => {
    expect(one({ 'effective-directive': 'my-own-label' })[0]?.directive).toBe('other')
    expect(one({ 'violated-directive': "style-src 'self'" })[0]?.directive).toBe('style-src')
  })

  it('reads no more of a list than a page can need, and no more of an address', () => {
    const report = { type: 'csp-violation', body: { documentURL: `https://a.example/${'x'.repeat(5_000)}` } }
    const violations = readViolations(Array.from({ length: 500 }, () => report))
    expect(violations).toHaveLength(20)
    expect(violations[0]?.page).toHaveLength(200)
  })

  it.each([
    undefined,
    null,
    'text',
    5,
    {},
    [],
    [5],
    [null],
    { 'csp-report': [] },
    [{ type: 'csp-violation' }],
  ])('finds nothing in %j', (body) => {
    expect(readViolations(body)).toEqual([])
  })
})
