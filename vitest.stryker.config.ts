import { defineConfig } from 'vitest/config'
import { patienceMs } from './test/kit/patience.ts'

/** The tests that mutants of `stryker.config.json` run: rules and verbs, and statements on SQLite and PostgreSQL. */
export default defineConfig({
  test: {
    include: ['{server,shared}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.{process,browser,full}.test.ts'],
    globalSetup: ['test/kit/temporary-folder.ts', 'test/kit/postgres.ts'],
    setupFiles: ['test/kit/console-check.ts', 'test/kit/waiting.ts'],
    isolate: false,
    testTimeout: 5 * patienceMs,
    hookTimeout: 5 * patienceMs,
    expect: { poll: { timeout: patienceMs } },
    restoreMocks: true,
    unstubGlobals: true,
    provide: { engine: 'sqlite' },
  },
})
