import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '#test/kit/database/postgres.ts'
import { shrink } from './shrink.ts'
import { type Outcome, runWorld, type Wish } from './world.ts'

const usage = `usage: npm run world -- [--seeds <how many>] [--from <first seed>] [--jobs <processes>] [--bags <how many>] [--postgres]
       npm run world -- --story --from <seed> [--bags <how many>]
Runs simulated worlds. --postgres runs them on PostgreSQL, where the same seed is not the same world. --bags has
groups bring so many bags to one agent, each with a picture.`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    postgres: { type: 'boolean', default: false },
    bags: { type: 'string' },
    story: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const bags = values.bags === undefined ? {} : { bags: Number(values.bags) }
const wishOf = (seed: number): Wish => ({ seed, ...bags })

const { WORLDS: part } = process.env

/** Of one world, from a process that runs some of them. */
interface Report {
  readonly seed: number
  readonly broken: Outcome['broken']
}

const self = fileURLToPath(import.meta.url)
const say = (text: string) => void process.stdout.write(`${text}\n`)

function tell({ broken, story }: Outcome, wish: Wish): void {
  say(story.map((line) => `  ${line}`).join('\n'))
  if (broken) say(`\nbroken: ${broken.promise}\n  ${broken.found}`)
  say(`world: ${JSON.stringify(wish)}`)
}

/** Seeds from `from` to `last`, as a part of a run. @param databases where to get PostgreSQL databases */
async function runPart(from: number, last: number, databases?: string): Promise<void> {
  for (let seed = from; seed <= last; seed += 1) {
    const postgres = databases && (await (await fetch(new URL('migrated', databases))).text())
    const { broken } = await runWorld({ ...wishOf(seed), ...(postgres && { postgres }) })
    process.send?.({ seed, broken } satisfies Report)
  }
  // Not disconnected: a process on a leash (scripts/lib/leash.mjs) would end itself before its reports are out.
  process.channel?.unref()
}

/** Worlds of one process. */
const mostOfPart = 25

async function runAll(from: number, count: number, jobs: number, databases?: string): Promise<void> {
  const broken: number[] = []
  let ran = 0
  const size = Math.min(mostOfPart, Math.ceil(count / jobs))
  let next = from
  async function runNext(): Promise<void> {
    if (next >= from + count) return
    const [first, last] = [next, Math.min(next + size, from + count) - 1]
    next = last + 1
    const child = fork(self, process.argv.slice(2), {
      execArgv: process.execArgv,
      env: { ...process.env, WORLDS: JSON.stringify([first, last, databases]) },
    })
    child.on('message', (message) => {
      const { seed, broken: found } = message as Report
      ran += 1
      if (found === undefined) return
      broken.push(seed)
      say(`world ${seed}: ${found.promise}\n  ${found.found}`)
    })
    const [code, signal] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the process of worlds ${first} to ${last} ended with ${code ?? signal}`)
    return runNext()
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  const [first] = broken.sort((a, b) => a - b)
  if (first !== undefined && databases === undefined) {
    say(`\nthe shortest story of world ${first}:`)
    const { wish, outcome } = await shrink(wishOf(first))
    tell(outcome, wish)
  }
  conclude(ran, broken.length)
}

function conclude(count: number, broken: number): void {
  say(`${count} worlds, ${broken} broken`)
  process.exitCode = broken > 0 ? 1 : 0
}

async function runOnPostgres(from: number, count: number, jobs: number): Promise<void> {
  const { address, stop } = await startPostgres()
  try {
    say('on PostgreSQL: the same seed is not the same world')
    await runAll(from, count, jobs, address)
  } finally {
    await stop()
  }
}

const from = Number(values.from)
if (values.help) say(usage)
else if (part !== undefined) await runPart(...(JSON.parse(part) as [number, number, string?]))
else if (values.story) tell(await runWorld(wishOf(from)), wishOf(from))
else {
  const run = values.postgres ? runOnPostgres : runAll
  await run(from, Number(values.seeds), Number(values.jobs))
}
