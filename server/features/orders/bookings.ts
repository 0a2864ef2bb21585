import type { Core } from '#server/core.ts'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { type Effects, writeMessagesLater } from '#server/features/history/outbox.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import {
  type BookingRow,
  type Consignee,
  countCreation,
  endLease,
  findBookings,
  leaseDueBooking,
  markEscalated,
  type ReleaseOptions,
  setAwb,
  setLastError,
} from './bookings.queries.ts'
import { followBag } from './following.ts'
import { findOrder } from './orders.queries.ts'
import { endsAtBranch, isAwbAwaited, type Leg, legOf } from './orders.rules.ts'
import { isNotified } from './receivers.rules.ts'
import { lockOrderOf } from './travel.queries.ts'

export interface LeasedBooking extends Leg {
  readonly id: number
  readonly claimedAt: number
  readonly orderId: number
  readonly userId: number
  /** The partner's key of the shipment; never reused. */
  readonly reference: string
  readonly awb: string | null
  readonly tries: number
  /** Epoch milliseconds; 0 when the partner certainly has no shipment of this booking. */
  readonly uncertainUntil: number
  /** False when the allowed creations are used up: an operator decides. */
  readonly mayCreate: boolean
  readonly branchCode: string | undefined
}

type Booking = Pick<LeasedBooking, 'id' | 'orderId'>

const system = { kind: 'system' } as const
const courier = { kind: 'courier' } as const

export async function leaseBooking(
  core: Core,
  lease: string,
  leaseMs: number,
): Promise<LeasedBooking | undefined> {
  const { database } = core
  const row = await leaseDueBooking(core, lease, database.now(), database.now(leaseMs))
  const order = row && (await findOrder(core, row.order_id))
  if (!row || !order) return undefined
  return {
    id: row.id,
    claimedAt: row.claimed_at,
    orderId: order.id,
    userId: order.user_id,
    reference: row.reference,
    awb: row.awb,
    tries: row.tries,
    uncertainUntil: row.uncertain_until,
    mayCreate: row.creations < row.creations_allowed,
    branchCode: endsAtBranch(order.type, row.leg) ? order.center_code : undefined,
    ...legOf(row),
  }
}

/**
 * The creation is counted before the partner is asked. Its outcome is uncertain for `ms`.
 * @returns undefined when no shipment may be created
 */
export const beginCreation = (
  core: Core,
  id: number,
  lease: string,
  ms: number,
  ownerName: string,
): Promise<Consignee | undefined> =>
  core.database.transaction(async () => {
    const order = await lockOrderOf(core, id)
    const consignee = await countCreation(core, id, lease, core.database.now(ms), ownerName)
    if (consignee) await recordRequest(core, order?.id, id)
    return consignee
  })

/** A repeated request is recorded only after another event. */
async function recordRequest(core: Core, orderId: number | undefined, bookingId: number) {
  const events = await listEvents(core, 'booking_id', [bookingId])
  if (events.findLast(({ kind }) => kind.startsWith('label-'))?.kind === 'label-requested') return
  await recordEvent(core, { kind: 'label-requested', data: {}, by: system, orderId, bookingId })
}

/** The booking is due again after `delayMs`. @param options `reason`: why the try failed */
export function releaseBooking(
  core: Core,
  id: number,
  lease: string,
  delayMs: number,
  { reason, ...options }: ReleaseOptions & { readonly reason?: string } = {},
): Promise<void> {
  const release = () => endLease(core, id, lease, core.database.now(delayMs), options)
  if (reason === undefined) return release()
  const text = reason.replaceAll(/\s+/g, ' ')
  return core.database.transaction(async () => {
    const order = await lockOrderOf(core, id)
    if (await setLastError(core, id, lease, text))
      await recordEvent(core, {
        kind: 'label-refused',
        data: { personal: { reason: text } },
        by: courier,
        orderId: order?.id,
        bookingId: id,
      })
    await release()
  })
}

/** Look-ups continue, creations do not. @returns true for the one call that did */
export const escalateBooking = (core: Core, id: number, lease: string): Promise<boolean> =>
  core.database.transaction(async () => {
    const order = await lockOrderOf(core, id)
    const creations = await markEscalated(core, id, lease, core.clock.now())
    if (creations === undefined) return false
    await recordEvent(core, {
      kind: 'label-escalated',
      data: { creations },
      by: system,
      orderId: order?.id,
      bookingId: id,
    })
    return true
  })

/**
 * The messages of the airway bill are written unless the bag became void since the shipment was requested.
 * @returns the booking's state; undefined when the lease was lost
 */
export const recordAwb = (
  core: Core,
  booking: Booking,
  lease: string,
  awb: string,
): Promise<BookingState | undefined> =>
  core.database.transaction(async () => {
    // Searched texts of the order are written with the number, and orders are locked before their bookings.
    await lockOrderOf(core, booking.id)
    const stored = await setAwb(core, booking.id, lease, awb)
    if (stored)
      await recordEvent(
        core,
        {
          kind: 'label-issued',
          data: { awb },
          by: courier,
          orderId: booking.orderId,
          bookingId: booking.id,
        },
        await followAwb(core, booking, awb, stored),
      )
    return stored?.state
  })

/** The airway bill may have been found while the bag was void, when it had no messages. A message is not written twice. */
export const writeAwbMessages = (core: Core, booking: Booking, awb: string): Promise<void> =>
  core.database.transaction(async () => {
    await lockOrderOf(core, booking.id)
    const rows = await findBookings(core, [booking.orderId])
    const own = rows.find(({ id }) => id === booking.id)
    const effects = await followAwb(core, booking, awb, own)
    await writeMessagesLater(core, 'label-issued', { bookingId: booking.id }, effects)
  })

/** Inside a transaction. The receiver is final now. @returns the messages that the airway bill causes */
async function followAwb(
  core: Core,
  { id, orderId }: Booking,
  awb: string,
  booking: Pick<BookingRow, 'state' | 'receiver' | 'receiver_phone'> | undefined,
): Promise<Effects> {
  if (booking?.state !== 'labelling') return {}
  await followBag(core, id, awb)
  return {
    completesOrder: !(await findBookings(core, [orderId])).some(isAwbAwaited),
    hasReceiver: isNotified(booking),
  }
}
