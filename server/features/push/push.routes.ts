import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readPush, subscribePush, unsubscribePush } from '#shared/push/push.operations.ts'
import type { PushService } from './push.service.ts'

export function pushRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  push: Pick<PushService, 'publicKey' | 'isOn' | 'subscribe' | 'unsubscribe'>,
  /** The session's cookie, whose name the sessions feature knows. */
  sessionOf: (request: FastifyRequest) => string | undefined,
): void {
  registerOperation(app, scope, readPush, async ({ request }) => ({
    publicKey: push.publicKey,
    isOn: await push.isOn(sessionOf(request)),
  }))

  registerOperation(app, scope, subscribePush, async ({ principal, body, request }) => {
    await push.subscribe(principal.userId, sessionOf(request), body)
    return {}
  })

  registerOperation(app, scope, unsubscribePush, async ({ request }) => {
    await push.unsubscribe(sessionOf(request))
    return {}
  })
}
