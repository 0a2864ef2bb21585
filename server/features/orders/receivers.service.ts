import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Core } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { ordersErrors, receiverRefusals } from '#shared/orders/orders.errors.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { ReceiverColumns } from './bookings.store.ts'
import type { OrderRow, OrdersStore } from './orders.store.ts'
import { readReceiver, statusesWithReceiver } from './receivers.rules.ts'

interface ReceiversDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OrdersStore
  readonly users: Pick<UsersService, 'lockUser'>
}

/** Who collects the bags of an order. */
export function createReceivers({ database, clock, store, users }: ReceiversDeps) {
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

  async function changeWithin(
    { id, user_id: userId, type, status: before }: OrderRow,
    columns: Partial<ReceiverColumns>,
    byOwnerAt?: number,
  ): Promise<void> {
    await lockOwner(userId)
    const changed = await store.setReceiver(id, columns, byOwnerAt)
    if (changed === legsOf(type).length) return
    const status = (await store.findOrder(id))?.status ?? before
    const isOpen = statusesWithReceiver.includes(status)
    throw failure(ordersErrors, isOpen ? 'RECEIVER_PRINTED' : 'ORDER_ENDED')
  }

  return {
    readReceiver,
    lockOwner,

    /** Whether there is something to collect of an order of this status. */
    hasReceiver: (status: OrderStatus): boolean => statusesWithReceiver.includes(status),

    /**
     * Names another receiver or number, until the courier is asked for the first airway bill of the order.
     * @throws Failure ORDER_NOT_FOUND, also for another user's; RECEIVER_REFUSED naming every field; RECEIVER_PRINTED;
     * ORDER_ENDED.
     */
    async changeReceiver(userId: number, id: number, change: ReceiverChange): Promise<void> {
      const order = await store.findOrder(id)
      if (order?.user_id !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const columns = columnsOf(change)
      await database.transaction(() => changeWithin(order, columns, clock.now()))
    },

    /** `changeReceiver` for the desk, inside a transaction of its caller. */
    async changeReceiverWithin(id: number, change: ReceiverChange): Promise<void> {
      const order = await store.findOrder(id)
      if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      await changeWithin(order, columnsOf(change))
    },

    /**
     * Inside a transaction: although airway bills are printed, which stay as they are; false where a bag is at its branch or
     * was collected. @throws Failure RECEIVER_REFUSED, NOT_SIGNED_IN
     */
    async changePrintedReceiver(id: number, change: ReceiverChange): Promise<boolean> {
      const order = await store.findOrder(id)
      if (!order || !statusesWithReceiver.includes(order.status)) return false
      await lockOwner(order.user_id)
      return (await store.changePrintedReceiver(id, columnsOf(change))) === legsOf(order.type).length
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
