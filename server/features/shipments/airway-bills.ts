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
  /** A look-up before this time (epoch milliseconds) that finds no shipment proves nothing. */
  uncertainUntil: number
  readonly now: () => number
}

/**
 * This function must never create a second shipment for a booking:
 * 1. A shipment that possibly exists is looked up again until the look-up is certain.
 * 2. When no further creation is allowed, an operator decides. The booking of a void bag ends.
 * 3. Otherwise a shipment is created. The uncertain outcome is stored before, in case the process dies.
 * @returns undefined when no work is left under this lease
 */
export async function obtainAirwayBill(core: Core, job: AirwayBillJob): Promise<AirwayBill | undefined> {
  const { config, counters, log, providers } = core
  const { booking, lease } = job
  // The partner's answer can be as old as our request, so the time is read before the look-up.
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
  // The airway bill number must never be lost, so it is stored before the label is fetched.
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

/** A proxy sends these statuses while the partner is possibly still creating the shipment. */
const proxyStatuses: readonly number[] = [502, 504]

/**
 * True when the partner itself has answered: the work on the shipment has ended, and a look-up shows whether it exists.
 */
function hasEnded(error: unknown) {
  const status = error instanceof OutcomeUnknownError ? error.status : undefined
  return status !== undefined && !proxyStatuses.includes(status)
}
