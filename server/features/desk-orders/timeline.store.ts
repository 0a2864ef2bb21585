import { journeysOf } from '#server/features/history/bag-events.ts'
import { isClaimEvent, listEvents, type StoredEvent } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'

/** What is stored of one order and its owner, as the timeline tells it. */
export type TimelineFacts = NonNullable<
  Awaited<ReturnType<ReturnType<typeof createTimelineStore>['readFacts']>>
>

/** Codes are kept for a day or so; of operators and staff the newest count. */
const atMost = { codes: 50, actions: 200 }

export type TimelineStore = ReturnType<typeof createTimelineStore>

/**
 * What happened to one order, from the tables of every feature: a bounded number of statements, each by an index. It only reads.
 */
export function createTimelineStore(database: Database) {
  /** With its owner, whose account may be gone. */
  const findOrder = (id: number) =>
    database.tables
      .selectFrom('orders')
      .innerJoin('users', 'users.id', 'orders.user_id')
      .selectAll('orders')
      .select('users.phone')
      .where('orders.id', '=', id)
      .executeTakeFirst()

  async function readBags(orderId: number, history: readonly StoredEvent[]) {
    const bookings = await database.tables
      .selectFrom('bookings')
      .leftJoin('labels', 'labels.booking_id', 'bookings.id')
      .leftJoin('tracked_bookings', 'tracked_bookings.booking_id', 'bookings.id')
      .select([
        'bookings.id',
        'bookings.leg',
        'bookings.awb',
        'bookings.state',
        'bookings.stopped_at',
        'bookings.issued_at',
        'bookings.reference',
      ])
      .select([
        'bookings.creations',
        'bookings.last_error',
        'bookings.destination',
        'labels.stored_at',
        'tracked_bookings.heard_at',
        'tracked_bookings.checked_at',
      ])
      .where('bookings.order_id', '=', orderId)
      .execute()
    const ids = bookings.map(({ id }) => id)
    const ofBags = ids.length === 0 ? [-1] : ids
    const events = [...journeysOf(history).values()].flat()
    const alerts = await database.tables
      .selectFrom('scan_alerts')
      .selectAll()
      .where('booking_id', 'in', ofBags)
      .execute()
    return { bookings: bookings.toSorted((a, b) => a.leg - b.leg), events, alerts }
  }

  async function readMoney(orderId: number) {
    const attempts = await database.tables
      .selectFrom('payment_attempts')
      .select(['id', 'reference', 'state', 'amount_halalas', 'currency', 'created_at'])
      .where('order_id', '=', orderId)
      .execute()
    const ids = attempts.length === 0 ? [-1] : attempts.map(({ id }) => id)
    const events = await database.tables
      .selectFrom('payment_events')
      .selectAll()
      .where('attempt_id', 'in', ids)
      .execute()
    const refunds = await database.tables
      .selectFrom('refunds')
      .selectAll()
      .where('attempt_id', 'in', ids)
      .execute()
    const findings = await database.tables
      .selectFrom('payment_findings')
      .selectAll()
      .where('attempt_id', 'in', ids)
      .execute()
    return { attempts, events, refunds, findings }
  }

  async function readPeople(orderId: number, userId: number, phone: string, history: readonly StoredEvent[]) {
    const messages = await database.tables
      .selectFrom('messages')
      .select(['refund_id', 'claim_id', 'event_id'])
      .select(['id', 'booking_id', 'kind', 'phone', 'state', 'push', 'asked_at', 'created_at', 'ended_at'])
      .select(['last_error', 'first_try'])
      .where('order_id', '=', orderId)
      .execute()
    const codes = await database.tables
      .selectFrom('otp_events')
      .select(['kind', 'at', 'outcome', 'channel'])
      .where('role', '=', 'user')
      .where('phone', '=', phone)
      .orderBy('at', 'desc')
      .limit(atMost.codes)
      .execute()
    const locks = await database.tables
      .selectFrom('otp_counters')
      .select(['touched_at', 'consecutive_failures', 'known_consecutive_failures'])
      .where('role', '=', 'user')
      .where('phone', '=', phone)
      .execute()
    // Who read the page, or a claim, stands in the audit alone.
    const actions = await newestActions()
      .where('order_id', '=', orderId)
      .where('action', 'not in', ['order-read', 'claim-read'])
      .execute()
    const notes = await database.tables
      .selectFrom('order_notes')
      .select(['id', 'at', 'name', 'roles', 'text'])
      .where('order_id', '=', orderId)
      .execute()
    const approvals = await database.tables
      .selectFrom('approvals')
      .select(['id', 'act', 'about', 'halalas', 'state', 'reason', 'asked_at', 'asked_by', 'expires_at'])
      .select(['asked_roles', 'decided_at', 'decided_by', 'decided_roles', 'decision'])
      .where('order_id', '=', orderId)
      .where('state', '!=', 'alone')
      .execute()
    const ofOwner = await newestActions()
      .where('user_id', '=', userId)
      .where('action', '=', 'unlock')
      .execute()
    const claims = await database.tables
      .selectFrom('claims')
      .select(['id', 'kind'])
      .where('order_id', '=', orderId)
      .execute()
    const claimEvents = history.filter(isClaimEvent)
    const own = { notes, approvals, claims, claimEvents, actions: [...actions, ...ofOwner] }
    return { messages, codes, locks, ...own }
  }

  const newestActions = () =>
    database.tables
      .selectFrom('operator_actions')
      .select(['id', 'at', 'actor', 'actor_roles', 'action', 'reason', 'order_id', 'after'])
      .orderBy('id', 'desc')
      .limit(atMost.actions)

  return {
    /** Undefined for an order that there is not. */
    async readFacts(orderId: number) {
      const order = await findOrder(orderId)
      if (!order) return undefined
      const history = {
        order: await listEvents({ database }, 'order_id', [orderId]),
        account: await listEvents({ database }, 'user_id', [order.user_id]),
      }
      const bags = await readBags(orderId, history.order)
      const money = await readMoney(orderId)
      const people = await readPeople(orderId, order.user_id, order.phone, history.order)
      return { order, bags, money, people, history }
    },

    /** Other orders of an owner, the newest first. */
    async listOthers(userId: number, orderId: number, limit: number) {
      const rows = await database.tables
        .selectFrom('orders')
        .select(['id', 'payment', 'ended', 'created_at'])
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return rows.filter(({ id }) => id !== orderId).slice(0, limit)
    },
  }
}
