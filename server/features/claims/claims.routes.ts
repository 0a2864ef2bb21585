import type { Core } from '#server/core.ts'
import { acceptPictures, pictureOf, sendPicture } from '#server/platform/pictures.ts'
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

export const photoNameOf = ({ claimId, number }: PhotoAddress): string => `${claimNumber(claimId)}-${number}`

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
    return sendPicture(reply, photoNameOf(photo), await readClaimPhoto(core, principal.userId, photo))
  })

  await acceptPictures(app, (child) =>
    registerOperation(child, scope, operations.storePhoto, async ({ params, principal, request }) => ({
      claim: await storeClaimPhoto(core, principal.userId, photoAddressOf(params), pictureOf(request)),
    })),
  )
}
