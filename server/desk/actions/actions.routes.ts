import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Core } from '#server/core.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk/actions/actions.api.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import { listApprovals, revealApproval } from './approvals.ts'
import { approve, confirm, refuse } from './decisions.ts'
import { actOnOrder, addNote, changeReceiver, orderActs } from './order-acts.ts'
import { requestEndOfSessions } from './requests.ts'

export function deskActionsRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  for (const [operation, act] of [
    [operations.inquireAtDesk, orderActs.inquire],
    [operations.checkedAtDesk, orderActs.checkBags],
    [operations.cancelAtDesk, orderActs.cancel],
    [operations.reissueAtDesk, orderActs.reissue],
    [operations.refundAtDesk, orderActs.refund],
  ] as const)
    registerOperation(app, scope, operation, async (call) => {
      const { principal, params, body, reply } = call
      const request = staffRequestOf(operation, call)
      return accepted(reply, await actOnOrder(core, act, principal, Number(params.id), request, body))
    })

  registerOperation(app, scope, operations.resendAtDesk, (call) => {
    const request = staffRequestOf(operations.resendAtDesk, call)
    return actOnOrder(core, orderActs.resend, call.principal, Number(call.params.id), request, call.body)
  })

  registerOperation(app, scope, operations.writeOffAtDesk, async (call) => {
    const { principal, params, body, reply } = call
    const request = staffRequestOf(operations.writeOffAtDesk, call)
    const answer = await actOnOrder(core, orderActs.writeOff, principal, Number(params.id), request, body)
    return accepted(reply, answer)
  })

  registerOperation(app, scope, operations.changeReceiverAtDesk, async (call) => {
    const { principal, params, body, reply } = call
    const request = staffRequestOf(operations.changeReceiverAtDesk, call)
    return accepted(reply, await changeReceiver(core, principal, Number(params.id), request, body))
  })

  registerOperation(app, scope, operations.noteAtDesk, (call) => {
    const request = staffRequestOf(operations.noteAtDesk, call)
    return addNote(core, call.principal, Number(call.params.id), request, call.body.text)
  })

  registerOperation(app, scope, operations.endAllSessions, async (call) => {
    const request = staffRequestOf(operations.endAllSessions, call)
    return accepted(call.reply, await requestEndOfSessions(core, call.principal, request, call.body.reason))
  })

  registerOperation(app, scope, operations.listApprovals, ({ principal, request, query }) =>
    listApprovals(core, principal, languageOf(request), query.cursor),
  )

  registerOperation(app, scope, operations.revealApproval, ({ principal, params, body }) =>
    revealApproval(core, principal, Number(params.id), body),
  )

  registerOperation(app, scope, operations.approveAtDesk, (call) => {
    const request = staffRequestOf(operations.approveAtDesk, call)
    return approve(core, call.principal, Number(call.params.id), request, call.body ?? {})
  })

  registerOperation(app, scope, operations.refuseAtDesk, (call) => {
    const request = staffRequestOf(operations.refuseAtDesk, call)
    return refuse(core, call.principal, Number(call.params.id), request, call.body)
  })

  registerOperation(app, scope, operations.confirmAtDesk, (call) =>
    confirm(core, call.principal, Number(call.params.id), staffRequestOf(operations.confirmAtDesk, call)),
  )
}

/** 202 while another staff member has to approve the act. */
function accepted(reply: FastifyReply, answer: ActAnswer): ActAnswer {
  if (answer.approval) reply.code(202)
  return answer
}
