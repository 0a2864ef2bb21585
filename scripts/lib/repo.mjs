import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Node 26 of the package `node`. The Node of the machine only starts it. */
export const node = join(root, 'node_modules/.bin/node')

/** Arguments of `node` for a process that ends with its parent: see leash.mjs. */
export const leashed = ['--import', new URL('leash.mjs', import.meta.url).href]

export const programEnv = {
  // Compiled modules, with their types stripped, are cached for the next start: without the type-stripping tool
  // it takes less processor time and memory. One file per module, replaced when it changes.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
  // The threads that compress and flush share two arenas of memory; by default each may keep its own.
  MALLOC_ARENA_MAX: '2',
}

/**
 * Arguments of `node` for gateway and simulator. With enough memory V8 lets garbage grow to several times the
 * live data; here to half of it, without a limit that could end the process (docs/performance.md).
 */
export const programFlags = [
  '--heap-growing-percent=50',
  '--max-semi-space-size=16',
  // Node's program in large pages, if the system has them: a fifth less processor time for a request.
  '--use-largepages=silent',
]

/** Started by file, because its launcher would use the first Node on the PATH. */
export const vite = 'node_modules/vite/bin/vite.js'

export function checkedOutCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return stdout?.trim() ?? ''
}

export function hashOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name))
      return
    }
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  for (const path of paths.map((each) => join(root, each)).filter((each) => existsSync(each))) add(path)
  return hash.digest('hex')
}

/** Loads `.env`, if it exists, and returns its path. Variables that are already set are kept. */
export function loadEnvironmentFile() {
  const file = join(root, '.env')
  if (!existsSync(file)) return undefined
  if (!process.loadEnvFile) throw new Error('Reading .env needs Node 20.12 or newer.')
  process.loadEnvFile(file)
  return file
}
