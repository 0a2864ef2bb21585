import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditDependencies } from './lib/audit.mjs'
import { ensureClientBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node, root, tools } from './lib/repo.mjs'
import { run, runQuietly, stopRunning } from './lib/run.mjs'

/**
 * `npm test`: every check. Runs on the machine's Node (20 or newer); the checks run on that of the package
 * `node`. `npm run test:full` adds `--full`: the test runner's part in shards, of which `-- --shard 2/4` runs
 * one, and `-- --report` combines the shards' results. `npm run check` adds `--checks`: everything but the tests.
 * Otherwise the last line of stdout is `N passed, N failed`. It counts tests; a failing step outside the test
 * runner counts as one.
 */

const apps = ['shared', 'pdf', 'server', 'client', 'mock-partner', 'scripts', 'test']
const layers = ['unit', 'client', 'repo', 'components', 'stores', 'gateway', 'process', 'browser']
const shardCount = 4
/** Simulated worlds of a full run, divided among the shards by seed. */
const fullWorlds = 5_000
/** Results of the shards of a full run. */
const blobs = join(root, 'node_modules/.cache/test-shards')

const isFull = process.argv.includes('--full')
const isReportOnly = process.argv.includes('--report')
const isChecksOnly = process.argv.includes('--checks')
const shard = optionAfter('--shard')
/** Temporary files of all steps: removed at the end, however the run ends. */
const folder = mkdtempSync(join(temporaryRoot(), 'amtiati-tests-'))
// PostgreSQL runs as another user when the tests run as root.
chmodSync(folder, 0o755)
const env = { ...process.env, TMPDIR: folder, ...(isFull ? { TEST_FULL: '1' } : {}) }
/** Beyond it the run ends, before waits for signals that never come add up to hours. */
const maxFailures = 50
const count = { passed: 0, failed: 0, failedChecks: 0 }
const summary = []

function optionAfter(option) {
  const at = process.argv.indexOf(option)
  return at === -1 ? undefined : process.argv[at + 1]
}

/** In memory if 4 GB are free: hundreds of databases are made, and none must outlive the run. */
function temporaryRoot() {
  const inMemory = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= 4 * 1024 ** 3 ? inMemory : tmpdir()
}

/** Renamed first, because a browser that is ending still writes by the old name. */
function removeFolder() {
  renameSync(folder, `${folder}-ended`)
  rmSync(`${folder}-ended`, { recursive: true, force: true, maxRetries: 10 })
}

for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.once(signal, async () => {
    await stopRunning()
    removeFolder()
    process.exit(128 + number)
  })
}

/** `work` returns a list of failures, or throws one. Output of parallel steps is printed at the end of each. */
async function step(name, work) {
  const startedAt = Date.now()
  let wrong
  try {
    wrong = await work()
  } catch (error) {
    wrong = [error.message]
  }
  for (const sentence of wrong) console.log(`  ${sentence}`)
  summary.push(...wrong.map((sentence) => `  ${sentence}`))
  const line = `${wrong.length === 0 ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`
  console.log(line)
  summary.push(line)
  return wrong.length === 0
}

/** A step outside the test runner; it counts as one test when it fails. */
async function check(name, work) {
  const isWell = await step(name, work)
  if (!isWell) count.failedChecks += 1
  return isWell
}

/** A check that is one command: it passes with exit code 0. Its output is shown at its end. */
const command =
  (name, ...args) =>
  () =>
    check(name, async () => {
      const { code, output } = await runQuietly(node, args, env)
      if (output.trim() !== '') console.log(output.trimEnd())
      return code === 0 ? [] : [`ended with code ${code}`]
    })

/** @returns the report of one run of the test runner, or undefined when there is none */
async function runTests(args, name = 'all') {
  const report = join(folder, `report-${name}.json`)
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=./test/kit/report.ts']
  const code = await run(node, [tools.vitest, ...args, ...reporters], { ...env, TEST_REPORT: report })
  if (!existsSync(report))
    return { code, wrong: [`the test runner ended with code ${code} and left no report`] }
  return { code, ...JSON.parse(readFileSync(report, 'utf8')) }
}

/** Counts a report, prints the faults, and shows the seconds of each layer. */
function evaluate({ code, wrong, layers: ran = {}, slowest = [], retried = [] }, expected) {
  const failures = [
    ...wrong,
    ...expected.filter((name) => !ran[name]).map((name) => `no test ran in ${name}`),
  ]
  if (failures.length === 0 && code !== 0) failures.push('the test runner reports an error, see above')
  for (const { passed } of Object.values(ran)) count.passed += passed
  count.failed += failures.length
  for (const name of [...layers, ...Object.keys(ran).filter((each) => !layers.includes(each))])
    if (ran[name])
      summary.push(
        `  ${name.padEnd(16)} ${String(ran[name].files).padStart(4)} files ${String(ran[name].passed).padStart(6)} tests ${ran[name].seconds.toFixed(1).padStart(7)} s of a worker`,
      )
  if (isFull && slowest.length > 0)
    summary.push('slowest:', ...slowest.map(({ test, seconds }) => `  ${seconds.toFixed(1)} s ${test}`))
  if (isFull)
    summary.push(`repeated: ${retried.length === 0 ? 'none' : ''}`, ...retried.map((test) => `  ${test}`))
  return failures
}

