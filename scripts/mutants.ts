import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeCopy } from './lib/mutant-copy.ts'
import {
  describeMutant,
  digest,
  isCurrent,
  parseResults,
  percentDead,
  type Result,
  reportOf,
} from './lib/mutant-report.ts'
import { drawSample, isMutated } from './lib/mutant-sample.ts'
import { importersOf, isWhole, readImporters, testsFor, worlds } from './lib/mutant-tests.ts'
import { applyMutant, type Mutant } from './lib/mutators.ts'

/**
 * `npm run mutants`: applies one mutant at a time to a copy of the code and checks whether a test fails. Results
 * are stored in `mutants/`, so that a run continues the previous one. Exits with 1 when fewer than 85 % are
 * killed.
 */

const leastDeadPercent = 85
/**
 * How long tests may take, together and each; doubled when the machine is too busy. Tests of the whole app take
 * minutes.
 */
const patienceMs = { start: 60_000, test: 5_000, whole: 1_200_000 }
let patience = 1

const usage = `usage: npm run mutants [-- options]
  --seed n      the order in which mutants are drawn, default 1
  --count n     mutants besides those of the rules, default 200
  --only text   only files whose path contains this
  --shard i/n   every n-th mutant of the sample, from the i-th: runs beside each other, in clones
  --near        only the tests beside the changed file, if there are any: a first, quick run
  --world       also simulated worlds, for what the tests before them do not kill
  --whole       also the tests that run the whole app: minutes for each survivor
  --list        prints the sample and ends`

function readOptions() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string', default: '200' },
        only: { type: 'string', default: '' },
        shard: { type: 'string', default: '1/1' },
        near: { type: 'boolean', default: false },
        world: { type: 'boolean', default: false },
        whole: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(1)
  }
}

const options = readOptions()
if (options.help) {
  console.log(usage)
  process.exit()
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'mutants')
const resultsPath = join(folder, 'results.jsonl')

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const texts = new Map(
  files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
)
const textOf = (file: string) => texts.get(file) ?? ''

// Before the sample is drawn, which takes minutes: the copy must hold the texts that were read above.
const copy = makeCopy(root, files)
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    isStopped = true
    copy.close()
  })

mkdirSync(folder, { recursive: true })
console.log('drawing the sample')
const mutated = files.filter((file) => isMutated(file) && file.includes(options.only))
const sample = drawSample(root, mutated, { seed: options.seed, count: Number(options.count) })
const [part = 1, parts = 1] = options.shard.split('/').map(Number)
const mutants = sample.mutants.filter((_, index) => index % parts === part - 1)
console.log(
  `seed ${options.seed}: ${mutants.length} of ${sample.total} mutants; ${sample.refused} drawn did not compile`,
)
if (options.list) {
  for (const mutant of mutants) console.log(describeMutant(mutant))
  copy.close()
  process.exit()
}

const importers = readImporters(root, files)
const results = parseResults(existsSync(resultsPath) ? readFileSync(resultsPath, 'utf8') : '')

const green = new Set<string>()
const red = new Set<string>()

function groupsFor(file: string): string[][] {
  const all = testsFor(file, importers)
  const groups = options.whole ? all : all.filter((group) => !group.some(isWhole))
  const near = groups.filter((group) => group.every((test) => dirname(test) === dirname(file)))
  const chosen = options.near && near.length > 0 ? near : groups
  return options.world ? [...chosen, [worlds]] : chosen
}

function run(tests: readonly string[]) {
  const each = tests.some(isWhole) ? patienceMs.whole : patienceMs.test
  return copy.run(tests, patience * (patienceMs.start + each * tests.length))
}

async function runWithout(mutant: Mutant, tests: readonly string[]) {
  copy.write(mutant.file, textOf(mutant.file))
  const result = await run(tests)
  copy.write(mutant.file, applyMutant(textOf(mutant.file), mutant))
  return result
}

async function testMutant(
  mutant: Mutant,
  groups: readonly string[][],
): Promise<Pick<Result, 'outcome' | 'by'>> {
  copy.write(mutant.file, applyMutant(textOf(mutant.file), mutant))
  for (const group of groups) {
    for (;;) {
      const tests = group.filter((test) => !red.has(test))
      const result = tests.length === 0 ? 'passed' : await run(tests)
      if (result === 'passed') break
      if (isStopped) return { outcome: 'late' }
      if (result === 'late') {
        if ((await runWithout(mutant, tests)) !== 'late') return { outcome: 'late' }
        patience *= 2
        continue
      }
      const { file, test } = result
      const blamed = file === undefined ? tests : [file]
      const areGreen = blamed.every((each) => green.has(each))
      if (areGreen || (await runWithout(mutant, blamed)) === 'passed') {
        for (const each of blamed) green.add(each)
        return { outcome: 'killed', by: `${blamed.join(', ')} > ${test}` }
      }
      console.log(`! without any mutant, too, fails ${blamed.join(', ')}: left out`)
      for (const each of blamed) red.add(each)
    }
  }
  return { outcome: 'survived' }
}

const finished: Result[] = []
try {
  for (const [index, mutant] of mutants.entries()) {
    if (isStopped) break
    const groups = groupsFor(mutant.file)
    const source = digest(textOf(mutant.file))
    const contracts = importersOf(mutant.file, importers).filter((file) => file.endsWith('.contract.ts'))
    const world = options.world ? files.filter((path) => path.startsWith('test/world/')) : []
    const tests = digest(...[...groups.flat(), ...contracts, ...world].map(textOf))
    const known = results.get(mutant.id)
    if (isCurrent(known, source, tests)) {
      finished.push(known)
      continue
    }
    const startedAt = Date.now()
    const { outcome, by } = await testMutant(mutant, groups)
    if (isStopped) break
    copy.write(mutant.file, textOf(mutant.file))
    const result: Result = {
      ...mutant,
      outcome,
      source,
      ...(outcome === 'survived' ? { tests } : {}),
      ...(by === undefined ? {} : { by }),
    }
    appendFileSync(resultsPath, `${JSON.stringify(result)}\n`)
    finished.push(result)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    console.log(`${index + 1}/${mutants.length} ${outcome} ${seconds} s ${describeMutant(mutant)}`)
  }
} finally {
  copy.close()
}

console.log(`\n${reportOf(finished)}`)
if (isStopped) process.exitCode = 130
else if (percentDead(finished) < leastDeadPercent) process.exitCode = 1
