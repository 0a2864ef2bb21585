import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { configRows } from '#server/platform/config-variables.ts'
import { locationsOf, readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'

const code = /\.(tsx?|mjs|cjs)$/
const apps = ['shared', 'pdf', 'server', 'client', 'mock-partner']
const sources = apps.flatMap((app) => repoFiles(app, code, testFile))

/** Every match of a pattern in the code, without tests and without the files that may contain it. */
const elsewhere = (pattern: RegExp, files: readonly string[], allowed: RegExp) =>
  files.filter((path) => !allowed.test(path)).flatMap((path) => locationsOf(path, pattern))

const inAllowed = (pattern: RegExp, files: readonly string[], allowed: RegExp) =>
  files.filter((path) => allowed.test(path)).flatMap((path) => locationsOf(path, pattern))

describe('access to the environment', () => {
  it('reads the environment only in the two mains', () => {
    const pattern = /process\.env\b/
    const allowed = /^(server|mock-partner)\/main\.ts$/
    expect(elsewhere(pattern, sources, allowed)).toEqual([])
    expect(inAllowed(pattern, sources, allowed)).not.toEqual([])
  })

  it('reads the time on the server only by the clock', () => {
    const pattern = /\bDate\.now\b|\bnew Date\(\)/
    const servers = sources.filter((path) => /^(server|mock-partner|shared|pdf)\//.test(path))
    // The panel is a page in a browser.
    const allowed = /(^|\/)(clock\.ts|panel\/.*)$/
    expect(elsewhere(pattern, servers, allowed)).toEqual([])
    expect(inAllowed(pattern, servers, allowed)).not.toEqual([])
  })

  it('calls external services only by the HTTP client', () => {
    const pattern = /(?<![\w.])fetch\(/
    const servers = sources.filter((path) => path.startsWith('server/'))
    const allowed = /^server\/platform\/http-client\.ts$/
    expect(elsewhere(pattern, servers, allowed)).toEqual([])
    expect(servers.filter((path) => allowed.test(path))).toHaveLength(1)
  })
})

describe('the exchange of a secret', () => {
  const exchanged = configRows.flatMap(({ name }) => /^(.+)_PREVIOUS$/.exec(name)?.[1] ?? [])

  it('is the same in each document: no page says that the old value of a pair is refused', () => {
    expect(exchanged).toContain('SHIPPING_WEBHOOK_KEY')
    const refusals = repoFiles('docs', /\.md$/)
      .flatMap((path) => readRepoFile(path).split('\n'))
      .filter((line) => /refused meanwhile/.test(line))
    expect(refusals).not.toEqual([])
    for (const line of refusals) {
      // The line says whose old value is refused: of a secret that has one value at a time.
      const named = configRows.filter(({ name, secret }) => secret && line.includes(name))
      expect(named, line).not.toEqual([])
      expect(
        named.filter(({ name }) => exchanged.includes(name)),
        line,
      ).toEqual([])
    }
  })

  it('has an explanation for operators of each secret with two values', () => {
    const page = readRepoFile('docs/operate.md')
    for (const name of exchanged) expect(page).toContain(`\`${name}_PREVIOUS\``)
  })
})

describe('the configuration that docs/operate.md shows', () => {
  const blocks = [...readRepoFile('docs/operate.md').matchAll(/^ *```ini\n([\s\S]*?)^ *```$/gm)]
  const example = parseEnv(
    blocks.map(([, block = '']) => block).find((block) => /MODE=live/.test(block)) ?? '',
  )

  it('goes live, and needs each of its lines but the optional ones', () => {
    expect(readConfig(example)).toMatchObject({ MODE: 'live', PUBLIC_URL: 'https://amtiati.example' })
    const isNeeded = (name: string) => {
      try {
        readConfig({ ...example, [name]: undefined })
        return false
      } catch {
        return true
      }
    }
    const optional = ['MODE', 'CALLBACK_URL', 'METRICS_TOKEN']
    expect(Object.keys(example).filter((name) => !isNeeded(name) && !optional.includes(name))).toEqual([])
  })
})

describe('tests that share a process', () => {
  // All tests but those of the client (vitest.config.ts) share modules: another file may have loaded the module already.
  it('replace no modules', () => {
    const tests = ['shared', 'pdf', 'server', 'mock-partner', 'scripts'].flatMap((app) =>
      repoFiles(app, testFile),
    )
    expect(tests.flatMap((path) => locationsOf(path, /\bvi\.(do)?[mM]ock\(|\bresetModules\(/))).toEqual([])
  })
})
