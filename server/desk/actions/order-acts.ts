import type { Core } from '#server/core.ts'
import { originOf } from '#server/desk/actions/staff-acts.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { type ActWish, takeForAct } from '#server/desk/work/work.ts'
import { findLastAct } from '#server/features/history/acts.ts'
import type { EventKind } from '#server/features/history/history.kinds.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { canWarn } from '#server/features/messages/messages.ts'
import {
  cancelOrderWithin,
  checkBagsWithin,
  inquireWithin,
  lockForAct,
  notPossible,
  type Origin,
  orderRefundWithin,
  permitCreationWithin,
  refundRequestOf,
  resendWithin,
  restOf,
  withoutOwner,
  writeOffRequestOf,
  writeOffWithin,
} from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { assertCancellable } from '#server/features/orders/cancellation.ts'
import { hasReceiver } from '#server/features/orders/receivers.rules.ts'
import { changeReceiverWithin, checkReceiver, lockOwner } from '#server/features/orders/receivers.ts'
import { type Failure, failure, isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import type { ActAnswer, ReceiverBody } from '#shared/desk/actions/actions.schemas.ts'
import type { auditActionNames } from '#shared/desk/audit/audit.names.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { actedBefore, atOnceMs } from './acted-before.ts'
import { actionRules, isArrived, isSecondReissue } from './actions.rules.ts'
import { lockForMoney, requestUnlessAllowed } from './money.ts'
import { answerOf, requestApproval } from './requests.ts'

interface ActBody extends ActWish {
  readonly reason: string
}

interface OrderAct<Body extends ActBody> {
  readonly kind: EventKind & keyof typeof auditActionNames
  /** @returns the id of the approval request; undefined when the act is done */
  readonly perform: (
    core: Core,
    act: { readonly staff: Staff; readonly origin: Origin; readonly orderId: number },
    body: Body,
  ) => Promise<number | undefined>
}

const orderAct = <Body extends ActBody = ActBody>(
  kind: OrderAct<Body>['kind'],
  perform: OrderAct<Body>['perform'],
): OrderAct<Body> => ({ kind, perform })

export const orderActs = {
  inquire: orderAct('inquired', async (core, { origin, orderId }) => {
    await inquireWithin(core, origin, orderId)
    core.afterCommit(() => core.wake('inquiries'))
    return undefined
  }),

  checkBags: orderAct('bag-checked', async (core, { origin, orderId }) => {
    await checkBagsWithin(core, origin, orderId, core.config.TRACKING_SILENCE_HOURS * 60 * 60_000)
    return undefined
  }),

  resend: orderAct<ActBody & { readonly message?: number }>(
    'message-asked',
    async (core, { origin, orderId }, { message }) => {
      await resendWithin(core, origin, orderId, message)
      core.afterCommit(() => core.wake('messages'))
      return undefined
    },
  ),

  cancel: orderAct('order-cancelled', async (core, { staff, origin, orderId }) => {
    const order = await lockForMoney(core, staff, orderId)
    if (statusOf(order) !== 'PAID') {
      await cancelOrderWithin(core, origin, order, { isApproved: false })
      return undefined
    }
    assertCancellable(core, order)
    const request = { act: 'cancel', about: '', halalas: await restOf(core, order) } as const
    const approvalId = await requestUnlessAllowed(core, staff, origin, order, request)
    if (approvalId === undefined) await cancelOrderWithin(core, origin, order, { isApproved: true })
    return approvalId
  }),

  refund: orderAct('refund-ordered', async (core, { staff, origin, orderId }) => {
    const order = await lockForMoney(core, staff, orderId)
    const request = await refundRequestOf(core, order)
    const approvalId = await requestUnlessAllowed(core, staff, origin, order, request)
    if (approvalId === undefined) await orderRefundWithin(core, origin, orderId, request.about)
    return approvalId
  }),

  writeOff: orderAct<ActBody & { readonly transaction: string }>(
    'refund-written-off',
    async (core, { staff, origin, orderId }, { transaction }) => {
      const order = await lockForMoney(core, staff, orderId)
      const request = await writeOffRequestOf(core, orderId, transaction, origin.at)
      const approvalId = await requestUnlessAllowed(core, staff, origin, order, request)
      if (approvalId === undefined) await writeOffWithin(core, origin, orderId, transaction)
      return approvalId
    },
  ),

  reissue: orderAct('label-permitted', async (core, { origin, orderId }) => {
    const order = await lockForAct(core, orderId)
    if (isSecondReissue(await findBookings(core, [orderId])))
      return requestApproval(core, origin, order, { act: 'reissue', about: '', halalas: 0 })
    await permitCreationWithin(core, origin, orderId)
    core.afterCommit(() => core.wake('shipments'))
    return undefined
  }),
}

/** Approval is needed when the order is paid, or when its owner would get no message about the new receiver. */
const receiverAct = orderAct<ActBody & { readonly change: ReceiverChange }>(
  'receiver-changed',
  async (core, { staff, origin, orderId }, { change }) => {
    const order = await lockForAct(core, orderId)
    const since = origin.at - actionRules.sameReceiverMs
    const earlier = await actedSince(core, staff, orderId, 'receiver-changed', since)
    if (earlier) throw earlier
    const bookings = await findBookings(core, [orderId])
    if (!hasReceiver(order)) throw notPossible('ended')
    if (isArrived(bookings)) throw notPossible('atBranch')
    if (statusOf(order) !== 'PAID' && (await canWarn(core, order.user_id))) {
      await changeReceiverWithin(core, origin, orderId, change).catch(withoutOwner)
      return undefined
    }
    await lockOwner(core, order.user_id).catch(withoutOwner)
    const request = { act: 'receiver', about: '', halalas: 0, payload: change } as const
    return requestApproval(core, origin, order, request)
  },
)

/** Carries out an act once for each idempotency key, and takes the rows of its order in the work lists. */
export async function actOnOrder<Body extends ActBody>(
  core: Core,
  { kind, perform }: OrderAct<Body>,
  staff: Staff,
  orderId: number,
  request: StaffRequest,
  body: Body,
): Promise<ActAnswer> {
  const origin = originOf(core, staff, body.reason)
  try {
    const done = await actOnce(core, staff, request, {
      before: () => takeForAct(core, staff, { orderId }, body),
      perform: async () => ({ approvalId: await perform(core, { staff, origin, orderId }, body) }),
    })
    return answerOf(done)
  } catch (error) {
    if (!isFailure(error, 'ACTION_NOT_POSSIBLE')) throw error
    throw (await actedSince(core, staff, orderId, kind, core.clock.now() - atOnceMs)) ?? error
  }
}

/** @throws Failure RECEIVER_REFUSED with all refused fields, and the errors of `actOnOrder` */
export async function changeReceiver(
  core: Core,
  staff: Staff,
  orderId: number,
  request: StaffRequest,
  { reason, over, ...given }: ReceiverBody,
): Promise<ActAnswer> {
  const change = checkReceiver(given)
  return actOnOrder(core, receiverAct, staff, orderId, request, { reason, over, change })
}

/**
 * Staff can add a note although a colleague has taken the order.
 * @throws Failure IDEMPOTENCY_CONFLICT, ORDER_NOT_FOUND
 */
export async function addNote(
  core: Core,
  staff: Staff,
  orderId: number,
  request: StaffRequest,
  text: string,
): Promise<ActAnswer> {
  const { by, at } = originOf(core, staff, null)
  await actOnce(core, staff, request, {
    async perform() {
      const { user_id: userId } = await lockForAct(core, orderId)
      await recordEvent(core, { kind: 'note', orderId, userId, by, at, data: { personal: { text } } })
      return {}
    },
  })
  return {}
}

async function actedSince(
  core: Core,
  { issuer, subject }: Staff,
  orderId: number,
  kind: OrderAct<ActBody>['kind'],
  since: number,
): Promise<Failure | undefined> {
  const last = await findLastAct(core, { orderId }, [kind])
  if (last === undefined || last.at <= since) return undefined
  const isOwn = last.by.kind === 'staff' && last.by.issuer === issuer && last.by.subject === subject
  return isOwn
    ? undefined
    : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore(kind, last.by.name, last.at))
}
