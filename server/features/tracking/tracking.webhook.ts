import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { receiveScans } from '#shared/tracking/tracking.operations.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import type { TrackingService } from './tracking.service.ts'

export async function trackingWebhook(
  app: FastifyInstance,
  scope: SessionScope,
  tracking: TrackingService,
): Promise<void> {
  await app.register(async (webhook) => {
    // Before the body is read: without the key nothing of it is parsed.
    webhook.addHook('onRequest', async (request) => tracking.checkKey(request.headers[webhookKeyHeader]))
    webhook.addHook('onError', async (_request, _reply, error) => {
      if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') tracking.count('oversized')
    })
    registerOperation(webhook, scope, receiveScans, async ({ body }) => {
      await tracking.receive(body)
      return {}
    })
  })
}
