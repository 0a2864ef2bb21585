import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { leaseBooking, recordAwb } from '#server/features/orders/bookings.ts'
import { recordLabel } from '#server/features/orders/labels.queries.ts'
import { createOrder } from '#server/features/orders/order-creation.ts'
import { markPaid, markRefunded } from '#server/features/orders/orders.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { minute } from '../basics/clock.ts'
import { agent, center } from './orders.ts'

interface OrderOptions {
  readonly type?: BookingType
  readonly from?: PartnerAgent
  readonly to?: Center
}

interface LabelOption {
  /** `null`: the file is missing. */
  readonly label?: Uint8Array | null
}

/** An unpaid order of a user. */
export async function addOrder(
  core: Core,
  userId: number,
  { type = 'FROM_MINA', from = agent, to = center }: OrderOptions = {},
): Promise<number> {
  const order = { userId, type, agent: from, center: to, amountHalalas: 5_000 }
  const { orderId } = await core.database.transaction(() => createOrder(core, order, undefined))
  return orderId
}

export async function addPaidOrder(core: Core, userId: number, options?: OrderOptions): Promise<number> {
  return payOrder(core, await addOrder(core, userId, options))
}

export async function payOrder(core: Core, orderId: number): Promise<number> {
  await core.database.transaction(() => markPaid(core, orderId, `T${orderId}`))
  return orderId
}

/** A paid order of one bag with its airway bill and, by default, its label. */
export async function addIssuedOrder(
  core: Core,
  userId: number,
  awb: string,
  { label = new Uint8Array([1]), ...options }: OrderOptions & LabelOption = {},
) {
  const orderId = await addPaidOrder(core, userId, options)
  const booking = await leaseBooking(core, 'lease', minute)
  if (!booking) throw new Error('nothing to lease')
  await recordAwb(core, booking, 'lease', awb)
  if (label) await recordLabel(core, booking.id, label)
  return { orderId, booking }
}

export const refundOrder = (core: Core, orderId: number): Promise<boolean> =>
  core.database.transaction(() => markRefunded(core, orderId, `T${orderId}`))

/** Records events of a bag that an agent or the courier reports. */
export const reportBag = (core: Core, bookingId: number, ...events: NewBagEvent[]) =>
  core.database.transaction(() => recordBagEvents(core, bookingId, events))
