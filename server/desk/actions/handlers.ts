import type { Core } from '#server/core.ts'
import { closeApprovedClaim } from '#server/desk/claims/desk-claims.ts'
import { beginApprovedChange } from '#server/desk/orders/number-approvals.ts'
import {
  cancelOrderWithin,
  notPossible,
  type Origin,
  orderRefundWithin,
  permitCreationWithin,
  readOrder,
  withoutOwner,
  writeOffWithin,
} from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { changePrintedReceiver, changeReceiverWithin } from '#server/features/orders/receivers.ts'
import { isFailure } from '#server/platform/errors.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { ApprovalAct } from '#shared/platform/desk-words.ts'
import { isPrinted } from './actions.rules.ts'
import type { ApprovalRow } from './approvals.queries.ts'

/** A handler runs inside the transaction of the approval. When it fails, the request is not approved. */
type Handler = (core: Core, origin: Origin, row: ApprovalRow) => Promise<unknown>

export const handlers: Readonly<Record<ApprovalAct, Handler>> = {
  refund: (core, origin, row) => orderRefundWithin(core, origin, orderIdOf(row), row.about),
  'write-off': (core, origin, row) => writeOffWithin(core, origin, orderIdOf(row), row.about),
  reissue: (core, origin, row) => permitCreationWithin(core, origin, orderIdOf(row)),
  cancel: async (core, origin, row) =>
    cancelOrderWithin(core, origin, await readOrder(core, orderIdOf(row)), { isApproved: true }),
  receiver: changeReceiver,
  compensation: closeClaim,
  number: (core, { by }, row) => beginApprovedChange(core, by, row),
  // Ending all sessions takes too long for a transaction, so `approve` does it after the commit.
  'end-sessions': async () => undefined,
}

function orderIdOf({ id, act, order_id: orderId }: ApprovalRow) {
  if (orderId === null) throw new Error(`approval ${id} of ${act} has no order`)
  return orderId
}

async function changeReceiver(core: Core, origin: Origin, row: ApprovalRow) {
  // The payload is erased when the owner deletes the account.
  if (row.payload === null) throw notPossible('ownerDeleted')
  const change = JSON.parse(row.payload) as ReceiverChange
  if (await changeUnprinted(core, origin, orderIdOf(row), change)) return
  if (!(await changePrintedReceiver(core, origin, orderIdOf(row), change).catch(withoutOwner)))
    throw notPossible('atBranch')
}

/** Changes the receiver. @returns false when the courier was asked for an airway bill, before or after the request */
async function changeUnprinted(core: Core, origin: Origin, orderId: number, change: ReceiverChange) {
  if (isPrinted(await findBookings(core, [orderId]))) return false
  try {
    await changeReceiverWithin(core, origin, orderId, change)
    return true
  } catch (error) {
    if (isFailure(error, 'RECEIVER_PRINTED')) return false
    return withoutOwner(error)
  }
}

function closeClaim(core: Core, { by }: Origin, row: ApprovalRow) {
  const asker = {
    issuer: row.asked_issuer,
    subject: row.asked_subject,
    name: row.asked_by,
    roles: rolesIn(row.asked_roles),
  }
  return closeApprovedClaim(core, asker, by, row.payload)
}
