import type { Core } from '#server/core.ts'
import { type BagEvent, listBagEvents } from '#server/features/history/bag-events.ts'
import { type AgentReader, discloseContacts } from '#server/features/orders/agent-contacts.ts'
import { isForAgent } from '#server/features/orders/agent-list.rules.ts'
import { bagsOf, countAgentOrders, findAgentOrders } from '#server/features/orders/agent-list.ts'
import { type BookingRow, findBookings } from '#server/features/orders/bookings.queries.ts'
import { findCancellable } from '#server/features/orders/cancellation.ts'
import { listHandoverPhotos } from '#server/features/orders/handover-photos.queries.ts'
import { readKeptTerms } from '#server/features/orders/kept-terms.ts'
import { type FoundLabel, findLabel, findLabelled } from '#server/features/orders/labels.queries.ts'
import { findOrder, listOrdersOfUser, type OrderRow } from '#server/features/orders/orders.queries.ts'
import { isPayable, legOf, refundOf } from '#server/features/orders/orders.rules.ts'
import { receiverOf } from '#server/features/orders/receivers.rules.ts'
import { refreshPayment } from '#server/features/payments/inquiries.ts'
import { findOrderOfPayment, findRefundSummaries } from '#server/features/payments/payments.ts'
import { findReceipts } from '#server/features/receipts/receipts.ts'
import { findOwners } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { readLabelPdf } from '#shared/orders/orders.api.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type {
  AgentOrderPage,
  AgentOrdersQuery,
  Booking,
  Order,
  OrderExport,
} from '#shared/orders/orders.schemas.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import { isCarried, stateOfCarriage } from '#shared/orders/travel.rules.ts'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'

interface PageInput {
  readonly cursor: string | undefined
  readonly limit: string | undefined
}

const defaultPageSize = 20
const pageSizeOf = (limit: string | undefined) => (limit === undefined ? defaultPageSize : Number(limit))
const idOf = (cursor: string | undefined) => (cursor === undefined ? undefined : Number(cursor))

/**
 * Reads an order as its owner or its agent is allowed to see it.
 * @throws Failure ORDER_NOT_FOUND (also for an order of another user or agent); TOO_MANY_CALLS when the agent has read
 *   too many names
 */
export const readOrderFor = async (core: Core, principal: Principal, id: number): Promise<Order> =>
  viewOf(core, principal, await readOrderParts(core, id), 'refused')

/** Like `readOrderFor`, but leaves out names and phones when the agent has read too many. */
export const readScannedOrder = async (core: Core, agent: Principal, id: number): Promise<Order> =>
  viewOf(core, agent, await readOrderParts(core, id), 'hidden')

/** The caller must check the reader afterwards (`maySee`). */
export const readOrderParts = (core: Core, id: number) =>
  core.database.together(async () => {
    const [row, parts] = await Promise.all([findOrder(core, id), readParts(core, [id])])
    return { row, parts }
  })

export type OrderParts = Awaited<ReturnType<typeof readOrderParts>>

/**
 * Asks the payment provider about an unpaid order first, because the callback can be late or lost
 * (docs/wires/payment.md R13).
 * @throws Failure ORDER_NOT_FOUND
 */
export async function readFreshOrder(
  core: Core,
  principal: Principal,
  key: string,
  read?: OrderParts,
): Promise<Order> {
  const id = await orderNumberOf(core, key)
  const order = await viewOf(core, principal, read ?? (await readOrderParts(core, id)), 'refused')
  if (order.status !== 'PENDING_PAYMENT') return order
  await refreshPayment(core, id)
  return readOrderFor(core, principal, id)
}

