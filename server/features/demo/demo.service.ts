import type { MovableClock } from '#server/platform/clock.ts'
import type { Background } from '#server/platform/core.ts'
import {
  type AllRows,
  emptyRows,
  fitsDatabase,
  readAllRows,
  replaceAllRows,
} from '#server/platform/database/all-rows.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readInstallation } from '#server/platform/database/installation.ts'
import { failure } from '#server/platform/errors.ts'
import type { NamedValues } from '#server/platform/named-values.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import { createTurns } from '#server/platform/turns.ts'
import { demoErrors } from '#shared/demo/demo.errors.ts'
import type { ClockMove, ClockView } from '#shared/demo/demo.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'

/** What testers move and replace. */
export interface DemoWorld {
  /** DEMO_CONTROL_KEY. */
  readonly key: string
  readonly clock: MovableClock
  /** Snapshots, and how far ahead the clock is. */
  readonly values: NamedValues
}

interface DemoDeps extends DemoWorld, Pick<Background, 'whileStopped' | 'wake'> {
  readonly database: Database
}

export type DemoService = ReturnType<typeof createDemo>

interface Snapshot {
  readonly aheadMs: number
  readonly rows: AllRows
}

const clockName = 'clock'
const snapshotName = (name: string) => `snapshot-${name}`

/** Sets the clock to where the last process left it. */
export async function resumeClock({ clock, values }: Pick<DemoWorld, 'clock' | 'values'>): Promise<void> {
  clock.setAhead(Number((await values.read(clockName)) ?? 0))
}

/** Calls of testers and of the simulator, in MODE=demo only. */
export function createDemo(deps: DemoDeps) {
  return { ...createKeyCheck(deps), ...createWorldControl(deps) }
}

function createKeyCheck({ key }: DemoDeps) {
  return {
    /** In constant time. @throws Failure DEMO_KEY_REFUSED for another key. */
    checkKey(given: string | readonly string[] | undefined): void {
      if (typeof given !== 'string' || !isSameSecret(given, key))
        throw failure(demoErrors, 'DEMO_KEY_REFUSED')
    },
  }
}

/** The clock, and the database as a whole. */
function createWorldControl({ database, clock, values, whileStopped, wake }: DemoDeps) {
  const view = (): ClockView => ({ now: isoOf(clock.now()), aheadMs: clock.aheadMs() })

  async function setAhead(aheadMs: number): Promise<void> {
    clock.setAhead(aheadMs)
    await values.write(clockName, aheadMs)
  }

  const turns = createTurns<'world'>()
  /**
   * One call after the other: none may stop or start the workers under another one.
   * @throws Failure DATABASE_NOT_DEMO; the database may have been replaced since the gateway started.
   */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns('world', async () => {
      const installation = await readInstallation(database.tables)
      if (installation?.mode !== 'demo') throw failure(demoErrors, 'DATABASE_NOT_DEMO')
      return work()
    })

  const become = ({ rows, aheadMs }: Snapshot) =>
    whileStopped(async () => {
      await replaceAllRows(database, rows)
      await setAhead(aheadMs)
    })

  return {
    /** An empty database at real time. */
    reset: (): Promise<ClockView> =>
      inTurn(async () => {
        await become({ rows: emptyRows(database), aheadMs: 0 })
        return view()
      }),

    saveSnapshot: (name: string) =>
      inTurn(async () => {
        const rows = await whileStopped(() => readAllRows(database))
        const snapshot: Snapshot = { rows, aheadMs: clock.aheadMs() }
        await values.write(snapshotName(name), snapshot)
        return { name, ...view() }
      }),

    /** @throws Failure SNAPSHOT_NOT_FOUND, SNAPSHOT_UNUSABLE; nothing is changed then. */
    restoreSnapshot: (name: string) =>
      inTurn(async () => {
        const snapshot = (await values.read(snapshotName(name))) as Snapshot | undefined
        if (!snapshot) throw failure(demoErrors, 'SNAPSHOT_NOT_FOUND')
        if (!fitsDatabase(database, snapshot.rows)) throw failure(demoErrors, 'SNAPSHOT_UNUSABLE')
        await become(snapshot)
        return { name, ...view() }
      }),

    moveClock: ({ advanceMs, aheadMs }: ClockMove): Promise<ClockView> =>
      inTurn(async () => {
        await setAhead(aheadMs ?? clock.aheadMs() + (advanceMs ?? 0))
        wake()
        return view()
      }),
  }
}
