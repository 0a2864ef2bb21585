import { it } from 'vitest'
import { isFull } from './full-run.ts'

/** A test of the full run. The short one does not list it. Journeys have theirs in `test/kit/browser/journey.ts`. */
export const inFull = isFull ? it : (Object.assign(ignore, { each: () => ignore }) as unknown as typeof it)

function ignore(): void {}
