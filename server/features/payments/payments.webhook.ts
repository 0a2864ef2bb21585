import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import type { PaymentsService } from './payments.service.ts'

export async function paymentsWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  payments: PaymentsService,
): Promise<void> {
  await app.register(async (webhook) => {
    // The signature is over fields of the body. Before the body is read only the form of the signature can be checked.
    webhook.addHook('onRequest', async ({ query }) => payments.checkSignatureForm(query))
    registerOperation(webhook, scope, receiveCallback, async ({ body, query }) => {
      await payments.receive(body, query.hmac)
      return {}
    })
  })
}
