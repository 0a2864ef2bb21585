import type { FastifyReply } from 'fastify'
import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/desk/actions/actions.api.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import { listApprovals, revealApproval } from './approvals.ts'
import { approve, confirm, refuse } from './decisions.ts'
import { actOnOrder, addNote, changeReceiver, orderActs } from './order-acts.ts'
import { requestEndOfSessions } from './requests.ts'

export function deskActionsRoutes(core: Core, { add }: Routes): void {
  for (const [operation, act] of [
    [operations.inquireAtDesk, orderActs.inquire],
    [operations.checkedAtDesk, orderActs.checkBags],
    [operations.cancelAtDesk, orderActs.cancel],
    [operations.reissueAtDesk, orderActs.reissue],
    [operations.refundAtDesk, orderActs.refund],
  ] as const)
    add(operation, async ({ principal, params, form, body, reply }) =>
      accepted(reply, await actOnOrder(core, act, principal, Number(params.id), form, body)),
    )

  add(operations.resendAtDesk, ({ principal, params, form, body }) =>
    actOnOrder(core, orderActs.resend, principal, Number(params.id), form, body),
  )

  add(operations.writeOffAtDesk, async ({ principal, params, form, body, reply }) =>
    accepted(reply, await actOnOrder(core, orderActs.writeOff, principal, Number(params.id), form, body)),
  )

  add(operations.changeReceiverAtDesk, async ({ principal, params, form, body, reply }) =>
    accepted(reply, await changeReceiver(core, principal, Number(params.id), form, body)),
  )

  add(operations.noteAtDesk, ({ principal, params, form, body }) =>
    addNote(core, principal, Number(params.id), form, body.text),
  )

  add(operations.endAllSessions, async ({ principal, form, body, reply }) =>
    accepted(reply, await requestEndOfSessions(core, principal, form, body.reason)),
  )

  add(operations.listApprovals, ({ principal, language, query }) =>
    listApprovals(core, principal, language, query.cursor),
  )

  add(operations.revealApproval, ({ principal, params, body }) =>
    revealApproval(core, principal, Number(params.id), body),
  )

  add(operations.approveAtDesk, ({ principal, params, form, body }) =>
    approve(core, principal, Number(params.id), form, body ?? {}),
  )

  add(operations.refuseAtDesk, ({ principal, params, form, body }) =>
    refuse(core, principal, Number(params.id), form, body),
  )

  add(operations.confirmAtDesk, ({ principal, params, form }) =>
    confirm(core, principal, Number(params.id), form),
  )
}

function accepted(reply: FastifyReply, answer: ActAnswer): ActAnswer {
  if (answer.approval) reply.code(202)
  return answer
}
