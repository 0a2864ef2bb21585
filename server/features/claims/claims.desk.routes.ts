import type { FastifyInstance } from 'fastify'
import type { ActWish, WorkService } from '#server/features/work/work.service.ts'
import { failure } from '#server/platform/errors.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { SessionScope, Staff } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/claims/claims.desk.operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { ClaimAct, ClaimsDesk } from './claims.desk.service.ts'
import { acceptPictures, photoAddressOf, pictureOf, sendPhoto } from './claims.routes.ts'

interface ActCall {
  readonly principal: Staff
  readonly params: { readonly claimId: string }
  readonly body: ActWish & { readonly step?: number }
  readonly request: { readonly headers: Readonly<Record<string, unknown>> }
}

/** Claims at the desk. A person who writes in one has it in the work list; each step is an audit row. */
export async function claimsDeskRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { desk, work }: { readonly desk: ClaimsDesk; readonly work: Pick<WorkService, 'act'> },
): Promise<void> {
  const actOf = (operation: OperationShape, call: ActCall): ClaimAct => ({
    ...staffRequestOf(operation, call),
    before: () => work.act(call.principal, { kind: 'claims', reference: call.params.claimId }, call.body),
    seen: call.body.step,
  })
  const read = async ({ principal, params }: Pick<ActCall, 'principal' | 'params'>) => ({
    claim: await desk.readForDesk(principal, Number(params.claimId)),
  })
  const refused = (field: string, ar: string, en: string) =>
    failure(platformErrors, 'INVALID_REQUEST', { fields: [{ field, text: { ar, en } }] })

  registerOperation(app, scope, operations.openDeskClaim, ({ params, body, principal, request }) => {
    const key = request.headers['idempotency-key']
    return desk.openForOwner(principal, Number(params.id), body, typeof key === 'string' ? key : undefined)
  })

  registerOperation(app, scope, operations.readDeskClaim, read)

  registerOperation(app, scope, operations.readDeskPhoto, async ({ params, principal, reply }) => {
    const photo = photoAddressOf(params)
    return sendPhoto(reply, photo, await desk.readPhotoForDesk(principal, photo))
  })

  await acceptPictures(app, (child) =>
    registerOperation(child, scope, operations.storeDeskPhoto, async (call) => {
      const picture = pictureOf(call.request)
      const request = staffRequestOf(operations.storeDeskPhoto, {
        ...call,
        body: { picture: hashOf(picture) },
      })
      await desk.storePhoto(call.principal, photoAddressOf(call.params), request, picture)
      return read(call)
    }),
  )

  registerOperation(app, scope, operations.answerDeskClaim, async (call) => {
    const { params, body, principal } = call
    const act = actOf(operations.answerDeskClaim, call)
    const isQuestion = body.question === true
    await desk.answer(principal, Number(params.claimId), act, body.text, { isQuestion })
    return read(call)
  })

  registerOperation(app, scope, operations.closeDeskClaim, async (call) => {
    const { params, body, principal, reply } = call
    if ((body.outcome === 'compensated') !== (body.compensation !== undefined))
      throw refused(
        'compensation',
        'للتعويض مبلغ ومرجع، ولغيره لا شيء.',
        'A compensation has a sum and a reference; nothing else has.',
      )
    const { outcome, text, compensation } = body
    const act = actOf(operations.closeDeskClaim, call)
    const approvalId = await desk.close(principal, Number(params.claimId), act, {
      outcome,
      text,
      ...(compensation && { compensation }),
    })
    const answer = await read(call)
    if (approvalId === undefined) return answer
    reply.code(202)
    return { ...answer, approval: { approvalId } }
  })

  registerOperation(app, scope, operations.noteDeskClaim, async (call) => {
    const { params, body, principal } = call
    const { what, caseNumber, text } = body
    if ((what === 'told') !== (caseNumber !== undefined))
      throw refused(
        'caseNumber',
        'اكتب رقم الشكوى لدى شريك الشحن، عند رفعها فقط.',
        'Give the courier’s number of the complaint, only with what it was told.',
      )
    const claimId = Number(params.claimId)
    const act = actOf(operations.noteDeskClaim, call)
    if (caseNumber === undefined) await desk.notePartnerAnswer(principal, claimId, act, text)
    else await desk.passOn(principal, claimId, act, { caseNumber, text })
    return read(call)
  })
}
