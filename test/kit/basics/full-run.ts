import { it } from 'vitest'
import type { LanguageCode } from '#shared/platform/language.ts'

/** Set by `npm run test:full`, which runs the full counts, languages and sizes. */
export const isFull = process.env.TEST_FULL === '1'

/** A test of the full run. The short one does not list it. */
export const inFull = isFull ? it : (Object.assign(ignore, { each: () => ignore }) as unknown as typeof it)

function ignore(): void {}

/**
 * The languages of a journey whose outcome does not depend on the language: both in the full run, `short` alone in the
 * short one. Every run shows both languages in the journeys `booking`, `layout` and `account`, and compares the
 * catalogues (test/repo/catalogues.test.ts).
 */
export const languagesOrOne = (short: LanguageCode): readonly LanguageCode[] =>
  isFull ? ['ar', 'en'] : [short]
