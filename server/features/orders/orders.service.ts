import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { randomSuffix } from '#server/platform/secrets.ts'
import type { Caller } from '#server/platform/session-scope.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type {
  Booking,
  BookingType,
  KeptOrder,
  Order,
  OrderStatus,
  Place,
} from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { currency } from '#shared/platform/money.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { endsAtBranch, legsOf } from './orders.rules.ts'
import type { BookingRow, OrderRow, OrdersStore } from './orders.store.ts'

export interface OrdersDeps {
  readonly database: Database
  readonly store: OrdersStore
  /** The deleted are not among them. */
  readonly findUsers: (ids: readonly number[]) => Promise<ReadonlyMap<number, User>>
  /** A user who cannot be deleted before the transaction around it ends; undefined when there is none. */
  readonly holdUser: (id: number) => Promise<User | undefined>
  readonly clock: Clock
}

export interface OrderRequest {
  readonly userId: number
  readonly type: BookingType
  readonly agent: PartnerAgent
  readonly center: Center
  readonly amountHalalas: number
}

/** A creating call's key and a hash of what it asked for. */
export interface CreationKey {
  readonly key: string
  readonly bodyHash: string
}

/** An order as money sees it. */
export interface PayableOrder {
  readonly id: number
  readonly userId: number
  readonly status: OrderStatus
  readonly amountHalalas: number
  readonly currency: string
}

/** A booking that needs an airway bill, leased to one worker. */
export interface LeasedBooking {
  readonly id: number
  readonly orderId: number
  readonly userId: number
  /** What the partner knows the shipment by; unique for ever. */
  readonly reference: string
  readonly awb: string | null
  /** 1 at the first try. */
  readonly tries: number
  /** Epoch milliseconds; 0 when the partner was never asked for this booking, see the store. */
  readonly inDoubtUntil: number
  /** The branch it ends at; undefined when it ends at the agent's. */
  readonly branchCode: string | undefined
  readonly origin: Place
  readonly destination: Place
}

export interface OrdersService {
  /**
   * Keeps a new unpaid order. With a key that was used before, no order is made: `conflict` tells whether the
   * earlier call asked for something else.
   */
  place(request: OrderRequest, key: CreationKey | undefined): Promise<{ orderId: number; conflict: boolean }>
  /** The order a key made before; undefined for a new key. */
  findByKey(userId: number, key: CreationKey): Promise<{ orderId: number; conflict: boolean } | undefined>
  findPayable(id: number): Promise<PayableOrder | undefined>
  /** @throws Failure ORDER_NOT_FOUND, also for an order of somebody else. */
  readFor(caller: Caller, id: number): Promise<Order>
  listForUser(userId: number, page: PageInput): Promise<OrdersPage>
  listForAgent(partnerAgentId: string, page: PageInput): Promise<OrdersPage>
  /** True for the one call that paid the order. */
  markPaid(id: number, transactionId: string): Promise<boolean>
  markRefunded(id: number, transactionId: string): Promise<boolean>
  /** True for the one call that ended the wait for a payment. A late success still pays the order. */
  markExpired(id: number): Promise<boolean>
  /** Expires unpaid orders that were placed longer ago than this; answers how many. */
  expireOlderThan(ageMs: number): Promise<number>
  /** @throws Failure LABEL_NOT_FOUND, also for somebody else's; LABEL_NOT_READY while the file is missing, LABEL_DELETED. */
  readLabel(caller: Caller, awb: string): Promise<Uint8Array>
  leaseBooking(lease: string, leaseMs: number): Promise<LeasedBooking | undefined>
  /** `isTry` false: it was only looked, and the waits after later tries grow no longer by it. */
  releaseBooking(id: number, lease: string, delayMs: number, isTry?: boolean): Promise<void>
  /**
   * Notes until when the partner may still be making the shipment; 0 when it surely has none. `false`: the lease was
   * lost or the money went back, so the partner must not be asked.
   */
  noteDoubt(id: number, lease: string, inDoubtUntil: number): Promise<boolean>
  /** For the start of the only gateway: whoever held a lease is gone. */
  freeLeases(): Promise<number>
  recordAwb(id: number, lease: string, awb: string): Promise<boolean>
  recordLabel(id: number, pdf: Uint8Array): Promise<void>
  /** True while an airway bill of the user is awaited. */
  awaitsAwb(userId: number): Promise<boolean>
  /** Inside a transaction: what waited for a payment ends, labels and keys are deleted, orders and amounts stay. */
  forgetUser(userId: number): Promise<void>
  /** What is kept of a user's orders with a smaller number than `before`, newest first. */
  listKept(userId: number, before: number | undefined, limit: number): Promise<KeptOrder[]>
  /** Milliseconds since the oldest paid booking without airway bill was paid; 0 when there is none. */
  unissuedAgeMs(): Promise<number>
}

