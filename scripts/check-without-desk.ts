import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/*
 * Builds a copy of the product without the desk of staff, and exits with 1 if that fails: types, import rules, and the app.
 * The copy has no `desk` folder of `server`, `client` and `shared`, no tests and no benchmarks. Of files that name the desk,
 * the lines between two `// desk` marks are left out, and imports from the three folders.
 */

const root = resolve(import.meta.dirname, '..')
const desk = /^(server|client|shared)\/desk\//
const tests = /^test\/|^scripts\/bench\/|\.(test|contract|property|races)\.|\.store\.ts$/
const marked = /^[ \t]*\/\/ desk\n[\s\S]*?^[ \t]*\/\/ desk\n/gm
const deskImport = /^import [^']*? from '(?:#|\.\/)(?:server|client|shared)\/desk\/[^']*'\n/gm

const list = (...args: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...args], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !desk.test(path) && !tests.test(path))

const folder = mkdtempSync(join(tmpdir(), 'amtiati-without-desk-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

for (const path of list()) {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  if (!/\.(ts|tsx)$/.test(path)) cpSync(join(root, path), target)
  else {
    const text = readFileSync(join(root, path), 'utf8')
    const isSeam = /^[ \t]*\/\/ desk$/m.test(text)
    writeFileSync(target, isSeam ? text.replace(marked, '').replace(deskImport, '') : text)
  }
}
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const steps = [
  ['tsc', '-p', '.'],
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
