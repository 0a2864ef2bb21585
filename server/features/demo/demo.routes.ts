import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { readForTesters } from '#server/features/account/stored-order.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import {
  demoKeyHeader,
  moveDemoClock,
  readDemoOrder,
  resetDemo,
  restoreDemoSnapshot,
  saveDemoSnapshot,
} from '#shared/demo/demo.operations.ts'
import type { DemoService } from './demo.service.ts'

/** Registered in MODE=demo with DEMO_CONTROL_KEY only: elsewhere these addresses do not exist. */
export async function demoRoutes(
  core: Core,
  app: FastifyInstance,
  scope: SessionScope,
  demo: DemoService,
): Promise<void> {
  await app.register(async (testers) => {
    // Before anything else is read.
    testers.addHook('onRequest', async (request) => demo.checkKey(request.headers[demoKeyHeader]))

    registerOperation(testers, scope, readDemoOrder, async ({ params }) => ({
      order: await readForTesters(core, params.ref),
    }))
    registerOperation(testers, scope, resetDemo, () => demo.reset())
    registerOperation(testers, scope, saveDemoSnapshot, ({ params }) => demo.saveSnapshot(params.name))
    registerOperation(testers, scope, restoreDemoSnapshot, ({ params }) => demo.restoreSnapshot(params.name))
    registerOperation(testers, scope, moveDemoClock, ({ body }) => demo.moveClock(body))
  })
}
