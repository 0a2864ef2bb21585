import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repo.mjs'

const timeoutMs = 20_000

/**
 * Queries npm's advisories for every package of the lock file. Resolves with `{ failures, notes }`: a failure is a critical
 * advisory for a package that runs in the gateway or is sent to browsers. An unreachable service, or an invalid response,
 * is a note: the tests must also run without network.
 */
export async function auditDependencies() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return classify(await askAdvisories(), shippedPackages(lock))
}

/** The output of `npm audit`; undefined after a timeout. */
function askAdvisories(command = 'npm', args = ['audit', '--json']) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, npm_config_fetch_retries: '0', npm_config_fetch_timeout: String(timeoutMs) },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    child.once('error', () => resolve(undefined))
    child.once('close', (_, signal) => resolve(signal ? undefined : text))
  })
}

/** Development dependencies that are bundled for browsers, and so ship. */
const browserRoots = [
  '@fontsource-variable/cairo',
  '@tanstack/react-query',
  'antd',
  'i18next',
  'idb',
  'jsbarcode',
  'react',
  'react-dom',
  'react-i18next',
  'react-router-dom',
  'zxing-wasm',
]

/** Paths in node_modules of every package that runs in the gateway or is sent to browsers. */
export function shippedPackages({ packages }) {
  const shipped = new Set()
  const walk = (name, from) => {
    const path = resolvePath(packages, name, from)
    if (path === undefined || shipped.has(path)) return
    shipped.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    )
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      walk(next, path)
  }
  for (const name of [...Object.keys(packages[''].dependencies ?? {}), ...browserRoots]) walk(name, '')
  return shipped
}

/** Resolves a package as Node does: in the nearest node_modules, then further up. */
function resolvePath(packages, name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (packages[path]) return path
    if (base === '') return undefined
  }
}

export const notReached = 'advisory service not reached: nothing is known about the dependencies'

/** `answer` is what `npm audit --json` printed; `shipped` the paths whose critical advisories fail the run. */
export function classify(answer, shipped) {
  const vulnerabilities = readVulnerabilities(answer)
  if (vulnerabilities === undefined) return { failures: [], notes: [notReached] }
  const critical = vulnerabilities.filter(({ severity }) => severity === 'critical')
  const isShipped = ({ nodes }) => nodes.some((path) => shipped.has(path))
  const failures = critical.filter(isShipped).map((each) => `critical: ${sentenceOf(each)}`)
  const notes = vulnerabilities
    .filter((each) => !(each.severity === 'critical' && isShipped(each)))
    .map((each) => `${each.severity}${isShipped(each) ? '' : ', not shipped'}: ${sentenceOf(each)}`)
  return { failures, notes }
}

/** Every vulnerable package; undefined for a response of another shape. */
function readVulnerabilities(answer) {
  let report
  try {
    report = JSON.parse(answer)
  } catch {
    return undefined
  }
  const found = report?.vulnerabilities
  // Without these counts npm could not reach the service.
  if (report?.error || !isRecord(found) || !isRecord(report?.metadata?.vulnerabilities)) return undefined
  return Object.values(found)
    .filter(isRecord)
    .map(({ name, severity, nodes, via }) => ({
      name: String(name),
      severity: String(severity),
      nodes: Array.isArray(nodes) ? nodes.map(String) : [],
      reasons: (Array.isArray(via) ? via : []).map((each) =>
        isRecord(each) ? `${each.title} (${each.url})` : `by ${each}`,
      ),
    }))
}

const sentenceOf = ({ name, reasons }) => `${name}: ${reasons.join('; ') || 'no reason given'}`
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
