import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import { receiveScans } from '#shared/tracking/tracking.api.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import { checkPushKey, countPush, receivePush } from './tracking.ts'

export async function trackingRoutes(core: Core, { app, scope }: Routes): Promise<void> {
  await app.register(async (webhook) => {
    // The key is checked first, so that the body of a stranger is not parsed.
    webhook.addHook('onRequest', async (request) => checkPushKey(core, request.headers[webhookKeyHeader]))
    webhook.addHook('onError', async (_request, _reply, error) => {
      if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') countPush(core, 'oversized')
    })
    registerOperation(webhook, scope, receiveScans, async ({ body }) => {
      await receivePush(core, body)
      return {}
    })
  })
}
