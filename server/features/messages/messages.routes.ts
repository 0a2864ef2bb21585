import type { Core } from '#server/core.ts'
import { registerFormRoutes } from '#server/platform/form-scope.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import { receiveMessageStatus } from '#shared/messages/messages.api.ts'
import { callbackSignatureHeader } from '#shared/wire/messaging/messaging.wire.ts'
import { receiveStatus } from './message-reports.ts'

export async function messagesRoutes(core: Core, { app, scope }: Routes): Promise<void> {
  await registerFormRoutes(app, (child) => {
    registerOperation(child, scope, receiveMessageStatus, async ({ body, query, request }) => {
      const signature = request.headers[callbackSignatureHeader]
      await receiveStatus(core, {
        // The provider has signed the path as it was sent, so the path must not be decoded.
        path: request.raw.url ?? request.url,
        messageId: Number.parseInt(query.message, 10),
        fields: body,
        signature: typeof signature === 'string' ? signature : undefined,
      })
      return {}
    })
  })
}
