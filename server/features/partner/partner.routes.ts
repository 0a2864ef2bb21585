import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { sendEncoded } from '#server/platform/encoded-body.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/partner/partner.api.ts'
import { listAgents, listCenters, type ServedList } from './partner.ts'

const cacheControl = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

export function partnerRoutes(core: Core, { add }: Routes): void {
  add(
    operations.listCenters,
    async ({ request, reply }) => sendList(request, reply, await listCenters(core)),
    { compresses: false },
  )

  add(operations.listAgents, async ({ request, reply }) => sendList(request, reply, await listAgents(core)), {
    compresses: false,
  })
}

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, isStale }: ServedList<unknown>,
): Promise<FastifyReply> {
  const body = await answer
  reply.header('cache-control', cacheControl)
  // RFC 9111 makes the header Warning obsolete, but defines no other header for a stale answer.
  if (isStale) reply.header('warning', '110 amtiati "Response is Stale"')
  return sendEncoded(request, reply, body)
}
