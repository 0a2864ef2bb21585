import type { Core } from '#server/core.ts'
import { leaseBooking, releaseBooking, writeAwbMessages } from '#server/features/orders/bookings.ts'
import { recordLabel } from '#server/features/orders/labels.queries.ts'
import { bookingsAtOnce } from '#server/features/orders/orders.rules.ts'
import { reasonOf, timeSince } from '#server/platform/database/leases.ts'
import { fractionOf } from '#server/platform/random.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { type AirwayBillJob, fetchBill, noteCancelled, obtainAirwayBill } from './airway-bills.ts'
import { type AirwayBill, ShipmentRefusal } from './shipments.provider.ts'
import { leaseMs, lookUpDelayMs, retryDelayMs } from './shipments.rules.ts'

const roundMs = 2_000

export const airwayBills = (core: Core): Worker =>
  createWorker<AirwayBillJob>({
    name: 'shipments',
    async claim() {
      const lease = core.random.uuid()
      const booking = await leaseBooking(core, lease, leaseMs)
      if (!booking) return undefined
      const now = timeSince(booking.claimedAt, core.clock)
      return { booking, lease, uncertainUntil: booking.uncertainUntil, now }
    },
    run: (job) => issueLabel(core, job),
    parallel: bookingsAtOnce,
    roundMs,
    log: core.log,
  })

async function issueLabel(core: Core, job: AirwayBillJob) {
  const { counters, log, random } = core
  const { booking, lease } = job
  try {
    const bill = await findBill(core, job)
    if (!bill) return
    if (bill.pdf) {
      if (!(await recordLabel(core, booking.id, bill.pdf))) {
        noteCancelled(core, booking)
        return
      }
      counters.shipmentTries.inc({ outcome: 'issued' })
      log.info({ event: 'shipments.issued', orderId: booking.orderId, awb: bill.awb })
    } else {
      counters.shipmentTries.inc({ outcome: 'label-missing' })
      await releaseBooking(core, booking.id, lease, retryDelayMs(booking.tries, fractionOf(random)), {
        reason: 'the answer holds no PDF',
      })
    }
  } catch (error) {
    const isRefused = error instanceof ShipmentRefusal
    counters.shipmentTries.inc({ outcome: isRefused ? 'refused' : 'failed' })
    log[isRefused ? 'error' : 'warn']({
      event: 'shipments.try-failed',
      orderId: booking.orderId,
      tries: booking.tries,
      err: error,
    })
    await releaseLease(core, job, error)
  }
}

async function findBill(core: Core, job: AirwayBillJob): Promise<AirwayBill | undefined> {
  const { booking } = job
  if (booking.awb === null) return obtainAirwayBill(core, job)
  await writeAwbMessages(core, booking, booking.awb)
  return fetchBill(core, booking.awb)
}

async function releaseLease(
  core: Core,
  { booking, lease, uncertainUntil, now: databaseNow }: AirwayBillJob,
  error: unknown,
) {
  const now = databaseNow()
  const delayMs =
    uncertainUntil > now
      ? lookUpDelayMs(uncertainUntil, now, core.config.limits.shipmentQuietMs)
      : retryDelayMs(booking.tries, fractionOf(core.random))
  try {
    await releaseBooking(core, booking.id, lease, delayMs, { reason: reasonOf(error) })
  } catch (failure) {
    core.log.error({ event: 'shipments.release-failed', orderId: booking.orderId, err: failure })
  }
}
