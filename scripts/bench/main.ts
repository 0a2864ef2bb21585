import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dayTable, runDay } from './day.ts'
import { describeMachine, machineLine } from './machine.ts'
import { type Options, readOptions, usage } from './options.ts'
import { phoneTable, runPhone } from './phone.ts'
import { rowsTable } from './row.ts'
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

async function run(): Promise<{ table: string; faults: readonly string[]; result: unknown }> {
  switch (options.benchmark) {
    case 'rows': {
      const result = await runRows(options, say)
      return { table: rowsTable(result.rows), faults: result.faults, result }
    }
    case 'scale': {
      const result = await runScale(options, say)
      return { table: scaleTable(result), faults: result.faults, result }
    }
    case 'day': {
      const result = await runDay(options, say)
      return { table: dayTable(result), faults: result.faults, result }
    }
    case 'phone': {
      const result = await runPhone(options, say)
      return { table: phoneTable(result), faults: result.faults, result }
    }
  }
}

const startedAt = new Date()
const { table, faults, result } = await run()
mkdirSync(dirname(options.out), { recursive: true })
writeFileSync(
  options.out,
  `${JSON.stringify({ startedAt: startedAt.toISOString(), endedAt: new Date().toISOString(), machine, options, result }, null, 1)}\n`,
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
