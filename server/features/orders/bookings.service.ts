import type { Core } from '#server/core.ts'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { type Effects, writeMessagesLater } from '#server/features/history/outbox.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import type { BookingRow, Consignee, ReleaseOptions } from './bookings.store.ts'
import type { Following } from './following.ts'
import { awaitsAwb } from './news.service.ts'
import { bookingsAtOnce, endsAtBranch, type Leg, legOf } from './orders.rules.ts'
import type { OrdersStore } from './orders.store.ts'
import { isToldTo } from './receivers.rules.ts'

interface BookingsDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OrdersStore
  readonly following: Following
}

/** A booking that needs an airway bill, leased to one worker. */
export interface LeasedBooking extends Leg {
  readonly id: number
  /** By the database's time, like the other times of the work. */
  readonly claimedAt: number
  readonly orderId: number
  readonly userId: number
  /** The partner's key of the shipment; never reused. */
  readonly reference: string
  readonly awb: string | null
  /** 1 at the first try. */
  readonly tries: number
  /** Epoch milliseconds; 0 when the partner certainly has no shipment of this booking, see the store. */
  readonly uncertainUntil: number
  /** False when the allowed creations are used up: an operator decides. */
  readonly mayCreate: boolean
  /** Code of the branch where the leg ends; undefined when it ends at the agent's. */
  readonly branchCode: string | undefined
}

/** After this time without news a bag is lost or was collected unseen. */
const unseenMs = 30 * 24 * 60 * 60_000

const system = { kind: 'system' } as const
const courier = { kind: 'courier' } as const

