import Type from 'typebox'
import { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { ActHeaders, NumberInPath, orNull, Reason } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './actions.operations.ts'
import {
  ActAnswer,
  ActBody,
  Approval,
  ApprovalsQuery,
  ApproveBody,
  ChangedReceiver,
  decidingRoles,
  NoteBody,
  ReceiverBody,
  ResendBody,
  WriteOffBody,
} from './actions.schemas.ts'

const feature = 'desk-actions'
const strict = { additionalProperties: false }

const act = {
  feature,
  params: Type.Object({ id: NumberInPath }, strict),
  headers: ActHeaders,
  response: successOf(ActAnswer.properties),
} as const
const refusals = [
  ...(['ORDER_NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'ACTION_NOT_POSSIBLE', 'ACTED_BEFORE'] as const),
  'WORK_TAKEN',
] as const

const movesMoney = ['REAUTHENTICATION_REQUIRED', 'TOO_MANY_CALLS'] as const

export const inquireAtDesk = defineOperation({
  ...endpoints.inquireAtDesk,
  ...act,
  summary: 'Ask the payment provider about an order within seconds',
  body: ActBody,
  errors: refusals,
})

export const noteAtDesk = defineOperation({
  ...endpoints.noteAtDesk,
  ...act,
  summary: 'A line of the timeline, which is never changed or removed',
  body: NoteBody,
  errors: ['ORDER_NOT_FOUND', 'IDEMPOTENCY_CONFLICT'],
})

export const checkedAtDesk = defineOperation({
  ...endpoints.checkedAtDesk,
  ...act,
  summary: 'Take the bags of an order off the list, until a new alarm',
  body: ActBody,
  errors: refusals,
})

export const resendAtDesk = defineOperation({
  ...endpoints.resendAtDesk,
  ...act,
  summary:
    'Send the messages of an order again that failed or were dropped, or one that was sent; none whose news is not so any more; 3 times a day for an owner',
  roles: ['support', 'lead'],
  body: ResendBody,
  errors: refusals,
})

export const changeReceiverAtDesk = defineOperation({
  ...endpoints.changeReceiverAtDesk,
  ...act,
  mayWait: true,
  summary:
    'Name who collects the bags; of a paid order 202, and another person approves. Once an airway bill may be printed, the partner is told by hand',
  roles: ['support', 'lead'],
  body: ReceiverBody,
  errors: [...refusals, 'RECEIVER_REFUSED', 'RECEIVER_PRINTED', 'ORDER_ENDED'],
})

export const cancelAtDesk = defineOperation({
  ...endpoints.cancelAtDesk,
  ...act,
  mayWait: true,
  summary:
    'Cancel an order as its owner could now, with the return of what was paid: of a paid order 202, another person approves; who also has the role of money within DESK_REFUND_ALONE at once, after a fresh sign-in',
  roles: ['support', 'lead'],
  body: ActBody,
  errors: [
    ...refusals,
    ...movesMoney,
    'ALREADY_HANDED_OVER',
    'CANCELLATION_NOT_OFFERED',
    'ORDER_NOT_CANCELLABLE',
  ],
})

export const reissueAtDesk = defineOperation({
  ...endpoints.reissueAtDesk,
  ...act,
  mayWait: true,
  summary: 'Permit another creation of stopped airway bills; a second time 202, and another person approves',
  roles: ['lead'],
  body: ActBody,
  errors: refusals,
})

export const refundAtDesk = defineOperation({
  ...endpoints.refundAtDesk,
  ...act,
  mayWait: true,
  summary:
    'Return the whole payment of an order: 202, another person approves; within DESK_REFUND_ALONE at once, after a fresh sign-in',
  roles: ['money', 'lead'],
  body: ActBody,
  errors: [...refusals, ...movesMoney],
})

export const writeOffAtDesk = defineOperation({
  ...endpoints.writeOffAtDesk,
  ...act,
  mayWait: true,
  summary:
    'Close a refund that cannot be made at the provider: 202, another person approves; within DESK_REFUND_ALONE at once',
  roles: ['money', 'lead'],
  body: WriteOffBody,
  errors: [...refusals, ...movesMoney],
})

export const endAllSessions = defineOperation({
  ...endpoints.endAllSessions,
  summary: 'End the sessions of all pilgrims and agents: 202 after a fresh sign-in, another person approves',
  feature,
  roles: ['lead'],
  mayWait: true,
  headers: ActHeaders,
  body: Type.Object({ reason: Reason }, strict),
  response: successOf(ActAnswer.properties),
  errors: ['IDEMPOTENCY_CONFLICT', 'ACTED_BEFORE', 'REAUTHENTICATION_REQUIRED'],
})

export const listApprovals = defineOperation({
  ...endpoints.listApprovals,
  summary:
    'What waits for a second person, the oldest first, 50 at a time, with what has changed since it was asked for',
  feature,
  roles: decidingRoles,
  isQuiet: true,
  query: ApprovalsQuery,
  response: successOf({ approvals: Type.Array(Approval), nextCursor: orNull(Type.String()) }),
})

export const revealApproval = defineOperation({
  ...endpoints.revealApproval,
  summary:
    'Name and phones of the receiver that waits for a second person, for a reason that is recorded; counted with those of orders',
  feature,
  roles: decidingRoles,
  params: Type.Object({ id: NumberInPath }, strict),
  body: Reveal,
  response: successOf(ChangedReceiver.properties),
  errors: ['APPROVAL_NOT_FOUND', 'REASON_NEEDED', 'TOO_MANY_CALLS'],
})

const decide = {
  feature,
  roles: decidingRoles,
  params: Type.Object({ id: NumberInPath }, strict),
  headers: ActHeaders,
  response: successOf(ActAnswer.properties),
} as const

export const approveAtDesk = defineOperation({
  ...endpoints.approveAtDesk,
  ...decide,
  summary: 'Approve what another person asked for, and carry it out; its facts are read again at that moment',
  body: ApproveBody,
  errors: [
    'WORK_TAKEN',
    'APPROVAL_NOT_FOUND',
    'APPROVAL_EXPIRED',
    'OWN_APPROVAL',
    'OVERTAKEN',
    'APPROVAL_UNCONFIRMED',
    'ACTION_NOT_POSSIBLE',
    'ORDER_NOT_CANCELLABLE',
    'ALREADY_HANDED_OVER',
    'CANCELLATION_NOT_OFFERED',
    'ORDER_ENDED',
    'ACTED_BEFORE',
    'DESK_CLAIM_CLOSED',
    'NUMBER_HAS_ACCOUNT',
    'IDEMPOTENCY_CONFLICT',
    'REAUTHENTICATION_REQUIRED',
  ],
})

export const confirmAtDesk = defineOperation({
  ...endpoints.confirmAtDesk,
  ...decide,
  summary: 'Confirm what a terminal asked for in your name; another person approves it then',
  body: orNull(Type.Object({}, strict)),
  errors: [
    'APPROVAL_NOT_FOUND',
    'APPROVAL_EXPIRED',
    'OVERTAKEN',
    'ACTED_BEFORE',
    'ACTION_NOT_POSSIBLE',
    'IDEMPOTENCY_CONFLICT',
  ],
})

export const refuseAtDesk = defineOperation({
  ...endpoints.refuseAtDesk,
  ...decide,
  summary: 'Refuse what another person asked for, with the reason that person reads',
  body: ActBody,
  errors: [
    ...(['WORK_TAKEN', 'APPROVAL_NOT_FOUND', 'APPROVAL_EXPIRED', 'OWN_APPROVAL'] as const),
    ...(['OVERTAKEN', 'ACTED_BEFORE', 'IDEMPOTENCY_CONFLICT'] as const),
  ],
})

export const deskActionsOperations = {
  inquireAtDesk,
  noteAtDesk,
  checkedAtDesk,
  resendAtDesk,
  changeReceiverAtDesk,
  cancelAtDesk,
  reissueAtDesk,
  refundAtDesk,
  writeOffAtDesk,
  listApprovals,
  revealApproval,
  approveAtDesk,
  confirmAtDesk,
  refuseAtDesk,
  endAllSessions,
} as const
