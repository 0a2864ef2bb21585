import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './repo.mjs'

/**
 * DEMO_CONTROL_KEY of the environment; else drawn once per data folder and stored in it, so that no page and no
 * other program knows it from the source.
 * @param dataDir DATA_DIR, relative to the root
 */
export function demoControlKey(dataDir = ownDataDir()) {
  const given = process.env.DEMO_CONTROL_KEY?.trim()
  if (given) return given
  const folder = resolve(root, dataDir)
  const file = join(folder, 'demo-control-key')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

const ownDataDir = () => process.env.DATA_DIR?.trim() || './data'

const stacks = join(root, 'node_modules/.cache/stacks')

/**
 * Records the data folder of the stack at a port of this machine until the process ends, so that tools find its
 * key.
 * @param dataDir DATA_DIR, relative to the root
 */
export function recordStack(port, dataDir = ownDataDir()) {
  const file = join(stacks, String(port))
  mkdirSync(stacks, { recursive: true })
  writeFileSync(file, resolve(root, dataDir))
  process.on('exit', () => rmSync(file, { force: true }))
}

export function dataFolderAt(port) {
  try {
    return readFileSync(join(stacks, String(port)), 'utf8')
  } catch {
    return undefined
  }
}
