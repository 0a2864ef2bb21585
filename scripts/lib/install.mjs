import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { node, root } from './repo.mjs'
import { runQuietly } from './run.mjs'

const npmArguments = ['ci', '--include=dev', '--no-audit', '--no-fund']

const oldest = 20
const own = 26

export async function ensureInstalled() {
  if (isInstalled()) return
  const notice = nodeNotice(process.versions.node)
  if (notice !== undefined) console.log(notice)
  await withLock('install', async () => {
    if (isInstalled()) return
    await installPackages('npm', npmArguments)
    if (!existsSync(node)) throw new Error('npm ci did not install Node 26: are install scripts disabled?')
  })
}

/**
 * A notice about the machine's version of Node, or undefined.
 * @throws for a version that is too old
 */
export function nodeNotice(version) {
  const major = Number.parseInt(version, 10)
  if (major < oldest) throw new Error(`This needs Node ${oldest} or newer. This machine has Node ${version}.`)
  if (major < own)
    return `This machine has Node ${version}. The code runs on Node ${own}, which npm fetches now.`
}

/**
 * Runs npm. Its output is printed only when it fails: on an older Node it prints some hundred lines of warnings,
 * although the installation itself brings the right Node.
 */
export async function installPackages(command, args) {
  console.log('Installing packages, Node and PostgreSQL (one to three minutes)…')
  const startedAt = performance.now()
  const { code, output } = await runQuietly(command, args)
  if (code === null) throw new Error('npm ci was stopped.')
  if (code !== 0) {
    console.error(output)
    throw new Error(`npm ci ended with code ${code}. The lines above say why.`)
  }
  console.log(`Installed in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
}

/** npm records what it has installed; it writes the record last. */
function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(node) || !existsSync(record)) return false
  const { packages: present } = JSON.parse(readFileSync(record, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isMissing = ([path, { optional, version }]) =>
    path !== '' && !optional && present[path]?.version !== version
  const isExtra = ([path, { version }]) => wanted[path]?.version !== version
  return !Object.entries(wanted).some(isMissing) && !Object.entries(present).some(isExtra)
}
