import { isFull } from '#test/kit/basics/full-run.ts'
import { seeded } from './seeded.ts'

/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** 0 ≤ number < 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(things: readonly [T, ...T[]]): T
  chance(probability: number): boolean
}

/**
 * The seed of this run. A short run judges a change, so its choices are the same in every run; a full run explores.
 * `SEED` of the environment repeats an earlier one.
 */
export const runSeed = Number(process.env.SEED ?? (isFull ? Date.now() % 1_000_000_000 : 120_212_448))

export function createRandom(seed: number): Random {
  const next = seeded(seed)
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (things) => things[between(0, things.length - 1)] ?? things[0],
    chance: (probability) => next() < probability,
  }
}
