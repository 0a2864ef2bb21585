import type { FastifyInstance } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.operations.ts'
import type { PassesService } from './passes.service.ts'

export function passesRoutes(app: FastifyInstance, scope: SessionScope, passes: PassesService): void {
  registerOperation(app, scope, readWalletLink, async ({ params, principal, request }) => ({
    url: await passes.walletLink(principal.userId, Number(params.id), params.awb, languageOf(request)),
  }))

  registerOperation(app, scope, readCalendar, async ({ params, principal, request, reply }) => {
    const file = await passes.calendar(principal.userId, Number(params.id), languageOf(request))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', `attachment; filename="amtiati-${orderNumber(params.id)}.ics"`)
      .send(file)
  })
}
