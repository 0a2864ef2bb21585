import { type Clock, monotonicClock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import { StartFailure } from '#server/platform/start-failure.ts'
import { type NewerSteps, sentenceAbout } from './migrate.ts'

/**
 * `newer`: a newer build has migrated the database, and this build continues. `incompatible`: this build must not write
 * to the database.
 */
export type SchemaState = 'known' | 'newer' | 'incompatible'

export interface DatabaseWatchParts {
  readonly check: () => Promise<void>
  readonly readNewerSteps: () => Promise<NewerSteps>
  readonly onIncompatible: () => void
  readonly log: Log
  /**
   * The watch needs a monotonic clock: after a wall clock is set back, a silent database would count as up for too
   * long.
   */
  readonly clock?: Clock
}

const roundMs = 2_000
const silentMs = 2_000

export function createDatabaseWatch({
  check,
  readNewerSteps,
  onIncompatible,
  log,
  clock = monotonicClock,
}: DatabaseWatchParts) {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let begunAt = 0
  let downSince: number | undefined
  let newer: NewerSteps = { names: [], areAdditive: true }

  function schemaState(): SchemaState {
    if (!newer.areAdditive) return 'incompatible'
    return newer.names.length > 0 ? 'newer' : 'known'
  }

  async function checkSchema() {
    const found = await readNewerSteps()
    const isChanged = found.names.join() !== newer.names.join()
    newer = found
    return isChanged
  }

  function logNewerSchema() {
    log.info(
      { event: 'database.schema-newer', migrations: newer.names },
      'a newer build has migrated the database; this build goes on, because the migrations are additive',
    )
  }

  async function followSchema() {
    if (!(await checkSchema())) return
    if (schemaState() !== 'incompatible') return logNewerSchema()
    log.error({ event: 'database.schema-incompatible', migrations: newer.names }, sentenceAbout(newer))
    onIncompatible()
  }

  function onDown(error: unknown) {
    if (downSince !== undefined) return
    downSince = begunAt
    log.error({ event: 'database.down', err: error })
  }

  async function ask() {
    begunAt = clock.now()
    try {
      await check()
      if (downSince !== undefined) {
        log.info({ event: 'database.up', downMs: Math.round(clock.now() - downSince) })
        downSince = undefined
      }
      await followSchema()
    } catch (error) {
      onDown(error)
    }
  }

  function round() {
    if (checking !== undefined && clock.now() - begunAt >= silentMs)
      onDown(new Error(`the database has not answered for ${silentMs} ms`))
    checking ??= ask().finally(() => {
      checking = undefined
    })
  }

  return {
    async start(): Promise<void> {
      await checkSchema()
      if (schemaState() === 'incompatible') throw new StartFailure(sentenceAbout(newer))
      if (schemaState() === 'newer') logNewerSchema()
      timer = setInterval(round, roundMs)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await checking
    },
    isUp: () => downSince === undefined,
    schemaState,
    newerMigrations: () => newer.names,
  }
}
