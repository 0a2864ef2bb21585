import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { LeasedBooking, OrdersService } from '#server/features/orders/orders.service.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import { reasonOf, timeSince } from '#server/platform/database/leases.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { type AirwayBillJob, createAirwayBills } from './airway-bills.service.ts'
import { type AirwayBill, type ShipmentProvider, ShipmentRefusal } from './shipments.provider.ts'
import { leaseMs, lookUpDelayMs, retryDelayMs } from './shipments.rules.ts'

export interface ShipmentsDeps extends Pick<Core, 'clock' | 'log' | 'metrics'> {
  readonly orders: OrdersService
  readonly provider: ShipmentProvider
  readonly users: Pick<UsersService, 'findUser'>
  /** How long a look-up that finds nothing is inconclusive, once the partner has certainly ended its work. */
  readonly quietMs: number
}

/** Finds bookings that nothing wakes the worker for: paid on another gateway, or due for another try. */
const roundMs = 2_000

/** Obtains one airway bill and label per paid booking; never on the payment path. */
export function createShipmentWorker(deps: ShipmentsDeps): Worker {
  const { orders, quietMs, clock, log } = deps
  const outcomes = registerMetrics(deps)
  const { obtain, complete, noteCancelled } = createAirwayBills({ ...deps, outcomes })

  /** The number was stored under an earlier lease. */
  async function completeAgain(booking: LeasedBooking, awb: string): Promise<AirwayBill> {
    await orders.renewAwbNews(booking, awb)
    return complete(awb)
  }

  async function run(job: AirwayBillJob): Promise<void> {
    const { booking, lease } = job
    try {
      const bill = booking.awb === null ? await obtain(job) : await completeAgain(booking, booking.awb)
      if (!bill) return
      if (bill.pdf) {
        if (!(await orders.recordLabel(booking.id, bill.pdf))) {
          noteCancelled(booking)
          return
        }
        outcomes.inc({ outcome: 'issued' })
        log.info({ event: 'shipments.issued', orderId: booking.orderId, awb: bill.awb })
      } else {
        outcomes.inc({ outcome: 'label-missing' })
        await orders.releaseBooking(booking.id, lease, retryDelayMs(booking.tries, Math.random()), {
          reason: 'the answer holds no PDF',
        })
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
      await releaseLease(job, error)
    }
  }

  async function releaseLease(
    { booking, lease, uncertainUntil, now: databaseNow }: AirwayBillJob,
    error: unknown,
  ): Promise<void> {
    const now = databaseNow()
    const delayMs =
      uncertainUntil > now
        ? lookUpDelayMs(uncertainUntil, now, quietMs)
        : retryDelayMs(booking.tries, Math.random())
    try {
      await orders.releaseBooking(booking.id, lease, delayMs, { reason: reasonOf(error) })
    } catch (failure) {
      // The lease runs out by itself.
      log.error({ event: 'shipments.release-failed', orderId: booking.orderId, err: failure })
    }
  }

  return createWorker<AirwayBillJob>({
    name: 'shipments',
    claim: async () => {
      const lease = randomUUID()
      const booking = await orders.leaseBooking(lease, leaseMs)
      if (!booking) return undefined
      const now = timeSince(booking.claimedAt, clock)
      return { booking, lease, uncertainUntil: booking.uncertainUntil, now }
    },
    run,
    parallel: orders.bookingsAtOnce,
    roundMs,
    log,
  })
}

function registerMetrics({ orders, clock, metrics }: ShipmentsDeps) {
  metrics.queue('shipments', clock, orders.readUnissued)
  metrics.queue('labels', clock, orders.readUnlabelled)
  metrics.gauge(
    'amtiati_bookings_needing_person',
    'Paid bookings whose creations are used up without an airway bill: `npm run ops -- stuck` lists them.',
    orders.countStopped,
  )
  return metrics.counter('amtiati_shipment_tries_total', 'Tries to get an airway bill, by outcome.', [
    'outcome',
  ])
}
