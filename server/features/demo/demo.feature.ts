import type { Background, Core } from '#server/platform/core.ts'
import { demoRoutes } from './demo.routes.ts'
import { createDemo, type DemoNeeds, type DemoWorld } from './demo.service.ts'

/** The calls of testers and of the simulator, in MODE=demo with DEMO_CONTROL_KEY only. */
export function registerDemo(core: Core, world: DemoWorld, background: Background, needed: DemoNeeds): void {
  const demo = createDemo({ ...core, ...world, ...background, ...needed })
  core.routes.push((app, scope) => demoRoutes(app, scope, demo))
}
