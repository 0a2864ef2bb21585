import type { FastifyInstance } from 'fastify'
import { registerFormRoutes } from '#server/platform/form-scope.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { endDeskSessions } from '#shared/desk/desk.operations.ts'
import type { DeskService } from './desk.service.ts'

export async function deskWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  desk: Pick<DeskService, 'endByProvider'>,
): Promise<void> {
  await registerFormRoutes(app, (child) => {
    registerOperation(child, scope, endDeskSessions, async ({ body }) => {
      await desk.endByProvider(body.logout_token)
      return {}
    })
  })
}
