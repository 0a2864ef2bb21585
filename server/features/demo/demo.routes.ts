import type { Core } from '#server/core.ts'
import { readForTesters } from '#server/features/account/stored-order.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/demo/demo.api.ts'
import { checkDemoKey, type Demo, moveDemoClock, resetDemo } from './demo.ts'

/** These routes exist only in MODE=demo with a DEMO_CONTROL_KEY. */
export async function demoRoutes(core: Core, { app, scope }: Routes, demo: Demo): Promise<void> {
  await app.register(async (testers) => {
    testers.addHook('onRequest', async (request) =>
      checkDemoKey(demo, request.headers[operations.demoKeyHeader]),
    )

    registerOperation(testers, scope, operations.readDemoOrder, async ({ params }) => ({
      order: await readForTesters(core, params.ref),
    }))
    registerOperation(testers, scope, operations.resetDemo, () => resetDemo(core, demo))
    registerOperation(testers, scope, operations.moveDemoClock, ({ body }) => moveDemoClock(core, demo, body))
  })
}
