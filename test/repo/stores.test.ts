import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { schemaSteps } from '#server/platform/database/migrate.ts'
import { engines } from '#test/kit/databases.ts'
import { readRepoFile, repoFiles, repoRoot } from '#test/kit/repo-files.ts'

const stores = repoFiles('server', /\.store\.ts$/)
const serverFiles = repoFiles('server', /\.ts$/)

describe('stores', () => {
  it.each(stores)('%s has laws, and a test that runs them on both engines', async (store) => {
    const contract = store.replace('.store.ts', '.store.contract.ts')
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

  it('run on the file of a pilot and on the server of a season', () => {
    expect([...engines].sort()).toEqual(['postgres', 'sqlite'])
  })
})

describe('migrations', () => {
  const names = Object.keys(schemaSteps)

  it('are numbered from 1 without a gap', () => {
    expect(names.length).toBeGreaterThan(0)
    expect(names.map((name) => name.slice(0, 5))).toEqual(
      names.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
    )
  })

  it('are every file of the folder, in the order of their names', () => {
    const files = repoFiles('server/platform/database/migrations', /\.ts$/, /\.test\.ts$/)
    expect(names).toEqual(files.map((path) => basename(path, '.ts')))
  })
})
