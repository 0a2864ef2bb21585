import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '#test/kit/postgres.ts'
import { shrink } from './shrink.ts'
import { type Outcome, runWorld, type Wish } from './world.ts'

const usage = `usage: npm run world -- [--seeds <how many>] [--from <first seed>] [--jobs <processes>] [--plant <fault>]
       npm run world -- --story --from <seed>
       npm run world -- --keep <seed>
       npm run world -- --kept
Runs simulated worlds, which check the promises of test/world/promises.ts. --plant puts one of the faults of
test/world/plants.ts back and ends with the first worlds that find it, --postgres runs them on PostgreSQL, where
the same seed is not the same world. --keep adds the shortest story of a seed to test/world/kept.json,
whose worlds --kept runs.`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    plant: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    keep: { type: 'string' },
    kept: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const { WORLDS: part, PLANT: planted } = process.env

/** Of one world, from a process that runs some of them. */
interface Report {
  readonly seed: number
  readonly broken: Outcome['broken']
}

/** Of a fault that was put back the first world that finds it is enough. */
const isEnough = (broken: unknown) => planted !== undefined && broken !== undefined

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
    const { broken } = await runWorld({ seed, ...(postgres && { postgres }) })
    process.send?.({ seed, broken } satisfies Report)
    if (isEnough(broken)) break
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
    if (next >= from + count || isEnough(broken[0])) return
    const [first, last] = [next, Math.min(next + size, from + count) - 1]
    next = last + 1
    const child = fork(self, {
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
    const { wish, outcome } = await shrink({ seed: first })
    tell(outcome, wish)
    say(`kept as a test by: npm run world -- --keep ${first}`)
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

const keptFile = new URL('./kept.json', import.meta.url)
const readKept = async () => JSON.parse(await readFile(keptFile, 'utf8')) as readonly Wish[]

async function keep(seed: number): Promise<void> {
  const { wish, outcome } = await shrink({ seed })
  tell(outcome, wish)
  if (outcome.broken === undefined) throw new Error(`world ${seed} keeps every promise`)
  const others = (await readKept()).filter((one) => one.seed !== seed)
  await writeFile(keptFile, `${JSON.stringify([...others, wish], undefined, 2)}\n`)
}

async function runKept(): Promise<void> {
  const wishes = await readKept()
  let count = 0
  for (const wish of wishes) {
    const outcome = await runWorld(wish)
    if (outcome.broken === undefined) continue
    count += 1
    tell(outcome, wish)
  }
  conclude(wishes.length, count)
}

/** Once more, with the fault put back before anything is loaded. */
async function withPlant(name: string): Promise<void> {
  const plants = new URL('./plants.ts', import.meta.url).href
  const child = fork(self, process.argv.slice(2), {
    execArgv: ['--import', plants],
    env: { ...process.env, PLANT: name },
  })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}

const from = Number(values.from)
if (values.help) say(usage)
else if (part !== undefined) await runPart(...(JSON.parse(part) as [number, number, string?]))
else if (values.plant !== undefined && planted === undefined) await withPlant(values.plant)
else if (values.story) tell(await runWorld({ seed: from }), { seed: from })
else if (values.keep !== undefined) await keep(Number(values.keep))
else if (values.kept) await runKept()
else {
  const run = values.postgres ? runOnPostgres : runAll
  await run(from, Number(values.seeds), Number(values.jobs))
}
