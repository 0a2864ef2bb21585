import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/checkout/checkout.api.ts'
import { checkOut } from './checkout.ts'

export function checkoutRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, operations.checkout, ({ body, principal, request }) =>
    checkOut(core, principal.userId, body, keyAndLanguageOf(request)),
  )

  registerOperation(app, scope, operations.createPaymentOrder, ({ body, principal, request }) => {
    const { userId, amount, bookingDetails } = body
    return checkOut(core, principal.userId, { userId, amount, ...bookingDetails }, keyAndLanguageOf(request))
  })
}

function keyAndLanguageOf(request: FastifyRequest) {
  const key = request.headers['idempotency-key']
  return {
    key: typeof key === 'string' ? key : undefined,
    language: languageOf(request),
  }
}
