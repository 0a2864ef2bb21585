import { createHash } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { isForAgent } from '#server/features/orders/agent-list.rules.ts'
import { type BookingRow, findBookingByAwb, findBookings } from '#server/features/orders/bookings.queries.ts'
import {
  deleteHandoverPhoto,
  findHandoverPhoto,
  writeHandoverPhoto,
} from '#server/features/orders/handover-photos.queries.ts'
import {
  countHandoverScans,
  findHandoverScan,
  insertHandoverScan,
} from '#server/features/orders/handovers.queries.ts'
import {
  correctedTime,
  noteOf,
  photoEndOf,
  photoOf,
  refusalsPerBag,
  undoOf,
} from '#server/features/orders/handovers.rules.ts'
import { findOrder, type OrderRow } from '#server/features/orders/orders.queries.ts'
import type { HandoverOutcome } from '#server/features/orders/orders.rules.ts'
import { lockOrderOf } from '#server/features/orders/travel.queries.ts'
import { listEventsOf, recordBagEvents } from '#server/features/orders/travel.ts'
import { findUser } from '#server/features/users/users.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { type CallLimit, takeCall } from '#server/platform/limits.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { timeInWords } from '#server/platform/times.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import {
  foreignBagsPerMinute,
  type HandoverRequest,
  type RefusalRequest,
} from '#shared/orders/handovers.api.ts'
import { handoverPhotoLongestSide } from '#shared/orders/handovers.operations.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { Booking, Location, Order } from '#shared/orders/orders.schemas.ts'
import { collectedAt, isCarried } from '#shared/orders/travel.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { isBarePhoto } from '#shared/platform/jpeg.rules.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { findSeenBy, readScannedOrder } from './order-views.ts'

const scansPerBooking = 50

export const handoverCalls: CallLimit = {
  name: 'orders.handovers',
  limits: [{ count: 30, windowMs: 60_000 }],
}

/** The limit is too low for trying many numbers. It counts per agent, so that more sessions do not raise it. */
const foreignBags: CallLimit = {
  name: 'orders.foreign-bags',
  limits: [{ count: foreignBagsPerMinute, windowMs: 60_000 }],
}

export const photoCalls: CallLimit = {
  name: 'orders.handover-photos',
  limits: [{ count: 30, windowMs: 60_000 }],
}

type Agent = Extract<Principal, { role: 'agent' }>

interface Scan {
  readonly booking: BookingRow
  readonly agentCode: string
  readonly key: string
  readonly bodyHash: string
  readonly at: number
}

/**
 * Records that the agent received a bag. A repeated request has the same outcome.
 * @throws Failure ORDER_NOT_FOUND, ALREADY_RECEIVED, DO_NOT_ACCEPT, IDEMPOTENCY_CONFLICT, INVALID_REQUEST
 */
export async function recordHandover(
  core: Core,
  agent: Agent,
  { awb, receivedAt, sentAt }: HandoverRequest,
  key: string = core.random.uuid(),
): Promise<{ order: Order; booking: Booking }> {
  const times = { receivedAt: epochOf('receivedAt', receivedAt), sentAt: epochOf('sentAt', sentAt) }
  const { booking, order } = await findOwn(core, agent, awb)
  const scan = {
    booking,
    agentCode: agent.partnerAgentId,
    key,
    // The hash leaves `sentAt` out, because it differs between two tries of one request.
    bodyHash: hashOf([awb, receivedAt]),
    at: correctedTime(times, core.clock.now(), order.paid_at ?? order.created_at),
  }
  const outcome = await core.database.transaction(() => decide(core, scan, () => receive(core, scan)))
  await expectRecorded(core, outcome, booking)
  return read(core, agent, booking)
}

/**
 * Records that the agent did not accept a bag. A repeated request has the same outcome.
 * @throws Failure ORDER_NOT_FOUND, ALREADY_RECEIVED, DO_NOT_ACCEPT, REFUSED_OFTEN, IDEMPOTENCY_CONFLICT
 */
export async function refuseBag(
  core: Core,
  agent: Agent,
  request: RefusalRequest,
  key: string = core.random.uuid(),
): Promise<{ booking: Booking }> {
  const { awb, reason, text } = request
  const { booking } = await findOwn(core, agent, awb)
  const scan = {
    booking,
    agentCode: agent.partnerAgentId,
    key,
    bodyHash: hashOf([awb, reason, text]),
    at: core.clock.now(),
  }
  const outcome = await core.database.transaction(() => decide(core, scan, () => refuse(core, scan, request)))
  await expectRecorded(core, outcome, booking)
  return { booking: (await read(core, agent, booking)).booking }
}

