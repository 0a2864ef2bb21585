import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dayTable, runDay } from './day.ts'
import { describeMachine, machineLine } from './machine.ts'
import { type Options, readOptions, usage } from './options.ts'
import { outageTable, runOutage } from './outage.ts'
import { phoneTable, runPhone } from './phone.ts'
import { rowsTable } from './report.ts'
import { runRows } from './rows.ts'
import { runScale, scaleTable } from './scale.ts'

/** `npm run bench`: what it measures and what the numbers mean is in docs/performance.md. */

function readArguments(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const options = readArguments()
const machine = describeMachine()
const say = (line: string) => console.error(line)
say(`${options.benchmark}: ${machineLine(machine)}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const withTable = <T>(result: T, tableOf: (result: T) => string) => ({ result, table: tableOf(result) })
const benchmarks = {
  rows: async () => withTable(await runRows(options, say), ({ rows }) => rowsTable(rows)),
  scale: async () => withTable(await runScale(options, say), scaleTable),
  day: async () => withTable(await runDay(options, say), dayTable),
  phone: async () => withTable(await runPhone(options, say), phoneTable),
  outage: async () => withTable(await runOutage(options, say), outageTable),
}

const startedAt = new Date().toISOString()
const { table, result } = await benchmarks[options.benchmark]()
const { faults } = result
mkdirSync(dirname(options.out), { recursive: true })
writeFileSync(
  options.out,
  `${JSON.stringify({ startedAt, endedAt: new Date().toISOString(), machine, options, result }, null, 1)}\n`,
)
console.log(`\n${machineLine(machine)}\n\n${table}`)
console.log(
  faults.length === 0
    ? '\nNothing was lost and nothing was done twice.'
    : `\nWRONG:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
)
console.log(`Numbers: ${options.out}`)
// Only wrong responses fail the run, not a slow machine.
process.exitCode = faults.length === 0 ? 0 : 1
