import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCosts } from './costs.ts'
import { runDay } from './day.ts'
import { runDesk } from './desk.ts'
import { runFailover } from './failover.ts'
import { runLive } from './live.ts'
import { describeMachine, machineLine } from './machine.ts'
import { type Benchmark, type Options, readOptions, usage } from './options.ts'
import { runOutage } from './outage.ts'
import { runPhone } from './phone.ts'
import { type Result, say } from './report.ts'
import { runRows } from './rows.ts'
import { runScale } from './scale.ts'
import { runVisit } from './visit.ts'

/** `npm run bench`: see docs/performance.md. */

function readArguments(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const benchmarks: Record<Benchmark, (options: Options) => Promise<Result>> = {
  rows: runRows,
  costs: runCosts,
  scale: runScale,
  desk: runDesk,
  day: runDay,
  visit: runVisit,
  phone: runPhone,
  outage: runOutage,
  failover: runFailover,
  live: runLive,
}

const options = readArguments()
const machine = describeMachine()
say(`${options.benchmark}: ${machineLine(machine)}`)

const folder = mkdtempSync(join(tmpdir(), 'amtiati-bench-'))
// PostgreSQL runs as another user when the benchmark runs as root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const startedAt = new Date().toISOString()
const { table, faults, numbers } = await benchmarks[options.benchmark](options)
const file = `data/bench-${options.benchmark}.json`
mkdirSync('data', { recursive: true })
const record = { startedAt, endedAt: new Date().toISOString(), machine, options, numbers, faults }
writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`)
console.log(`\n${machineLine(machine)}\n\n${table}`)
console.log(
  faults.length === 0
    ? '\nNothing was lost and nothing was done twice.'
    : `\nWRONG:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
)
console.log(`Numbers: ${file}`)
// Only wrong responses fail the run, not a slow machine.
process.exitCode = faults.length === 0 ? 0 : 1
