import { test as base } from '@playwright/test'
import type { Engine } from '#server/platform/database/database.ts'
import { watchComplaints } from '../basics/complaints.ts'
import { isFull } from '../basics/full-run.ts'

export { expect } from '@playwright/test'

export interface OfTheWorker {
  /** Of the gateways in this process (playwright.config.ts). */
  readonly engine: Engine
  readonly setEngine: undefined
}

/** A test of a journey. It fails when this process writes to `console.error` or `console.warn`. */
export const test = base.extend<{ readonly isQuiet: undefined }, OfTheWorker>({
  engine: ['sqlite', { option: true, scope: 'worker' }],
  setEngine: [
    async ({ engine }, use) => {
      process.env.TEST_ENGINE = engine
      await use(undefined)
    },
    { auto: true, scope: 'worker' },
  ],
  isQuiet: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed.
    async ({}, use) => {
      const end = watchComplaints()
      await use(undefined)
      end()
    },
    { auto: true },
  ],
})

/** A test of the full run. The short one does not list it. */
export const inFull: (title: string, body: () => Promise<void>) => void = isFull ? test : () => undefined
