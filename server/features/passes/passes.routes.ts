import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.api.ts'
import { signPass, writeCalendar } from './passes.ts'

export function passesRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, readWalletLink, async ({ params, principal, request }) => {
    const bag = {
      orderId: Number(params.id),
      awb: params.awb,
    }
    return { url: await signPass(core, principal.userId, bag, languageOf(request)) }
  })

  registerOperation(app, scope, readCalendar, async ({ params, principal, request, reply }) => {
    const file = await writeCalendar(core, principal.userId, Number(params.id), languageOf(request))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', `attachment; filename="amtiati-${orderNumber(params.id)}.ics"`)
      .send(file)
  })
}
