import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import * as operations from '#shared/orders/orders.operations.ts'
import type { OrdersService } from './orders.service.ts'

/** `readOrder` is not here: it takes merchant references, so the payments room answers it. */
export function ordersRoutes(app: FastifyInstance, scope: SessionScope, orders: OrdersService): void {
  implement(app, scope, operations.listUserOrders, async ({ params, query, caller }) => {
    if (String(caller.userId) !== params.userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const page = await orders.listForUser(caller.userId, { cursor: query.cursor, limit: query.limit })
    return page
  })

  implement(app, scope, operations.listAgentOrders, async ({ params, query, caller }) => {
    if (String(caller.agentId) !== params.agentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const page = await orders.listForAgent(caller.partnerAgentId, {
      cursor: query.cursor,
      limit: query.limit,
    })
    return page
  })

  implement(app, scope, operations.readLabel, async ({ params, caller }) => {
    const pdf = await orders.readLabel(caller, params.awb)
    return { awbFile: Buffer.from(pdf).toString('base64') }
  })

  implement(app, scope, operations.readLabelPdf, async ({ params, query, caller, reply }) => {
    const pdf = await orders.readLabel(caller, params.awb)
    const disposition = query.download === undefined ? 'inline' : 'attachment'
    return reply
      .type('application/pdf')
      .header('content-disposition', `${disposition}; filename="amtiati-${params.awb}.pdf"`)
      .send(Buffer.from(pdf))
  })
}
