import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/partner/partner.operations.ts'
import type { PartnerService, ServedList } from './partner.service.ts'

/** The same for every caller, so shared caches may keep it, and show it a day longer while we are down. */
const cacheControl = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

export function partnerRoutes(app: FastifyInstance, scope: SessionScope, partner: PartnerService): void {
  implement(app, scope, operations.listCenters, async ({ request, reply }) => {
    const list = await partner.listCenters()
    return answersUnchanged(request, reply, list) ? reply.code(304).send() : { centers: [...list.rows] }
  })

  implement(app, scope, operations.listAgents, async ({ request, reply }) => {
    const list = await partner.listAgents()
    return answersUnchanged(request, reply, list) ? reply.code(304).send() : { agents: [...list.rows] }
  })
}

function answersUnchanged(request: FastifyRequest, reply: FastifyReply, list: ServedList<unknown>): boolean {
  reply.header('cache-control', cacheControl).header('etag', list.etag)
  // RFC 9111 has retired the Warning header from its own text, yet no other standard mark of a stale answer exists.
  if (list.isStale) reply.header('warning', '110 amtiati "Response is Stale"')
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(list.etag) ?? false
}
