import { defineConfig } from 'vitest/config'
import { patienceMs } from './test/kit/basics/patience.ts'

/** The tests that mutants of `stryker.config.json` run: rules and verbs, and statements on SQLite and PostgreSQL. */
export default defineConfig({
  test: {
    include: ['{server,shared}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.{process,browser,full}.test.ts'],
    globalSetup: ['test/kit/programs/temporary-folder.ts', 'test/kit/database/postgres.ts'],
    setupFiles: ['test/kit/basics/console-check.ts', 'test/kit/basics/waiting.ts'],
    isolate: false,
    testTimeout: 5 * patienceMs,
    hookTimeout: 5 * patienceMs,
    expect: { poll: { timeout: patienceMs } },
    restoreMocks: true,
    unstubGlobals: true,
    provide: { engine: 'sqlite' },
  },
})
