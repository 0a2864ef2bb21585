import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { endDeskSessions } from '#shared/desk/desk.operations.ts'
import type { DeskService } from './desk.service.ts'

/** In a scope of its own, so that no other route accepts forms. */
export async function deskWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  desk: Pick<DeskService, 'endByProvider'>,
): Promise<void> {
  await app.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    registerOperation(child, scope, endDeskSessions, async ({ body }) => {
      await desk.endByProvider(body.logout_token)
      return {}
    })
  })
}
