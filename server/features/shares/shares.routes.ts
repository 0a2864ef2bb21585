import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { createShare, endShare, readOwnShare, readShare } from '#shared/shares/shares.operations.ts'
import type { SharesService } from './shares.service.ts'

export function sharesRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  shares: Pick<SharesService, 'create' | 'readOwn' | 'end' | 'read'>,
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
    // Also on refusals: whether a link exists is known only to those who have it.
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
    return { bookings: await shares.read(params.token, request.ip) }
  })
}
