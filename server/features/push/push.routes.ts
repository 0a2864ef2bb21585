import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readPush, subscribePush, unsubscribePush } from '#shared/push/push.api.ts'
import { readPushState, subscribeBrowser, unsubscribeBrowser } from './push.ts'

export function pushRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, readPush, ({ request }) => readPushState(core, scope.tokenOf(request)))

  registerOperation(app, scope, subscribePush, async ({ principal, body, request }) => {
    await subscribeBrowser(core, principal.userId, scope.tokenOf(request), body)
    return {}
  })

  registerOperation(app, scope, unsubscribePush, async ({ request }) => {
    await unsubscribeBrowser(core, scope.tokenOf(request))
    return {}
  })
}
