import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.api.ts'
import { signPass, writeCalendar } from './passes.ts'

export function passesRoutes(core: Core, { add }: Routes): void {
  add(readWalletLink, async ({ params, principal, language }) => {
    const bag = {
      orderId: Number(params.id),
      awb: params.awb,
    }
    return { url: await signPass(core, principal.userId, bag, language) }
  })

  add(readCalendar, async ({ params, principal, language, reply }) => {
    const file = await writeCalendar(core, principal.userId, Number(params.id), language)
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', `attachment; filename="amtiati-${orderNumber(params.id)}.ics"`)
      .send(file)
  })
}
