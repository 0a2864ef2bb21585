/** The only source of the time; epoch milliseconds. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** For durations within this process: milliseconds since its start, independent of changes to the wall clock. */
export const monotonicClock: Clock = { now: () => performance.now() }
