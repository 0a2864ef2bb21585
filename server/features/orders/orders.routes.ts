import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failure, isFailure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { registerStream } from '#server/platform/register-stream.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Principal, SessionScope } from '#server/platform/session-scope.ts'
import type { Streams } from '#server/platform/streams.ts'
import {
  findForeignBag,
  recordHandover,
  refuseBag,
  undoHandover,
} from '#shared/orders/handovers.operations.ts'
import { labelFileName } from '#shared/orders/label-file.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import * as operations from '#shared/orders/orders.operations.ts'
import { createOrderReader, type OrderPayments, orderNumberOf } from './order-views.service.ts'
import type { OrdersService } from './orders.service.ts'

export interface OrdersRoutesDeps {
  readonly orders: OrdersService
  readonly payments: OrderPayments
  readonly metrics: Metrics
  readonly streams: Pick<Streams, 'open'>
}

export function ordersRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { orders, payments, metrics, streams }: OrdersRoutesDeps,
): void {
  const readOrder = createOrderReader(orders, payments)
  const watched = createGuessWatch(app, metrics)
  const readLabel = (principal: Principal, awb: string) =>
    watched(principal, () => orders.readLabel(principal, awb))

  registerOperation(app, scope, operations.readOrder, async ({ params, principal }) => ({
    order: await readOrder(principal, params.id),
  }))

  registerStream(app, scope, streams, operations.readOrderEvents, async ({ params, principal }) => {
    const id = await orderNumberOf(payments, params.id)
    return {
      topic: 'order',
      about: id,
      check: () => orders.expectSeenBy(principal, id),
    }
  })

  registerOperation(app, scope, operations.renewPayment, ({ params, body, principal }) =>
    payments.renew(principal.userId, Number(params.id), body?.clientSecret, body?.spent),
  )

  registerOperation(app, scope, operations.cancelOrder, async ({ params, principal, request }) => {
    await payments.cancel(principal.userId, Number(params.id), keyOf(request))
    return { order: await orders.readFor(principal, Number(params.id)) }
  })

  registerOperation(app, scope, operations.changeReceiver, async ({ params, body, principal }) => {
    await orders.changeReceiver(principal.userId, Number(params.id), body)
    return { order: await orders.readFor(principal, Number(params.id)) }
  })

  registerOperation(app, scope, operations.listUserOrders, async ({ params, query, principal }) => {
    if (String(principal.userId) !== params.userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return await orders.listForUser(principal.userId, { cursor: query.cursor, limit: query.limit })
  })

  registerOperation(app, scope, operations.listAgentOrders, async ({ params, query, principal, request }) => {
    if (String(principal.agentId) !== params.agentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return await orders.listForAgent(principal.partnerAgentId, query, hashOf(scope.tokenOf(request) ?? ''))
  })

  registerStream(app, scope, streams, operations.readAgentEvents, async ({ params, principal }) => {
    if (String(principal.agentId) !== params.agentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return { topic: 'agent', about: principal.partnerAgentId }
  })

  registerOperation(app, scope, recordHandover, async ({ body, principal, request }) => {
    orders.countHandoverCall(hashOf(scope.tokenOf(request) ?? ''))
    return watched(principal, () => orders.recordHandover(principal, body, keyOf(request)))
  })

  registerOperation(app, scope, refuseBag, async ({ body, principal, request }) => {
    orders.countHandoverCall(hashOf(scope.tokenOf(request) ?? ''))
    return watched(principal, () => orders.refuseBag(principal, body, keyOf(request)))
  })

  registerOperation(app, scope, undoHandover, async ({ params, principal, request }) => {
    orders.countHandoverCall(hashOf(scope.tokenOf(request) ?? ''))
    return watched(principal, () => orders.undoHandover(principal, params.awb))
  })

  registerOperation(app, scope, findForeignBag, ({ params, principal }) =>
    watched(principal, async () => {
      await orders.expectForeignBag(principal, params.awb)
      return { isOfAnotherAgent: true as const }
    }),
  )

  registerOperation(app, scope, operations.readLabel, async ({ params, principal }) => {
    const pdf = await readLabel(principal, params.awb)
    return { awbFile: bytesOf(pdf).toString('base64') }
  })

  registerOperation(app, scope, operations.readLabelPdf, async ({ params, query, principal, reply }) => {
    const pdf = await readLabel(principal, params.awb)
    const disposition = query.download === undefined ? 'inline' : 'attachment'
    return reply
      .type('application/pdf')
      .header('content-disposition', `${disposition}; filename="${labelFileName(params.awb)}"`)
      .send(bytesOf(pdf))
  })
}

function keyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

/** The same bytes as a Buffer, without a copy. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Unknown numbers of one principal per log line: a few are typing errors, this many are guesses. */
const guessesPerLine = 20
/** The counts are cleared at this many principals, so that they cannot fill the memory. */
const principalLimit = 10_000

/** Counts and logs requests for airway bills that do not exist or belong to another user or agent. */
function createGuessWatch(app: FastifyInstance, metrics: Metrics) {
  const refused = metrics.counter(
    'amtiati_label_reads_refused_total',
    'Requests for airway bills that do not exist or belong to another user or agent.',
    ['role'],
  )
  const guesses = new Map<string, number>()

  return async <T>(principal: Principal, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isFailure(error, 'LABEL_NOT_FOUND') || isFailure(error, 'ORDER_NOT_FOUND')) {
        const { role } = principal
        const id = role === 'agent' ? principal.partnerAgentId : principal.userId
        if (guesses.size >= principalLimit) guesses.clear()
        const count = (guesses.get(`${role} ${id}`) ?? 0) + 1
        guesses.set(`${role} ${id}`, count)
        refused.inc({ role })
        if (count % guessesPerLine === 0) app.log.warn({ event: 'orders.label-guesses', role, id, count })
      }
      throw error
    }
  }
}
