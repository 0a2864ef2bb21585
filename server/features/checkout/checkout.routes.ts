import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/checkout/checkout.operations.ts'
import type { CheckoutService } from './checkout.service.ts'

export function checkoutRoutes(app: FastifyInstance, scope: SessionScope, checkout: CheckoutService): void {
  registerOperation(app, scope, operations.checkout, ({ body, principal, request }) =>
    checkout.checkout(principal.userId, body, keyOf(request)),
  )

  registerOperation(app, scope, operations.createPaymentOrder, ({ body, principal, request }) => {
    const { userId, amount, bookingDetails } = body
    return checkout.checkout(principal.userId, { userId, amount, ...bookingDetails }, keyOf(request))
  })
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}
