import { describe, expect, it } from 'vitest'
import { readViolations } from './reports.rules.ts'

const one = (report: object) => readViolations({ 'csp-report': report })

describe('readViolations', () => {
  it('reads a report in the form of report-uri', () => {
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

  it('reads a list in the form of the Reporting API, and only content policy violations', () => {
    const body = { effectiveDirective: 'img-src', blockedURL: 'inline', documentURL: 'https://a.example/' }
    expect(
      readViolations([
        { type: 'deprecation', body },
        { type: 'csp-violation', body },
      ]),
    ).toEqual([{ directive: 'img-src', blocked: 'inline', page: 'https://a.example/', source: '' }])
  })

  it('drops query, fragment and user, which may hold secrets', () => {
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
    'drops the content of an address: %j',
    (blocked) => {
      expect(JSON.stringify(one({ 'blocked-uri': blocked }))).not.toContain('hush')
    },
  )

  it('uses labels of a closed list', () => {
    expect(one({ 'effective-directive': 'my-own-label' })[0]?.directive).toBe('other')
    expect(one({ 'violated-directive': "style-src 'self'" })[0]?.directive).toBe('style-src')
  })

  it('bounds the reports of a list and the length of an address', () => {
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

describe('the label of a violation', () => {
  it.each([
    ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem'],
    ...['style-src-attr', 'img-src', 'font-src', 'connect-src', 'frame-src', 'manifest-src', 'object-src'],
    ...['base-uri', 'form-action', 'frame-ancestors', 'worker-src', 'media-src'],
    ...['require-trusted-types-for', 'trusted-types'],
  ])('is the directive: %s', (directive) => {
    expect(one({ 'effective-directive': directive })[0]?.directive).toBe(directive)
  })
})