/** The work on bookings that need an airway bill. */
export function createBookings({ database, store, following, clock }: BookingsDeps) {
  /**
   * Inside a transaction: follows a booking that waits for its label alone, and says what messages its airway bill causes. Its
   * receiver is named for good now.
   */
  async function followAwb(
    { id, orderId }: Pick<LeasedBooking, 'id' | 'orderId'>,
    awb: string,
    booking: Pick<BookingRow, 'state' | 'receiver' | 'receiver_phone'> | undefined,
  ): Promise<Effects> {
    if (booking?.state !== 'labelling') return {}
    await following.follow(id, awb)
    return {
      completesOrder: !(await store.findBookings([orderId])).some(awaitsAwb),
      hasReceiver: isToldTo(booking),
    }
  }

  /** Records that the courier is asked for an airway bill, unless nothing was recorded since it was asked the last time. */
  async function recordRequest(orderId: number | undefined, bookingId: number): Promise<void> {
    const events = await listEvents({ database }, 'booking_id', [bookingId])
    if (events.findLast(({ kind }) => kind.startsWith('label-'))?.kind === 'label-requested') return
    await recordEvent({ database }, { kind: 'label-requested', data: {}, by: system, orderId, bookingId })
  }

  return {
    /**
     * Counts a creation before the partner is asked for it, whose outcome is uncertain for `ms`. Returns the consignee;
     * undefined when no shipment may be created any more.
     */
    beginCreation(id: number, lease: string, ms: number, ownerName: string): Promise<Consignee | undefined> {
      return database.transaction(async () => {
        const order = await store.lockOrderOf(id)
        const consignee = await store.beginCreation(id, lease, database.now(ms), ownerName)
        if (consignee) await recordRequest(order?.id, id)
        return consignee
      })
    },

    // Of the store, on which other features may not depend. What is uncertain is so for `ms` from the statement on.
    markUncertain: (id: number, lease: string, ms: number) =>
      store.setUncertainUntil(id, lease, database.now(ms)),
    undoCreation: store.undoCreation,
    endBooking: store.endBooking,
    countStopped: store.countStopped,
    lockOrder: store.lockOrder,
    lockOrdersOf: store.lockOrdersOf,

    /** Of all gateways together. */
    bookingsAtOnce,

    /** Undefined when no booking is due. */
    async leaseBooking(lease: string, leaseMs: number): Promise<LeasedBooking | undefined> {
      const row = await store.leaseBooking(lease, database.now(), database.now(leaseMs))
      const order = row && (await store.findOrder(row.order_id))
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
    },

    /** The bookings of an order, in the order of travel. */
    async listBookingIds(orderId: number): Promise<number[]> {
      return (await store.findBookings([orderId])).map(({ id }) => id)
    },

    /** Where the bags of an order travel, in the order of travel. */
    async listLegs(orderId: number): Promise<Leg[]> {
      return (await store.findBookings([orderId])).map(legOf)
    },

    /** Releases a lease; the booking is due again after `delayMs`. `reason`: why the try failed. */
    releaseBooking(
      id: number,
      lease: string,
      delayMs: number,
      { reason, ...options }: ReleaseOptions & { readonly reason?: string } = {},
    ): Promise<void> {
      const release = () => store.releaseBooking(id, lease, database.now(delayMs), options)
      if (reason === undefined) return release()
      // Lists show it on one line.
      const text = reason.replaceAll(/\s+/g, ' ')
      return database.transaction(async () => {
        const order = await store.lockOrderOf(id)
        if (await store.setLastError(id, lease, text))
          await recordEvent(
            { database },
            {
              kind: 'label-refused',
              data: { personal: { reason: text } },
              by: courier,
              orderId: order?.id,
              bookingId: id,
            },
          )
        await release()
      })
    },

    /** Stops a booking for an operator; true for the one call that did. Look-ups continue, creations do not. */
    stopBooking(id: number, lease: string): Promise<boolean> {
      return database.transaction(async () => {
        const order = await store.lockOrderOf(id)
        const creations = await store.stopBooking(id, lease, clock.now())
        if (creations === undefined) return false
        await recordEvent(
          { database },
          { kind: 'label-escalated', data: { creations }, by: system, orderId: order?.id, bookingId: id },
        )
        return true
      })
    },

    /**
     * Stores the airway bill number, with its messages unless the bag became void since the shipment was requested. Returns the
     * booking's state; undefined when the lease was lost.
     */
    recordAwb(
      booking: Pick<LeasedBooking, 'id' | 'orderId'>,
      lease: string,
      awb: string,
    ): Promise<BookingState | undefined> {
      return database.transaction(async () => {
        // What agents search of the order is written with the number, and orders are locked before their bookings.
        await store.lockOrderOf(booking.id)
        const stored = await store.setAwb(booking.id, lease, awb)
        if (stored)
          await recordEvent(
            { database },
            {
              kind: 'label-issued',
              data: { awb },
              by: courier,
              orderId: booking.orderId,
              bookingId: booking.id,
            },
            await followAwb(booking, awb, stored),
          )
        return stored?.state
      })
    },

    /**
     * Writes the messages of the airway bill of a booking that waits for its label alone: it may have been found while the bag
     * was void, when it had none. A message that there is already is not written again.
     */
    renewAwbNews(booking: Pick<LeasedBooking, 'id' | 'orderId'>, awb: string): Promise<void> {
      return database.transaction(async () => {
        await store.lockOrderOf(booking.id)
        const rows = await store.findBookings([booking.orderId])
        const own = rows.find(({ id }) => id === booking.id)
        const effects = await followAwb(booking, awb, own)
        await writeMessagesLater({ database }, 'label-issued', { bookingId: booking.id }, effects)
      })
    },

    /** False when the booking does not wait for a label any more: it was issued before, or the bag is void. */
    recordLabel: (id: number, pdf: Uint8Array) => store.storeLabel(id, pdf, clock.now()),

    /** True while an airway bill of the user is awaited. */
    async awaitsAwb(userId: number): Promise<boolean> {
      return (await store.findAwaitingAwb(userId)) !== undefined
    },

    /** True while a bag of the user is on its way. One that was not seen for a month holds up nothing any more. */
    async hasTravellingBag(userId: number): Promise<boolean> {
      return (await store.findTravelling(userId, clock.now() - unseenMs)) !== undefined
    },

    /** Paid bookings without an airway bill. */
    readUnissued: () => store.readUnissued('waiting'),

    /** Paid bookings with an airway bill and without its label file. */
    readUnlabelled: () => store.readUnissued('labelling'),
  }
}
