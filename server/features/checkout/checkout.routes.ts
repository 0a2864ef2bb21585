import type { FastifyInstance, FastifyRequest } from 'fastify'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/checkout/checkout.operations.ts'
import type { CheckoutService } from './checkout.service.ts'

export function checkoutRoutes(app: FastifyInstance, scope: SessionScope, checkout: CheckoutService): void {
  implement(app, scope, operations.checkout, ({ body, caller, request }) =>
    checkout.checkout(caller.userId, body, keyOf(request)),
  )

  implement(app, scope, operations.createPaymentOrder, ({ body, caller, request }) => {
    const { userId, amount, bookingDetails } = body
    return checkout.checkout(caller.userId, { userId, amount, ...bookingDetails }, keyOf(request))
  })
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}
