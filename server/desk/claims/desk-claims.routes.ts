import type { Core } from '#server/core.ts'
import type { ActWish } from '#server/desk/work/work.ts'
import { takeForAct } from '#server/desk/work/work.ts'
import { photoAddressOf, photoNameOf } from '#server/features/claims/claims.routes.ts'
import { failure } from '#server/platform/errors.ts'
import { acceptPictures, pictureOf, sendPicture } from '#server/platform/pictures.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { type StaffRequest, staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk/claims/desk-claims.api.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { readClaimPage } from './claim-page.ts'
import {
  answerClaim,
  type ClaimAct,
  closeClaim,
  noteComplaint,
  noteCourierAnswer,
  openClaimForOwner,
  readPhotoForStaff,
  storePhotoForOwner,
} from './desk-claims.ts'

interface ActCall {
  readonly principal: Staff
  readonly params: { readonly claimId: string }
  readonly form: StaffRequest
  readonly body: ActWish & { readonly step?: number }
}

export async function deskClaimsRoutes(core: Core, { add, app, scope }: Routes): Promise<void> {
  const actOf = (call: ActCall): ClaimAct => ({
    ...call.form,
    before: () =>
      takeForAct(core, call.principal, { kind: 'claims', reference: call.params.claimId }, call.body),
    seen: call.body.step,
  })
  const read = async ({ principal, params }: Pick<ActCall, 'principal' | 'params'>) => ({
    claim: await readClaimPage(core, principal, Number(params.claimId)),
  })

  add(operations.openDeskClaim, ({ params, body, principal, key }) =>
    openClaimForOwner(core, principal, Number(params.id), body, key),
  )

  add(operations.readDeskClaim, read)

  add(operations.readDeskPhoto, async ({ params, principal, reply }) => {
    const photo = photoAddressOf(params)
    return sendPicture(reply, photoNameOf(photo), await readPhotoForStaff(core, principal, photo))
  })

  await acceptPictures(app, (child) =>
    registerOperation(child, scope, operations.storeDeskPhoto, async (call) => {
      const picture = pictureOf(call.request)
      const form = staffRequestOf(operations.storeDeskPhoto, call.request, { picture: hashOf(picture) })
      await storePhotoForOwner(core, call.principal, photoAddressOf(call.params), form, picture)
      return read(call)
    }),
  )

  add(operations.answerDeskClaim, async (call) => {
    const { params, body, principal } = call
    const act = actOf(call)
    const answer = {
      text: body.text,
      isQuestion: body.question === true,
    }
    await answerClaim(core, principal, Number(params.claimId), act, answer)
    return read(call)
  })

  add(operations.closeDeskClaim, async (call) => {
    const { params, body, principal, reply } = call
    const { outcome, text, compensation } = body
    if ((outcome === 'compensated') !== (compensation !== undefined))
      throw invalidField(
        'compensation',
        'للتعويض مبلغ ومرجع، ولغيره لا شيء.',
        'Give an amount and a reference for a compensation, and for no other outcome.',
      )
    const act = actOf(call)
    const approvalId = await closeClaim(core, principal, Number(params.claimId), act, {
      outcome,
      text,
      ...(compensation && { compensation }),
    })
    const answer = await read(call)
    if (approvalId === undefined) return answer
    reply.code(202)
    return { ...answer, approval: { approvalId } }
  })

  add(operations.noteDeskClaim, async (call) => {
    const { params, body, principal } = call
    const { what, caseNumber, text } = body
    if ((what === 'told') !== (caseNumber !== undefined))
      throw invalidField(
        'caseNumber',
        'اكتب رقم الشكوى لدى شريك الشحن، عند رفعها فقط.',
        'Give the courier’s case number with a complaint, and with nothing else.',
      )
    const claimId = Number(params.claimId)
    const act = actOf(call)
    if (caseNumber === undefined) await noteCourierAnswer(core, principal, claimId, act, text)
    else await noteComplaint(core, principal, claimId, act, { caseNumber, text })
    return read(call)
  })
}

const invalidField = (field: string, ar: string, en: string) =>
  failure(platformErrors, 'INVALID_REQUEST', { fields: [{ field, text: { ar, en } }] })
