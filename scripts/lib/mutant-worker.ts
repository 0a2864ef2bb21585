import { join, relative, sep } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'

/** Runs these tests against the copy; `changed` was written since the last run. */
export interface WorkOrder {
  readonly tests: readonly string[]
  readonly changed: readonly string[]
}

/** Without a file for an error outside of any test. */
export interface TestFailure {
  readonly file: string | undefined
  readonly test: string
}

/** `ended`: a test file has ended. `done`: all have, or the test in `failed` did not pass. */
export type WorkNote =
  | { readonly kind: 'ended'; readonly file: string }
  | { readonly kind: 'done'; readonly failed?: TestFailure }

/**
 * The process that runs tests for `scripts/mutants.ts`, in the copy that is its working directory. The test runner stays
 * warm between two runs, and with it the PostgreSQL of the tests. Threads, because they end with the process: a mutant
 * may loop for ever.
 */
const root = process.cwd()
const inCopy = (path: string) => relative(root, path).split(sep).join('/')
function say(note: WorkNote): void {
  process.send?.(note)
}

/** What ended in this run: the runner's own list also holds what failed in an earlier one. */
let ended: TestModule[] = []

function noteEnded(module: TestModule): void {
  ended.push(module)
  say({ kind: 'ended', file: inCopy(module.moduleId) })
}

const vitest = await createVitest({
  root,
  watch: false,
  bail: 1,
  pool: 'threads',
  // Tests of pages replace modules, which other files in the same thread would see.
  isolate: true,
  maxWorkers: 2,
  project: ['unit', 'client', 'components', 'repo', 'stores', 'gateway'],
  reporters: [{ onTestModuleEnd: noteEnded }],
})
await vitest.standalone()

async function work({ tests, changed }: WorkOrder): Promise<void> {
  for (const file of changed) vitest.invalidateFile(join(root, file))
  const specifications = tests.flatMap((file) => vitest.getModuleSpecifications(join(root, file)))
  if (specifications.length !== tests.length) throw new Error(`not every test is known: ${tests.join(', ')}`)
  ended = []
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = ended.flatMap((module) => {
    const file = inCopy(module.moduleId)
    const tests = [...module.children.allTests('failed')].map((test) => ({ file, test: test.fullName }))
    return tests.length > 0 || module.ok() ? tests : [{ file, test: module.errors()[0]?.message ?? '' }]
  })
  const strays = unhandledErrors.map((error) => ({
    file: undefined,
    test: String((error as { message?: unknown }).message),
  }))
  const [why] = [...failed, ...strays]
  say(why === undefined ? { kind: 'done' } : { kind: 'done', failed: why })
}

process.on('message', (order: WorkOrder) => {
  work(order).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => void vitest.exit(true))
