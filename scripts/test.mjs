import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { auditDependencies } from './lib/audit.mjs'
import { ensureClientBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node, root, tools } from './lib/repo.mjs'
import { run, runQuietly, stopRunning } from './lib/run.mjs'

/**
 * `npm test`: every check. Runs on the Node of the machine (20 or newer); the checks run on Node 24.
 * The last line on stdout is `N passed, N failed`. It counts tests; a step outside the test runner that fails counts as one.
 */

const apps = ['shared', 'server', 'client', 'mock-partner', 'scripts', 'test']
/** A run without a test in one of these folders fails. */
const levels = [
  ...['shared/', 'server/', 'client/', 'mock-partner/'],
  ...['test/repo/', 'test/api/', 'test/journeys/', 'test/money/', 'test/attacks/'],
]

const isFull = process.argv.includes('--full')
const env = { ...process.env, ...(isFull ? { TEST_FULL: '1' } : {}) }
/**
 * A test whose signal never comes takes minutes: the rest of the run is given up before they add up to hours. The test
 * runner also counts the groups and files of failed tests.
 */
const maxFailures = 50
const count = { passed: 0, failed: 0 }
const summary = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopRunning()
    process.exit(130)
  })
}

/** `work` returns a list of failures, or throws one. */
async function step(name, work) {
  console.log(`\n▶ ${name}`)
  const startedAt = Date.now()
  let wrong
  try {
    wrong = await work()
  } catch (error) {
    wrong = [error.message]
  }
  for (const sentence of wrong) console.log(`  ${sentence}`)
  const line = `${wrong.length === 0 ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`
  console.log(line)
  summary.push(line)
  return wrong.length === 0
}

/** A step before the tests; it counts as one test when it fails. */
async function check(name, work) {
  if (!(await step(name, work))) count.failed += 1
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

async function testStep() {
  const folder = mkdtempSync(join(tmpdir(), 'amtiati-tests-'))
  const report = join(folder, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  if (!isFull) args.push(`--bail=${maxFailures}`)
  await step('tests', async () => {
    try {
      const code = await run(node, [tools.vitest, ...args], env)
      return countTests(report, code)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function countTests(report, code) {
  if (!existsSync(report)) {
    count.failed += 1
    return [`the test runner ended with code ${code} and left no report`]
  }
  const { testResults: files } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed')
  const failed = tests.filter((test) => test.status === 'failed')
  const unrun = tests.filter(({ status }) => !['passed', 'failed'].includes(status))
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const notBegun = tests.filter((test) => test.status === 'pending')
  const isGivenUp = notBegun.length > 0 && failed.length > 0
  const inRepo = (file) => relative(root, file.name).split(sep).join('/')
  const emptyLevels = levels.filter(
    (level) => !files.some((file) => inRepo(file).startsWith(level) && file.assertionResults.length > 0),
  )
  const wrong = [
    ...failed.map((test) => `failed: ${test.fullName}`),
    ...(isGivenUp
      ? [`${notBegun.length} tests were not run after so many failures`]
      : unrun.map((test) => `not run (${test.status}): ${test.fullName}`)),
    ...(isGivenUp ? [] : brokenFiles).map((file) => `failed as a file: ${inRepo(file)}`),
    ...(isGivenUp ? [] : emptyLevels).map((level) => `no test ran in ${level}`),
  ]
  if (wrong.length === 0 && code !== 0) wrong.push('an error outside of any test, see above')
  count.passed += passed.length
  count.failed += wrong.length
  return wrong
}

/** Most checks use one core. */
async function runTwoAtATime(checks) {
  const left = [...checks]
  const runNext = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next()
  }
  await Promise.all([runNext(), runNext()])
}

async function main() {
  const isInstalled = await step('install', async () => {
    await ensureInstalled()
    return []
  })
  if (!isInstalled) {
    count.failed += 1
    return
  }
  const colors = process.stdout.isTTY ? [] : ['--colors=off']
  await runTwoAtATime([
    command('types', tools.tsc, '-p', '.'),
    command('format and lint', tools.biome, 'ci', '--error-on-warnings', ...colors),
    () =>
      check('client build', async () => {
        await ensureClientBuilt()
        return []
      }),
    command('imports', tools.depcruise, '--config', '.dependency-cruiser.cjs', ...apps),
    command('unused code', tools.knip, '--no-progress'),
    command('derived documents', 'scripts/derive-docs.ts', '--check'),
    () =>
      check('dependency audit', async () => {
        const { failures, notes } = await auditDependencies()
        for (const note of notes) console.log(`  ${note}`)
        return failures
      }),
  ])
  await testStep()
}

await main()
console.log(`\n${summary.join('\n')}`)
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1
console.log(`${count.passed} passed, ${count.passed === 0 ? Math.max(count.failed, 1) : count.failed} failed`)
