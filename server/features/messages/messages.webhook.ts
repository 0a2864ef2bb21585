import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import { callbackSignatureHeader } from '#shared/wire/messaging/messaging.wire.ts'
import type { MessagesService } from './messages.service.ts'

/** In a scope of its own, so that no other route accepts forms. */
export async function messagesWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  messages: Pick<MessagesService, 'receive'>,
): Promise<void> {
  await app.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => {
        // Of a repeated name the last value counts: the signature then does not fit, so nothing ambiguous is read.
        done(null, Object.fromEntries(new URLSearchParams(String(body))))
      },
    )
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
