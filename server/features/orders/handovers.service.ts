import { createHash, randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { timeInWords } from '#server/platform/times.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import {
  foreignBagsPerMinute,
  type HandoverRequest,
  type RefusalRequest,
} from '#shared/orders/handovers.operations.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { Booking, Location, Order } from '#shared/orders/orders.schemas.ts'
import { isCarried } from '#shared/orders/travel.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { isForAgent } from './agent-list.rules.ts'
import type { BookingRow } from './bookings.store.ts'
import { correctedTime, noteOf, refusalsPerBag, undoOf } from './handovers.rules.ts'
import type { HandoverOutcome } from './orders.rules.ts'
import type { OrderRow, OrdersStore } from './orders.store.ts'
import type { RecordedEvents } from './travel.service.ts'

export interface HandoversDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OrdersStore
}

interface Siblings {
  readScanned(agent: Principal, id: number): Promise<Order>
  recordEvents(bookingId: number, events: readonly NewBagEvent[]): Promise<RecordedEvents | undefined>
}

/** Scans kept of one bag, besides those that were hand-overs: many times what any bag has. */
const scansPerBooking = 50

/** Of one session, recording and undoing together. */
const handoverLimit = { count: 30, windowMs: 60_000 }

type Agent = Extract<Principal, { role: 'agent' }>

