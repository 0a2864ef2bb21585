import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { hashOf, node, root } from './repo.mjs'
import { runQuietly } from './run.mjs'

const stampFile = join(root, 'node_modules/.installed')

const npmArguments = ['ci', '--include=dev', '--no-audit', '--no-fund']
const progressMs = 10_000

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
    writeFileSync(stampFile, hashOf(['package-lock.json']))
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
 * Runs npm with a line of progress every few seconds. npm's output is printed only when it fails: on an older
 * Node it prints some hundred lines of warnings, although the installation itself brings the right Node.
 */
export async function installPackages(command, args, everyMs = progressMs) {
  const folders = lockedFolders()
  console.log(`Installing ${folders.length} packages…`)
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const progress = setInterval(() => {
    const unpacked = folders.filter(isUnpacked).length
    const then = unpacked === folders.length ? ', installing Node and PostgreSQL' : ''
    console.log(`  ${unpacked} of ${folders.length} packages unpacked after ${seconds()} s${then}`)
  }, everyMs)
  try {
    const { code, output } = await runQuietly(command, args)
    if (code === 0) return console.log(`Installed in ${seconds()} s.`)
    if (code !== null) console.error(output)
    throw new Error(
      code === null ? 'npm ci was stopped.' : `npm ci ended with code ${code}. The lines above say why.`,
    )
  } finally {
    clearInterval(progress)
  }
}

function lockedFolders() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { optional }]) => path !== '' && !optional)
    .map(([path]) => path)
}

/** npm makes every folder first and then unpacks the packages. */
const isUnpacked = (folder) => existsSync(join(root, folder, 'package.json'))

function isInstalled() {
  if (!existsSync(node)) return false
  const wanted = hashOf(['package-lock.json'])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true
  if (!fitsWhatNpmRecorded()) return false
  writeFileSync(stampFile, wanted)
  return true
}

/** After a manual npm run: npm's record of node_modules shows whether everything is installed. */
function fitsWhatNpmRecorded() {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const { packages: present } = JSON.parse(readFileSync(record, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = Object.entries(wanted).filter(
    ([path, entry]) => path !== '' && !entry.optional && present[path]?.version !== entry.version,
  )
  const extra = Object.entries(present).filter(([path, entry]) => wanted[path]?.version !== entry.version)
  return missing.length === 0 && extra.length === 0
}
