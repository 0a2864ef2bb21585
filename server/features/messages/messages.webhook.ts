import type { FastifyInstance } from 'fastify'
import { registerFormRoutes } from '#server/platform/form-scope.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import { callbackSignatureHeader } from '#shared/wire/messaging/messaging.wire.ts'
import type { MessagesService } from './messages.service.ts'

export async function messagesWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  messages: Pick<MessagesService, 'receive'>,
): Promise<void> {
  await registerFormRoutes(app, (child) => {
    registerOperation(child, scope, receiveMessageStatus, async ({ body, query, request }) => {
      const signature = request.headers[callbackSignatureHeader]
      await messages.receive({
        // As it arrived: the provider signed these very characters.
        path: request.raw.url ?? request.url,
        messageId: Number.parseInt(query.message, 10),
        fields: body,
        signature: typeof signature === 'string' ? signature : undefined,
      })
      return {}
    })
  })
}
