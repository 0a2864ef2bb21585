import type { FastifyInstance, FastifyRequest } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/checkout/checkout.operations.ts'
import type { CheckoutService } from './checkout.service.ts'

export function checkoutRoutes(app: FastifyInstance, scope: SessionScope, checkout: CheckoutService): void {
  registerOperation(app, scope, operations.checkout, ({ body, principal, request }) =>
    checkout.checkout(principal.userId, body, wishOf(request)),
  )

  registerOperation(app, scope, operations.createPaymentOrder, ({ body, principal, request }) => {
    const { userId, amount, bookingDetails } = body
    return checkout.checkout(principal.userId, { userId, amount, ...bookingDetails }, wishOf(request))
  })
}

function wishOf(request: FastifyRequest) {
  const key = request.headers['idempotency-key']
  return { key: typeof key === 'string' ? key : undefined, language: languageOf(request) }
}
