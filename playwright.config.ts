import { defineConfig } from '@playwright/test'
import { isFull } from './test/kit/basics/full-run.ts'
import { patienceMs } from './test/kit/basics/patience.ts'
import type { OfTheWorker } from './test/kit/browser/journey.ts'

/** The layer `browser` of CONTRIBUTING.md: one Chromium and one gateway with its simulator for all files of an engine. */
export default defineConfig<object, OfTheWorker>({
  testMatch: ['test/journeys/**/*.test.ts', '**/*.browser{,.full}.test.ts'],
  testIgnore: ['**/node_modules/**', '**/dist/**', ...(isFull ? [] : ['**/*.full.test.ts'])],
  globalSetup: './test/kit/browser/set-up-run.ts',
  outputDir: 'test-results',
  workers: 1,
  forbidOnly: true,
  // A wait ends after `patienceMs` and names the missing signal. This limit only ends a test that hangs.
  timeout: isFull ? 3_600_000 : 5 * patienceMs,
  expect: { timeout: patienceMs },
  // A full run says which tests passed only when they were repeated, and keeps the trace of the second try.
  retries: isFull ? 1 : 0,
  use: { trace: 'on-first-retry' },
  // Beyond it the run ends, before waits for signals that never come add up to hours.
  maxFailures: 50,
  reporter: 'list',
  reportSlowTests: null,
  projects: [
    { name: 'browser' },
    ...(isFull ? [{ name: 'browser-postgres', use: { engine: 'postgres' as const } }] : []),
  ],
})
