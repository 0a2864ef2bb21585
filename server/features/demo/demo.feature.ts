import type { Core } from '#server/core.ts'
import { type Clock, createMovableClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Background } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createTurns } from '#server/platform/turns.ts'
import { demoRoutes } from './demo.routes.ts'
import { type DemoWorld, resumeClock } from './demo.ts'

interface DemoParts {
  readonly config: Config
  readonly database: Database
  readonly clock?: Clock | undefined
}

export async function openDemoWorld({
  config: { MODE, DEMO_CONTROL_KEY: key, DATA_DIR: dataDir },
  database,
  clock: realClock,
}: DemoParts): Promise<DemoWorld | undefined> {
  if (MODE !== 'demo' || !key) return undefined
  const clock = createMovableClock(realClock, database.setAhead)
  const world = { key, clock, dataDir }
  await resumeClock(world)
  return world
}

export function registerDemo(core: Core, world: DemoWorld, background: Background): void {
  const demo = { ...world, background, turns: createTurns<'world'>() }
  core.routes.push((_, routes) => demoRoutes(core, routes, demo))
}
