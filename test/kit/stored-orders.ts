import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import type { NewBooking } from '#server/features/orders/bookings.store.ts'
import type { NewOrder } from '#server/features/orders/order-creation.store.ts'
import type { OrdersStore } from '#server/features/orders/orders.store.ts'
import { createTravelStore } from '#server/features/orders/travel.store.ts'
import type { NewReceipt } from '#server/features/receipts/receipts.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import { minute, contractNoon as noon } from './clock.ts'

/** An order as the store takes it: of one leg, from the agent A01 to the branch 1. */
export const newOrder = (userId: number, change: Partial<NewOrder> = {}): NewOrder => ({
  userId,
  type: 'FROM_MINA',
  amountHalalas: 5_000,
  currency: 'SAR',
  agentCode: 'A01',
  centerCode: '1',
  createdAt: noon,
  ...change,
})

export const newLeg = (reference: string, leg = 0, place = '{"coordinates":null}'): NewBooking => ({
  leg,
  reference,
  origin: place,
  destination: place,
})

/** Gives the booking that is due first its number and its label; returns the booking. */
export async function issueLabel(
  store: Pick<OrdersStore, 'leaseBooking' | 'setAwb' | 'storeLabel'>,
  awb: string,
  at: number = noon,
): Promise<number> {
  const booking = await store.leaseBooking('lease', at, at + minute)
  const id = booking?.id ?? 0
  await store.setAwb(id, 'lease', awb)
  await store.storeLabel(id, new Uint8Array([1]), at)
  return id
}

interface EventFacts {
  readonly key?: string
  readonly place?: string
  readonly code?: string
  readonly text?: string
}

/** A scan of the courier, as it is recorded. */
export const scanOf = (
  scan: EventKind,
  at: number,
  { key = `${scan} ${at}`, place, code, text }: EventFacts = {},
): NewBagEvent => ({
  kind: 'scan',
  data: {
    scan,
    code: code ?? null,
    personal: place === undefined && text === undefined ? null : { place: place ?? null, text: text ?? null },
  },
  by: { kind: 'courier' },
  at,
  key,
})

/** A hand-over and its undoing are the agent's, other events scans of the courier. */
export function bagEvent(kind: EventKind, at: number, facts: EventFacts = {}): NewBagEvent {
  const { key = `${kind} ${at}`, place = null } = facts
  const byAgent = { by: { kind: 'agent', name: place ?? '' }, at, key } as const
  if (kind === 'handed-over') return { kind: 'received', data: {}, ...byAgent }
  if (kind === 'hand-over-undone') return { kind: 'undone', data: {}, ...byAgent }
  return scanOf(kind, at, facts)
}

/** Stores events of a bag, one minute apart, and what follows from them; scans are the courier's. */
export function storeEvents(
  database: Database,
  bookingId: number,
  kinds: readonly EventKind[],
  from: number = noon,
): Promise<void> {
  const store = createTravelStore(database)
  return database.transaction(async () => {
    const order = await store.lockOrderOf(bookingId)
    const orderId = order?.id ?? 0
    for (const [index, kind] of kinds.entries())
      await store.insertEvent({ orderId, bookingId }, bagEvent(kind, from + index * minute))
    await store.setCarriage(orderId)
  })
}

/** Rows of an order, its booking and its label, without their user. */
export const orderRow = {
  id: 900,
  type: 'FROM_MINA',
  payment: 'paid',
  amount_halalas: 5_000,
  currency: 'SAR',
  agent_code: 'A01',
  center_code: '1',
  created_at: noon,
}
export const bookingRow = {
  id: 7,
  order_id: orderRow.id,
  leg: 0,
  reference: 'AM-1',
  origin: '{}',
  destination: '{}',
  state: 'issued',
  tries: 1,
  due_at: null,
  leased_until: 0,
}
export const labelRow = {
  booking_id: bookingRow.id,
  pdf: new Uint8Array([0x25, 0x50, 0x00, 0xff]),
  stored_at: noon,
}

/** An invoice of the whole amount of an order. */
export const newReceipt = (orderId: number, change: Partial<NewReceipt> = {}): NewReceipt => ({
  kind: 'invoice',
  order_id: orderId,
  transaction_id: `T${orderId}`,
  corrects: null,
  reason: null,
  amount_halalas: 5_000,
  returned_halalas: 0,
  issued_at: noon,
  uuid: crypto.randomUUID(),
  ...change,
})
