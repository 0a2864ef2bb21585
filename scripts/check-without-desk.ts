import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { repoFiles } from '#test/kit/repo/repo-files.ts'

/*
 * Builds a copy of the product without the desk of staff, and exits with 1 if that fails: types, import rules, and the app.
 * The copy has no `desk` folder of `server`, `client` and `shared`, no verb of `npm run ops` that only the desk has, no tests
 * and no benchmarks. A file with `// desk` marks loses the lines between two marks, and its imports from the desk.
 */

const root = resolve(import.meta.dirname, '..')
const desk = /^(server|client|shared)\/desk\/|^scripts\/ops\/desk-/
const tests = /^test\/|^scripts\/(bench\/|check-)|^(vitest|playwright)\.|\.(test|contract|property|races)\./
const marked = /^[ \t]*\/\/ desk\n[\s\S]*?^[ \t]*\/\/ desk\n/gm
const deskImport = /^import [^']*? from '(?:(?:#|\.\/)(?:server|client|shared)\/desk\/|\.\/desk-)[^']*'\n/gm

mkdirSync(join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist/.without-desk-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

for (const path of repoFiles('', /./).filter((each) => !desk.test(each) && !tests.test(each))) {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  if (!/\.(ts|tsx)$/.test(path)) cpSync(join(root, path), target)
  else {
    const text = readFileSync(join(root, path), 'utf8')
    const isSeam = /^[ \t]*\/\/ desk$/m.test(text)
    writeFileSync(target, isSeam ? text.replace(marked, '').replace(deskImport, '') : text)
  }
}
// Hard links: the import rules name packages by their path below the copy.
execFileSync('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')])

const steps = [
  ['tsc', '-p', '.', '--checkers', '1'],
  ['depcruise', '--config', '.dependency-cruiser.cjs', 'shared', 'pdf', 'server', 'client', 'mock-partner'],
  ['vite', 'build', '--logLevel', 'warn'],
] as const
for (const [program, ...args] of steps) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(
      `without the desk, ${program} fails: a feature imports the desk, or a line of it has no // desk mark`,
    )
    process.exit(1)
  }
}
console.log('A copy without the desk builds.')
