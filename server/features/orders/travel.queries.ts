import { listBagEventsOf } from '#server/features/history/bag-events.ts'
import { listEventsOfBags, recordEvent, sendEvent } from '#server/features/history/history.ts'
import { type CarriageNews, writeMessages } from '#server/features/history/outbox.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { prepared } from '#server/platform/database/prepared.ts'
import {
  type Carriage,
  carriageOf,
  carriedOf,
  collectedAt,
  handOverCountOf,
  stateOfCarriage,
} from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { schedulePhotoDeletion } from './handover-photos.queries.ts'
import { isNotified } from './receivers.rules.ts'

const bySystem = { kind: 'system' } as const

function lockOrders({ database }: QueryCore) {
  database.assertTransaction()
  return (
    database.tables
      .selectFrom('orders')
      .select(['id', 'user_id', 'payment', 'ended', 'handed_over'])
      // SQLite has one writer at a time, so it needs no lock.
      .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
  )
}

/**
 * Needs a transaction. Locks the order, so that its hand-overs, scans, cancellation and refunds run one after the
 * other.
 */
export async function lockOrderOf(core: QueryCore, bookingId: number) {
  const { database } = core
  const [order] = await database.rows(
    lockOrders(core).where('id', '=', (query) =>
      query.selectFrom('bookings').select('bookings.order_id').where('bookings.id', '=', bookingId),
    ),
  )
  return order
}

/** Needs a transaction. Unpaid orders are not locked, because an agent receives no bag of them. */
export async function lockOrdersOf(core: QueryCore, userId: number): Promise<void> {
  const ofUser = lockOrders(core).where('user_id', '=', userId).where('payment', '!=', 'unpaid')
  await core.database.rows(ofUser.orderBy('id'))
}

export async function lockOrder(core: QueryCore, orderId: number): Promise<void> {
  await core.database.rows(lockOrders(core).where('id', '=', orderId))
}

const listBags = prepared(({ database }: QueryCore, orderId: number) =>
  database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .select(['bookings.id', 'bookings.state', 'bookings.carriage', 'bookings.last_event_at'])
    .select(['bookings.receiver', 'bookings.receiver_phone'])
    .select(['orders.payment', 'orders.handed_over', 'orders.user_id'])
    .where('bookings.order_id', '=', orderId),
)

/** Only this function writes `bookings.carriage` and `orders.handed_over`. The caller must have locked the order. */
export async function setCarriage(core: QueryCore, orderId: number): Promise<ReadonlyMap<number, Carriage>> {
  const { database } = core
  database.assertTransaction()
  const [bags, eventsOf] = await Promise.all([listBags(core, orderId), listBagEventsOf(core, orderId)])
  const carriages = new Map<number, Carriage>()
  for (const { id, state, payment, carriage: before, last_event_at: lastBefore } of bags) {
    const events = eventsOf.get(id) ?? []
    const carriage = carriageOf({ isPaid: payment !== 'unpaid', isLabelled: state === 'issued', events })
    carriages.set(id, carriage)
    const last = events.length === 0 ? null : Math.max(...events.map(({ at }) => at))
    if (carriage === before && last === lastBefore) continue
    await database.send(
      database.tables.updateTable('bookings').set({ carriage, last_event_at: last }).where('id', '=', id),
    )
    if ((carriage === 'collected') !== (before === 'collected'))
      await schedulePhotoDeletion(core, id, collectedAt(events))
  }
  const count = handOverCountOf([...carriages.values()])
  if (bags[0]?.handed_over === count) return carriages
  await database.send(
    database.tables.updateTable('orders').set({ handed_over: count }).where('id', '=', orderId),
  )
  return carriages
}

/**
 * The caller must have locked the order. Bags that were handed over do not change.
 * @param forGood the bags stay void even after their refund is written off
 */
export async function makeVoid(
  core: QueryCore,
  orderId: number,
  now: number,
  forGood = false,
): Promise<ReadonlyMap<number, Carriage>> {
  const [bags, eventsOf] = await Promise.all([listBags(core, orderId), listBagEventsOf(core, orderId)])
  for (const { id: bookingId, carriage } of bags) {
    if (carriage === 'void' || carriedOf(eventsOf.get(bookingId) ?? []) !== null) continue
    await sendEvent(core, {
      kind: 'bag-void',
      data: { forGood },
      by: bySystem,
      at: now,
      orderId,
      bookingId,
    })
  }
  return setCarriage(core, orderId)
}

/**
 * Undoes the last `makeVoid` after a refund was written off, and sends the messages about bags that arrived since then.
 * The caller must have locked the order.
 */
export async function makeValid(core: QueryCore, orderId: number): Promise<void> {
  const [bags, events] = await Promise.all([listBags(core, orderId), listEventsOfBags(core, orderId)])
  const made = new Map<number, number | undefined>()
  for (const { id: bookingId } of bags) {
    const last = events.findLast(
      (event) => event.bookingId === bookingId && (event.kind === 'bag-void' || event.kind === 'bag-valid'),
    )
    if (last?.kind !== 'bag-void' || last.data.forGood) continue
    const id = await recordEvent(core, { kind: 'bag-valid', data: {}, by: bySystem, orderId, bookingId })
    made.set(bookingId, id)
  }
  const carriages = await setCarriage(core, orderId)
  for (const bag of bags) {
    const id = made.get(bag.id)
    if (id === undefined) continue
    const after = carriages.get(bag.id) ?? bag.carriage
    await writeMessages(
      core,
      { id, kind: 'bag-valid', data: {}, orderId, bookingId: bag.id, userId: bag.user_id },
      {
        carriage: carriageChange(stateOfCarriage[bag.carriage], stateOfCarriage[after]),
        hasReceiver: isNotified(bag),
      },
    )
  }
}

/** The owner gets one message, about the newest of several changes. */
export function carriageChange(
  before: TravelState | null,
  after: TravelState | null,
): CarriageNews | undefined {
  if (after === before) return undefined
  if (after === 'AT_BRANCH') return 'at-branch'
  if (after === 'COLLECTED') return 'collected'
  if (after === 'EXCEPTION') return 'exception'
  if (isHandedOver(after) === isHandedOver(before)) return undefined
  return isHandedOver(after) ? 'handed-over' : 'given-back'
}
