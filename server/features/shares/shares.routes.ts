import type { FastifyInstance, FastifyReply } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import { registerStream } from '#server/platform/register-stream.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import type { Streams } from '#server/platform/streams.ts'
import {
  createShare,
  endShare,
  readOwnShare,
  readShare,
  readShareEvents,
} from '#shared/shares/shares.operations.ts'
import type { SharesService } from './shares.service.ts'

export function sharesRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  shares: Pick<SharesService, 'create' | 'readOwn' | 'end' | 'read' | 'follow'>,
  streams: Pick<Streams, 'open'>,
): void {
  registerOperation(app, scope, createShare, async ({ params, principal }) => ({
    url: await shares.create(principal.userId, Number(params.id)),
  }))

  registerOperation(app, scope, readOwnShare, async ({ params, principal }) => ({
    createdAt: await shares.readOwn(principal.userId, Number(params.id)),
  }))

  registerOperation(app, scope, endShare, async ({ params, principal }) => {
    await shares.end(principal.userId, Number(params.id))
    return {}
  })

  registerOperation(app, scope, readShare, async ({ params, request, reply }) => {
    tellNoOther(reply)
    return { bookings: await shares.read(params.token, request.ip) }
  })

  registerStream(app, scope, streams, readShareEvents, async ({ params, request, reply }) => {
    tellNoOther(reply)
    const { orderId, ...follow } = await shares.follow(params.token, request.ip)
    return { topic: 'share', about: orderId, ...follow }
  })
}

/** Also of refusals: whether a link exists is known only to those who have it. */
const tellNoOther = (reply: FastifyReply) =>
  void reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
