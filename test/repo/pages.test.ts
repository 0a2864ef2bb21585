import { describe, expect, it } from 'vitest'
import { pageAt, pages } from '#shared/platform/pages.ts'
import { locationsOf, readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'

describe('the pages of the app', () => {
  it.each([
    ['/', 'home'],
    ['/Orders/', 'orders'],
    ['/orders/42', 'order'],
    ['/orders/:id', 'order'],
    ['/orders/42/more', undefined],
    ['/nowhere', undefined],
    ['', undefined],
  ])('at %s is %s', (path, page) => {
    expect(pageAt(path)).toBe(page)
  })

  it('are plain paths: one segment or none, in lower case, and at most a number', () => {
    for (const path of Object.values(pages)) expect(path).toMatch(/^\/[a-z-]*(\/:(id|token))?$/)
    expect(new Set(Object.values(pages)).size).toBe(Object.keys(pages).length)
  })
})

it('no document lets a phone make links of its numbers: an airway bill has the length of a phone number', () => {
  // A letter is no page of ours: its file is the template of the service that sends codes.
  const documents = repoFiles('', /\.html$/).filter((path) => !path.startsWith('shared/wire/'))
  expect(documents).toContain('client/index.html')
  const asked = '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no"'
  expect(documents.filter((path) => !readRepoFile(path).includes(asked))).toEqual([])
})

describe('the server', () => {
  const sources = repoFiles('server', /\.ts$/, testFile)

  it('takes host and protocol from its configuration, never from a request', () => {
    const pattern =
      /\b(?:request|req|raw)\.(?:hostname|host|protocol|port|originalUrl|ips)\b|headers\.(?:host|origin)\b|headers\[['"](?:host|x-forwarded-[\w-]+|forwarded|x-real-ip)['"]\]|x-forwarded-(?:host|proto)/
    const found = sources.flatMap((path) => locationsOf(path, pattern))
    // Two compare the header with configured addresses, one looks whether there is a header: none builds an address from it.
    expect(found.map((location) => location.replace(/:\d+ /, ' '))).toEqual([
      'server/platform/plugins/known-hosts.ts headers.host',
      'server/platform/plugins/same-origin.ts headers.origin',
      "server/platform/plugins/untrusted-proxies.ts headers['x-forwarded-for']",
    ])
  })

  it('redirects in the sign-in of staff and after a bank alone, so that no address in a request can become a destination', () => {
    const found = sources.flatMap((path) => locationsOf(path, /\.redirect\(|['"]location['"]/))
    // To the identity provider, or to a page below /desk (staff.rules.test.ts, attacks/desk.test.ts); to the thank-you page
    // (api/posted-return.test.ts).
    expect(found.map((location) => location.replace(/:\d+ /, ' '))).toEqual([
      'server/desk/staff/staff.routes.ts .redirect(',
      'server/platform/plugins/posted-pages.ts .redirect(',
    ])
  })
})
