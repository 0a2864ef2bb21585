import type { BagEvent } from '#server/features/history/bag-events.ts'
import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type {
  AgentOrderPage,
  AgentOrdersQuery,
  Booking,
  OpenedPayment,
  Order,
  OrderExport,
  OrderRefund,
} from '#shared/orders/orders.schemas.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import {
  type AgentContacts,
  type AgentContactsDeps,
  type AgentReader,
  createAgentContacts,
} from './agent-contacts.service.ts'
import { isForAgent } from './agent-list.rules.ts'
import { type AgentListDeps, createAgentList } from './agent-list.service.ts'
import type { BookingRow } from './bookings.store.ts'
import { type CancellationDeps, createCancellability } from './cancellation.service.ts'
import { createKeptTerms, type KeptTermsService } from './kept-terms.service.ts'
import { isPayable, legOf, refundOf } from './orders.rules.ts'
import type { OrderRow } from './orders.store.ts'
import { receiverOf } from './receivers.rules.ts'

export interface OrderViewsDeps
  extends Omit<AgentListDeps, 'contacts'>,
    Omit<AgentContactsDeps, 'store'>,
    CancellationDeps {
  readonly refunds: {
    /** Refunds of the orders; orders without any are absent. */
    findRefunds(orderIds: readonly number[]): Promise<ReadonlyMap<number, RefundSummary>>
  }
  readonly receipts: {
    /** Those of the orders that have a receipt. */
    findReceipts(orderIds: readonly number[]): Promise<ReadonlySet<number>>
  }
}

export interface RefundSummary {
  /** No payment can be started until the money is back. */
  readonly blocksPayment: boolean
  readonly refund: OrderRefund | undefined
  /** A refund that could not be made at the provider and was closed by staff, and whose money is not back. */
  readonly writtenOff?: OrderRefund | undefined
}

interface PageInput {
  readonly cursor: string | undefined
  readonly limit: string | undefined
}

export interface OrdersPage {
  readonly orders: Order[]
  readonly nextCursor: string | null
}

export type AgentOrdersPage = Omit<AgentOrderPage, 'success'>

const defaultPageSize = 20
const pageSizeOf = (limit: string | undefined) => (limit === undefined ? defaultPageSize : Number(limit))

/** Orders and labels as users and agents read them. */
export function createOrderViews(deps: OrderViewsDeps) {
  const keptTerms = createKeptTerms(deps.store)
  const parts = { ...deps, keptTerms, contacts: createAgentContacts(deps) }
  return {
    ...createOrderReads(parts),
    ...createLabelReads(parts),
    ...createExports(parts),
    findPromises: keptTerms.findPromises,
  }
}

type ReadsDeps = OrderViewsDeps &
  AgentListDeps & { readonly contacts: AgentContacts; readonly keptTerms: KeptTermsService }

