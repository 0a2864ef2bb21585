import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/claims/claims.operations.ts'
import { claimNumber } from '#shared/claims/claims.schemas.ts'
import type { ClaimsService, PhotoAddress } from './claims.service.ts'

type Service = Pick<ClaimsService, 'openOwn' | 'list' | 'write' | 'withdraw' | 'storePhoto' | 'readPhoto'>

export const photoAddressOf = (params: Readonly<Record<keyof PhotoAddress, string>>): PhotoAddress => ({
  claimId: Number(params.claimId),
  number: Number(params.number),
})

/** The picture that was sent. */
export const pictureOf = ({ body }: FastifyRequest): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array()

/** In a scope of its own, so that no other route accepts pictures. */
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

/** Never decoded here: a browser must not take it for anything but a picture, and where it does, runs nothing of it. */
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

export async function claimsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  claims: Service,
): Promise<void> {
  registerOperation(app, scope, operations.openClaim, async ({ params, body, principal, request }) => {
    const key = request.headers['idempotency-key']
    const given = typeof key === 'string' ? key : undefined
    return { claim: await claims.openOwn(principal.userId, Number(params.id), body, given) }
  })

  registerOperation(app, scope, operations.listClaims, ({ params, principal }) =>
    claims.list(principal.userId, Number(params.id)),
  )

  registerOperation(app, scope, operations.writeToClaim, async ({ params, body, principal }) => ({
    claim: await claims.write(principal.userId, Number(params.claimId), body.text),
  }))

  registerOperation(app, scope, operations.withdrawClaim, async ({ params, principal }) => ({
    claim: await claims.withdraw(principal.userId, Number(params.claimId)),
  }))

  registerOperation(app, scope, operations.readPhoto, async ({ params, principal, reply }) => {
    const photo = photoAddressOf(params)
    return sendPhoto(reply, photo, await claims.readPhoto(principal.userId, photo))
  })

  await acceptPictures(app, (child) =>
    registerOperation(child, scope, operations.storePhoto, async ({ params, principal, request }) => ({
      claim: await claims.storePhoto(principal.userId, photoAddressOf(params), pictureOf(request)),
    })),
  )
}
