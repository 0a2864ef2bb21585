import type { Core } from '#server/core.ts'
import { markUncertain, undoCreation } from '#server/features/orders/bookings.queries.ts'
import {
  beginCreation,
  escalateBooking,
  type LeasedBooking,
  recordAwb,
  releaseBooking,
} from '#server/features/orders/bookings.ts'
import { endBooking } from '#server/features/orders/cancellation.queries.ts'
import { findUser } from '#server/features/users/users.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import { maxWeightKg } from '#shared/checkout/checkout.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { type AirwayBill, ShipmentRefusal } from './shipments.provider.ts'
import { lookUpDelayMs, stoppedLookUpMs, unansweredMs } from './shipments.rules.ts'

export interface AirwayBillJob {
  readonly booking: LeasedBooking
  readonly lease: string
  /** Each creation of a shipment sets this time. Before it, a look-up that finds no shipment proves nothing. */
  uncertainUntil: number
  readonly now: () => number
}

/**
 * Obtains an airway bill, and never creates a second shipment for one that may exist:
 * 1. After an earlier creation the shipment may exist: look it up first.
 * 2. When the look-up finds nothing but may be too early, try again later.
 * 3. When the allowed creations are used up, escalate to an operator. A void bag has no allowed creation: its booking
 * ends.
 * 4. Only then create a shipment. Its uncertain outcome is stored before the partner is called, and outlives a crash.
 * @returns undefined when nothing more is to be done under this lease
 */
export async function obtainAirwayBill(core: Core, job: AirwayBillJob): Promise<AirwayBill | undefined> {
  const { config, counters, log, providers } = core
  const { booking, lease } = job
  // The time is read before the look-up, because the answer may be as old as the request.
  const now = job.now()
  const earlier =
    booking.uncertainUntil > 0 ? await providers.shipments.findByReference(booking.reference) : undefined
  if (!earlier && now < booking.uncertainUntil) {
    counters.shipmentTries.inc({ outcome: 'uncertain' })
    const delayMs = lookUpDelayMs(booking.uncertainUntil, job.now(), config.limits.shipmentQuietMs)
    await releaseBooking(core, booking.id, lease, delayMs, { isTry: false })
    return undefined
  }
  if (!earlier && !booking.mayCreate) {
    await escalate(core, job)
    return undefined
  }
  const bill = earlier ?? (await createShipment(core, job))
  // The airway bill number is stored before the label is fetched: it must never be lost.
  const state = bill && (await recordAwb(core, booking, lease, bill.awb))
  if (!bill || !state) {
    log.error({ event: 'shipments.lease-lost', orderId: booking.orderId, awb: bill?.awb })
    return undefined
  }
  job.uncertainUntil = 0
  if (state === 'canceled') {
    noteCancelled(core, booking)
    return undefined
  }
  return bill.pdf ? bill : fetchBill(core, bill.awb)
}

export const fetchBill = async ({ providers }: Core, awb: string): Promise<AirwayBill> => ({
  awb,
  pdf: await providers.shipments.fetchLabel(awb),
})

export function noteCancelled({ counters, log }: Core, { orderId, reference }: LeasedBooking): void {
  counters.shipmentTries.inc({ outcome: 'cancelled' })
  log.info({ event: 'shipments.cancelled', orderId, reference })
}

/** The allowed creations are used up, and the look-up finds no shipment. */
async function escalate(core: Core, { booking, lease }: AirwayBillJob) {
  if (await endBooking(core, booking.id, lease)) {
    noteCancelled(core, booking)
    return
  }
  core.counters.shipmentTries.inc({ outcome: 'stopped' })
  if (await escalateBooking(core, booking.id, lease))
    core.log.error({
      event: 'shipments.needs-person',
      orderId: booking.orderId,
      reference: booking.reference,
    })
  await releaseBooking(core, booking.id, lease, stoppedLookUpMs, { isTry: false })
}

/** @returns undefined when the lease was lost, the order was refunded, or the creations are used up */
async function createShipment(core: Core, job: AirwayBillJob): Promise<AirwayBill | undefined> {
  const { booking, lease } = job
  const quietMs = core.config.limits.shipmentQuietMs
  const user = await findUser(core, booking.userId)
  const until = job.now() + unansweredMs(quietMs)
  const ownerName = user?.name ?? brand.name.en
  const named = await beginCreation(core, booking.id, lease, unansweredMs(quietMs), ownerName)
  if (named === undefined) return undefined
  const ownerPhone = user?.phone ?? ''
  job.uncertainUntil = until
  try {
    return await core.providers.shipments.create({
      reference: booking.reference,
      orderId: booking.orderId,
      branchCode: booking.branchCode,
      origin: booking.origin,
      destination: booking.destination,
      consignee: { ...named, phone: named.phone ?? ownerPhone },
      ownerPhone,
      weightKg: maxWeightKg,
      shipAt: core.clock.now(),
    })
  } catch (error) {
    if (madeNothing(error)) {
      await undoCreation(core, booking.id, lease)
      job.uncertainUntil = 0
    } else if (hasEnded(error)) {
      job.uncertainUntil = job.now() + quietMs
      await markUncertain(core, booking.id, lease, quietMs)
    }
    throw error
  }
}

function madeNothing(error: unknown) {
  return error instanceof ShipmentRefusal || error instanceof UnreachableError
}

/** With these statuses a proxy has answered, and the partner may still be creating the shipment. */
const proxyStatuses: readonly number[] = [502, 504]

/** The partner itself has answered, so its work has ended. A look-up finds out whether it created the shipment. */
function hasEnded(error: unknown) {
  const status = error instanceof OutcomeUnknownError ? error.status : undefined
  return status !== undefined && !proxyStatuses.includes(status)
}
