import type { Core } from '#server/core.ts'
import type { LeasedBooking, OrdersService } from '#server/features/orders/orders.service.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import { maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { type AirwayBill, type ShipmentProvider, ShipmentRefusal } from './shipments.provider.ts'
import { lookUpDelayMs, stoppedLookUpMs, unansweredMs } from './shipments.rules.ts'

interface AirwayBillsDeps extends Pick<Core, 'clock' | 'log'> {
  readonly orders: OrdersService
  readonly provider: ShipmentProvider
  readonly users: Pick<UsersService, 'findUser'>
  readonly quietMs: number
  readonly outcomes: ReturnType<Metrics['counter']>
}

/** A leased booking without an airway bill. */
export interface AirwayBillJob {
  readonly booking: LeasedBooking
  readonly lease: string
  /** By `now`; every creation moves it. Until then a look-up that finds nothing proves nothing. */
  uncertainUntil: number
  /** The database's time: gateways may differ. */
  readonly now: () => number
}

/** Obtains the airway bill of a leased booking without ever creating a second shipment for one that may exist. */
export function createAirwayBills({
  orders,
  provider,
  users,
  quietMs,
  clock,
  log,
  outcomes,
}: AirwayBillsDeps) {
  /**
   * 1. After an earlier creation the shipment may exist: look it up first.
   * 2. Where the look-up finds nothing and may lag, try again later.
   * 3. Where the allowed creations are used up, stop for an operator. A void bag is allowed none: its booking ends.
   * 4. Only then create one. The uncertainty is stored before the partner is asked, so it outlives this process.
   *
   * Undefined: nothing more to do under this lease.
   */
  async function obtain(job: AirwayBillJob): Promise<AirwayBill | undefined> {
    const { booking, lease } = job
    // Taken before the look-up: the answer may describe the moment of the request.
    const now = job.now()
    const earlier = booking.uncertainUntil > 0 ? await provider.findByReference(booking.reference) : undefined
    if (!earlier && now < booking.uncertainUntil) {
      outcomes.inc({ outcome: 'uncertain' })
      const delayMs = lookUpDelayMs(booking.uncertainUntil, job.now(), quietMs)
      await orders.releaseBooking(booking.id, lease, delayMs, { isTry: false })
      return undefined
    }
    if (!earlier && !booking.mayCreate) {
      await stop(booking, lease)
      return undefined
    }
    const bill = earlier ?? (await create(job))
    // Stored before the label is fetched: the number must never be lost.
    const state = bill && (await orders.recordAwb(booking, lease, bill.awb))
    if (!bill || !state) {
      log.error({ event: 'shipments.lease-lost', orderId: booking.orderId, awb: bill?.awb })
      return undefined
    }
    job.uncertainUntil = 0
    if (state === 'canceled') {
      noteCancelled(booking)
      return undefined
    }
    return bill.pdf ? bill : complete(bill.awb)
  }

  /** The creations are used up and the look-up knows of no shipment. */
  async function stop(booking: LeasedBooking, lease: string): Promise<void> {
    if (await orders.endBooking(booking.id, lease)) {
      noteCancelled(booking)
      return
    }
    outcomes.inc({ outcome: 'stopped' })
    if (await orders.stopBooking(booking.id, lease))
      log.error({
        event: 'shipments.needs-person',
        orderId: booking.orderId,
        reference: booking.reference,
      })
    await orders.releaseBooking(booking.id, lease, stoppedLookUpMs, { isTry: false })
  }

  /** The bag became void meanwhile. */
  function noteCancelled({ orderId, reference }: LeasedBooking): void {
    outcomes.inc({ outcome: 'cancelled' })
    log.info({ event: 'shipments.cancelled', orderId, reference })
  }

  async function complete(awb: string): Promise<AirwayBill> {
    return { awb, pdf: await provider.fetchLabel(awb) }
  }

  /** Undefined when no shipment may be created any more: lease lost, order refunded, or creations used up. */
  async function create(job: AirwayBillJob): Promise<AirwayBill | undefined> {
    const { booking, lease } = job
    const user = await users.findUser(booking.userId)
    const until = job.now() + unansweredMs(quietMs)
    const ownerName = user?.name ?? brand.name.en
    const named = await orders.beginCreation(booking.id, lease, unansweredMs(quietMs), ownerName)
    if (named === undefined) return undefined
    const ownerPhone = user?.phone ?? ''
    job.uncertainUntil = until
    try {
      return await provider.create({
        reference: booking.reference,
        orderId: booking.orderId,
        branchCode: booking.branchCode,
        origin: booking.origin,
        destination: booking.destination,
        consignee: { ...named, phone: named.phone ?? ownerPhone },
        ownerPhone,
        weightKg: maxWeightKg,
        shipAt: clock.now(),
      })
    } catch (error) {
      if (madeNothing(error)) {
        await orders.undoCreation(booking.id, lease)
        job.uncertainUntil = 0
      } else if (hasEnded(error)) {
        job.uncertainUntil = job.now() + quietMs
        await orders.markUncertain(booking.id, lease, quietMs)
      }
      throw error
    }
  }

  return { obtain, complete, noteCancelled }
}

function madeNothing(error: unknown): boolean {
  return error instanceof ShipmentRefusal || error instanceof UnreachableError
}

/** Bad gateway, gateway time-out: a proxy has answered, and the partner may still be creating the shipment. */
const proxyStatuses: readonly number[] = [502, 504]

/** The partner itself has answered, so its work has ended; a look-up finds out whether it created the shipment. */
function hasEnded(error: unknown): boolean {
  const status = error instanceof OutcomeUnknownError ? error.status : undefined
  return status !== undefined && !proxyStatuses.includes(status)
}
