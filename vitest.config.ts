import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isFull } from './test/kit/full-run.ts'
import { patienceMs } from './test/kit/patience.ts'

const setupFiles = ['test/kit/console-check.ts', 'test/kit/waiting.ts']

/** Time limits only end what hangs. They exceed the waits of test/kit/patience.ts, whose messages say what is missing. */
const patience = { testTimeout: 900_000, hookTimeout: 900_000 }

/** Tests without a stack. A process runs many files: starting one and loading the modules costs more than most tests. */
const withoutStack = { ...patience, isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } }

/** Tests share a document and replace modules: each file has a context of its own in a shared process. */
const inBrowserDocument = { ...withoutStack, pool: 'vmForks' as const }

/**
 * Each file runs its own gateway and simulator, often with a browser or a database, and mostly waits for them: four
 * files at a time keep two cores busy. After the unit tests, not among them.
 */
const withStack = {
  ...patience,
  // In a full run, journeys through faults and killed gateways take minutes, and so does their settling.
  ...(isFull && { testTimeout: 3_600_000 }),
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
}

/** Files that take longest. They start first, so that none of them runs alone at the end. */
const longest =
  /\/(accessibility|offline|agent-scan|sessions|orders-of-arrival|bench|crash|restore)\.test\.ts$/

/**
 * Tests that are no unit tests: they start PostgreSQL or another process, wait for real time limits, send thousands of
 * requests, read printed pages, or compile TypeScript. `test/repo/projects.test.ts` finds most of what is missing here.
 */
export const integration = [
  '**/*.{store,races}.test.ts',
  'mock-partner/{main,shipping/shipping.label}.test.ts',
  'scripts/lib/{mutant-sample,session}.test.ts',
  'scripts/{ops,replay-payment,restore,tools,unlock-phone}.test.ts',
  'server/app.{scrape,telemetry}.test.ts',
  'server/features/orders/{agent-list,orders}.test.ts',
  'server/features/otp/shared-limits.test.ts',
  'server/platform/database/{all-rows,backup,copy,database,lock,migrate,plans,schema-changes}.test.ts',
  'server/platform/database/migrations/*.test.ts',
  'server/platform/http-client.test.ts',
  'server/platform/plugins/{connection-limits,load-shedding}.test.ts',
  'test/repo/imports.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * project.config.sequence.groupOrder + (longest.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // A focused test left behind fails the run instead of hiding the others.
    allowOnly: false,
    restoreMocks: true,
    unstubGlobals: true,
    expect: { poll: { timeout: patienceMs } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,server,mock-partner,scripts}/**/*.test.ts'],
          exclude: integration,
          setupFiles,
          ...withoutStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: integration,
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          ...withoutStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['client/**/*.test.ts'],
          setupFiles,
          ...inBrowserDocument,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['client/**/*.test.tsx'],
          setupFiles,
          ...inBrowserDocument,
        },
      },
      {
        extends: true,
        test: {
          name: 'repo',
          include: ['test/repo/**/*.test.ts'],
          exclude: integration,
          setupFiles,
          ...withoutStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          setupFiles,
          ...withStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          setupFiles,
          ...withStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'money',
          include: ['test/money/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          ...withStack,
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: ['test/attacks/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          ...withStack,
        },
      },
    ],
  },
})
