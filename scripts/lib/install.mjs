import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { hashOf, node, root } from './repo.mjs'
import { run } from './run.mjs'

const stampFile = join(root, 'node_modules/.installed')

/** Brings node_modules to what package-lock.json says. Does nothing when it is already so. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock('install', async () => {
    if (isInstalled()) return
    console.log('Installing packages…')
    const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'])
    if (code !== 0) throw new Error(`npm ci ended with code ${code}. The lines above say why.`)
    if (!existsSync(node)) throw new Error('npm ci did not bring Node 24: are install scripts switched off?')
    writeFileSync(stampFile, hashOf(['package-lock.json']))
  })
}

function isInstalled() {
  if (!existsSync(node)) return false
  const wanted = hashOf(['package-lock.json'])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true
  if (!fitsWhatNpmRecorded()) return false
  writeFileSync(stampFile, wanted)
  return true
}

/** Somebody ran npm by hand: its own record of node_modules tells whether everything is there. */
function fitsWhatNpmRecorded() {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const { packages: present } = JSON.parse(readFileSync(record, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = Object.entries(wanted).filter(
    ([path, entry]) => path !== '' && !entry.optional && present[path]?.version !== entry.version,
  )
  const superfluous = Object.entries(present).filter(
    ([path, entry]) => wanted[path]?.version !== entry.version,
  )
  return missing.length === 0 && superfluous.length === 0
}
