import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './repo.mjs'

/**
 * DEMO_CONTROL_KEY where the environment sets none: drawn once for a data folder and kept in it, so that no page and no
 * other program knows it from the source.
 * @param dataDir DATA_DIR, relative to the root
 */
export function demoControlKey(dataDir = process.env.DATA_DIR?.trim() || './data') {
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
