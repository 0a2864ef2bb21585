import type { FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { type FoundLabel, findLabel } from '#server/features/orders/labels.queries.ts'
import { changeReceiver } from '#server/features/orders/receivers.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import { renewPayment } from '#server/features/payments/intentions.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { acceptPictures, pictureOf, sendPicture } from '#server/platform/pictures.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import * as handoverOperations from '#shared/orders/handovers.api.ts'
import { handoverPhotoName } from '#shared/orders/handovers.operations.ts'
import { labelFileName } from '#shared/orders/label-file.ts'
import * as operations from '#shared/orders/orders.api.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import {
  expectForeignBag,
  handoverCalls,
  photoCalls,
  readHandoverPhoto,
  recordHandover,
  refuseBag,
  storeHandoverPhoto,
  undoHandover,
} from './handovers.ts'
import {
  findSeenBy,
  labelFor,
  listForAgent,
  listForUser,
  orderNumberIn,
  orderNumberOf,
  readFreshOrder,
  readOrderFor,
  readOrderParts,
  readPage,
} from './order-views.ts'

export async function ordersRoutes(
  core: Core,
  { add, addReading, addStream, app, scope }: Routes,
): Promise<void> {
  const sessionOf = (request: FastifyRequest) => hashOf(scope.tokenOf(request) ?? '')
  const recordWatched = <T>(principal: Principal, request: FastifyRequest, record: () => Promise<T>) => {
    limitCalls(core, handoverCalls, sessionOf(request))
    return watchGuesses(core, principal, record)
  }
  const labelWatched = (principal: Principal, found: FoundLabel | undefined) =>
    watchGuesses(core, principal, () => labelFor(core, principal, found))

  addReading(
    operations.readOrder,
    async ({ params }) => {
      const id = orderNumberIn(params.id)
      return id === undefined ? undefined : readOrderParts(core, id)
    },
    async ({ params, principal }, read) => ({
      order: await readFreshOrder(core, principal, params.id, read),
    }),
  )

  addStream(operations.readOrderEvents, async ({ params, principal }) => {
    const id = await orderNumberOf(core, params.id)
    return {
      topic: 'order',
      about: id,
      check: () => findSeenBy(core, principal, id),
    }
  })

  add(operations.renewPayment, ({ params, body, principal }) =>
    renewPayment(core, principal.userId, Number(params.id), body?.clientSecret, body?.spent),
  )

  add(operations.cancelOrder, async ({ params, principal, key }) => {
    await cancelOrder(core, principal.userId, Number(params.id), key)
    return { order: await readOrderFor(core, principal, Number(params.id)) }
  })

  add(operations.changeReceiver, async ({ params, body, principal }) => {
    await changeReceiver(core, principal.userId, Number(params.id), body)
    return { order: await readOrderFor(core, principal, Number(params.id)) }
  })

  addReading(
    operations.listUserOrders,
    ({ params, query }) =>
      readPage(core, Number(params.userId), { cursor: query.cursor, limit: query.limit }),
    async ({ params, query, principal }, rows) => {
      if (String(principal.userId) !== params.userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      return await listForUser(core, principal.userId, { cursor: query.cursor, limit: query.limit }, rows)
    },
  )

  add(operations.listAgentOrders, async ({ params, query, principal, request }) => {
    if (String(principal.agentId) !== params.agentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return await listForAgent(core, principal.partnerAgentId, query, sessionOf(request))
  })

  addStream(operations.readAgentEvents, async ({ params, principal }) => {
    if (String(principal.agentId) !== params.agentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return { topic: 'agent', about: principal.partnerAgentId }
  })

  add(handoverOperations.recordHandover, async ({ body, principal, request, key }) =>
    recordWatched(principal, request, () => recordHandover(core, principal, body, key)),
  )

  add(handoverOperations.refuseBag, async ({ body, principal, request, key }) =>
    recordWatched(principal, request, () => refuseBag(core, principal, body, key)),
  )

  add(handoverOperations.undoHandover, async ({ params, principal, request }) =>
    recordWatched(principal, request, () => undoHandover(core, principal, params.awb)),
  )

  add(handoverOperations.findForeignBag, ({ params, principal }) =>
    watchGuesses(core, principal, async () => {
      await expectForeignBag(core, principal, params.awb)
      return { isOfAnotherAgent: true as const }
    }),
  )

  await acceptPictures(app, (child) =>
    registerOperation(
      child,
      scope,
      handoverOperations.storeHandoverPhoto,
      async ({ params, principal, request }) => {
        limitCalls(core, photoCalls, sessionOf(request))
        return watchGuesses(core, principal, () =>
          storeHandoverPhoto(core, principal, params.awb, pictureOf(request)),
        )
      },
    ),
  )

  add(handoverOperations.readHandoverPhoto, async ({ params, principal, reply }) =>
    sendPicture(
      reply,
      handoverPhotoName(params.awb),
      await readHandoverPhoto(core, principal, Number(params.id), params.awb),
    ),
  )

  addReading(
    operations.readLabel,
    ({ params }) => findLabel(core, params.awb),
    async ({ principal }, found) => ({
      awbFile: bytesOf(await labelWatched(principal, found)).toString('base64'),
    }),
  )

  addReading(
    operations.readLabelPdf,
    ({ params }) => findLabel(core, params.awb),
    async ({ params, query, principal, reply }, found) => {
      const pdf = await labelWatched(principal, found)
      const disposition = query.download === undefined ? 'inline' : 'attachment'
      return reply
        .type('application/pdf')
        .header('content-disposition', `${disposition}; filename="${labelFileName(params.awb)}"`)
        .send(bytesOf(pdf))
    },
  )
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** A user or agent who asks for this many unknown airway bills is guessing. Fewer can be typing errors. */
const guessesPerLine = 20
/** The counts are cleared at this many users and agents, so that they cannot fill the memory. */
const principalLimit = 10_000

async function watchGuesses<T>(
  { labelGuesses: guesses, counters, log }: Core,
  principal: Principal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isFailure(error, 'LABEL_NOT_FOUND') || isFailure(error, 'ORDER_NOT_FOUND')) {
      const { role } = principal
      const id = role === 'agent' ? principal.partnerAgentId : principal.userId
      if (guesses.size >= principalLimit) guesses.clear()
      const count = (guesses.get(`${role} ${id}`) ?? 0) + 1
      guesses.set(`${role} ${id}`, count)
      counters.labelReadsRefused.inc({ role })
      if (count % guessesPerLine === 0) log.warn({ event: 'orders.label-guesses', role, id, count })
    }
    throw error
  }
}
