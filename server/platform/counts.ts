import { createBatchWorker } from './batches.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'
import type { Worker } from './worker.ts'

/** Rows of one state, and the money that they stand for. */
export interface CountedState<S> {
  readonly state: S
  readonly count: number
  readonly halalas: number
}

export interface CountedPage<S> {
  readonly counts: readonly CountedState<S>[]
  /** Where the next page begins; undefined after the last one. */
  readonly next: number | undefined
}

interface CountedRow<S> {
  readonly id: number
  readonly state: S
  readonly halalas: number
}

/** The sums of a page of rows in the order of their numbers. */
export function countedPage<S>(rows: readonly CountedRow<S>[], limit: number): CountedPage<S> {
  const counts = [...Map.groupBy(rows, ({ state }) => state)].map(([state, those]) => ({
    state,
    count: those.length,
    halalas: those.reduce((sum, { halalas }) => sum + halalas, 0),
  }))
  return { counts, next: rows.length < limit ? undefined : rows.at(-1)?.id }
}

const countEveryMs = 60_000
const rowsPerPage = 1_000

interface Sums {
  readonly count: number
  readonly halalas: number
}

/** A count over many pages; the last complete one is shown. */
export type Count<S> = ReturnType<typeof createCount<S>>

export function createCount<S>(
  readPage: (after: number, limit: number) => Promise<CountedPage<S>>,
  clock: Clock,
) {
  let last: { sums: ReadonlyMap<S, Sums>; since: number } | undefined
  let begun: { sums: Map<S, Sums>; since: number; next: number } | undefined
  return {
    /** False when the last page was counted; the next call starts over. */
    async countPage(): Promise<boolean> {
      begun ??= { sums: new Map(), since: clock.now(), next: 0 }
      const { counts, next } = await readPage(begun.next, rowsPerPage)
      for (const { state, count, halalas } of counts) {
        const sum = begun.sums.get(state) ?? { count: 0, halalas: 0 }
        begun.sums.set(state, { count: sum.count + count, halalas: sum.halalas + halalas })
      }
      if (next !== undefined) {
        begun.next = next
        return true
      }
      last = begun
      begun = undefined
      return false
    },
    /** NaN until the first count is complete. */
    shown(state: S, what: keyof Sums): number {
      return last ? (last.sums.get(state)?.[what] ?? 0) : Number.NaN
    },
    since: () => last?.since ?? Number.NaN,
  }
}

/**
 * Tables that grow without limit are never counted by a scrape: each gateway counts them page by page in the background,
 * and the metrics show its last count and the age of that count.
 */
export function createCountWorker({
  name,
  counts,
  clock,
  log,
  metrics,
}: {
  readonly name: string
  /** By the name of what is counted. */
  readonly counts: Readonly<Record<string, Pick<Count<unknown>, 'countPage' | 'since'>>>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}): Worker {
  const all = Object.entries(counts)
  metrics.gaugeBy(
    'amtiati_count_age_seconds',
    'Since the last complete count in the background was begun, by what is counted.',
    'counted',
    all.map(([counted]) => counted),
    async () => new Map(all.map(([counted, { since }]) => [counted, (clock.now() - since()) / 1_000])),
  )
  let at = 0
  return createBatchWorker({
    name,
    async batch() {
      if (await all[at]?.[1].countPage()) return true
      at = (at + 1) % all.length
      return at > 0
    },
    roundMs: countEveryMs,
    log,
  })
}
