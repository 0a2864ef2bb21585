import type { Core } from '#server/core.ts'
import { listEvents, sendEvent } from '#server/features/history/history.ts'
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
  /** The key by which the partner finds the shipment. No other shipment ever gets it. */
  readonly reference: string
  readonly awb: string | null
  readonly tries: number
  /**
   * When a look-up after this time (epoch milliseconds) finds nothing, no shipment exists. It is 0 when the partner has
   * certainly no shipment of the booking.
   */
  readonly uncertainUntil: number
  /** False when no further creation of a shipment is allowed: then an operator decides. */
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
 * Counts the creation of a shipment before the partner is asked. Its outcome is uncertain for `ms` milliseconds.
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
    const [order, consignee, events] = await Promise.all([
      lockOrderOf(core, id),
      countCreation(core, id, lease, core.database.now(ms), ownerName),
      listEvents(core, 'booking_id', [id]),
    ])
    // A request is not recorded again when the newest event about the label is one.
    const lastOfLabel = events.findLast(({ kind }) => kind.startsWith('label-'))
    if (consignee && lastOfLabel?.kind !== 'label-requested')
      await sendEvent(core, {
        kind: 'label-requested',
        data: {},
        by: system,
        orderId: order?.id,
        bookingId: id,
      })
    return consignee
  })

/** Makes the booking due again after `delayMs`. @param options `reason`: why the try failed */
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
      await sendEvent(core, {
        kind: 'label-refused',
        data: { personal: { reason: text } },
        by: courier,
        orderId: order?.id,
        bookingId: id,
      })
    await release()
  })
}

/**
 * Escalates the booking to an operator: look-ups continue, creations stop.
 * @returns true for the one call that escalated it
 */
export const escalateBooking = (core: Core, id: number, lease: string): Promise<boolean> =>
  core.database.transaction(async () => {
    const order = await lockOrderOf(core, id)
    const creations = await markEscalated(core, id, lease, core.clock.now())
    if (creations === undefined) return false
    await sendEvent(core, {
      kind: 'label-escalated',
      data: { creations },
      by: system,
      orderId: order?.id,
      bookingId: id,
    })
    return true
  })

/**
 * Stores the airway bill. It writes its messages unless the bag became void after the shipment was requested.
 * @returns the booking's state; undefined when the lease was lost
 */
export const recordAwb = (
  core: Core,
  booking: Booking,
  lease: string,
  awb: string,
): Promise<BookingState | undefined> =>
  core.database.transaction(async () => {
    // The airway bill also changes the search text of the order, and orders are locked before their bookings.
    const [, stored] = await Promise.all([
      lockOrderOf(core, booking.id),
      setAwb(core, booking.id, lease, awb),
    ])
    if (stored)
      await sendEvent(
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

/**
 * Writes the messages of an airway bill that may have been found while its bag was void. No message is written twice.
 */
export const writeAwbMessages = (core: Core, booking: Booking, awb: string): Promise<void> =>
  core.database.transaction(async () => {
    await lockOrderOf(core, booking.id)
    const rows = await findBookings(core, [booking.orderId])
    const own = rows.find(({ id }) => id === booking.id)
    const effects = await followAwb(core, booking, awb, own)
    await writeMessagesLater(core, 'label-issued', { bookingId: booking.id }, effects)
  })

/**
 * Inside a transaction: starts tracking the bag, whose receiver cannot change after this.
 * @returns facts for the messages about the airway bill
 */
async function followAwb(
  core: Core,
  { id, orderId }: Booking,
  awb: string,
  booking: Pick<BookingRow, 'state' | 'receiver' | 'receiver_phone'> | undefined,
): Promise<Effects> {
  if (booking?.state !== 'labelling') return {}
  const [bags] = await Promise.all([findBookings(core, [orderId]), followBag(core, id, awb)])
  return {
    completesOrder: !bags.some(isAwbAwaited),
    hasReceiver: isNotified(booking),
  }
}