function createOrderReads(deps: ReadsDeps) {
  const { store, contacts, keptTerms } = deps
  const cancellation = createCancellability(deps)
  const agentList = createAgentList(deps)

  /**
   * @param agent reads them: with name and phone of their people as far as it is shown them, and without amount and refund,
   * which concern only the owner. @throws Failure TOO_MANY_CALLS
   */
  async function assemble(rows: readonly OrderRow[], agent?: AgentReader): Promise<Order[]> {
    const ids = rows.map(({ id }) => id)
    const bookings = Map.groupBy(await store.findBookings(ids), (row) => row.order_id)
    const shown = agent && (await contacts.show(agent, rows, bookings))
    const forAgent = shown !== undefined
    const seen = [...bookings.values()].flat().filter(wasSeen)
    const events = await store.findEvents(seen.map(({ id }) => id))
    const refunds = await deps.refunds.findRefunds(forAgent ? [] : ids)
    const receipts = forAgent ? undefined : await deps.receipts.findReceipts(ids)
    const terms = forAgent ? undefined : await keptTerms.find(rows.map((row) => row.terms_version))
    const cancellable = forAgent ? new Set<number>() : await cancellation.cancellableOf(rows)
    const named = rows.filter(({ id }) => shown?.has(id))
    const users = await deps.users.findUsers(named.map((row) => row.user_id))
    return rows.map((row) => {
      const isNamed = shown?.has(row.id) ?? true
      const summary = refunds.get(row.id)
      const promises = terms?.get(row.terms_version)?.promises
      const refund = forAgent ? undefined : refundOf(row, summary?.refund, summary?.writtenOff)
      return {
        orderId: row.id,
        status: statusOf(row),
        ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
        type: row.type,
        creationDate: isoOf(row.created_at),
        ...(forAgent ? {} : ownFactsOf(row)),
        ...(forAgent ? { user: contactOf(isNamed ? users.get(row.user_id) : undefined) } : {}),
        ...(isNamed ? receiverOf(bookings.get(row.id)?.[0]) : {}),
        payable: isPayable(row) && !summary?.blocksPayment,
        ...(forAgent ? {} : { cancellable: cancellable.has(row.id) }),
        ...(refund ? { refund } : {}),
        ...(receipts ? { hasReceipt: receipts.has(row.id) } : {}),
        ...(promises ? { promises } : {}),
        bookings: (bookings.get(row.id) ?? []).map((booking) =>
          bookingOf(isNamed ? booking : { ...booking, receiver: null }, events.get(booking.id)),
        ),
      }
    })
  }

  /** @throws Failure ORDER_NOT_FOUND, also for an order of another user or agent. */
  async function findSeenBy(principal: Principal, id: number): Promise<OrderRow> {
    const row = await store.findOrder(id)
    if (!row || !maySee(principal, row)) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return row
  }

  async function read(
    principal: Principal,
    id: number,
    beyondLimit: AgentReader['beyondLimit'],
  ): Promise<Order> {
    const row = await findSeenBy(principal, id)
    const agentCode = principal.role === 'agent' ? principal.partnerAgentId : undefined
    const [order] = await assemble([row], agentCode === undefined ? undefined : { agentCode, beyondLimit })
    if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    return order
  }

  return {
    /** @throws Failure ORDER_NOT_FOUND where `readFor` does. */
    async expectSeenBy(principal: Principal, id: number): Promise<void> {
      await findSeenBy(principal, id)
    },

    /** @throws Failure ORDER_NOT_FOUND, also for an order of another user or agent; TOO_MANY_CALLS to an agent. */
    readFor: (principal: Principal, id: number): Promise<Order> => read(principal, id, 'refused'),

    /** The order of a scanned bag. Beyond the limit of the agent it names no people, and is answered all the same. */
    readScanned: (agent: Principal, id: number): Promise<Order> => read(agent, id, 'hidden'),

    /** The partner's id of the agent in whose list the order is; undefined when it is in none. */
    async findListingAgent(id: number): Promise<string | undefined> {
      const row = await store.findOrder(id)
      return row && isForAgent(row) ? row.agent_code : undefined
    },

    async listForUser(userId: number, { cursor, limit }: PageInput): Promise<OrdersPage> {
      const size = pageSizeOf(limit)
      const rows = await store.listOfUser(userId, {
        limit: size + 1,
        ...(cursor === undefined ? {} : { before: Number(cursor) }),
      })
      const shown = rows.slice(0, size)
      const last = shown.at(-1)
      return {
        orders: await assemble(shown),
        nextCursor: rows.length > size && last ? String(last.id) : null,
      }
    },

    /**
     * The paid and refunded orders of an agent: searched, filtered and counted.
     * @throws Failure TOO_MANY_CALLS for searches of one session, and for the names of one agent
     */
    async listForAgent(
      partnerAgentId: string,
      { q = '', state, city, order = 'newest', cursor, limit }: AgentOrdersQuery,
      session: string,
    ): Promise<AgentOrdersPage> {
      const { rows, next } = await agentList.find(partnerAgentId, {
        q,
        state,
        city,
        order,
        after: cursor === undefined ? undefined : Number(cursor),
        limit: pageSizeOf(limit),
        session,
      })
      return {
        orders: await assemble(rows, { agentCode: partnerAgentId, beyondLimit: 'refused' }),
        counts: await agentList.count(partnerAgentId),
        nextCursor: next === null ? null : String(next),
      }
    },
  }
}

function createLabelReads({ store, contacts }: ReadsDeps) {
  /** A label names people: an agent reads it as it reads an order. @throws Failure LABEL_CLOSED, TOO_MANY_CALLS */
  async function expectShown(agentCode: string, order: OrderRow): Promise<void> {
    const bookings = new Map([[order.id, await store.findBookings([order.id])]])
    const shown = await contacts.show({ agentCode, beyondLimit: 'refused' }, [order], bookings)
    if (!shown.has(order.id)) throw failure(ordersErrors, 'LABEL_CLOSED')
  }

  return {
    /**
     * The label file of an airway bill.
     * @throws Failure LABEL_NOT_FOUND, also for another user's or agent's; LABEL_NOT_READY while the file is missing,
     * LABEL_DELETED, LABEL_WITHDRAWN of a bag that is void; to an agent LABEL_CLOSED, TOO_MANY_CALLS.
     */
    async readLabel(principal: Principal, awb: string): Promise<Uint8Array> {
      const found = await store.findLabel(awb)
      if (!found || !maySee(principal, found)) throw failure(ordersErrors, 'LABEL_NOT_FOUND')
      const { pdf, state, carriage } = found
      // An `issued` booking was stored with its file, so a missing file was deleted, with the account or by age.
      if (!pdf && state === 'issued') throw failure(ordersErrors, 'LABEL_DELETED')
      if (carriage === 'void') throw failure(ordersErrors, 'LABEL_WITHDRAWN')
      if (!pdf) throw failure(ordersErrors, 'LABEL_NOT_READY', { retryAfterSeconds: 5 })
      if (principal.role === 'agent') await expectShown(principal.partnerAgentId, found)
      return pdf
    },
  }
}