export interface PageInput {
  readonly cursor: string | undefined
  readonly limit: string | undefined
}

export interface OrdersPage {
  readonly orders: Order[]
  readonly nextCursor: string | null
}

const defaultPageSize = 20

export function createOrders(deps: OrdersDeps): OrdersService {
  const { database, store, findUsers, clock } = deps

  async function page(
    { cursor, limit }: PageInput,
    list: (request: { before?: number; limit: number }) => Promise<OrderRow[]>,
    withUser: boolean,
  ): Promise<OrdersPage> {
    const size = limit === undefined ? defaultPageSize : Number(limit)
    const before = cursor === undefined ? undefined : Number(cursor)
    const rows = await list({ limit: size + 1, ...(before === undefined ? {} : { before }) })
    const shown = rows.slice(0, size)
    const last = shown.at(-1)
    return {
      orders: await assemble(shown, withUser),
      nextCursor: rows.length > size && last ? String(last.id) : null,
    }
  }

  async function assemble(rows: readonly OrderRow[], withUser: boolean): Promise<Order[]> {
    const bookings = Map.groupBy(await store.findBookings(rows.map(({ id }) => id)), (row) => row.order_id)
    const users = withUser ? await findUsers(rows.map((row) => row.user_id)) : undefined
    return rows.map((row) => {
      const user = users?.get(row.user_id)
      return {
        orderId: row.id,
        status: row.status,
        ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
        type: row.type,
        creationDate: isoOf(row.created_at),
        ...(withUser ? { user: { name: user?.name ?? null, phone: user?.phone ?? null } } : {}),
        bookings: (bookings.get(row.id) ?? []).map(bookingOf),
      }
    })
  }

  /** Who may see an order: its owner, and the agent who collects it once it is paid. */
  function maySee(caller: Caller, row: OrderRow): boolean {
    if (caller.role === 'user') return row.user_id === caller.userId
    return row.agent_code === caller.partnerAgentId && (row.status === 'PAID' || row.status === 'REFUNDED')
  }

  return {
    async place(request, key) {
      const now = clock.now()
      try {
        const orderId = await database.transaction(async () => {
          // Held, so that no order is made for an account that is being deleted.
          if (!(await deps.holdUser(request.userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
          const id = await store.addOrder(
            {
              userId: request.userId,
              type: request.type,
              amountHalalas: request.amountHalalas,
              currency,
              agentCode: request.agent.id,
              centerCode: request.center.code,
              createdAt: now,
            },
            legsOf(request.type, request.agent, request.center).map(({ origin, destination }, leg) => ({
              leg,
              // Unique for ever, also against a database that was made anew: the partner keeps its shipments.
              reference: `AM-${now.toString(36).toUpperCase()}-${randomSuffix()}`,
              origin: JSON.stringify(origin),
              destination: JSON.stringify(destination),
            })),
          )
          const earlier = key && (await store.tieKey(request.userId, key.key, key.bodyHash, id, now))
          if (earlier) throw new KeyTaken(earlier.orderId, earlier.bodyHash !== key.bodyHash)
          return id
        })
        return { orderId, conflict: false }
      } catch (error) {
        // Thrown, not returned, so that the order made in the same transaction is undone.
        if (error instanceof KeyTaken) return { orderId: error.orderId, conflict: error.conflict }
        throw error
      }
    },

    async findByKey(userId, { key, bodyHash }) {
      const tied = await store.findKey(userId, key)
      return tied && { orderId: tied.orderId, conflict: tied.bodyHash !== bodyHash }
    },

    async findPayable(id) {
      const row = await store.findOrder(id)
      return (
        row && {
          id: row.id,
          userId: row.user_id,
          status: row.status,
          amountHalalas: row.amount_halalas,
          currency: row.currency,
        }
      )
    },

    async readFor(caller, id) {
      const row = await store.findOrder(id)
      if (!row || !maySee(caller, row)) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const [order] = await assemble([row], caller.role === 'agent')
      if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      return order
    },

    listForUser: (userId, input) => page(input, (request) => store.listOfUser(userId, request), false),

    listForAgent: (partnerAgentId, input) =>
      page(input, (request) => store.listOfAgent(partnerAgentId, request), true),

    markPaid: (id, transactionId) => store.markPaid(id, transactionId, clock.now()),

    markRefunded: (id, transactionId) => store.markRefunded(id, transactionId),

    markExpired: store.markExpired,

    expireOlderThan: (ageMs) => store.expirePlacedBefore(clock.now() - ageMs),

    async readLabel(caller, awb) {
      const booking = await store.findBookingByAwb(awb)
      const order = booking && (await store.findOrder(booking.order_id))
      if (!booking || !order || !maySee(caller, order)) throw failure(ordersErrors, 'LABEL_NOT_FOUND')
      const pdf = await store.findLabel(booking.id)
      // A booking is issued with its file or not at all: where the file is gone, its owner has left.
      if (!pdf && booking.state === 'issued') throw failure(ordersErrors, 'LABEL_DELETED')
      if (!pdf) throw failure(ordersErrors, 'LABEL_NOT_READY', { retryAfterSeconds: 5 })
      return pdf
    },

    async leaseBooking(lease, leaseMs) {
      const now = clock.now()
      const row = await store.leaseBooking(lease, now, now + leaseMs)
      const order = row && (await store.findOrder(row.order_id))
      if (!row || !order) return undefined
      return {
        id: row.id,
        orderId: order.id,
        userId: order.user_id,
        reference: row.reference,
        awb: row.awb,
        tries: row.tries,
        inDoubtUntil: row.in_doubt_until,
        branchCode: endsAtBranch(order.type, row.leg) ? order.center_code : undefined,
        origin: placeOf(row.origin),
        destination: placeOf(row.destination),
      }
    },

    releaseBooking: (id, lease, delayMs, isTry) =>
      store.releaseBooking(id, lease, clock.now() + delayMs, isTry),

    noteDoubt: store.setDoubt,

    freeLeases: store.freeLeases,

    recordAwb: (id, lease, awb) => store.setAwb(id, lease, awb),

    recordLabel: (id, pdf) => store.keepLabel(id, pdf, clock.now()),

    async awaitsAwb(userId) {
      return (await store.findAwaiting(userId)) !== undefined
    },

    async forgetUser(userId) {
      await store.expireOfUser(userId)
      await store.forgetUser(userId)
    },

    async listKept(userId, before, limit) {
      const rows = await store.listOfUser(userId, { limit, ...(before === undefined ? {} : { before }) })
      const bookings = await store.findBookings(rows.map(({ id }) => id))
      const labelled = await store.findLabelled(bookings.map(({ id }) => id))
      const ofOrder = Map.groupBy(bookings, (row) => row.order_id)
      return rows.map((row) => ({
        orderId: row.id,
        status: row.status,
        type: row.type,
        amountHalalas: row.amount_halalas,
        currency: row.currency,
        agentCode: row.agent_code,
        centerCode: row.center_code,
        transactionId: row.transaction_id,
        placedAt: isoOf(row.created_at),
        paidAt: row.paid_at === null ? null : isoOf(row.paid_at),
        bookings: (ofOrder.get(row.id) ?? []).map((booking) => ({
          reference: booking.reference,
          ...bookingOf(booking),
          state: booking.state,
          label:
            booking.awb !== null && labelled.has(booking.id)
              ? readLabelPdf.path.replace(':awb', booking.awb)
              : null,
        })),
      }))
    },

    async unissuedAgeMs() {
      const paidAt = await store.findOldestUnissued()
      return paidAt === undefined ? 0 : Math.max(0, clock.now() - paidAt)
    },
  }
}

class KeyTaken extends Error {
  readonly orderId: number
  readonly conflict: boolean
  constructor(orderId: number, conflict: boolean) {
    super('the key already made an order')
    this.orderId = orderId
    this.conflict = conflict
  }
}

function placeOf(json: string): Place {
  return JSON.parse(json) as Place
}

function bookingOf(row: BookingRow): Booking {
  return { awb: row.awb, origin: placeOf(row.origin), destination: placeOf(row.destination) }
}
