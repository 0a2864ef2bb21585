import { describe, expect, it } from 'vitest'
import { routePatterns } from '#client/platform/paths.ts'
import { pages } from '#shared/platform/pages.ts'
import { placesOf, readRepoFile, repoFiles, testFile } from '#test/kit/repo-files.ts'

describe('the pages of the app', () => {
  it('are the routes of the router, one by one, and the server knows no others', () => {
    expect(routePatterns).toBe(pages)
    const router = readRepoFile('client/app/router.tsx')
    const routes = [...router.matchAll(/path=\{routePatterns\.(\w+)\}/g)].map(([, name]) => name)
    expect(routes.sort()).toEqual(Object.keys(pages).sort())
    // Beside them there is one route, for every address that is no page.
    expect(
      [...router.matchAll(/<Route [^>]*path=(?!\{routePatterns\.)(\S+)/g)].map(([, path]) => path),
    ).toEqual(['"*"'])
  })

  it('are plain paths: one segment or none, in small letters', () => {
    for (const path of Object.values(pages)) expect(path).toMatch(/^\/[a-z-]*$/)
    expect(new Set(Object.values(pages)).size).toBe(Object.keys(pages).length)
  })
})

describe('the server', () => {
  const sources = repoFiles('server', /\.ts$/, testFile)

  it('takes host and protocol from its configuration, never from a request', () => {
    const pattern =
      /\b(?:request|req|raw)\.(?:hostname|host|protocol|port|originalUrl|ips)\b|headers\.(?:host|origin)\b|headers\[['"](?:host|x-forwarded-[\w-]+|forwarded|x-real-ip)['"]\]|x-forwarded-(?:host|proto)/
    const found = sources.flatMap((path) => placesOf(path, pattern))
    // The same-origin rule compares the origin with the configured one; it builds nothing of it.
    expect(found.map((place) => place.replace(/:\d+ /, ' '))).toEqual([
      'server/platform/plugins/same-origin.ts headers.origin',
    ])
  })

  it('redirects nobody, so no address of a caller can be where people are sent', () => {
    expect(sources.flatMap((path) => placesOf(path, /\.redirect\(|['"]location['"]/))).toEqual([])
  })
})