/** Agents take bags from their owners. */
export function createHandovers(
  { database, store, clock }: HandoversDeps,
  { readScanned, recordEvents }: Siblings,
) {
  const calls = createCallLimit<string>([handoverLimit], clock)
  /** Enough for a counter, too few to go through numbers. By agent: another session of the same agent gains nothing. */
  const foreignBags = createCallLimit<number>([{ count: foreignBagsPerMinute, windowMs: 60_000 }], clock)

  /** @throws Failure ORDER_NOT_FOUND, also for an airway bill of another agent. */
  async function findOwn(agent: Agent, awb: string): Promise<{ booking: BookingRow; order: OrderRow }> {
    const booking = await store.findBookingByAwb(awb)
    const order = booking && (await store.findOrder(booking.order_id))
    if (!booking || order?.agent_code !== agent.partnerAgentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return { booking, order }
  }

  /** The order and its booking as they are now. */
  async function read(
    agent: Agent,
    { order_id, awb }: BookingRow,
  ): Promise<{ order: Order; booking: Booking }> {
    const order = await readScanned(agent, order_id)
    const booking = order.bookings.find((each) => each.awb === awb)
    if (!booking) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return { order, booking }
  }

  interface Scan {
    readonly booking: BookingRow
    readonly agentCode: string
    readonly key: string
    readonly bodyHash: string
    readonly at: number
  }

  /**
   * Inside a transaction: decides a scan by `act` and stores it; one that was stored before is not decided again.
   * @throws Failure IDEMPOTENCY_CONFLICT.
   */
  async function decide(scan: Scan, act: (scan: Scan) => Promise<HandoverOutcome>): Promise<HandoverOutcome> {
    const { booking, agentCode, key, bodyHash, at } = scan
    // Locks first: what is read from here on does not change until the outcome is stored.
    await store.lockOrderOf(booking.id)
    const earlier = await store.findHandoverScan(agentCode, key)
    if (earlier?.body_hash === bodyHash) return earlier.outcome
    if (earlier) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
    const outcome = await act(scan)
    const isRecorded = outcome === 'received' || outcome === 'not-accepted'
    // A scan that changed nothing is decided anew when it is repeated, once there are many.
    if (!isRecorded && (await store.countHandoverScans(booking.id)) >= scansPerBooking) return outcome
    const isStored = await store.insertHandoverScan({
      agent_code: agentCode,
      key,
      body_hash: bodyHash,
      booking_id: booking.id,
      outcome,
      at,
      recorded_at: clock.now(),
    })
    // The same key came at the same time with another airway bill.
    if (!isStored) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
    return outcome
  }

  /** Why an agent has nothing to do with the bag now; undefined while it waits for the agent. */
  async function obstacleOf(booking: BookingRow): Promise<'already-received' | 'refused' | undefined> {
    const bookings = await store.findBookings([booking.order_id])
    const carriage = bookings.find(({ id }) => id === booking.id)?.carriage ?? 'none'
    if (carriage === 'none' || carriage === 'void') return 'refused'
    return isCarried(carriage) ? 'already-received' : undefined
  }

  async function record({ booking }: Scan, event: NewBagEvent): Promise<void> {
    const recorded = await recordEvents(booking.id, [event])
    // The key was used for what was undone, and its scan is no longer kept. Nothing of this one stays.
    if (!recorded?.added) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  }

  async function receive(scan: Scan): Promise<HandoverOutcome> {
    const { booking, key, at } = scan
    const obstacle = await obstacleOf(booking)
    if (obstacle) return obstacle
    await record(scan, {
      kind: 'received',
      data: {},
      by: agentAt(placeOf(booking)),
      at,
      key: `handover:${hashOf([key])}`,
    })
    return 'received'
  }

  async function refuse(scan: Scan, { reason, text }: RefusalRequest): Promise<HandoverOutcome> {
    const { booking, key, at } = scan
    const obstacle = await obstacleOf(booking)
    if (obstacle) return obstacle
    const events = (await store.findEvents([booking.id])).get(booking.id) ?? []
    if (events.filter(({ kind }) => kind === 'not-accepted').length >= refusalsPerBag)
      throw failure(ordersErrors, 'REFUSED_OFTEN')
    const note = noteOf(text)
    await record(scan, {
      kind: 'not-accepted',
      data: { reason, personal: note === null ? null : { text: note } },
      by: agentAt(placeOf(booking)),
      at,
      key: refusalKeyOf(key),
    })
    return 'not-accepted'
  }

  /** @throws the Failure that an outcome is for its agent. */
  async function expectRecorded(outcome: HandoverOutcome, booking: BookingRow): Promise<void> {
    if (outcome === 'refused') throw failure(ordersErrors, 'DO_NOT_ACCEPT')
    if (outcome === 'already-received') throw alreadyReceived(await receivedAtOf(booking))
  }

  /** When the bag was last handed over; for a bag that only the courier has scanned, when it was last seen. */
  async function receivedAtOf({ id, last_event_at }: BookingRow): Promise<number> {
    const events = (await store.findEvents([id])).get(id) ?? []
    return events.findLast(({ kind }) => kind === 'handed-over')?.at ?? last_event_at ?? clock.now()
  }

  return {
    /** Counts a call of a session that records or undoes. @throws Failure TOO_MANY_CALLS. */
    countHandoverCall: (session: string) => countCall(calls, session),

    /**
     * Records that the agent has taken a bag. The same key and body again: the same outcome.
     * @throws Failure ORDER_NOT_FOUND, ALREADY_RECEIVED, DO_NOT_ACCEPT, IDEMPOTENCY_CONFLICT, INVALID_REQUEST.
     */
    async recordHandover(
      agent: Agent,
      { awb, receivedAt, sentAt }: HandoverRequest,
      key: string | undefined,
    ): Promise<{ order: Order; booking: Booking }> {
      const times = { receivedAt: epochOf('receivedAt', receivedAt), sentAt: epochOf('sentAt', sentAt) }
      const { booking, order } = await findOwn(agent, awb)
      const scan = {
        booking,
        agentCode: agent.partnerAgentId,
        key: key ?? randomUUID(),
        // Without the time of sending, which differs between two tries.
        bodyHash: hashOf([awb, receivedAt]),
        at: correctedTime(times, clock.now(), order.paid_at ?? order.created_at),
      }
      await expectRecorded(await database.transaction(() => decide(scan, receive)), booking)
      return read(agent, booking)
    },

    /**
     * Records that the agent does not accept a bag: nothing else changes. The same key and body again: the same outcome.
     * @throws Failure ORDER_NOT_FOUND, ALREADY_RECEIVED, DO_NOT_ACCEPT, REFUSED_OFTEN, IDEMPOTENCY_CONFLICT.
     */
    async refuseBag(
      agent: Agent,
      request: RefusalRequest,
      key: string | undefined,
    ): Promise<{ booking: Booking }> {
      const { awb, reason, text } = request
      const { booking } = await findOwn(agent, awb)
      const scan = {
        booking,
        agentCode: agent.partnerAgentId,
        key: key ?? randomUUID(),
        bodyHash: hashOf([awb, reason, text]),
        at: clock.now(),
      }
      const outcome = await database.transaction(() => decide(scan, (own) => refuse(own, request)))
      await expectRecorded(outcome, booking)
      return { booking: (await read(agent, booking)).booking }
    },

    /** @throws Failure ORDER_NOT_FOUND unless another agent would see the bag, and beyond the limit for any bag. */
    async expectForeignBag(agent: Agent, awb: string): Promise<void> {
      const booking =
        foreignBags.take(agent.agentId) === undefined ? await store.findBookingByAwb(awb) : undefined
      const order = booking && (await store.findOrder(booking.order_id))
      if (!order || order.agent_code === agent.partnerAgentId || !isForAgent(order))
        throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    },

    /**
     * Undoes the hand-over of a bag, within ten minutes of its recording. Again: no effect.
     * @throws Failure ORDER_NOT_FOUND (also for a bag that the agent never took), TOO_LATE.
     */
    async undoHandover(agent: Agent, awb: string): Promise<{ booking: Booking }> {
      const { booking } = await findOwn(agent, awb)
      const outcome = await database.transaction(async () => {
        await store.lockOrderOf(booking.id)
        const now = clock.now()
        const events = (await store.findEvents([booking.id])).get(booking.id) ?? []
        const undo = undoOf(events, now)
        if (undo.outcome === 'undo')
          await recordEvents(booking.id, [
            {
              kind: 'undone',
              data: {},
              by: agentAt(placeOf(booking)),
              at: now,
              key: `undo:${undo.eventId}`,
            },
          ])
        return undo.outcome
      })
      if (outcome === 'none') throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      if (outcome === 'too-late') throw failure(ordersErrors, 'TOO_LATE')
      return { booking: (await read(agent, booking)).booking }
    },
  }
}

/** The name of the agent with whom a bag starts. */
const placeOf = ({ origin }: BookingRow): string | null => (JSON.parse(origin) as Location).name ?? null

const agentAt = (place: string | null): NewBagEvent['by'] => ({ kind: 'agent', name: place ?? '' })

/** Of what a request asks for. */
/** The identity of the event of a refusal, from the Idempotency-Key of its request. */
export const refusalKeyOf = (key: string) => `refusal:${hashOf([key])}`

const hashOf = (facts: readonly (string | undefined)[]) =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url')

function alreadyReceived(at: number): Failure {
  return failure(ordersErrors, 'ALREADY_RECEIVED', {
    values: { time: timeInWords(at) },
    receivedAt: isoOf(at),
  })
}

/** @throws Failure INVALID_REQUEST for a time that does not exist. */
function epochOf(field: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const epochMs = Date.parse(time)
  if (Number.isNaN(epochMs))
    throw failure(platformErrors, 'INVALID_REQUEST', {
      fields: [{ field, text: { ar: 'ليس وقتًا صحيحًا.', en: 'This is not a time.' } }],
    })
  return epochMs
}
