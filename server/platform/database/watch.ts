import { type Clock, monotonicClock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'

export interface DatabaseWatchParts {
  /** Rejects when the database does not answer or does not accept writes. */
  readonly check: () => Promise<void>
  readonly log: Log
  /** Monotonic: a wall clock set back would freeze the state. */
  readonly clock?: Clock
}

/** A check writes a row. */
const roundMs = 2_000
/** A check that has had no answer for so long counts as failed. */
const silentMs = 2_000

/** Checks the database beside the requests, one check at a time. A gateway has opened its database, so it begins as up. */
export function createDatabaseWatch({ check, log, clock = monotonicClock }: DatabaseWatchParts) {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let begunAt = 0
  let downSince: number | undefined

  function onDown(error: unknown): void {
    if (downSince !== undefined) return
    downSince = begunAt
    log.error({ event: 'database.down', err: error })
  }

  async function ask(): Promise<void> {
    begunAt = clock.now()
    try {
      await check()
      if (downSince === undefined) return
      log.info({ event: 'database.up', downMs: Math.round(clock.now() - downSince) })
      downSince = undefined
    } catch (error) {
      onDown(error)
    }
  }

  function round(): void {
    if (checking !== undefined && clock.now() - begunAt >= silentMs)
      onDown(new Error(`the database has not answered for ${silentMs} ms`))
    checking ??= ask().finally(() => {
      checking = undefined
    })
  }

  return {
    start(): void {
      timer = setInterval(round, roundMs)
    },
    /** Resolves when the last check has ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await checking
    },
    /** Whether the database answers and accepts writes, known without asking it. */
    isUp: () => downSince === undefined,
  }
}
