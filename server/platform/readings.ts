import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import { createReadingsStore } from './database/readings.store.ts'
import type { Limit } from './limits.ts'

interface Counted {
  readonly used: number
  /** Milliseconds until the reader may see the things; undefined when they were allowed, and counted as viewed. */
  readonly waitMs: number | undefined
}

export type Readings = ReturnType<typeof createReadings>

/** Counts the different things that a reader views in the window of a limit, over all gateways. */
export function createReadings({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const store = createReadingsStore(database)
  const remembered = new Map<string, { readonly newest: number; readonly things: Map<string, number> }>()

  function thingsOf(reader: string, since: number): Map<string, number> {
    for (const [each, { newest }] of remembered) {
      if (newest > since) break
      remembered.delete(each)
    }
    const { things } = remembered.get(reader) ?? { things: new Map<string, number>() }
    for (const [thing, at] of things) if (at <= since) things.delete(thing)
    return things
  }

  /** Counts views after storing them, so that simultaneous views never exceed the limit. */
  async function take(
    reader: string,
    things: readonly string[],
    { count, windowMs }: Limit,
  ): Promise<Counted> {
    const now = clock.now()
    const since = now - windowMs
    const known = thingsOf(reader, since)
    const others = [...new Set(things)].filter((thing) => !known.has(thing))
    if (others.length === 0) return { used: known.size, waitMs: undefined }
    // Two commits: in one transaction, simultaneous views would not count each other on PostgreSQL.
    const added = await store.addReadings(reader, others, { now, before: since })
    const counted = await store.listReadings(reader, since, count + others.length)
    if (added.length > 0 && counted.length > count) {
      await store.removeReadings(reader, added)
      const isNew = new Set(added)
      const earlier = counted.filter(({ about }) => !isNew.has(about)).map(({ at }) => at)
      // When the view at `last` expires, there is room for the new views.
      const last = earlier[Math.max(0, count - added.length)]
      return { used: counted.length, waitMs: last === undefined ? windowMs : Math.max(1, last - since) }
    }
    const at = new Map(counted.map((row) => [row.about, row.at]))
    for (const thing of others) known.set(thing, at.get(thing) ?? now)
    remembered.delete(reader)
    remembered.set(reader, { newest: now, things: known })
    return { used: counted.length, waitMs: undefined }
  }

  return {
    take,

    async drop(reader: string, things: readonly string[]): Promise<void> {
      await store.removeReadings(reader, things)
      for (const thing of things) remembered.get(reader)?.things.delete(thing)
    },

    move: store.moveReadings,
  }
}
