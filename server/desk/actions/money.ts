import type { Core } from '#server/core.ts'
import { assertRecent } from '#server/desk/actions/staff-acts.ts'
import { lockPerson } from '#server/features/history/acts.ts'
import { canWarn } from '#server/features/messages/messages.ts'
import { type ActedOrder, lockForAct, type Origin, readOrder } from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { freeAt, tooManyCalls } from '#server/platform/limits.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import {
  actionRules,
  isSecondReissue,
  leftOfCapture,
  moneyActs,
  remainingSoloLimit,
} from './actions.rules.ts'
import { readLedger } from './approval-facts.ts'
import { listRequestTimes, sumMoved } from './approvals.queries.ts'
import { type ApprovalRequest, countWithoutApproval, requestApproval } from './requests.ts'

/** Locks the staff member, so that their money acts run one after the other. */
export async function lockForMoney(core: Core, staff: Staff, orderId: number): Promise<ActedOrder> {
  await lockPerson(core, staff)
  return lockForAct(core, orderId)
}

/**
 * Inside a transaction after `lockForMoney`: requests an approval, or counts an act that needs none.
 * @returns the id of the request; undefined when the caller must carry out the act
 * @throws Failure TOO_MANY_CALLS, ACTED_BEFORE, REAUTHENTICATION_REQUIRED
 */
export async function requestUnlessAllowed(
  core: Core,
  staff: Staff,
  origin: Origin,
  order: ActedOrder,
  request: ApprovalRequest,
): Promise<number | undefined> {
  await assertNotTooOften(core, staff, origin.at)
  if (!(await needsNoApproval(core, staff, order, request, origin.at)))
    return requestApproval(core, origin, order, request)
  assertRecent(core, staff)
  await countWithoutApproval(core, origin, order, request)
  core.afterCommit(() => core.wake('refunds'))
  return undefined
}

export async function readSoloLimit(core: Core, staff: Staff, orderId: number) {
  const halalas = await readRemaining(core, staff, core.clock.now())
  const bookings = await findBookings(core, [orderId])
  const order = await readOrder(core, orderId)
  return {
    halalas,
    returnHalalas: Math.min(halalas, leftOfCapture(await readLedger(core, order))),
    receiver: statusOf(order) !== 'PAID' && (await canWarn(core, order.user_id)),
    reissue: !isSecondReissue(bookings),
  }
}

async function needsNoApproval(
  core: Core,
  staff: Staff,
  order: ActedOrder,
  { act, halalas }: ApprovalRequest,
  now: number,
) {
  // An act without a sum of money always needs approval, not because of the limit.
  if (halalas <= 0 || halalas > (await readRemaining(core, staff, now))) return false
  return act === 'write-off' || halalas <= leftOfCapture(await readLedger(core, order))
}

async function readRemaining(core: Core, staff: Staff, now: number) {
  const ordered = await sumMoved(core, staff, now - actionRules.soloMs)
  return remainingSoloLimit(staff.roles, { ordered, limit: core.config.DESK_REFUND_ALONE * 100 })
}

async function assertNotTooOften(core: Core, staff: Staff, now: number) {
  const limit = actionRules.moneyActs
  const times = await listRequestTimes(core, staff, moneyActs, {
    since: now - limit.windowMs,
    limit: limit.count,
  })
  const free = freeAt(limit, times, now)
  if (free > now) throw tooManyCalls(free - now)
}
