import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { isFull } from './test/kit/basics/full-run.ts'
import { patienceMs } from './test/kit/basics/patience.ts'

/**
 * The layers of CONTRIBUTING.md, but for the browser's (playwright.config.ts). A file's name says its layer:
 * `*.store|races|database.test.ts` stores, `*.process.test.ts` process, `*.test.tsx` components; the rest by folder. A file
 * with `.full.` in its name runs only in `npm run test:full`.
 */
const stores = '**/*.{store,races,database}{,.full}.test.ts'
const processes = '**/*.process{,.full}.test.ts'
/** Those of playwright.config.ts. */
const browser = ['test/journeys/**', '**/*.browser{,.full}.test.ts']
const gateway = ['test/{api,attacks,money}/**/*.test.ts']
const notOurs = ['**/node_modules/**', '**/dist/**', '.stryker-tmp/**']
const fullOnly = isFull ? [] : ['**/*.full.test.{ts,tsx}']

type Layer = NonNullable<TestProjectInlineConfiguration['test']>

/**
 * A process runs many files: starting one and loading the modules costs more than most tests. Three of them on two cores,
 * because half of what the layers with a gateway do is waiting.
 */
const shared: Layer = {
  pool: 'forks',
  isolate: false,
  maxWorkers: 3,
  setupFiles: ['test/kit/basics/console-check.ts', 'test/kit/basics/waiting.ts'],
  // A signal that never comes ends a wait after `patienceMs`, with what is missing. This only ends what hangs.
  testTimeout: isFull ? 3_600_000 : 5 * patienceMs,
  hookTimeout: 5 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
  restoreMocks: true,
  unstubGlobals: true,
  // A full run says which tests passed only when they were repeated.
  retry: isFull ? 1 : 0,
}

function layer(
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
  change: Layer = {},
): TestProjectInlineConfiguration {
  const test = { name, include: [...include], exclude: [...notOurs, ...fullOnly, ...exclude] }
  return { test: { ...shared, ...test, ...change } }
}

/** In jsdom, with a context of its own for each file: they share a document and replace modules. */
const inBrowserDocument: Layer = {
  pool: 'vmForks',
  deps: {
    optimizer: {
      client: {
        enabled: true,
        include: [
          'antd',
          'i18next',
          'react',
          'react-dom',
          'react-dom/client',
          'react/jsx-dev-runtime',
          'react-i18next',
          'react-router-dom',
          '@tanstack/react-query',
          '@testing-library/react',
          '@testing-library/user-event',
        ],
      },
    },
  },
}

const onPostgres: Layer = { env: { TEST_ENGINE: 'postgres' } }

export default defineConfig({
  test: {
    // A focused test left behind fails the run instead of hiding the others.
    allowOnly: false,
    globalSetup: ['test/kit/programs/temporary-folder.ts', 'test/kit/database/postgres.ts'],
    reporters: ['default', './test/kit/basics/report.ts'],
    // Beyond it the run ends, before waits for signals that never come add up to hours.
    bail: 50,
    projects: [
      layer(
        'unit',
        ['{shared,pdf,server,mock-partner,scripts}/**/*.test.ts'],
        [stores, processes, ...browser],
      ),
      layer('client', ['client/**/*.test.ts'], [], inBrowserDocument),
      layer('components', ['client/**/*.test.tsx'], [], inBrowserDocument),
      layer('repo', ['test/repo/**/*.test.ts'], [processes]),
      layer('stores', [stores]),
      layer('gateway', gateway, [stores, processes, ...browser]),
      layer('process', [processes]),
      ...(isFull ? [layer('gateway-postgres', gateway, [stores, processes, ...browser], onPostgres)] : []),
    ],
  },
})
