import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '#server/platform/database/database.ts'
import { runDay } from './day.ts'
import { runFailover } from './failover.ts'
import { runLive } from './live.ts'
import { describeMachine, machineLine } from './machine.ts'
import { runPhone } from './phone.ts'
import { type Options, type Result, say, tableOf } from './report.ts'
import { runRows } from './rows.ts'
import { runVisit } from './visit.ts'

/** `npm run bench`: see docs/performance.md. */

const usage = `usage: npm run bench [-- day | visit | phone | failover | live] [options]
  (none)    the promised numbers, each beside its baseline
  day       the afternoon of 12 Dhu al-Hijjah, until it breaks
  visit     what one visit of the day costs each process
  phone     what a phone on a slow line waits for, without any, and on one that never answers, and what a press takes, in Chromium
  failover  how soon gateways write again when the primary is killed, and whether anything is lost (needs PostgreSQL)
  live      how soon a pilgrim sees a hand-over, and what idle streams cost (needs HAProxy and Chromium)
options: --engine sqlite|postgres, --orders n, --rounds n, --seconds n, --journeys n, --most n (times the planned load), --kills n`

const benchmarks: Readonly<Record<string, (options: Options) => Promise<Result>>> = {
  rows: runRows,
  day: runDay,
  visit: runVisit,
  phone: runPhone,
  failover: runFailover,
  live: runLive,
}
const defaults = { orders: 1_000_000, rounds: 5, most: 64, kills: 20 }
const ownDefaults: Readonly<Record<string, Pick<Options, 'engines' | 'seconds' | 'journeys'>>> = {
  rows: { engines: ['sqlite'], seconds: 5, journeys: 10_000 },
  visit: { engines: ['sqlite', 'postgres'], seconds: 0, journeys: 40 },
  live: { engines: ['sqlite'], seconds: 15, journeys: 200 },
}

function readCommand() {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        engine: text,
        orders: text,
        rounds: text,
        seconds: text,
        journeys: text,
        most: text,
        kills: text,
      },
    })
    const { engine, ...counts } = values
    const [name = 'rows', ...rest] = positionals
    const run = benchmarks[name]
    if (run === undefined || rest.length > 0)
      throw new Error(`there is no benchmark ${positionals.join(' ')}`)
    if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres')
      throw new Error('--engine is sqlite or postgres')
    const engines: readonly Engine[] = engine === undefined ? ['sqlite', 'postgres'] : [engine]
    const options: Options = {
      engines,
      seconds: 60,
      journeys: 0,
      ...defaults,
      ...ownDefaults[name],
      ...(engine !== undefined && { engines }),
      ...Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, countOf(key, value)])),
    }
    return { name, run, options }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function countOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is not a whole number above 0`)
  return Number(text)
}

const { name, run, options } = readCommand()
const machine = describeMachine()
say(`${name}: ${machineLine(machine)}`)

const folder = mkdtempSync(join(tmpdir(), 'amtiati-bench-'))
// PostgreSQL runs as another user when the benchmark runs as root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const startedAt = new Date().toISOString()
const { lines, faults, details } = await run(options)
const file = `data/bench-${name}.json`
mkdirSync('data', { recursive: true })
writeFileSync(
  file,
  `${JSON.stringify({ name, startedAt, endedAt: new Date().toISOString(), machine, options, lines, details, faults }, null, 1)}\n`,
)
console.log(`\n${machineLine(machine)}\n\n${tableOf(lines)}`)
console.log(
  faults.length === 0
    ? '\nNothing was lost and nothing was done twice.'
    : `\nWRONG:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
)
console.log(`Numbers: ${file}`)
// Only wrong responses fail the run, not a slow machine.
process.exitCode = faults.length === 0 ? 0 : 1
