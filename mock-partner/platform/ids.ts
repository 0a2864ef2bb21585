import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

const epochMs = Date.UTC(2024, 0, 1)
/**
 * The base grows by 100 a second. A gateway stores the ids it received; as long as fewer than 100 a second are issued on
 * average, a simulator without its state file still starts above all of them.
 */
const msPerStep = 10

/** Whole numbers that never repeat, not even after a reset or a lost snapshot. */
export function createIdSequence(clock: Clock) {
  const base = () => Math.floor((clock.now() - epochMs) / msPerStep)
  let last = base()
  return {
    next(): number {
      last += 1
      return last
    },
    /** Starts again from the time, but never below what was issued. */
    restart(): void {
      last = Math.max(last, base())
    },
    last: () => last,
    /** Continues after `previous` or from the time, whichever is higher. */
    continueAfter(previous: number): void {
      last = Math.max(last, previous, base())
    },
  }
}
export type IdSequence = ReturnType<typeof createIdSequence>

/** 32 hex characters, the random part of most external services' ids. */
export function randomHex(): string {
  return randomBytes(16).toString('hex')
}
