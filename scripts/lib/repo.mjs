import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Node 24 as the package `node` brings it; whatever the machine has only bootstraps. */
export const node = join(root, 'node_modules/.bin/node')

/** Tools are started by their file, because their launchers would take the first Node on the PATH. */
export const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  depcruise: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  tsc: 'node_modules/typescript/bin/tsc',
  vite: 'node_modules/vite/bin/vite.js',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/** One hash over the names and contents of files and folders, given relative to the root. */
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

/** The variables of `.env`, if there is one; what the shell already says wins. */
export function loadEnvironmentFile() {
  const file = join(root, '.env')
  if (!existsSync(file)) return
  if (!process.loadEnvFile) throw new Error('Reading .env needs Node 20.12 or newer.')
  process.loadEnvFile(file)
}
