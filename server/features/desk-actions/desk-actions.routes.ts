import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ActWish } from '#server/features/work/work.service.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk-actions/desk-actions.operations.ts'
import type { ActAnswer } from '#shared/desk-actions/desk-actions.schemas.ts'
import type { DeskActionsService, Request } from './desk-actions.service.ts'

/** A person who acts on an order has it in its work lists. A note is also left about what a colleague has. */
export function deskActionsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { desk }: { readonly desk: DeskActionsService },
): void {
  const requestOf = (...[operation, call]: Parameters<typeof staffRequestOf>): Request => ({
    ...staffRequestOf(operation, call),
    over: (call.body as ActWish | null | undefined)?.over,
  })

  /** 202 while another person has to approve it. */
  async function told(reply: FastifyReply, work: Promise<ActAnswer>): Promise<ActAnswer> {
    const answer = await work
    if (answer.approval) reply.code(202)
    return answer
  }

  for (const [verb, operation] of [
    ['inquire', operations.inquireAtDesk],
    ['checked', operations.checkedAtDesk],
    ['cancel', operations.cancelAtDesk],
    ['reissue', operations.reissueAtDesk],
    ['refund', operations.refundAtDesk],
  ] as const)
    registerOperation(app, scope, operation, async (call) => {
      const { principal, params, body, reply } = call
      return told(reply, desk[verb](principal, Number(params.id), requestOf(operation, call), body.reason))
    })

  registerOperation(app, scope, operations.noteAtDesk, (call) => {
    const { principal, params, body } = call
    return desk.note(principal, Number(params.id), requestOf(operations.noteAtDesk, call), body.text)
  })

  registerOperation(app, scope, operations.resendAtDesk, (call) => {
    const { principal, params, body } = call
    const request = requestOf(operations.resendAtDesk, call)
    return desk.resend(principal, Number(params.id), request, body.reason, body.message)
  })

  registerOperation(app, scope, operations.changeReceiverAtDesk, async (call) => {
    const { principal, params, body, reply } = call
    const request = requestOf(operations.changeReceiverAtDesk, call)
    return told(reply, desk.changeReceiver(principal, Number(params.id), request, body))
  })

  registerOperation(app, scope, operations.writeOffAtDesk, async (call) => {
    const { principal, params, body, reply } = call
    const { reason, transaction } = body
    const request = requestOf(operations.writeOffAtDesk, call)
    return told(reply, desk.writeOff(principal, Number(params.id), request, reason, transaction))
  })

  registerOperation(app, scope, operations.listApprovals, ({ principal, request, query: { cursor } }) =>
    desk.listApprovals(principal, languageOf(request), cursor === undefined ? undefined : Number(cursor)),
  )

  registerOperation(app, scope, operations.revealApproval, ({ principal, params, body }) =>
    desk.revealApproval(principal, Number(params.id), body),
  )

  registerOperation(app, scope, operations.approveAtDesk, (call) =>
    desk.approve(call.principal, Number(call.params.id), requestOf(operations.approveAtDesk, call)),
  )

  registerOperation(app, scope, operations.confirmAtDesk, (call) =>
    desk.confirm(call.principal, Number(call.params.id), requestOf(operations.confirmAtDesk, call)),
  )

  registerOperation(app, scope, operations.endAllSessions, (call) => {
    const { principal, body, reply } = call
    const request = requestOf(operations.endAllSessions, call)
    return told(reply, desk.endAllSessions(principal, request, body.reason))
  })

  registerOperation(app, scope, operations.refuseAtDesk, (call) => {
    const { principal, params, body } = call
    return desk.refuse(principal, Number(params.id), requestOf(operations.refuseAtDesk, call), body.reason)
  })
}
