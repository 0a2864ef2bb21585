import { defineConfig } from 'vitest/config'

const setupFiles = ['test/kit/console-law.ts']

export default defineConfig({
  test: {
    // A focused test left behind fails the run instead of hiding the others.
    allowOnly: false,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,server,mock-partner,client,scripts}/**/*.test.{ts,tsx}'],
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          testTimeout: 15_000,
          // The first test of a file may have to start a PostgreSQL.
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'repo',
          include: ['test/repo/**/*.test.ts'],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Each file runs a gateway and a simulator of its own: after the unit tests, not among them.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // A browser, a gateway and a simulator each, which mostly wait for each other: two files at a time.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'money',
          include: ['test/money/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          // Journeys through faults and deaths, and then the quiet after them: minutes in a full run.
          testTimeout: 900_000,
          hookTimeout: 120_000,
          // Up to two gateways, a simulator and a PostgreSQL at once: one file at a time.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: ['test/attacks/**/*.test.ts'],
          setupFiles,
          globalSetup: ['test/kit/postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Most of an attack is waiting to be refused: two files at a time, also on two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