/**
 * Resolves when the bag belongs to another agent.
 * @throws Failure ORDER_NOT_FOUND otherwise, and for every bag when the agent has made too many calls
 */
export async function expectForeignBag(core: Core, agent: Agent, awb: string): Promise<void> {
  const isAllowed = takeCall(core, foreignBags, agent.agentId) === undefined
  const booking = isAllowed ? await findBookingByAwb(core, awb) : undefined
  const order = booking && (await findOrder(core, booking.order_id))
  if (!order || order.agent_code === agent.partnerAgentId || !isForAgent(order))
    throw failure(ordersErrors, 'ORDER_NOT_FOUND')
}

/**
 * Undoes a hand-over, once and within ten minutes after it was recorded.
 * @throws Failure ORDER_NOT_FOUND (also for a bag that the agent never received), TOO_LATE
 */
export async function undoHandover(core: Core, agent: Agent, awb: string): Promise<{ booking: Booking }> {
  const { booking } = await findOwn(core, agent, awb)
  const outcome = await core.database.transaction(async () => {
    await lockOrderOf(core, booking.id)
    const now = core.clock.now()
    const undo = undoOf(await listEventsOf(core, booking.id), now)
    if (undo.outcome === 'undo')
      await recordBagEvents(core, booking.id, [
        {
          kind: 'undone',
          data: {},
          by: agentOf(booking),
          at: now,
          key: `undo:${undo.eventId}`,
        },
      ])
    if (undo.outcome === 'undo') await deleteHandoverPhoto(core, booking.id)
    return undo.outcome
  })
  if (outcome === 'none') throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  if (outcome === 'too-late') throw failure(ordersErrors, 'TOO_LATE')
  return { booking: (await read(core, agent, booking)).booking }
}

/**
 * Stores the picture of a hand-over in place of the earlier one.
 * @throws Failure PHOTO_NOT_FOUND without HANDOVER_PHOTO; ORDER_NOT_FOUND (also when the agent has not received the
 *   bag, or the owner deleted the account); TOO_LATE; PHOTO_REFUSED
 */
export async function storeHandoverPhoto(
  core: Core,
  agent: Agent,
  awb: string,
  jpeg: Uint8Array,
): Promise<{ booking: Booking }> {
  if (!core.config.HANDOVER_PHOTO) throw failure(ordersErrors, 'PHOTO_NOT_FOUND')
  const { booking } = await findOwn(core, agent, awb)
  if (!isBarePhoto(jpeg, handoverPhotoLongestSide)) throw failure(platformErrors, 'PHOTO_REFUSED')
  await core.database.transaction(async () => {
    const order = await lockOrderOf(core, booking.id)
    // The deletion of an account locks the orders and deletes the pictures, so no picture must be stored after it.
    if (!order || !(await findUser(core, order.user_id))) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const events = await listEventsOf(core, booking.id)
    const now = core.clock.now()
    const photo = photoOf(events, now)
    if (photo.outcome === 'none') throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    if (photo.outcome === 'too-late') throw failure(ordersErrors, 'TOO_LATE')
    await writeHandoverPhoto(core, {
      booking_id: booking.id,
      taken_at: photo.takenAt,
      stored_at: now,
      delete_at: photoEndOf(now, collectedAt(events)),
      jpeg,
    })
  })
  return { booking: (await read(core, agent, booking)).booking }
}

/** @throws Failure ORDER_NOT_FOUND (also for an order of another user), PHOTO_NOT_FOUND */
export async function readHandoverPhoto(
  core: Core,
  owner: Principal,
  orderId: number,
  awb: string,
): Promise<Uint8Array> {
  await findSeenBy(core, owner, orderId)
  const photo = await findHandoverPhoto(core, orderId, awb)
  if (!photo) throw failure(ordersErrors, 'PHOTO_NOT_FOUND')
  return photo.jpeg
}

