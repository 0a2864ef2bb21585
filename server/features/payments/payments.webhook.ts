import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import type { PaymentsService } from './payments.service.ts'

export function paymentsWebhook(app: FastifyInstance, scope: SessionScope, payments: PaymentsService): void {
  registerOperation(app, scope, receiveCallback, async ({ body, query }) => {
    await payments.receive(body, query.hmac)
    return {}
  })
}