function createExports({ store, keptTerms }: ReadsDeps) {
  async function exportRows(rows: readonly OrderRow[]): Promise<OrderExport[]> {
    const bookings = await store.findBookings(rows.map(({ id }) => id))
    const labelled = await store.findLabelled(bookings.map(({ id }) => id))
    const events = await store.findEvents(bookings.filter(wasSeen).map(({ id }) => id))
    const ofOrder = Map.groupBy(bookings, (row) => row.order_id)
    const terms = await keptTerms.find(rows.map(({ terms_version: version }) => version))
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
      ...receiverOf(ofOrder.get(row.id)?.[0]),
      bookings: (ofOrder.get(row.id) ?? []).map((booking) => ({
        reference: booking.reference,
        ...bookingOf(booking, events.get(booking.id)),
        labelState: booking.state,
        label:
          booking.awb !== null && labelled.has(booking.id) && booking.carriage !== 'void'
            ? readLabelPdf.path.replace(':awb', booking.awb)
            : null,
      })),
    }))
  }

  return {
    /** What is stored of a user's orders with a smaller number than `before`, newest first. */
    async exportOrders(userId: number, before: number | undefined, limit: number): Promise<OrderExport[]> {
      return exportRows(
        await store.listOfUser(userId, { limit, ...(before === undefined ? {} : { before }) }),
      )
    },

    /** What is stored of an order, and whose it is; undefined where there is none. */
    async exportOrder(id: number): Promise<{ userId: number; order: OrderExport } | undefined> {
      const row = await store.findOrder(id)
      const [order] = row ? await exportRows([row]) : []
      return row && order && { userId: row.user_id, order }
    },
  }
}

/** Orders of before have none. */
function termsOf(
  { terms_version: version, terms_language: language }: OrderRow,
  shown: KeptTerms | undefined,
): Pick<OrderExport, 'terms'> {
  if (version === null || language === null || shown === undefined) return {}
  return { terms: { version, language, shown } }
}

/** Facts of an order that only its owner reads. */
function ownFactsOf(row: OrderRow): Pick<Order, 'amount' | 'paidAt' | 'agentCode' | 'centerCode'> {
  return {
    amount: riyalsOf(row.amount_halalas),
    ...(row.paid_at !== null && { paidAt: isoOf(row.paid_at) }),
    agentCode: row.agent_code,
    centerCode: row.center_code,
  }
}

/** An order is visible to its owner, and to its agent once it is paid. */
function maySee(principal: Principal, row: OrderRow): boolean {
  if (principal.role === 'user') return row.user_id === principal.userId
  return row.agent_code === principal.partnerAgentId && isForAgent(row)
}

const contactOf = (user: User | undefined) => ({ name: user?.name ?? null, phone: user?.phone ?? null })

/** True for a booking that has events. */
const wasSeen = ({ last_event_at }: BookingRow) => last_event_at !== null

function bookingOf(row: BookingRow, events: readonly BagEvent[] = []): Booking {
  return {
    awb: row.awb,
    ...(row.receiver === null ? {} : { receiver: row.receiver }),
    ...(row.state === 'labelling' ? { labelPending: true } : {}),
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
    ...(place === null ? {} : { place }),
    ...(code === null ? {} : { code }),
    ...(text === null ? {} : { text }),
  }
}

/**
 * What the `/api/orders` calls need of payments. Payments depend on orders, so the type stands here and `app.ts` hands
 * over the service.
 */
export interface OrderPayments {
  /** The order of a merchant reference. */
  findOrderId(reference: string): Promise<number | undefined>
  /** Asks the provider about the payments of an order; waits `pageWaitMs` at most. */
  refresh(orderId: number): Promise<void>
  /**
   * The payment of an unpaid order of the user.
   * @throws Failure ORDER_NOT_FOUND, ORDER_NOT_PAYABLE, PAYMENT_LINK_MISMATCH, PAYMENT_UNCHECKED, PAYMENT_UNAVAILABLE.
   */
  renew(userId: number, orderId: number, clientSecret?: string, isSpent?: boolean): Promise<OpenedPayment>
  /**
   * Cancels an order of the user and orders the refund of its payment.
   * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE,
   * IDEMPOTENCY_CONFLICT.
   */
  cancel(userId: number, orderId: number, key?: string): Promise<void>
}

/** Reads one order. The provider is asked about an unpaid one first, because its callback may be late or lost (docs/wires/payment.md R13). */
export function createOrderReader(
  orders: Pick<ReturnType<typeof createOrderViews>, 'readFor'>,
  payments: Omit<OrderPayments, 'renew' | 'cancel'>,
) {
  /** @throws Failure ORDER_NOT_FOUND. */
  return async (principal: Principal, key: string): Promise<Order> => {
    const id = await orderNumberOf(payments, key)
    const order = await orders.readFor(principal, id)
    if (order.status !== 'PENDING_PAYMENT') return order
    await payments.refresh(id)
    return orders.readFor(principal, id)
  }
}

/** @param key an order number or a merchant reference. @throws Failure ORDER_NOT_FOUND for an unknown reference. */
export async function orderNumberOf(
  payments: Pick<OrderPayments, 'findOrderId'>,
  key: string,
): Promise<number> {
  const id = /^[1-9]\d{0,14}$/.test(key) ? Number(key) : await payments.findOrderId(key)
  if (id === undefined) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  return id
}
