import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/payments/payments.api.ts'
import { checkSignatureForm, receiveCallback } from './callbacks.ts'

export async function paymentsRoutes(core: Core, { app, scope }: Routes): Promise<void> {
  await app.register(async (webhook) => {
    // The signature covers the body. Before the body is read, only the form of the signature can be checked.
    webhook.addHook('onRequest', async ({ query }) => checkSignatureForm(core, query))
    registerOperation(webhook, scope, operations.receiveCallback, async ({ body, query }) => {
      await receiveCallback(core, body, query.hmac)
      return {}
    })
  })
}
