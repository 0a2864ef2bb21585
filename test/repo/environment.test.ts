import { describe, expect, it } from 'vitest'
import { placesOf, repoFiles, testFile } from '#test/kit/repo-files.ts'

const code = /\.(tsx?|mjs|cjs)$/
const houses = ['shared', 'server', 'client', 'mock-partner']
const sources = houses.flatMap((house) => repoFiles(house, code, testFile))

/** Every place in the code, tests aside, where a pattern stands outside the files that may have it. */
const elsewhere = (pattern: RegExp, files: readonly string[], allowed: RegExp) =>
  files.filter((path) => !allowed.test(path)).flatMap((path) => placesOf(path, pattern))

const inAllowed = (pattern: RegExp, files: readonly string[], allowed: RegExp) =>
  files.filter((path) => allowed.test(path)).flatMap((path) => placesOf(path, pattern))

describe('what comes from outside has one door', () => {
  it('reads the environment only in the two mains', () => {
    const pattern = /process\.env\b/
    const allowed = /^(server|mock-partner)\/main\.ts$/
    expect(elsewhere(pattern, sources, allowed)).toEqual([])
    expect(inAllowed(pattern, sources, allowed)).not.toEqual([])
  })

  it('asks the time on the server only by the clock', () => {
    const pattern = /\bDate\.now\b|\bnew Date\(\)/
    const servers = sources.filter((path) => /^(server|mock-partner|shared)\//.test(path))
    // The panel is a page in a browser.
    const allowed = /(^|\/)(clock\.ts|panel\/.*)$/
    expect(elsewhere(pattern, servers, allowed)).toEqual([])
    expect(inAllowed(pattern, servers, allowed)).not.toEqual([])
  })

  it('calls out of the gateway only by the HTTP client', () => {
    const pattern = /(?<![\w.])fetch\(/
    const servers = sources.filter((path) => path.startsWith('server/'))
    const allowed = /^server\/platform\/http-client\.ts$/
    expect(elsewhere(pattern, servers, allowed)).toEqual([])
    expect(servers.filter((path) => allowed.test(path))).toHaveLength(1)
  })
})