/** The layer with Chromium waits half of its time: it runs beside the others. */
async function tests() {
  const run = (name, args, expected) =>
    step(name, async () =>
      evaluate(await runTests(['run', `--bail=${maxFailures}`, ...args], name), expected),
    )
  await Promise.all([
    run('tests in a browser', ['--project=browser'], ['browser']),
    run(
      'tests',
      ['--project=!browser'],
      layers.filter((name) => name !== 'browser'),
    ),
  ])
}

async function runShard(part) {
  await step(`tests, shard ${part}`, async () => {
    const blob = join(blobs, `blob-${part.replace('/', '-')}.json`)
    const args = ['run', `--shard=${part}`, '--reporter=blob', `--outputFile.blob=${blob}`]
    return evaluate(await runTests(args), [])
  })
  const [index, of] = part.split('/').map(Number)
  const before = Math.floor(((index - 1) * fullWorlds) / of)
  const seeds = Math.floor((index * fullWorlds) / of) - before
  const world = ['test/world/main.ts', '--from', String(before + 1), '--seeds', String(seeds)]
  await command(`${seeds} simulated worlds from ${before + 1} on`, ...world)()
}

async function reportShards() {
  Object.assign(count, { passed: 0, failed: 0 })
  await step('all shards', async () =>
    evaluate(await runTests([`--mergeReports=${blobs}`]), [
      ...layers,
      'gateway-postgres',
      'browser-postgres',
    ]),
  )
}

async function fullTests() {
  if (shard !== undefined) return runShard(shard)
  if (!isReportOnly) {
    rmSync(blobs, { recursive: true, force: true })
    for (let part = 1; part <= shardCount; part += 1) await runShard(`${part}/${shardCount}`)
  }
  return reportShards()
}

async function oneAfterTheOther(checks) {
  for (const each of checks) await each()
}

/** A figure of this machine's current speed, by which seconds of two runs can be compared. */
function calibrate() {
  const bytes = Buffer.alloc(8 * 1024 * 1024, 1)
  const startedAt = performance.now()
  for (let round = 0; round < 8; round += 1) createHash('sha256').update(bytes).digest()
  return Math.round((64 / (performance.now() - startedAt)) * 1_000)
}

function describeMachine(when) {
  const load = loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')
  summary.push(
    `${when}: load ${load} on ${availableParallelism()} cores, ${calibrate()} MB/s of SHA-256 on one`,
  )
}

const colors = process.stdout.isTTY ? [] : ['--colors=off']
const checks = [
  command(
    'types',
    tools.tsc,
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.json',
  ),
  command('format and lint', tools.biome, 'ci', '--error-on-warnings', ...colors),
  command('imports', tools.depcruise, '--config', '.dependency-cruiser.cjs', ...apps),
  command('unused code', tools.knip, '--no-progress'),
  command('documents', 'scripts/derive-docs.ts', '--check'),
  command('citations and links', 'scripts/check-documents.ts'),
  command('steadiness', 'scripts/check-steadiness.ts'),
  command('length of functions', 'scripts/check-lengths.ts', '--check'),
  command('a copy without the desk', 'scripts/check-without-desk.ts'),
  () =>
    check('dependency audit', async () => {
      const { failures, notes } = await auditDependencies()
      for (const note of notes) console.log(`  ${note}`)
      return failures
    }),
]

async function main() {
  describeMachine('before')
  const isInstalled = await check('install', async () => {
    await ensureInstalled()
    return []
  })
  if (!isInstalled) return
  if (isReportOnly) return reportShards()
  if (isChecksOnly) return oneAfterTheOther(checks)
  const isBuilt = await check('client build', async () => {
    await ensureClientBuilt()
    return []
  })
  if (!isBuilt) return
  // Runs in parallel to the tests: the layer with Chromium, which comes first, leaves them time.
  if (shard !== undefined) await fullTests()
  else await Promise.all([isFull ? fullTests() : tests(), oneAfterTheOther(checks)])
}

const startedAt = Date.now()
try {
  await main()
} finally {
  removeFolder()
}
describeMachine('after')
console.log(`\n${summary.join('\n')}`)
console.log(`${((Date.now() - startedAt) / 1000).toFixed(0)} s in all`)
const failed = count.failed + count.failedChecks
if (isChecksOnly) {
  process.exitCode = failed === 0 ? 0 : 1
} else {
  process.exitCode = failed === 0 && count.passed > 0 ? 0 : 1
  console.log(`${count.passed} passed, ${count.passed === 0 ? Math.max(failed, 1) : failed} failed`)
}
