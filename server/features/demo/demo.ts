import type { Core } from '#server/core.ts'
import type { MovableClock } from '#server/platform/clock.ts'
import type { Background } from '#server/platform/core.ts'
import {
  type AllRows,
  emptyRows,
  fitsDatabase,
  readAllRows,
  replaceAllRows,
} from '#server/platform/database/all-rows.ts'
import { readInstallation } from '#server/platform/database/installation.ts'
import { failure } from '#server/platform/errors.ts'
import type { NamedValues } from '#server/platform/named-values.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import type { createTurns } from '#server/platform/turns.ts'
import { demoErrors } from '#shared/demo/demo.errors.ts'
import type { ClockMove, ClockView } from '#shared/demo/demo.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'

export interface DemoWorld {
  readonly key: string
  readonly clock: MovableClock
  readonly values: NamedValues
}

export interface Demo extends DemoWorld {
  readonly background: Background
  readonly turns: ReturnType<typeof createTurns<'world'>>
}

interface Snapshot {
  readonly aheadMs: number
  readonly rows: AllRows
}

type NamedView = ClockView & { readonly name: string }

const clockName = 'clock'
const snapshotName = (name: string) => `snapshot-${name}`

/** Sets the demo clock as far ahead as before the restart. */
export async function resumeClock({ clock, values }: Omit<DemoWorld, 'key'>): Promise<void> {
  clock.setAhead(Number((await values.read(clockName)) ?? 0))
}

/** The keys are compared in constant time. @throws Failure DEMO_KEY_REFUSED */
export function checkDemoKey({ key }: Demo, given: string | readonly string[] | undefined): void {
  if (typeof given !== 'string' || !isSameSecret(given, key)) throw failure(demoErrors, 'DEMO_KEY_REFUSED')
}

/** Empties the database and sets the clock to real time. @throws Failure DATABASE_NOT_DEMO */
export const resetDemo = (core: Core, demo: Demo): Promise<ClockView> =>
  inTurn(core, demo, async () => {
    await replaceWorld(core, demo, { rows: emptyRows(core.database), aheadMs: 0 })
    return viewOf(demo)
  })

/** @throws Failure DATABASE_NOT_DEMO */
export const saveDemoSnapshot = (core: Core, demo: Demo, name: string): Promise<NamedView> =>
  inTurn(core, demo, async () => {
    const rows = await demo.background.whileStopped(() => readAllRows(core.database))
    const snapshot: Snapshot = { rows, aheadMs: demo.clock.aheadMs() }
    await demo.values.write(snapshotName(name), snapshot)
    return { name, ...viewOf(demo) }
  })

/** @throws Failure DATABASE_NOT_DEMO, SNAPSHOT_NOT_FOUND, SNAPSHOT_UNUSABLE; an error leaves the database unchanged */
export const restoreDemoSnapshot = (core: Core, demo: Demo, name: string): Promise<NamedView> =>
  inTurn(core, demo, async () => {
    const snapshot = (await demo.values.read(snapshotName(name))) as Snapshot | undefined
    if (!snapshot) throw failure(demoErrors, 'SNAPSHOT_NOT_FOUND')
    if (!fitsDatabase(core.database, snapshot.rows)) throw failure(demoErrors, 'SNAPSHOT_UNUSABLE')
    await replaceWorld(core, demo, snapshot)
    return { name, ...viewOf(demo) }
  })

/** @throws Failure DATABASE_NOT_DEMO */
export const moveDemoClock = (
  core: Core,
  demo: Demo,
  { advanceMs, aheadMs }: ClockMove,
): Promise<ClockView> =>
  inTurn(core, demo, async () => {
    await setAhead(demo, aheadMs ?? demo.clock.aheadMs() + (advanceMs ?? 0))
    demo.background.wake()
    return viewOf(demo)
  })

const viewOf = ({ clock }: Demo): ClockView => ({ now: isoOf(clock.now()), aheadMs: clock.aheadMs() })

/**
 * Runs the calls one after the other, because a call may stop and start the workers.
 * @throws Failure DATABASE_NOT_DEMO, because the database may have been replaced since the gateway started
 */
const inTurn = <T>({ database }: Core, { turns }: Demo, work: () => Promise<T>): Promise<T> =>
  turns('world', async () => {
    const installation = await readInstallation(database.tables)
    if (installation?.mode !== 'demo') throw failure(demoErrors, 'DATABASE_NOT_DEMO')
    return work()
  })

const replaceWorld = ({ database }: Core, demo: Demo, { rows, aheadMs }: Snapshot) =>
  demo.background.whileStopped(async () => {
    await replaceAllRows(database, rows)
    await setAhead(demo, aheadMs)
  })

async function setAhead({ clock, values }: Demo, aheadMs: number) {
  clock.setAhead(aheadMs)
  await values.write(clockName, aheadMs)
}
