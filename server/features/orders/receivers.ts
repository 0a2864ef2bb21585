import type { Core } from '#server/core.ts'
import { type Acting, changedByOffice, personalReason, sendEvent } from '#server/features/history/history.ts'
import { lockUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { ordersErrors, receiverRefusals } from '#shared/orders/orders.errors.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { type BookingRow, findBookings, type ReceiverColumns } from './bookings.queries.ts'
import { findOrder, type OrderRow } from './orders.queries.ts'
import { setPrintedReceiver, setReceiver } from './receivers.queries.ts'
import {
  changedReceiver,
  hasReceiver,
  isOtherReceiver,
  isSameReceiver,
  readReceiver,
} from './receivers.rules.ts'
import { lockOrder } from './travel.queries.ts'

/**
 * Lets the owner change the receiver until the courier is asked for the first airway bill of the order.
 * @throws Failure ORDER_NOT_FOUND (also for an order of another user), RECEIVER_REFUSED (with every refused field),
 *   RECEIVER_PRINTED, ORDER_ENDED, NOT_SIGNED_IN
 */
export async function changeReceiver(
  core: Core,
  userId: number,
  id: number,
  change: ReceiverChange,
): Promise<void> {
  const order = await findOrder(core, id)
  if (order?.user_id !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const columns = columnsOf(change)
  await core.database.transaction(() => changeUnprinted(core, { by: { kind: 'owner' } }, order, columns))
}

/** Needs a transaction. Changes the receiver like `changeReceiver`, for staff. */
export async function changeReceiverWithin(
  core: Core,
  acting: Acting,
  id: number,
  change: ReceiverChange,
): Promise<void> {
  const order = await findOrder(core, id)
  if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  await changeUnprinted(core, acting, order, columnsOf(change))
}

/**
 * Needs a transaction. Printed airway bills keep the old name.
 * @returns false when a bag is at its branch or was collected: then the caller must roll the transaction back
 * @throws Failure ORDER_ENDED, RECEIVER_REFUSED, NOT_SIGNED_IN
 */
export async function changePrintedReceiver(
  core: Core,
  acting: Acting,
  id: number,
  change: ReceiverChange,
): Promise<boolean> {
  const order = await findOrder(core, id)
  if (!order) throw failure(ordersErrors, 'ORDER_ENDED')
  await lockOwner(core, order.user_id)
  const columns = columnsOf(change)
  const isCounted = ({ carriage }: BookingRow) => carriage !== 'void'
  const isChanged = await changeAll(core, acting, order, columns, setPrintedReceiver, isCounted)
  // The order can have ended before it was locked.
  if (!(await isOpen(core, order))) throw failure(ordersErrors, 'ORDER_ENDED')
  return isChanged
}

const isOpen = async (core: Core, order: OrderRow) => hasReceiver((await findOrder(core, order.id)) ?? order)

async function changeUnprinted(
  core: Core,
  acting: Acting,
  order: OrderRow,
  columns: Partial<ReceiverColumns>,
) {
  await lockOwner(core, order.user_id)
  if (await changeAll(core, acting, order, columns, setReceiver)) return
  throw failure(ordersErrors, (await isOpen(core, order)) ? 'RECEIVER_PRINTED' : 'ORDER_ENDED')
}

/**
 * The caller must have locked the owner, and must roll the transaction back after `false`: a bag could not be changed.
 */
async function changeAll(
  core: Core,
  { by, reason }: Acting,
  { id }: OrderRow,
  columns: Partial<ReceiverColumns>,
  write: typeof setReceiver,
  isCounted: (bag: BookingRow) => boolean = () => true,
) {
  await lockOrder(core, id)
  const bags = await findBookings(core, [id])
  const [before] = bags
  if ((await write(core, id, columns)) !== bags.filter(isCounted).length) return false
  if (before && !isSameReceiver(before, columns))
    await sendEvent(
      core,
      {
        kind: 'receiver-changed',
        data: {
          personal: personalReason(reason),
          ...changedByOffice(by, changedReceiver(before, columns)),
        },
        by,
        orderId: id,
      },
      { notifiesOwner: isOtherReceiver(before, columns) },
    )
  return true
}

/**
 * Needs a transaction. Without this lock a name can be stored for an account that is being deleted.
 * @throws Failure NOT_SIGNED_IN
 */
export async function lockOwner(core: Core, userId: number): Promise<void> {
  if (!(await lockUser(core, userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
}

function columnsOf(change: ReceiverChange): Partial<ReceiverColumns> {
  const { columns, refused } = readReceiver(change)
  if (refused.length > 0)
    throw failure(ordersErrors, 'RECEIVER_REFUSED', {
      fields: refused.map((field) => ({ field, text: receiverRefusals[field] })),
    })
  return columns
}

export function checkReceiver(change: ReceiverChange): ReceiverChange {
  const { receiver_name: name, receiver_phone: phone, second_phone: secondPhone } = columnsOf(change)
  const receiver = name == null ? null : { name, ...(phone != null && { phone }) }
  return {
    ...(name !== undefined && { receiver }),
    ...(secondPhone !== undefined && { secondPhone }),
  }
}

export async function findReceiverPhone(
  core: Core,
  orderId: number,
  bookingId: number,
): Promise<string | undefined> {
  const booking = (await findBookings(core, [orderId])).find(({ id }) => id === bookingId)
  return booking?.receiver_phone ?? undefined
}
