import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from './repo.mjs'

/**
 * Runs `work` while no other process in this folder holds the lock `name`. A dead process's lock is taken over.
 */
export async function withLock(name, work) {
  const folder = join(root, 'dist', `.${name}.lock`)
  const ownerFile = join(folder, 'owner')
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (let isReported = false; !tryToOwn(folder, ownerFile); ) {
    const owner = readOwner(ownerFile)
    if (owner !== undefined && !isAlive(owner)) {
      rmSync(folder, { recursive: true, force: true })
      continue
    }
    if (!isReported) console.log(`Waiting for the ${name} of another process…`)
    isReported = true
    await delay(200)
  }
  try {
    return await work()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tryToOwn(folder, ownerFile) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(ownerFile, String(process.pid))
  return true
}

/** Undefined between the creation of the folder and of the file in it. */
function readOwner(ownerFile) {
  try {
    const owner = Number(readFileSync(ownerFile, 'utf8'))
    return owner > 0 ? owner : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
