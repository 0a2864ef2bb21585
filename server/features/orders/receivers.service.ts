import type { Core } from '#server/core.ts'
import {
  type Acting,
  changedByOffice,
  personalReason,
  recordEvent,
} from '#server/features/history/history.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import { failure } from '#server/platform/errors.ts'
import { ordersErrors, receiverRefusals } from '#shared/orders/orders.errors.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { BookingRow, ReceiverColumns } from './bookings.store.ts'
import type { OrderRow, OrdersStore } from './orders.store.ts'
import {
  changedReceiver,
  hasReceiver,
  isOtherReceiver,
  isSameReceiver,
  readReceiver,
} from './receivers.rules.ts'

interface ReceiversDeps extends Pick<Core, 'database'> {
  readonly store: OrdersStore
  readonly users: Pick<UsersService, 'lockUser'>
}

/** Who collects the bags of an order. */
export function createReceivers({ database, store, users }: ReceiversDeps) {
  /** @throws Failure RECEIVER_REFUSED naming every field. */
  function columnsOf(change: ReceiverChange) {
    const { columns, refused } = readReceiver(change)
    if (refused.length > 0)
      throw failure(ordersErrors, 'RECEIVER_REFUSED', {
        fields: refused.map((field) => ({ field, text: receiverRefusals[field] })),
      })
    return columns
  }

  /** Inside a transaction: no name is stored for an account that is being deleted. @throws Failure NOT_SIGNED_IN */
  async function lockOwner(userId: number): Promise<void> {
    if (!(await users.lockUser(userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  }

  /**
   * Inside a transaction, under the lock of the owner: changes the receiver of every bag. The owner has a message of another one.
   * False where not every bag could be changed: the transaction must be rolled back.
   */
  async function changeAll(
    { by, reason }: Acting,
    { id }: OrderRow,
    columns: Partial<ReceiverColumns>,
    write: () => Promise<number>,
    isCounted: (bag: BookingRow) => boolean = () => true,
  ): Promise<boolean> {
    await store.lockOrder(id)
    const bags = await store.findBookings([id])
    const [before] = bags
    if ((await write()) !== bags.filter(isCounted).length) return false
    if (before && !isSameReceiver(before, columns))
      await recordEvent(
        { database },
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

  async function changeWithin(
    acting: Acting,
    order: OrderRow,
    columns: Partial<ReceiverColumns>,
  ): Promise<void> {
    const { id, user_id: userId } = order
    await lockOwner(userId)
    if (await changeAll(acting, order, columns, () => store.setReceiver(id, columns))) return
    const isOpen = hasReceiver((await store.findOrder(id)) ?? order)
    throw failure(ordersErrors, isOpen ? 'RECEIVER_PRINTED' : 'ORDER_ENDED')
  }

  return {
    readReceiver,
    lockOwner,

    hasReceiver,

    /**
     * Names another receiver or number, until the courier is asked for the first airway bill of the order.
     * @throws Failure ORDER_NOT_FOUND, also for another user's; RECEIVER_REFUSED naming every field; RECEIVER_PRINTED;
     * ORDER_ENDED.
     */
    async changeReceiver(userId: number, id: number, change: ReceiverChange): Promise<void> {
      const order = await store.findOrder(id)
      if (order?.user_id !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const columns = columnsOf(change)
      await database.transaction(() => changeWithin({ by: { kind: 'owner' } }, order, columns))
    },

    /** `changeReceiver` for the desk, inside a transaction of its caller. */
    async changeReceiverWithin(acting: Acting, id: number, change: ReceiverChange): Promise<void> {
      const order = await store.findOrder(id)
      if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      await changeWithin(acting, order, columnsOf(change))
    },

    /**
     * Inside a transaction: although airway bills are printed, which stay as they are; false where a bag is at its branch or
     * was collected. @throws Failure RECEIVER_REFUSED, NOT_SIGNED_IN
     */
    async changePrintedReceiver(acting: Acting, id: number, change: ReceiverChange): Promise<boolean> {
      const order = await store.findOrder(id)
      if (!order || !hasReceiver(order)) return false
      await lockOwner(order.user_id)
      const columns = columnsOf(change)
      // A void bag is not collected.
      const isCounted = ({ carriage }: BookingRow) => carriage !== 'void'
      return changeAll(acting, order, columns, () => store.changePrintedReceiver(id, columns), isCounted)
    },

    /** A change with its name and phones in their stored form. @throws Failure RECEIVER_REFUSED naming every field. */
    checkReceiver(change: ReceiverChange): ReceiverChange {
      const { receiver_name: name, receiver_phone: phone, second_phone: secondPhone } = columnsOf(change)
      const receiver = name == null ? null : { name, ...(phone != null && { phone }) }
      return {
        ...(name !== undefined && { receiver }),
        ...(secondPhone !== undefined && { secondPhone }),
      }
    },

    /** The phone to which the receiver of a bag gets its messages; undefined where the owner collects it, or for none. */
    async findReceiverPhone(orderId: number, bookingId: number): Promise<string | undefined> {
      const booking = (await store.findBookings([orderId])).find(({ id }) => id === bookingId)
      return booking?.receiver_phone ?? undefined
    },
  }
}
