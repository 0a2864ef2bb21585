import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** With a slash at its end. */
export const repoRoot = join(import.meta.dirname, '../../../')

/** Folders of generated files and of tools: everywhere, and those at the root. */
const notOurs = new Set(['node_modules', 'dist', '.git'])
const notOursAtRoot = /^(data|data-.*|coverage|pictures|mutants)$/

/** Every file of the repository below a folder whose path fits, sorted. @throws when there is none: a check of no files would pass. */
export function repoFiles(folder: string, pattern: RegExp, except?: RegExp): string[] {
  const found = walk(folder).filter((path) => pattern.test(path) && !except?.test(path))
  if (found.length === 0) throw new Error(`no file below ${folder || 'the root'} fits ${pattern}`)
  return found
}

function walk(folder: string): string[] {
  const entries = readdirSync(join(repoRoot, folder), { withFileTypes: true })
  return entries
    .filter(({ name }) => !notOurs.has(name) && !(folder === '' && notOursAtRoot.test(name)))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? walk(path) : [path]
    })
    .sort()
}

export function readRepoFile(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8')
}

export function isInRepo(path: string): boolean {
  return existsSync(join(repoRoot, path))
}

export const isClientBuilt = (): boolean => isInRepo('dist/client/index.html')

/** The folder of the built client. @throws with the command that builds it. */
export function builtClient(): string {
  if (!isInRepo('dist/client/index.html'))
    throw new Error('The client is not built. This builds it: npm run build')
  return join(repoRoot, 'dist/client')
}

/** Test files, which several checks exclude. */
export const testFile = /\.test\.tsx?$/

/** `path:line` and text of every match in a file, for the message of a check. */
export function locationsOf(path: string, pattern: RegExp): string[] {
  const text = readRepoFile(path)
  return [...text.matchAll(new RegExp(pattern, `g${pattern.flags.replace('g', '')}`))].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return `${path}:${line} ${match[0].trim()}`
  })
}
