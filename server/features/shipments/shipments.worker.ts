import { randomUUID } from 'node:crypto'
import type { LeasedBooking, OrdersService } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { type AirwayBill, ShipmentDoubt, type ShipmentGateway, ShipmentRefusal } from './shipments.gateway.ts'
import { doubtLookMs, doubtMs, leaseMs, retryDelayMs } from './shipments.rules.ts'

export interface ShipmentsDeps {
  readonly orders: OrdersService
  readonly gateway: ShipmentGateway
  readonly findUser: (id: number) => Promise<User | undefined>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

interface Job {
  readonly booking: LeasedBooking
  readonly lease: string
}

/** How many bookings are with the partner at a time: at 2 s a call this carries twice the peak of 5.4 orders/s. */
const parallel = 20
/** A booking that nobody woke us for: paid on another gateway, or due for another try. */
const roundMs = 2_000

/** Asks the partner for one airway bill per paid booking; never on the payment path. */
export function createShipmentWorker(deps: ShipmentsDeps): Worker {
  const { orders, gateway, clock, log } = deps
  const outcomes = deps.metrics.counter('shipment_tries_total', 'Tries to get an airway bill, by outcome.', [
    'outcome',
  ])
  deps.metrics.gauge(
    'oldest_paid_booking_without_awb_seconds',
    'Age of the oldest paid booking that has no airway bill.',
    async () => (await orders.unissuedAgeMs()) / 1000,
  )
  async function carryOut({ booking, lease }: Job): Promise<void> {
    try {
      const bill = booking.awb === null ? await obtain(booking, lease) : await complete(booking.awb)
      if (!bill) return
      if (bill.pdf) {
        await orders.recordLabel(booking.id, bill.pdf)
        outcomes.inc({ outcome: 'issued' })
        log.info({ event: 'shipments.issued', orderId: booking.orderId, awb: bill.awb })
      } else {
        outcomes.inc({ outcome: 'label-missing' })
        await orders.releaseBooking(booking.id, lease, retryDelayMs(booking.tries, Math.random()))
      }
    } catch (error) {
      const isRefused = error instanceof ShipmentRefusal
      outcomes.inc({ outcome: isRefused ? 'refused' : 'failed' })
      log[isRefused ? 'error' : 'warn']({
        event: 'shipments.try-failed',
        orderId: booking.orderId,
        tries: booking.tries,
        err: error,
      })
      await giveBack(booking, lease)
    }
  }

  async function giveBack(booking: LeasedBooking, lease: string): Promise<void> {
    try {
      await orders.releaseBooking(booking.id, lease, retryDelayMs(booking.tries, Math.random()))
    } catch (error) {
      // The lease runs out by itself.
      log.error({ event: 'shipments.release-failed', orderId: booking.orderId, err: error })
    }
  }

  /**
   * 1. Where the partner was asked before, the shipment may exist: look first.
   * 2. Where that finds nothing and the partner may still be at it, come back later.
   * 3. Only then make one. The doubt is written before the partner is asked, so it outlives this process.
   */
  async function obtain(booking: LeasedBooking, lease: string): Promise<AirwayBill | undefined> {
    const earlier = booking.inDoubtUntil > 0 ? await gateway.findByReference(booking.reference) : undefined
    const quietMs = booking.inDoubtUntil - clock.now()
    if (!earlier && quietMs > 0) {
      outcomes.inc({ outcome: 'in-doubt' })
      await orders.releaseBooking(booking.id, lease, Math.min(quietMs, doubtLookMs), false)
      return undefined
    }
    const bill = earlier ?? (await create(booking, lease))
    // Written before the label is fetched: the number is what must never be lost.
    if (!bill || !(await orders.recordAwb(booking.id, lease, bill.awb))) {
      log.error({ event: 'shipments.lease-lost', orderId: booking.orderId, awb: bill?.awb })
      return undefined
    }
    return bill.pdf ? bill : complete(bill.awb)
  }

  async function complete(awb: string): Promise<AirwayBill> {
    return { awb, pdf: await gateway.fetchLabel(awb) }
  }

  /** Undefined when the lease was lost before the partner was asked. */
  async function create(booking: LeasedBooking, lease: string): Promise<AirwayBill | undefined> {
    const user = await deps.findUser(booking.userId)
    if (!(await orders.noteDoubt(booking.id, lease, clock.now() + doubtMs))) return undefined
    try {
      return await gateway.create({
        reference: booking.reference,
        orderId: booking.orderId,
        branchCode: booking.branchCode,
        origin: booking.origin,
        destination: booking.destination,
        customer: { name: user?.name ?? '', phone: user?.phone ?? '' },
        weightKg: maxWeightKg,
        shipAt: clock.now(),
      })
    } catch (error) {
      const doubt = doubtAfter(error, clock.now())
      if (doubt !== undefined) await orders.noteDoubt(booking.id, lease, doubt)
      throw error
    }
  }

  return createWorker<Job>({
    name: 'shipments',
    claim: async () => {
      const lease = randomUUID()
      const booking = await orders.leaseBooking(lease, leaseMs)
      return booking && { booking, lease }
    },
    carryOut,
    parallel,
    roundMs,
    log,
  })
}

/** Bad gateway, gateway time-out. */
const spokenByProxy: readonly number[] = [502, 504]

/** What a failed try leaves to doubt: nothing, a look-up, or (undefined) what was written before it asked. */
function doubtAfter(error: unknown, now: number): number | undefined {
  if (error instanceof ShipmentRefusal) return 0
  // It has answered, so it is not at it any more; whether it made the shipment, the look-up tells. Where a proxy has
  // answered in its place, it may be.
  if (error instanceof ShipmentDoubt) return spokenByProxy.includes(error.status) ? undefined : now
  return error instanceof Unreachable && !error.doubtful ? 0 : undefined
}
