import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/claims/claims.api.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import {
  listClaims,
  openOwnClaim,
  type PhotoAddress,
  readClaimPhoto,
  storeClaimPhoto,
  withdrawClaim,
  writeToClaim,
} from './claims.ts'

export const photoAddressOf = (params: Readonly<Record<keyof PhotoAddress, string>>): PhotoAddress => ({
  claimId: Number(params.claimId),
  number: Number(params.number),
})

export const pictureOf = ({ body }: FastifyRequest): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array()

/** The routes that `register` adds get a scope of their own, so that no other route accepts pictures. */
export async function acceptPictures(
  app: FastifyInstance,
  register: (child: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    register(child)
  })
}

/**
 * The headers make a browser save the photograph as a file and run no script in it, because the gateway never decodes
 * it.
 */
export function sendPhoto(
  reply: FastifyReply,
  { claimId, number }: PhotoAddress,
  jpeg: Uint8Array,
): FastifyReply {
  return reply
    .type('image/jpeg')
    .header('content-disposition', `attachment; filename="${claimNumber(claimId)}-${number}.jpg"`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength))
}

export async function claimsRoutes(core: Core, { add, app, scope }: Routes): Promise<void> {
  add(operations.openClaim, async ({ params, body, principal, key }) => ({
    claim: await openOwnClaim(core, principal.userId, Number(params.id), body, key),
  }))

  add(operations.listClaims, ({ params, principal }) => listClaims(core, principal.userId, Number(params.id)))

  add(operations.writeToClaim, async ({ params, body, principal }) => ({
    claim: await writeToClaim(core, principal.userId, Number(params.claimId), body.text),
  }))

  add(operations.withdrawClaim, async ({ params, principal }) => ({
    claim: await withdrawClaim(core, principal.userId, Number(params.claimId)),
  }))

  add(operations.readPhoto, async ({ params, principal, reply }) => {
    const photo = photoAddressOf(params)
    return sendPhoto(reply, photo, await readClaimPhoto(core, principal.userId, photo))
  })

  await acceptPictures(app, (child) =>
    registerOperation(child, scope, operations.storePhoto, async ({ params, principal, request }) => ({
      claim: await storeClaimPhoto(core, principal.userId, photoAddressOf(params), pictureOf(request)),
    })),
  )
}
