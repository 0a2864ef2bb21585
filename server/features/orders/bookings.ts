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
  /** The partner finds the shipment by this text, which no other shipment gets. */
  readonly reference: string
  readonly awb: string | null
  readonly tries: number
  /**
   * Epoch milliseconds. A look-up at the partner after this time that finds nothing proves that no shipment exists. 0:
   * the partner certainly has no shipment.
   */
  readonly uncertainUntil: number
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
 * The worker must call this function before it asks the partner to create a shipment. For `ms` milliseconds a look-up
 * that finds no shipment proves nothing.
 * @returns undefined when no shipment must be created
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
 * An operator must decide now: look-ups continue, but no shipment is created.
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
 * Stores the airway bill, and writes messages about it unless the bag is void.
 * @returns undefined when the lease was lost
 */
export const recordAwb = (
  core: Core,
  booking: Booking,
  lease: string,
  awb: string,
): Promise<BookingState | undefined> =>
  core.database.transaction(async () => {
    // Lock order: orders before their bookings.
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

/** Writes messages about an airway bill that was stored while its bag was void. No message is written twice. */
export const writeAwbMessages = (core: Core, booking: Booking, awb: string): Promise<void> =>
  core.database.transaction(async () => {
    await lockOrderOf(core, booking.id)
    const rows = await findBookings(core, [booking.orderId])
    const own = rows.find(({ id }) => id === booking.id)
    const effects = await followAwb(core, booking, awb, own)
    await writeMessagesLater(core, 'label-issued', { bookingId: booking.id }, effects)
  })

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
