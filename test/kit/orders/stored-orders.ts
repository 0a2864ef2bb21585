import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { leaseDueBooking, type NewBooking, setAwb } from '#server/features/orders/bookings.queries.ts'
import { recordLabel } from '#server/features/orders/labels.queries.ts'
import { insertOrder, type NewOrder } from '#server/features/orders/order-creation.queries.ts'
import { lockOrderOf, setCarriage } from '#server/features/orders/travel.queries.ts'
import type { NewReceipt } from '#server/features/receipts/receipts.queries.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import { minute, contractNoon as noon } from '../basics/clock.ts'

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

/** Stores an unpaid order and its bookings, whatever its user has open; returns its number. */
export function storeOrder(core: QueryCore, order: NewOrder, legs: readonly NewBooking[]): Promise<number> {
  const limit = { limit: Number.MAX_SAFE_INTEGER, droppedSince: order.createdAt }
  return core.database.transaction(async () => {
    const id = await insertOrder(core, limit, order, legs)
    if (id === undefined) throw new Error('an order without a limit was not stored')
    return id
  })
}

/** Gives the booking that is due first its number and its label; returns the booking. */
export async function issueLabel({ database }: QueryCore, awb: string, at: number = noon): Promise<number> {
  const core = { database, clock: { now: () => at } }
  const booking = await leaseDueBooking(core, 'lease', at, at + minute)
  const id = booking?.id ?? 0
  await setAwb(core, id, 'lease', awb)
  await recordLabel(core, id, new Uint8Array([1]))
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
  const core = { database }
  return database.transaction(async () => {
    const order = await lockOrderOf(core, bookingId)
    const orderId = order?.id ?? 0
    for (const [index, kind] of kinds.entries())
      await recordEvent(core, { ...bagEvent(kind, from + index * minute), orderId, bookingId })
    await setCarriage(core, orderId)
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