export const orderNumberIn = (key: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(key) ? Number(key) : undefined

/** @param key an order number, or our reference of a payment. @throws Failure ORDER_NOT_FOUND */
export async function orderNumberOf(core: Core, key: string): Promise<number> {
  const id = orderNumberIn(key) ?? (await findOrderOfPayment(core, key))
  if (id === undefined) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return id
}

export const readPage = (core: Core, userId: number, { cursor, limit }: PageInput): Promise<OrderRow[]> =>
  listOrdersOfUser(core, userId, { limit: pageSizeOf(limit) + 1, before: idOf(cursor) })

export async function listForUser(
  core: Core,
  userId: number,
  page: PageInput,
  read?: readonly OrderRow[],
): Promise<{ orders: Order[]; nextCursor: string | null }> {
  const size = pageSizeOf(page.limit)
  const rows = read ?? (await readPage(core, userId, page))
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  const parts = await readParts(
    core,
    shown.map(({ id }) => id),
  )
  return {
    orders: await compose(core, shown, parts.bookings, await readOwnFacts(core, shown, parts)),
    nextCursor: rows.length > size && last ? String(last.id) : null,
  }
}

/**
 * Searches the paid and refunded orders of an agent, and counts all of them by state.
 * @throws Failure TOO_MANY_CALLS after too many searches of a session, or too many names read by the agent
 */
export async function listForAgent(
  core: Core,
  agentCode: string,
  { q = '', state, city, order = 'newest', cursor, limit }: AgentOrdersQuery,
  session: string,
): Promise<Omit<AgentOrderPage, 'success'>> {
  const { rows, next } = await findAgentOrders(core, agentCode, {
    q,
    state,
    city,
    order,
    after: idOf(cursor),
    limit: pageSizeOf(limit),
    session,
  })
  const ids = rows.map(({ id }) => id)
  const [bookings, owners, counts] = await core.database.together(() =>
    Promise.all([bagsOf(core, rows), findOwners(core, ids), countAgentOrders(core, agentCode)]),
  )
  const agent = { agentCode, beyondLimit: 'refused' } as const
  return {
    orders: await compose(core, rows, bookings, await readAgentFacts(core, agent, rows, bookings, owners)),
    counts,
    nextCursor: next === null ? null : String(next),
  }
}

/**
 * A label contains names, so it counts for the agent's limit of names.
 * @throws Failure LABEL_NOT_FOUND (also for a label of another user or agent); LABEL_NOT_READY (the file does not exist
 *   yet); LABEL_DELETED; LABEL_WITHDRAWN (the bag is void); for an agent LABEL_CLOSED and TOO_MANY_CALLS
 */
export const readLabel = async (core: Core, principal: Principal, awb: string): Promise<Uint8Array> =>
  labelFor(core, principal, await findLabel(core, awb))

/** @throws the errors of `readLabel` */
export async function labelFor(
  core: Core,
  principal: Principal,
  found: FoundLabel | undefined,
): Promise<Uint8Array> {
  if (!found || !maySee(principal, found)) throw failure(ordersErrors, 'LABEL_NOT_FOUND')
  const { pdf, state, carriage } = found
  // An `issued` booking had a label file, which was deleted with the account or after its retention.
  if (!pdf && state === 'issued') throw failure(ordersErrors, 'LABEL_DELETED')
  if (carriage === 'void') throw failure(ordersErrors, 'LABEL_WITHDRAWN')
  if (!pdf) throw failure(ordersErrors, 'LABEL_NOT_READY', { retryAfterSeconds: 5 })
  if (principal.role === 'agent') {
    const reader = { agentCode: principal.partnerAgentId, beyondLimit: 'refused' } as const
    const shown = await discloseContacts(core, reader, [found], await bagsOf(core, [found]))
    if (!shown.has(found.id)) throw failure(ordersErrors, 'LABEL_CLOSED')
  }
  return pdf
}

export const exportOrders = async (
  core: Core,
  userId: number,
  before: number | undefined,
  limit: number,
): Promise<OrderExport[]> => exportRows(core, await listOrdersOfUser(core, userId, { limit, before }))

export async function exportOrder(
  core: Core,
  id: number,
): Promise<{ userId: number; order: OrderExport } | undefined> {
  const row = await findOrder(core, id)
  const [order] = row ? await exportRows(core, [row]) : []
  return row && order && { userId: row.user_id, order }
}

/** @throws Failure ORDER_NOT_FOUND (also for an order of another user or agent) */
export async function findSeenBy(core: Core, principal: Principal, id: number): Promise<OrderRow> {
  const row = await findOrder(core, id)
  if (!row || !maySee(principal, row)) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return row
}

async function viewOf(
  core: Core,
  principal: Principal,
  { row, parts }: OrderParts,
  beyondLimit: AgentReader['beyondLimit'],
): Promise<Order> {
  if (!row || !maySee(principal, row)) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const facts =
    principal.role === 'agent'
      ? await readAgentFacts(
          core,
          { agentCode: principal.partnerAgentId, beyondLimit },
          [row],
          parts.bookings,
          await findOwners(core, [row.id]),
        )
      : await readOwnFacts(core, [row], parts)
  const [order] = await compose(core, [row], parts.bookings, facts)
  if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return order
}

function maySee(principal: Principal, row: OrderRow) {
  if (principal.role === 'user') return row.user_id === principal.userId
  return row.agent_code === principal.partnerAgentId && isForAgent(row)
}

type Bags = ReadonlyMap<number, readonly BookingRow[]>

type Parts = Awaited<ReturnType<typeof readParts>>

const readParts = (core: Core, ids: readonly number[]) =>
  core.database.together(async () => {
    const [bookings, refunds, receipts] = await Promise.all([
      findBookings(core, ids),
      findRefundSummaries(core, ids),
      findReceipts(core, ids),
    ])
    const bags: Bags = Map.groupBy(bookings, (row) => row.order_id)
    return { bookings: bags, refunds, receipts }
  })

async function compose(
  core: Core,
  rows: readonly OrderRow[],
  bookings: Bags,
  facts: (row: OrderRow) => Facts,
): Promise<Order[]> {
  const seen = [...bookings.values()].flat()
  const [events, photos] = await core.database.together(() =>
    Promise.all([listEventsOfSeen(core, seen), listPhotosOfCarried(core, seen)]),
  )
  return rows.map((row) => {
    const { isNamed, payable, photo, ...own } = facts(row)
    const bags = bookings.get(row.id) ?? []
    return {
      orderId: row.id,
      status: statusOf(row),
      ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
      type: row.type,
      creationDate: isoOf(row.created_at),
      ...(isNamed && receiverOf(bags[0])),
      payable,
      ...own,
      bookings: bags.map((booking) =>
        bookingOf(
          isNamed ? booking : { ...booking, receiver: null },
          events.get(booking.id),
          photo(photos.get(booking.id)),
        ),
      ),
    }
  })
}

type Facts = Partial<Order> &
  Pick<Order, 'payable'> & {
    readonly isNamed: boolean
    readonly photo: (takenAt: number | undefined) => ShownPhoto
  }

async function readAgentFacts(
  core: Core,
  agent: AgentReader,
  rows: readonly OrderRow[],
  bookings: Bags,
  owners: ReadonlyMap<number, User>,
): Promise<(row: OrderRow) => Facts> {
  const shown = await discloseContacts(core, agent, rows, bookings)
  return (row) => {
    const isNamed = shown.has(row.id)
    const user = isNamed ? owners.get(row.user_id) : undefined
    return {
      isNamed,
      photo: hasPhotoOf,
      payable: isPayable(row),
      user: { name: user?.name ?? null, phone: user?.phone ?? null },
    }
  }
}

async function readOwnFacts(
  core: Core,
  rows: readonly OrderRow[],
  { refunds, receipts }: Parts,
): Promise<(row: OrderRow) => Facts> {
  const terms = await readKeptTerms(
    core,
    rows.map((row) => row.terms_version),
  )
  const cancellable = await findCancellable(core, rows)
  return (row) => {
    const summary = refunds.get(row.id)
    const refund = refundOf(row, summary?.refund, summary?.writtenOff)
    const promises = terms.get(row.terms_version)?.promises
    return {
      isNamed: true,
      photo: photoOf,
      payable: isPayable(row) && !summary?.blocksPayment,
      amount: riyalsOf(row.amount_halalas),
      ...(row.paid_at !== null && { paidAt: isoOf(row.paid_at) }),
      agentCode: row.agent_code,
      centerCode: row.center_code,
      cancellable: cancellable.has(row.id),
      ...(refund && { refund }),
      hasReceipt: receipts.has(row.id),
      ...(promises && { promises }),
    }
  }
}

async function exportRows(core: Core, rows: readonly OrderRow[]): Promise<OrderExport[]> {
  const bookings = await bagsOf(core, rows)
  const bags = [...bookings.values()].flat()
  const labelled = await findLabelled(
    core,
    bags.map(({ id }) => id),
  )
  const events = await listEventsOfSeen(core, bags)
  const photos = await listPhotosOfCarried(core, bags)
  const terms = await readKeptTerms(
    core,
    rows.map(({ terms_version: version }) => version),
  )
  return rows.map((row) => ({
    orderId: row.id,
    status: statusOf(row),
    type: row.type,
    amountHalalas: row.amount_halalas,
    currency: row.currency,
    agentCode: row.agent_code,
    centerCode: row.center_code,
    transactionId: row.transaction_id,
    createdAt: isoOf(row.created_at),
    paidAt: row.paid_at === null ? null : isoOf(row.paid_at),
    ...termsOf(row, terms.get(row.terms_version)),
    ...receiverOf(bookings.get(row.id)?.[0]),
    bookings: (bookings.get(row.id) ?? []).map((booking) => ({
      reference: booking.reference,
      ...bookingOf(booking, events.get(booking.id), photoOf(photos.get(booking.id))),
      labelState: booking.state,
      label:
        booking.awb !== null && labelled.has(booking.id) && booking.carriage !== 'void'
          ? readLabelPdf.path.replace(':awb', booking.awb)
          : null,
    })),
  }))
}

const listEventsOfSeen = (core: Core, bookings: readonly BookingRow[]) =>
  listBagEvents(
    core,
    bookings.filter((row) => row.last_event_at !== null).map(({ id }) => id),
  )

const listPhotosOfCarried = (core: Core, bookings: readonly BookingRow[]) =>
  listHandoverPhotos(
    core,
    bookings.filter(({ carriage }) => isCarried(carriage)).map(({ id }) => id),
  )

type ShownPhoto = Pick<Booking, 'photo' | 'hasPhoto'>

const photoOf = (takenAt: number | undefined): ShownPhoto =>
  takenAt === undefined ? {} : { photo: { takenAt: isoOf(takenAt) } }

const hasPhotoOf = (takenAt: number | undefined): ShownPhoto =>
  takenAt === undefined ? {} : { hasPhoto: true }

/** Terms are missing for an order that was created before terms were stored. */
function termsOf(
  { terms_version: version, terms_language: language }: OrderRow,
  shown: KeptTerms | undefined,
): Pick<OrderExport, 'terms'> {
  if (version === null || language === null || shown === undefined) return {}
  return { terms: { version, language, shown } }
}

function bookingOf(row: BookingRow, events: readonly BagEvent[] = [], photo: ShownPhoto = {}): Booking {
  return {
    awb: row.awb,
    ...(row.receiver !== null && { receiver: row.receiver }),
    ...(row.state === 'labelling' && { labelPending: true }),
    ...photo,
    ...legOf(row),
    state: stateOfCarriage[row.carriage],
    lastEventAt: row.last_event_at === null ? null : isoOf(row.last_event_at),
    events: events.toSorted((a, b) => a.at - b.at || a.id - b.id).map(eventOf),
  }
}

function eventOf({ kind, at, source, place, code, text }: BagEvent): BookingEvent {
  return {
    kind,
    at: isoOf(at),
    source,
    ...(place !== null && { place }),
    ...(code !== null && { code }),
    ...(text !== null && { text }),
  }
}
