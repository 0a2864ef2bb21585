import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import {
  createOrder,
  leaseBooking,
  markPaid,
  markRefunded,
  recordAwb,
  recordBagEvents,
  recordLabel,
} from '#server/features/orders/orders.calls.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center } from '#shared/partner/partner.schemas.ts'
import { minute } from './clock.ts'
import { agent, center } from './orders.ts'

interface OrderOptions {
  readonly type?: BookingType
  readonly to?: Center
}

/** An unpaid order of a user. */
export async function addOrder(
  core: Core,
  userId: number,
  { type = 'FROM_MINA', to = center }: OrderOptions = {},
): Promise<number> {
  const order = { userId, type, agent, center: to, amountHalalas: 5_000 }
  const { orderId } = await core.database.transaction(() => createOrder(core, order, undefined))
  return orderId
}

export async function addPaidOrder(core: Core, userId: number, options?: OrderOptions): Promise<number> {
  const orderId = await addOrder(core, userId, options)
  await core.database.transaction(() => markPaid(core, orderId, `T${orderId}`))
  return orderId
}

/** A paid order of one bag with its airway bill and its label. */
export async function addIssuedOrder(core: Core, userId: number, awb: string, options?: OrderOptions) {
  const orderId = await addPaidOrder(core, userId, options)
  const booking = await leaseBooking(core, 'lease', minute)
  if (!booking) throw new Error('nothing to lease')
  await recordAwb(core, booking, 'lease', awb)
  await recordLabel(core, booking.id, new Uint8Array([1]))
  return { orderId, booking }
}

export const refundOrder = (core: Core, orderId: number): Promise<boolean> =>
  core.database.transaction(() => markRefunded(core, orderId, `T${orderId}`))

/** Records events of a bag that an agent or the courier reports. */
export const reportBag = (core: Core, bookingId: number, ...events: NewBagEvent[]) =>
  core.database.transaction(() => recordBagEvents(core, bookingId, events))
