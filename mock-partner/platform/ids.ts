import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Whole numbers that never repeat, not even after a reset or a lost snapshot. */
export interface IdSequence {
  next(): number
  /** Starts again from the time, but never below what was given out. */
  restart(): void
  last(): number
  /** Continues after `last` or from the time, whichever is higher. */
  continueAfter(last: number): void
}

const epochMs = Date.UTC(2024, 0, 1)
/**
 * The base grows by 100 a second. A gateway remembers the ids it was given; as long as fewer than 100 a second are
 * issued on average, a simulator that forgot everything still starts above all of them.
 */
const msPerStep = 10

export function createIdSequence(clock: Clock): IdSequence {
  const base = () => Math.floor((clock.now() - epochMs) / msPerStep)
  let last = base()
  return {
    next() {
      last += 1
      return last
    },
    restart() {
      last = Math.max(last, base())
    },
    last: () => last,
    continueAfter(previous) {
      last = Math.max(last, previous, base())
    },
  }
}

/** 32 hex characters, the random part of most outsiders' ids. */
export function randomHex(): string {
  return randomBytes(16).toString('hex')
}
