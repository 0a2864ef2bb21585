import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

export type Importers = ReadonlyMap<string, ReadonlySet<string>>

/** Tests that start whole programs import nothing of them, but depend on all their files. */
const started: Readonly<Record<string, readonly string[]>> = {
  'test/kit/stack.ts': ['server/main.ts', 'mock-partner/main.ts'],
}

/** Reads the imports of all files, including dynamic ones and types. Paths are relative to `root`, with `/`. */
export function readImporters(root: string, files: readonly string[]): Importers {
  const known = new Set(files)
  const importers = new Map<string, Set<string>>()
  for (const file of files.filter((path) => /\.(tsx?|mjs)$/.test(path))) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
    const targets = importedFiles.map(({ fileName }) => resolveImport(file, fileName))
    for (const target of [...targets, ...(started[file] ?? [])]) {
      if (target === undefined || !known.has(target)) continue
      const set = importers.get(target) ?? new Set()
      importers.set(target, set.add(file))
    }
  }
  return importers
}

const packages: Readonly<Record<string, string>> = { '#mock': 'mock-partner' }

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const [name = '', ...rest] = specifier.split('/')
  return name.startsWith('#') ? posix.join(packages[name] ?? name.slice(1), ...rest) : undefined
}

export function importersOf(file: string, importers: Importers): string[] {
  const reached = new Set([file])
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer)
  return [...reached]
}

/** Simulated worlds, which see every change of the server. */
export const worlds = 'test/world/world.process.test.ts'

/** Tests that run the whole app: last, because they see every change. */
export const isWhole = (path: string) => /^test\/(api|attacks|money|world)\//.test(path)

/**
 * Browsers need a built client, which would hold no mutant; processes start for minutes; full runs are for
 * nights.
 */
const isLeftOut = (path: string) =>
  /^test\/(journeys|pictures)\/|\.(process|browser|full)\.test\.tsx?$/.test(path)

/**
 * The tests that can see a change of the file, in groups to be run one after the other: its own, those in its
 * folder, all other unit tests, those that run the whole app.
 */
export function testsFor(file: string, importers: Importers): string[][] {
  const tests = importersOf(file, importers).filter((path) => /\.test\.tsx?$/.test(path) && !isLeftOut(path))
  const isNear = (test: string) => posix.dirname(test) === posix.dirname(file)
  const own = file.replace(/(?=\.tsx?$)/, '.test')
  const groups = [
    tests.filter((test) => test === own),
    tests.filter((test) => isNear(test) && test !== own),
    tests.filter((test) => !isNear(test) && !isWhole(test)),
    tests.filter((test) => !isNear(test) && isWhole(test)),
  ]
  return groups.filter((group) => group.length > 0)
}
