import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendEncoded } from '#server/platform/encoded-body.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/partner/partner.operations.ts'
import type { PartnerService, ServedList } from './partner.service.ts'

/** Alike for all requests: shared caches may store it, and serve it a day longer while the gateway is down. */
const cacheControl = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

export function partnerRoutes(app: FastifyInstance, scope: SessionScope, partner: PartnerService): void {
  registerOperation(
    app,
    scope,
    operations.listCenters,
    async ({ request, reply }) => sendList(request, reply, await partner.listCenters()),
    { compresses: false },
  )

  registerOperation(
    app,
    scope,
    operations.listAgents,
    async ({ request, reply }) => sendList(request, reply, await partner.listAgents()),
    { compresses: false },
  )
}

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, isStale }: ServedList<unknown>,
): Promise<FastifyReply> {
  const body = await answer
  reply.header('cache-control', cacheControl)
  // RFC 9111 obsoletes Warning, but defines no other header for a stale answer.
  if (isStale) reply.header('warning', '110 amtiati "Response is Stale"')
  return sendEncoded(request, reply, body)
}
