import { type Clock, elapsedBy } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'

const loggedSkewMs = 5_000
/** A slower reading of the database's time is ignored: it is uncertain when the database read its clock. */
const slowestReadMs = 2_000

const within = (time: number, from: number, to: number) => Math.min(Math.max(time, from), to)

export function createDatabaseClock(own: Clock, log: Log) {
  let offsetMs: number | undefined
  let skewMs: number | undefined

  function noteSkew(ms: number) {
    const wasLarge = Math.abs(skewMs ?? 0) > loggedSkewMs
    const isLarge = Math.abs(ms) > loggedSkewMs
    skewMs = ms
    if (isLarge && !wasLarge) log.warn({ event: 'clock.differs', skewSeconds: ms / 1_000 })
    if (wasLarge && !isLarge) log.info({ event: 'clock.agrees', skewSeconds: ms / 1_000 })
  }

  return {
    now: () => (offsetMs === undefined ? own.now() : Math.floor(elapsedBy(own) + offsetMs)),
    elapsed: () => elapsedBy(own),

    async follow(read: () => Promise<number>): Promise<void> {
      const askedAt = elapsedBy(own)
      const time = await read()
      const answeredAt = elapsedBy(own)
      const tookMs = answeredAt - askedAt
      if (tookMs < 0 || tookMs > slowestReadMs) return
      const nearest = (moment: number) => within(moment, time, time + tookMs)
      offsetMs = nearest(offsetMs === undefined ? own.now() : answeredAt + offsetMs) - answeredAt
      noteSkew(own.now() - nearest(own.now()))
    },

    skewMs: () => skewMs,
  }
}
