import type { FastifyInstance } from 'fastify'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { renewPayment } from '#shared/payments/payments.operations.ts'
import type { PaymentsService } from './payments.service.ts'

export function paymentsRoutes(app: FastifyInstance, scope: SessionScope, payments: PaymentsService): void {
  implement(app, scope, renewPayment, ({ params, caller }) =>
    payments.renew(caller.userId, Number(params.id)),
  )

  implement(app, scope, readOrder, async ({ params, caller }) => ({
    order: await payments.readOrder(caller, params.id),
  }))
}
