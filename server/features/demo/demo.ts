import type { Core } from '#server/core.ts'
import type { MovableClock } from '#server/platform/clock.ts'
import type { Background } from '#server/platform/core.ts'
import { deleteAllRows } from '#server/platform/database/all-rows.ts'
import { readInstallation } from '#server/platform/database/installation.ts'
import { failure } from '#server/platform/errors.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import type { createTurns } from '#server/platform/turns.ts'
import { demoErrors } from '#shared/demo/demo.errors.ts'
import type { ClockMove, ClockView } from '#shared/demo/demo.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { readAhead, writeAhead } from './clock-file.ts'

export interface DemoWorld {
  readonly key: string
  readonly clock: MovableClock
  readonly dataDir: string
}

export interface Demo extends DemoWorld {
  readonly background: Background
  readonly turns: ReturnType<typeof createTurns<'world'>>
}

export async function resumeClock({ clock, dataDir }: Omit<DemoWorld, 'key'>): Promise<void> {
  clock.setAhead(await readAhead(dataDir))
}

export function checkDemoKey({ key }: Demo, given: string | readonly string[] | undefined): void {
  if (typeof given !== 'string' || !isSameSecret(given, key)) throw failure(demoErrors, 'DEMO_KEY_REFUSED')
}

/** Empties the database and sets the clock to real time. @throws Failure DATABASE_NOT_DEMO */
export const resetDemo = (core: Core, demo: Demo): Promise<ClockView> =>
  inTurn(core, demo, async () => {
    await demo.background.whileStopped(async () => {
      await deleteAllRows(core.database)
      await setAhead(demo, 0)
    })
    return viewOf(demo)
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

/** The calls run one after the other, because a reset stops and starts the workers. */
const inTurn = <T>({ database }: Core, { turns }: Demo, work: () => Promise<T>): Promise<T> =>
  turns('world', async () => {
    const installation = await readInstallation(database.tables)
    if (installation?.mode !== 'demo') throw failure(demoErrors, 'DATABASE_NOT_DEMO')
    return work()
  })

async function setAhead({ clock, dataDir }: Demo, aheadMs: number) {
  clock.setAhead(aheadMs)
  await writeAhead(dataDir, aheadMs)
}
