import type { FastifyReply } from 'fastify'
import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/shares/shares.api.ts'
import { endShare, followShare, readOwnShare, readShare, shareOrder } from './shares.ts'

export function sharesRoutes(core: Core, { add, addStream }: Routes): void {
  add(operations.createShare, async ({ params, principal }) => ({
    url: await shareOrder(core, principal.userId, Number(params.id)),
  }))

  add(operations.readOwnShare, async ({ params, principal }) => ({
    createdAt: await readOwnShare(core, principal.userId, Number(params.id)),
  }))

  add(operations.endShare, async ({ params, principal }) => {
    await endShare(core, principal.userId, Number(params.id))
    return {}
  })

  add(operations.readShare, async ({ params, request, reply }) => {
    hideAddress(reply)
    return { bookings: await readShare(core, params.token, request.ip) }
  })

  addStream(operations.readShareEvents, async ({ params, request, reply }) => {
    hideAddress(reply)
    const { orderId, ...follow } = await followShare(core, params.token, request.ip)
    return { ...follow, topic: 'share', about: orderId }
  })
}

/** A refusal has these headers, too, so that it does not disclose whether a link exists. */
const hideAddress = (reply: FastifyReply) =>
  void reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
