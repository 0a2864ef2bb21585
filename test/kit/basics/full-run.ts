import type { LanguageCode } from '#shared/platform/language.ts'

/** Set by `npm run test:full`, which runs the full counts, languages and sizes. */
export const isFull = process.env.TEST_FULL === '1'

/**
 * The languages of a journey whose outcome does not depend on the language: both in the full run, `short` alone in the
 * short one. Every run shows both languages in the journeys `booking`, `layout` and `account`, and compares the
 * catalogues (test/repo/catalogues.test.ts).
 */
export const languagesOrOne = (short: LanguageCode): readonly LanguageCode[] =>
  isFull ? ['ar', 'en'] : [short]