async function findOwn(
  core: Core,
  agent: Agent,
  awb: string,
): Promise<{ booking: BookingRow; order: OrderRow }> {
  const booking = await findBookingByAwb(core, awb)
  const order = booking && (await findOrder(core, booking.order_id))
  if (!booking || order?.agent_code !== agent.partnerAgentId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return { booking, order }
}

async function read(
  core: Core,
  agent: Agent,
  { order_id, awb }: BookingRow,
): Promise<{ order: Order; booking: Booking }> {
  const order = await readScannedOrder(core, agent, order_id)
  const booking = order.bookings.find((each) => each.awb === awb)
  if (!booking) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return { order, booking }
}

/** Needs a transaction. The outcome of a stored scan does not change. */
async function decide(core: Core, scan: Scan, act: () => Promise<HandoverOutcome>): Promise<HandoverOutcome> {
  const { booking, agentCode, key, bodyHash, at } = scan
  // The order is locked first, so that nothing that `act` reads changes before the outcome is stored.
  await lockOrderOf(core, booking.id)
  const earlier = await findHandoverScan(core, agentCode, key)
  if (earlier?.body_hash === bodyHash) return earlier.outcome
  if (earlier) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  const outcome = await act()
  const isRecorded = outcome === 'received' || outcome === 'not-accepted'
  // When a bag has many scans, a scan that changed nothing is not stored. Its repetition is decided again.
  if (!isRecorded && (await countHandoverScans(core, booking.id)) >= scansPerBooking) return outcome
  const isStored = await insertHandoverScan(core, {
    agent_code: agentCode,
    key,
    body_hash: bodyHash,
    booking_id: booking.id,
    outcome,
    at,
    recorded_at: core.clock.now(),
  })
  // A simultaneous request has used the same key for another airway bill.
  if (!isStored) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  return outcome
}

async function obstacleOf(
  core: Core,
  booking: BookingRow,
): Promise<'already-received' | 'refused' | undefined> {
  const bookings = await findBookings(core, [booking.order_id])
  const carriage = bookings.find(({ id }) => id === booking.id)?.carriage ?? 'none'
  if (carriage === 'none' || carriage === 'void') return 'refused'
  return isCarried(carriage) ? 'already-received' : undefined
}

async function record(core: Core, { booking }: Scan, event: NewBagEvent) {
  const recorded = await recordBagEvents(core, booking.id, [event])
  // The event of this key was undone and its scan was deleted, so the transaction is rolled back.
  if (!recorded?.added) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
}

async function receive(core: Core, scan: Scan): Promise<HandoverOutcome> {
  const { booking, key, at } = scan
  const obstacle = await obstacleOf(core, booking)
  if (obstacle) return obstacle
  await record(core, scan, {
    kind: 'received',
    data: {},
    by: agentOf(booking),
    at,
    key: `handover:${hashOf([key])}`,
  })
  return 'received'
}

async function refuse(core: Core, scan: Scan, { reason, text }: RefusalRequest): Promise<HandoverOutcome> {
  const { booking, key, at } = scan
  const obstacle = await obstacleOf(core, booking)
  if (obstacle) return obstacle
  const events = await listEventsOf(core, booking.id)
  if (events.filter(({ kind }) => kind === 'not-accepted').length >= refusalsPerBag)
    throw failure(ordersErrors, 'REFUSED_OFTEN')
  const note = noteOf(text)
  await record(core, scan, {
    kind: 'not-accepted',
    data: { reason, personal: note === null ? null : { text: note } },
    by: agentOf(booking),
    at,
    key: refusalKeyOf(key),
  })
  return 'not-accepted'
}

async function expectRecorded(core: Core, outcome: HandoverOutcome, booking: BookingRow) {
  if (outcome === 'refused') throw failure(ordersErrors, 'DO_NOT_ACCEPT')
  if (outcome === 'already-received') throw alreadyReceived(await receivedAtOf(core, booking))
}

async function receivedAtOf(core: Core, { id, last_event_at }: BookingRow) {
  const events = await listEventsOf(core, id)
  return events.findLast(({ kind }) => kind === 'handed-over')?.at ?? last_event_at ?? core.clock.now()
}

const agentOf = ({ origin }: BookingRow): NewBagEvent['by'] => ({
  kind: 'agent',
  name: (JSON.parse(origin) as Location).name ?? '',
})

export const refusalKeyOf = (key: string) => `refusal:${hashOf([key])}`

const hashOf = (facts: readonly (string | undefined)[]) =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url')

function alreadyReceived(at: number): Failure {
  return failure(ordersErrors, 'ALREADY_RECEIVED', {
    values: { time: timeInWords(at) },
    receivedAt: isoOf(at),
  })
}

function epochOf(field: string, time: string | undefined) {
  if (time === undefined) return undefined
  const epochMs = Date.parse(time)
  if (Number.isNaN(epochMs))
    throw failure(platformErrors, 'INVALID_REQUEST', {
      fields: [{ field, text: { ar: 'ليس وقتًا صحيحًا.', en: 'This is not a time.' } }],
    })
  return epochMs
}
