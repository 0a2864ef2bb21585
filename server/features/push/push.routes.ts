import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readPush, subscribePush, unsubscribePush } from '#shared/push/push.operations.ts'
import type { PushService } from './push.service.ts'

export function pushRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  push: Pick<PushService, 'publicKey' | 'isOn' | 'subscribe' | 'unsubscribe'>,
): void {
  registerOperation(app, scope, readPush, async ({ request }) => ({
    publicKey: push.publicKey,
    isOn: await push.isOn(scope.tokenOf(request)),
  }))

  registerOperation(app, scope, subscribePush, async ({ principal, body, request }) => {
    await push.subscribe(principal.userId, scope.tokenOf(request), body)
    return {}
  })

  registerOperation(app, scope, unsubscribePush, async ({ request }) => {
    await push.unsubscribe(scope.tokenOf(request))
    return {}
  })
}
