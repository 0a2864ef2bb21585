/** At most `count` in any span of `windowMs`: a window that slides, without a reset that could be waited for. */
export interface Limit {
  readonly count: number
  readonly windowMs: number
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `count/window[,count/window…]`, such as `3/10m,10/1d`. @throws a sentence without the value. */
export function limitList(text: string): readonly Limit[] {
  return text.split(',').map((part) => {
    const [, count, amount, unit] = /^(\d{1,9})\/([1-9]\d{0,4})([smhd])$/.exec(part.trim()) ?? []
    const unitMs = unit && units[unit]
    if (!unitMs) throw new Error('is not a list of count/window, such as 3/10m,10/1d')
    return { count: Number(count), windowMs: Number(amount) * unitMs }
  })
}

/** The longest window of all. */
export function longestMs(limits: readonly Limit[]): number {
  return Math.max(0, ...limits.map(({ windowMs }) => windowMs))
}

/**
 * When a limit has a place free again; `now` while it has one. `times` are those of what counts, oldest first. What
 * happened at `t` counts until just before `t + windowMs`; a time of another gateway's clock may lie ahead of `now`.
 */
export function freeAt({ count, windowMs }: Limit, times: readonly number[], now: number): number {
  const counted = times.filter((at) => at > now - windowMs)
  if (counted.length < count) return now
  // With no place at all, asking again is never worth it before the window is over.
  return (counted[counted.length - Math.max(1, count)] ?? now) + windowMs
}

/** What counts against a group, and what earns it room: times within the window, oldest first. */
export interface GroupTimes {
  readonly spent: readonly number[]
  readonly earned: readonly number[]
}

/**
 * As `freeAt`, for a limit that grows by `room` with every success: what was spent leaves the window, but so does
 * what had made room for it. Where the lists are only the oldest of `totals`, the answer is no later than they reach.
 */
export function groupFreeAt(
  limit: Limit,
  { spent, earned }: GroupTimes,
  room: number,
  now: number,
  totals: { readonly spent: number; readonly earned: number } = {
    spent: spent.length,
    earned: earned.length,
  },
): number {
  let [left, wins] = [totals.spent, totals.earned]
  const hasPlace = () => left < limit.count + room * wins
  if (hasPlace()) return now
  const horizon = Math.min(
    (spent.length < totals.spent ? spent.at(-1) : undefined) ?? Number.POSITIVE_INFINITY,
    (earned.length < totals.earned ? earned.at(-1) : undefined) ?? Number.POSITIVE_INFINITY,
  )
  const leaving = [
    ...spent.map((at) => ({ at, isSpent: true })),
    ...earned.map((at) => ({ at, isSpent: false })),
  ]
    .filter(({ at }) => at <= horizon)
    .sort((a, b) => a.at - b.at)
  for (const [index, event] of leaving.entries()) {
    if (event.isSpent) left -= 1
    else wins -= 1
    // Those of one moment leave together.
    if (leaving[index + 1]?.at !== event.at && hasPlace()) return Math.max(now, event.at + limit.windowMs)
  }
  return (leaving.at(-1)?.at ?? now) + limit.windowMs
}
