import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines } from '#test/kit/databases.ts'
import { readRepoFile, repoFiles, repoRoot } from '#test/kit/repo-files.ts'

/** Queries under the name of the former store, for tests that are not rebuilt yet. */
const formerStore = 'server/features/sessions/sessions.store.ts'
const stores = repoFiles('server', /\.store\.ts$/).filter((path) => path !== formerStore)
const serverFiles = repoFiles('server', /\.ts$/)

/** The contract of a store file, or of the store in the same folder that includes it. */
function contractOf(store: string): string {
  const composer = stores.find(
    (other) =>
      dirname(other) === dirname(store) &&
      serverFiles.includes(other.replace('.store.ts', '.store.contract.ts')) &&
      readRepoFile(other).includes(`from './${basename(store)}'`),
  )
  const own = store.replace('.store.ts', '.store.contract.ts')
  return composer && !serverFiles.includes(own) ? composer.replace('.store.ts', '.store.contract.ts') : own
}

/** The stores of the same folder whose methods a store has. */
function includedBy(store: string): string[] {
  return stores.filter(
    (other) =>
      dirname(other) === dirname(store) && readRepoFile(store).includes(`from './${basename(other)}'`),
  )
}

describe('stores', () => {
  it.each(stores)('%s has a contract, and a test that runs it on both engines', async (store) => {
    const contract = contractOf(store)
    expect(serverFiles).toContain(contract)

    const exported = Object.values(await import(`${repoRoot}${contract}`))
    expect(exported.filter((each) => typeof each === 'function')).toHaveLength(1)

    const runners = serverFiles.filter(
      (path) =>
        dirname(path) === dirname(store) &&
        path.endsWith('.test.ts') &&
        readRepoFile(path).includes(`./${basename(contract)}`),
    )
    expect(runners).not.toEqual([])
    expect(runners.map(readRepoFile).join('\n')).toMatch(/^forEachEngine\(\w+\)$/m)
  })

  it.each(stores)(
    '%s has a contract that runs each of its methods, so that each statement is explained',
    async (path) => {
      const exported: Record<string, unknown> = await import(`${repoRoot}${path}`)
      const [create] = Object.values(exported).filter((each) => typeof each === 'function')
      const methods = Object.keys(create?.({ engine: 'sqlite' }))
      expect(methods.length).toBeGreaterThan(0)
      // A store that includes others has their contracts, too.
      const contract = [path, ...includedBy(path)].map((each) => readRepoFile(contractOf(each))).join('\n')
      expect(methods.filter((name) => !contract.includes(`.${name}(`))).toEqual([])
    },
  )

  it('run on SQLite and PostgreSQL', () => {
    expect([...engines].sort()).toEqual(['postgres', 'sqlite'])
  })
})
