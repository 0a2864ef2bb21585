import { isPaid, isStanding, type TransactionRecord } from '#mock/payment/payment.records.ts'
import { orderNumberOf } from '#mock/payment/payment.references.ts'
import { orderNumberOf as orderOfShipment } from '#mock/shipping/shipping.references.ts'
import { journeysOf } from '#server/features/history/bag-events.ts'
import { type StoredEvent, storedEventOf } from '#server/features/history/history.ts'
import { outboxRules } from '#server/features/history/outbox.ts'
import { messageRules } from '#server/features/messages/messages.rules.ts'
import { refusalKeyOf } from '#server/features/order-views/handovers.ts'
import { photoEndOf } from '#server/features/orders/handovers.rules.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ClaimState } from '#shared/claims/claims.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { BookingState, OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import {
  type Carriage,
  carriageOf,
  type HandOverCount,
  handOverCountOf,
  isCarried,
  type TravelEvent,
} from '#shared/orders/travel.rules.ts'
import { labelNameMinLength } from '#shared/sessions/person-name.ts'
import { day, minute, second } from '#test/kit/basics/clock.ts'
import { photoOfBag } from '#test/kit/client/photo.ts'
import { done, personalTexts, receiverPhones } from './people.ts'
import type { World } from './world.types.ts'

const claimStateAfter: Readonly<Record<string, ClaimState>> = {
  'claim-opened': 'OPEN',
  'claim-message': 'OPEN',
  'claim-answered': 'ANSWERED',
  'claim-question': 'ANSWERED',
  'claim-closed': 'CLOSED',
}

/** A promise that did not hold. */
export interface Broken {
  readonly promise: string
  readonly found: string
}

interface Promises {
  /** Checked after every statement that changed something. */
  afterStep(): Promise<Broken | undefined>
  /** Checked when no statement waits, before time passes. */
  atQuiet(): Promise<Broken | undefined>
  /** Checked when nothing is left to do. */
  atRest(): Promise<Broken | undefined>
  /** When work is due next; undefined when none is due soon. */
  nextWork(): Promise<number | undefined>
  /** What is not finished. */
  unfinished(): Promise<string>
}

/** What a predicate found; undefined where the promise holds. */
type Check = () => Promise<string | undefined>

/** What is due later is of no promise that a day must keep: the provider is asked about old attempts daily. */
const soonMs = 180 * minute

/** Clocks of gateways differ from the true time by less. */
const clocksMs = 5 * minute

interface OrderRow {
  readonly id: number
  readonly user_id: number
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
  readonly amount_halalas: number
  readonly transaction_id: string | null
}

/** A bag with its order. */
interface BagRow {
  readonly id: number
  readonly order_id: number
  readonly state: BookingState
  readonly carriage: Carriage
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
  readonly handed_over: HandOverCount
  /** Halalas of the payment that its refunds return, without those that were written off. */
  readonly back: number
  readonly amount_halalas: number
}

/** What has an event, by order. A refund that was made by hand is stored as done, and was never ordered. */
const moneyFacts = `
  SELECT id AS order_id, 'paid' AS kind, transaction_id AS subject FROM orders
    WHERE transaction_id IS NOT NULL OR paid_at IS NOT NULL
  UNION ALL SELECT order_id, 'payment-opened', reference FROM payment_attempts WHERE secret_until > 0
  UNION ALL SELECT order_id, 'receipt-issued', CAST(number AS text) FROM receipts
  UNION ALL SELECT order_id, step.kind, CAST(refunds.id AS text) FROM refunds
    JOIN payment_attempts ON payment_attempts.id = attempt_id
    JOIN (SELECT 'refund-ordered' AS kind UNION ALL SELECT 'refund-requested' UNION ALL SELECT 'refunded'
      UNION ALL SELECT 'refund-written-off') AS step
    ON step.kind = 'refund-ordered' AND (refunds.state <> 'done' OR asked_at IS NOT NULL OR written_off_at IS NOT NULL)
      OR step.kind = 'refund-requested' AND asked_at IS NOT NULL
      OR step.kind = 'refunded' AND refunds.state = 'done' AND written_off_at IS NULL
      OR step.kind = 'refund-written-off' AND written_off_at IS NOT NULL`

/** Every promise once, in the words of the document that gives it. */
export function watch(world: World, expectedPictures: number | undefined): Promises {
  const { store, simulator, reality } = world

  const orders = () =>
    store.read<OrderRow>('SELECT id, user_id, payment, ended, amount_halalas, transaction_id FROM orders')

  let bags: { readonly rows: string; readonly events: readonly StoredEvent[] } = { rows: '', events: [] }
  /** Events of bags, in the order of recording. Read again after one was added or deleted: none ever changes. */
  const bagEvents = async () => {
    const [found] = await store.read<{ rows: string }>(
      "SELECT count(*) || ' to ' || max(id) AS rows FROM events WHERE booking_id IS NOT NULL",
    )
    const rows = found?.rows ?? ''
    if (rows !== bags.rows) {
      const events = await store.read<Row<'events'>>(
        'SELECT * FROM events WHERE booking_id IS NOT NULL ORDER BY id',
      )
      bags = { rows, events: events.map(storedEventOf) }
    }
    return bags.events
  }

  /** Payments at the provider that were approved, by order. */
  const payments = () =>
    simulator.payment.list(1_000).flatMap((intention) =>
      simulator.payment
        .transactionsOf(intention)
        .filter(isPaid)
        .map((payment) => ({ intention, payment, orderId: orderNumberOf(intention) ?? 0 })),
    )

  // ---- After every step

  const labels: Check = async () => {
    const made = new Map<string, number>()
    for (const { reference } of simulator.shipping.listShipments())
      made.set(reference, (made.get(reference) ?? 0) + 1)
    for (const { reference, transaction_id } of await store.read<{
      reference: string
      transaction_id: string | null
    }>('SELECT reference, transaction_id FROM bookings JOIN orders ON orders.id = order_id')) {
      const count = made.get(reference) ?? 0
      if (count > 1) return `${reference} has ${count} shipments`
      if (count > 0 && transaction_id === null) return `${reference} has a shipment and its order no payment`
    }
    return undefined
  }

  const withdrawn: Check = async () => {
    const [row] = await store.read<{ order_id: number }>(
      "SELECT order_id FROM bookings WHERE state = 'labelling' AND carriage = 'void'",
    )
    return row && `a bag of OD-${row.order_id} will not be carried, and waits for a label`
  }

  /** Intentions that were looked at when they appeared. */
  let seenIntentions = 0
  const secondForms: Check = async () => {
    const all = simulator.payment.list(1_000)
    if (all.length === seenIntentions) return undefined
    const added = all.slice(0, all.length - seenIntentions)
    seenIntentions = all.length
    for (const intention of added) {
      const before = payments().find(
        ({ orderId, payment, intention: other }) =>
          other.id !== intention.id &&
          orderId === orderNumberOf(intention) &&
          isStanding(payment) &&
          // Found by an inquiry that began when this form was asked for, which takes eight seconds at most.
          Math.max(payment.createdAt, payment.listedAt) < intention.createdAt - 15 * second &&
          payment.amountHalalas === intention.amountHalalas,
      )
      if (before)
        return `OD-${before.orderId} was paid with ${before.payment.id}, and another form was opened after it`
    }
    return undefined
  }

  /** Compares the rows of payments, refunds and receipts with their events. */
  const moneyEvents: Check = async () => {
    const events = new Map<string, number>()
    for (const { order_id, kind, data } of await store.read<{ order_id: number; kind: string; data: string }>(
      `SELECT order_id, kind, data FROM events
       WHERE kind IN ('payment-opened', 'paid', 'receipt-issued') OR kind LIKE 'refund%'`,
    )) {
      const { reference, transaction, refundId, number } = JSON.parse(data)
      const name = `OD-${order_id} ${kind} ${refundId ?? number ?? transaction ?? reference}`
      events.set(name, (events.get(name) ?? 0) + 1)
    }
    const expected = new Set<string>()
    for (const { order_id, kind, subject } of await store.read<{
      order_id: number
      kind: string
      subject: string
    }>(moneyFacts)) {
      const name = `OD-${order_id} ${kind} ${subject}`
      const count = events.get(name) ?? 0
      // One refund may be ordered again with another sum, and requested again.
      const isOften = kind === 'refund-ordered' || kind === 'refund-requested'
      if (count === 0 || (count > 1 && !isOften)) return `${name} has ${count} events`
      expected.add(name)
    }
    const stray = [...events.keys()].find(
      (name) => /OD-\d+ (?:payment|paid|receipt|refunded|refund-written)/.test(name) && !expected.has(name),
    )
    return stray && `${stray} is recorded, and not stored`
  }

  const frozen = new Map<number, string>()
  const receipts: Check = async () => {
    const rows = await store.read<{ number: number; document: string }>(
      'SELECT number, document FROM receipts ORDER BY number',
    )
    for (const [index, { number, document }] of rows.entries()) {
      if (number !== index + 1) return `receipt ${number} follows ${index}`
      const before = frozen.get(number)
      if (before !== undefined && before !== document) return `receipt ${number} was written again`
      if (document !== '') frozen.set(number, document)
    }
    return undefined
  }

  const carriage: Check = async () => {
    const events = await bagEvents()
    const journeys = journeysOf(events)
    const givenUp = new Set(
      events.flatMap((event) => (event.kind === 'bag-void' && event.data.forGood ? [event.bookingId] : [])),
    )
    const bags = await store.read<BagRow>(
      `SELECT bookings.id, order_id, state, carriage, payment, ended, handed_over, amount_halalas,
         (SELECT coalesce(sum(refunds.amount_halalas), 0) FROM refunds
           WHERE refunds.transaction_id = orders.transaction_id AND written_off_at IS NULL) AS back
       FROM bookings JOIN orders ON orders.id = order_id`,
    )
    for (const bag of bags) {
      const found = faultOfBag(bag, journeys.get(bag.id) ?? [], givenUp.has(bag.id))
      if (found !== undefined) return found
    }
    for (const [orderId, own] of Map.groupBy(bags, (bag) => bag.order_id)) {
      const count = handOverCountOf(own.map((bag) => bag.carriage))
      if (own.some(({ handed_over }) => handed_over !== count))
        return `of the bags of OD-${orderId} ${own[0]?.handed_over} are handed over, and their carriage says ${count}`
    }
    return undefined
  }

  const voids: Check = async () => faultOfVoids(await bagEvents())

  const sessions: Check = async () => {
    for (const { phone, role, count } of await store.read<{ phone: string; role: string; count: number }>(
      `SELECT phone, role, count(*) AS count FROM (
         SELECT users.phone, role FROM sessions JOIN users ON role = 'user' AND users.id = subject_id
         UNION ALL SELECT agents.phone, role FROM sessions JOIN agents ON role = 'agent' AND agents.id = subject_id) AS begun
       GROUP BY phone, role`,
    ))
      if (count > (world.notes.codes.get(phone) ?? 0))
        return `${phone} has ${count} sessions (${role}) of ${world.notes.codes.get(phone) ?? 0} codes`
    return undefined
  }

  const codes: Check = async () => {
    const [stray] = world.notes.strayChecks
    return stray && `the code of ${stray} is checked, and was not typed for it`
  }

  const changedNumbers: Check = async () => {
    const { codes } = world.notes
    for (const { phone, email, changes } of await store.read<{
      phone: string
      email: string
      changes: number
    }>(
      // A new address takes a code of the address, too.
      `SELECT phone, email, count(*) AS changes FROM users JOIN events ON user_id = users.id
       WHERE kind = 'account-changed' AND (data LIKE '%"email-added"%' OR data LIKE '%"phone"%')
         AND user_id IN (SELECT user_id FROM events WHERE kind = 'account-changed' AND data LIKE '%"phone"%')
       GROUP BY phone, email`,
    ))
      if ((codes.get(email) ?? 0) < changes || !codes.has(phone))
        return `an account has the number ${phone} after ${codes.get(email) ?? 0} codes of its address and ${codes.get(phone) ?? 0} of the number`
    // Clocks of gateways are wrong by up to 100 seconds each.
    const [early] = await store.read<{ user_id: number }>(
      `SELECT moved.user_id FROM events AS moved JOIN events AS added
         ON added.user_id = moved.user_id AND added.id < moved.id AND added.kind = 'account-changed'
           AND added.data LIKE '%"email-%'
       WHERE moved.kind = 'account-changed' AND moved.data LIKE '%"phone"%'
         AND added.at > moved.at - ${day - 5 * minute}`,
    )
    return early && `the account of user ${early.user_id} was moved within a day of its address`
  }

  const messages: Check = async () => {
    const texts = Map.groupBy(simulator.messaging.list(undefined, 10_000), ({ to, body }) => `${to} ${body}`)
    for (const [key, { length }] of texts) {
      if (length === 1) continue
      // Two refunds of one amount have one text. Rows go with their account.
      const [row] = await store.read<{ count: number }>(
        `SELECT count(*) AS count FROM messages WHERE phone || ' ' || body = '${key.replaceAll("'", "''")}'`,
      )
      if (row && row.count > 0 && length > row.count) return `${length} times the same: ${key}`
    }
    return undefined
  }

  const deletions: Check = async () => {
    for (const { id, user_id } of await store.read<{ id: number; user_id: number }>(
      `SELECT orders.id, user_id FROM orders JOIN users ON users.id = user_id
       WHERE deleted_at IS NOT NULL AND payment = 'paid' AND ended IS NULL AND handed_over IN ('none', 'void')`,
    ))
      if (!world.notes.forfeited.has(user_id))
        return `the account of OD-${id} was deleted, with its paid booking`
    return undefined
  }

  const claims: Check = async () => {
    const alive = new Set<string>()
    const rows = await store.read<ClaimFacts>(
      `SELECT id, booking_id, kind, state, answer_by, late_since,
         (SELECT count(*) FROM events AS e WHERE e.claim_id = claims.id AND e.kind = 'claim-opened') AS openings,
         (SELECT e.kind FROM events AS e WHERE e.claim_id = claims.id AND e.kind IN ('claim-opened', 'claim-message',
            'claim-answered', 'claim-question', 'claim-closed') ORDER BY e.id DESC LIMIT 1) AS last,
         (SELECT count(*) FROM events AS e WHERE e.claim_id = claims.id AND e.kind = 'claim-late' AND e.id > (
            SELECT coalesce(max(f.id), 0) FROM events AS f WHERE f.claim_id = claims.id
              AND f.kind IN ('claim-answered', 'claim-question', 'claim-closed'))) AS lates FROM claims`,
    )
    for (const claim of rows) {
      const { booking_id, kind, state } = claim
      const about = `${booking_id} ${kind}`
      if (state !== 'CLOSED' && alive.has(about)) return `bag ${booking_id} has two open claims (${kind})`
      if (state !== 'CLOSED') alive.add(about)
      const fault = faultOfClaim(claim)
      if (fault) return fault
    }
    return undefined
  }

  /** Each bag at the last check: its creations, and the newest event of its airway bill. */
  const asked = new Map<number, { creations: number; last: string | null; lastId: number }>()
  /** On PostgreSQL the courier's answer may have come, too, before a check sees that the courier was asked. */
  const requested: Check = async () => {
    const rows = await store.read<{
      id: number
      creations: number
      last: string | null
      lastId: number
      requestedId: number
    }>(
      `SELECT id, creations, ${lastOf('booking_id = bookings.id', labelKinds)} AS last,
         (SELECT coalesce(max(e.id), 0) FROM events AS e
            WHERE e.booking_id = bookings.id AND e.kind IN (${labelKinds})) AS "lastId",
         (SELECT coalesce(max(e.id), 0) FROM events AS e
            WHERE e.booking_id = bookings.id AND e.kind = 'label-requested') AS "requestedId" FROM bookings`,
    )
    for (const bag of rows) {
      const before = asked.get(bag.id) ?? { creations: 0, last: null, lastId: 0 }
      asked.set(bag.id, bag)
      const isNoted = bag.requestedId > before.lastId || before.last === 'label-requested'
      if (bag.creations > before.creations && !isNoted)
        return `bag ${bag.id} was asked for, and its last event is ${bag.last}`
    }
    return undefined
  }

  const recorded: Check = async () => {
    const [fault] = await store.read<{ what: string; id: number }>(unrecorded)
    return fault && `${fault.what} ${fault.id}`
  }

  /** When this was looked at last, and the orders that were there. */
  const sales = { at: 0, orders: new Set<number>() }
  const stops: Check = async () => {
    const now = world.reality.now()
    const [since, before] = [sales.at, sales.orders]
    const rows = await store.read<{
      id: number
      agent_code: string
      center_code: string
      destination: string
    }>(
      'SELECT orders.id, agent_code, center_code, destination FROM orders JOIN bookings ON order_id = orders.id',
    )
    sales.at = now
    sales.orders = new Set(rows.map(({ id }) => id))
    for (const { id, agent_code, center_code, destination } of rows.filter((row) => !before.has(row.id))) {
      // In force all the time in which it can have been created.
      const [stop] = await store.read<{ what: string; code: string | null }>(
        `SELECT what, code FROM stops WHERE set_at < ${since} AND from_at < ${since}
           AND (until_at IS NULL OR until_at > ${now}) AND (ended_at IS NULL OR ended_at > ${now})
           AND (what = 'all' OR what = 'agent' AND code = '${agent_code}' OR what = 'branch' AND code = '${center_code}'
             OR what = 'city' AND code = '${JSON.parse(destination).city}')`,
      )
      if (stop) return `OD-${id} was created while ${stop.what} ${stop.code ?? ''} was stopped`
    }
    const [stray] = world.notes.strayStops
    return stray && `${stray} existed, and was refused because of a stop`
  }

  const desk: Check = async () => {
    if (world.notes.acted.size === 0) return undefined
    const [alone] = await store.read<{ transaction_id: string }>(
      // What went back by hand is stored as done, and was never asked for.
      `SELECT transaction_id FROM refunds WHERE reason = 'operator' AND (state <> 'done' OR asked_at IS NOT NULL)
         AND NOT EXISTS (
         SELECT 1 FROM approvals WHERE act = 'refund' AND about = transaction_id AND state = 'approved'
           AND asked_subject <> decided_subject)`,
    )
    if (alone) return `${alone.transaction_id} goes back, and no second person approved it`
    const [cancelled] = await store.read<{ order_id: number }>(
      `SELECT order_id FROM events AS e WHERE kind = 'order-cancelled' AND actor_kind = 'staff' AND NOT EXISTS (
         SELECT 1 FROM approvals WHERE approvals.order_id = e.order_id AND act = 'cancel' AND state = 'approved'
           AND asked_subject <> decided_subject AND decided_subject = e.actor_subject)`,
    )
    if (cancelled) return `OD-${cancelled.order_id} was paid and cancelled by one person of the desk`
    const [above] = await store.read<{ id: number }>(
      `SELECT id FROM orders WHERE
         (SELECT coalesce(sum(refunds.amount_halalas), 0) FROM refunds
            JOIN payment_attempts ON payment_attempts.id = attempt_id
            WHERE order_id = orders.id AND written_off_at IS NULL AND refunds.reason <> 'wrong-amount')
         + (SELECT coalesce(sum(compensations.halalas), 0) FROM compensations
            JOIN claims ON claims.id = claim_id WHERE order_id = orders.id)
         > (SELECT coalesce(sum(payment_events.amount_halalas), 0) FROM payment_events
            JOIN payment_attempts ON payment_attempts.id = attempt_id
            WHERE order_id = orders.id AND kind = 'succeeded')
         AND NOT EXISTS (SELECT 1 FROM approvals WHERE order_id = orders.id AND approvals.state = 'approved'
           AND act IN ('refund', 'cancel', 'compensation') AND asked_subject <> decided_subject)`,
    )
    if (above) return `more leaves for OD-${above.id} than was captured, and no second person approved it`
    const [untold] = await store.read<{ id: number; state: string }>(
      `SELECT id, state FROM approvals WHERE
         1 <> (SELECT count(*) FROM events AS e WHERE e.order_id = approvals.order_id AND e.at = asked_at
           AND e.kind = 'approval-requested' AND e.actor_subject = asked_subject)
         OR state IN ('approved', 'refused', 'overtaken') AND 1 <> (SELECT count(*) FROM events AS e
           WHERE e.order_id = approvals.order_id AND e.at = decided_at AND e.kind = 'approval-decided'
             AND e.actor_subject = decided_subject)
         OR state = 'approved' AND NOT EXISTS (SELECT 1 FROM events AS e
           WHERE e.order_id = approvals.order_id AND e.actor_subject = decided_subject AND e.kind = CASE act
             WHEN 'refund' THEN 'refund-ordered' WHEN 'cancel' THEN 'order-cancelled' ELSE 'refund-written-off' END)`,
    )
    if (untold) return `approval ${untold.id} is ${untold.state}, and its events do not say so once`
    const [expired] = await store.read<{ state: number; events: number }>(
      `SELECT (SELECT count(*) FROM approvals WHERE state = 'expired') AS state,
         (SELECT count(*) FROM events WHERE kind = 'approval-expired') AS events`,
    )
    if (expired && Number(expired.state) !== Number(expired.events))
      return `${expired.state} approvals have expired, and ${expired.events} events say so`
    const notes = await store.read<{ data: string }>("SELECT data FROM events WHERE kind = 'note'")
    const texts = notes.flatMap(({ data }) => JSON.parse(data).personal?.text ?? [])
    const twice = texts.find((text, index) => texts.indexOf(text) !== index)
    return twice && `what was asked under ${twice} was done more than once`
  }

  const ledger: Check = async () => {
    const captured = new Map(payments().map(({ payment }) => [String(payment.id), payment.amountHalalas]))
    for (const { transaction_id, halalas } of await store.read<{ transaction_id: string; halalas: number }>(
      `SELECT transaction_id, sum(amount_halalas) AS halalas FROM refunds WHERE written_off_at IS NULL
       GROUP BY transaction_id`,
    ))
      if (Number(halalas) > (captured.get(transaction_id) ?? 0))
        return `${halalas} halalas of ${transaction_id} go back, of which ${captured.get(transaction_id)} were captured`
    const [kept] = await store.read<{ id: number }>(
      `SELECT id FROM orders WHERE payment = 'paid' AND ended = 'cancelled' AND NOT EXISTS (
         SELECT 1 FROM refunds WHERE refunds.transaction_id = orders.transaction_id
           AND (state <> 'done' OR written_off_at >= ended_at))`,
    )
    if (kept) return `OD-${kept.id} is cancelled, and its money does not go back`
    const [both] = await store.read<{ id: number }>(
      "SELECT id FROM orders WHERE ended = 'cancelled' AND handed_over IN ('some', 'all')",
    )
    return both && `OD-${both.id} is cancelled, and a bag of it was handed over`
  }

  /** Where each bag was at the last look, and the newest event of it. */
  const places = new Map<number, { readonly carriage: Carriage; readonly last: number }>()

  /** A power cut takes an arrival and its message back together. */
  const arrivals: Check = async () => {
    for (const { id, carriage, last, times, reported } of await store.read<{
      id: number
      carriage: Carriage
      last: number
      times: number
      reported: number
    }>(
      `SELECT bookings.id, carriage,
         coalesce((SELECT max(events.id) FROM events WHERE booking_id = bookings.id), 0) AS last,
         (SELECT count(*) FROM messages WHERE booking_id = bookings.id AND kind = 'at-branch') AS times,
         coalesce((SELECT max(reported_event_id) FROM messages
           WHERE booking_id = bookings.id AND kind = 'at-branch'), 0) AS reported
       FROM bookings JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id AND deleted_at IS NULL`,
    )) {
      const seen = places.get(id)
      places.set(id, { carriage, last })
      const hasArrived = carriage === 'at-branch' && seen !== undefined && seen.carriage !== 'at-branch'
      if (hasArrived && last > seen.last && reported <= seen.last && times < outboxRules.mostOfBag)
        return `bag ${id} has arrived, and its owner has no message of it`
    }
    return undefined
  }

  /** Each for the bags that it is for, whatever became of the money. */
  const bagsAlone: Check = async () => {
    const [claimed] = await store.read<{ id: number }>(
      `SELECT id FROM claims WHERE NOT EXISTS (SELECT 1 FROM events AS e
         WHERE e.booking_id = claims.booking_id AND e.kind IN ('received', 'scan'))`,
    )
    if (claimed) return `CL-${claimed.id} is about a bag that never left its owner`
    const [untold] = await store.read<{ id: number }>(
      `SELECT bookings.id FROM bookings JOIN orders ON orders.id = order_id
       JOIN users ON users.id = user_id AND deleted_at IS NULL WHERE carriage = 'at-branch'
         AND NOT EXISTS (SELECT 1 FROM messages WHERE booking_id = bookings.id AND kind = 'at-branch')`,
    )
    if (untold) return `bag ${untold.id} is at its branch, and its owner has no message of it`
    const [told] = await store.read<{ id: number }>(
      `SELECT bookings.id FROM bookings JOIN messages ON booking_id = bookings.id
       WHERE carriage = 'void' AND messages.kind = 'at-branch'`,
    )
    return told && `bag ${told.id} will not be carried, and its owner has a message that it arrived`
  }

  /** What was answered is there. */
  const acted: Check = async () => {
    const kept = new Set(
      (await store.read<{ key: string }>('SELECT key FROM desk_acts')).map(({ key }) => key),
    )
    const lost = [...world.notes.acted].find((key) => !kept.has(key))
    if (lost) return `${lost} was answered as done and is not recorded`
    const [silent] = await store.read<{ key: string; subject: string }>(
      `SELECT key, subject FROM desk_acts AS act WHERE NOT EXISTS (SELECT 1 FROM events AS e
         WHERE e.actor_issuer = act.issuer AND e.actor_subject = act.subject AND e.at = act.at)`,
    )
    return silent && `${silent.subject} did what was asked under ${silent.key}, and no event says so`
  }

  /** No one in the world switches messages off, so a message that is not wanted was lost with its number. */
  const movedMessages: Check = async () => {
    const [lost] = await store.read<{ id: number; kind: string }>(
      `SELECT id, kind FROM messages WHERE state = 'dropped' AND last_error = 'not wanted' AND user_id IN
         (SELECT user_id FROM events WHERE kind = 'account-changed' AND data LIKE '%"phone"%')`,
    )
    return lost && `message ${lost.id} (${lost.kind}) was lost with the number that its account had before`
  }

  /** Rows of persons who get no SMS are deleted: those whose number was refused, and deleted accounts. */
  const told: Check = async () => {
    const isReached = `EXISTS (SELECT 1 FROM users WHERE users.id = owner AND deleted_at IS NULL AND sms_refused IS NULL)
      AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.user_id = owner AND state = 'failed'
        AND (last_error LIKE 'phone%' OR last_error LIKE 'opted-out%'))`
    const before = (kind: string) =>
      `EXISTS (SELECT 1 FROM events AS e WHERE e.order_id = told.order_id AND e.kind = '${kind}' AND e.id < told.id)`
    const [silent] = await store.read<{ id: number; kind: string }>(
      `SELECT id, kind FROM (
         SELECT events.id, events.kind, events.order_id,
           coalesce(events.user_id, (SELECT user_id FROM orders WHERE orders.id = events.order_id)) AS owner
         FROM events) AS told
       WHERE (kind IN ('claim-opened', 'claim-question', 'claim-answered', 'claim-late', 'claim-closed')
           OR kind = 'paid' AND NOT ${before('order-cancelled')}
           OR kind = 'order-cancelled' AND ${before('paid')})
         AND NOT EXISTS (SELECT 1 FROM messages WHERE event_id = told.id AND channel = 'sms') AND ${isReached}`,
    )
    if (silent) return `event ${silent.id} (${silent.kind}) has no message`
    const [stray] = await store.read<{ id: number; kind: string }>(
      `SELECT id, kind FROM messages WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.id = event_id)
         OR NOT EXISTS (SELECT 1 FROM events WHERE events.id = reported_event_id)`,
    )
    return stray && `message ${stray.id} (${stray.kind}) has no event`
  }

  /** Compares stored collections with the scans of the bag itself at the courier. */
  const collections: Check = async () => {
    const journeys = journeysOf(await bagEvents())
    const bags = await store.read<{ id: number; awb: string; paid_at: number | null }>(
      'SELECT bookings.id, awb, paid_at FROM bookings JOIN orders ON orders.id = order_id',
    )
    for (const { id, awb, paid_at } of bags) {
      const at = journeys.get(id)?.find(({ kind }) => kind === 'collected')?.at
      if (at === undefined) continue
      if (paid_at === null || at < paid_at - clocksMs) return `bag ${awb} was collected before it was paid`
      const shipment = simulator.shipping.findByNumber(awb)
      if (shipment && !isCollected(shipment)) return `bag ${awb} is collected by a scan of another bag`
    }
    return undefined
  }

  /** The courier has scanned the bag itself as collected. */
  const isCollected = (shipment: { readonly awb: string }) =>
    simulator.journeys
      .scansOf(shipment)
      .some((scan) => scan.ScanType === 'DL' && !world.notes.foreignScans.has(scan))

  // ---- At rest

  const claimsRecorded: Check = async () => {
    const stored = await store.read<{ claim_id: number; kind: string }>(
      'SELECT claim_id, events.kind FROM events JOIN claims ON claims.id = claim_id',
    )
    const recorded = new Set(stored.map(({ claim_id, kind }) => `${claim_id} ${kind}`))
    for (const step of world.notes.claims)
      if (!recorded.has(step)) return `CL-${step} was answered as done and is not recorded`
    const told = new Set<string>()
    for (const { to, body } of simulator.messaging.list(undefined, 10_000)) {
      const opened = /سجّلنا بلاغك CL-\d+/.exec(body)?.[0]
      if (opened === undefined) continue
      if (told.has(opened)) return `${to} is told twice: ${body}`
      told.add(opened)
    }
    return undefined
  }

  const usable: Check = async () => {
    for (const row of await store.read<{
      order_id: number
      state: string
      carriage: Carriage
      stopped_at: number | null
      due_at: number | null
      pdf: number | null
    }>(
      // Labels go with the account of a bag that was collected.
      `SELECT order_id, bookings.state, carriage, stopped_at, due_at, labels.booking_id AS pdf FROM bookings
       JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id AND deleted_at IS NULL
       LEFT JOIN labels ON labels.booking_id = bookings.id`,
    )) {
      const isUseless = row.carriage === 'none' || row.carriage === 'void'
      if (!isUseless && row.stopped_at === null && (row.state !== 'issued' || row.pdf === null))
        return `a bag of OD-${row.order_id} is ${row.carriage}, its label is ${row.state}, and no operator sees it`
      if (isUseless && row.due_at !== null)
        return `a bag of OD-${row.order_id} will not be carried, and is still worked on as ${row.state}`
    }
    return undefined
  }

  /** True for a payment that pays its order, less what support has returned by hand. */
  const isFare = (
    payment: TransactionRecord,
    order: Awaited<ReturnType<typeof orders>>[number] | undefined,
  ) =>
    order !== undefined &&
    statusOf(order) === 'PAID' &&
    order.transaction_id === String(payment.id) &&
    payment.amountHalalas === order.amount_halalas &&
    payment.refundedHalalas === (world.notes.byHand.get(String(payment.id)) ?? 0)

  const money: Check = async () => {
    const byId = new Map((await orders()).map((order) => [order.id, order]))
    const refunds = await store.read<{ transaction_id: string }>(
      "SELECT transaction_id FROM refunds WHERE state <> 'done' OR written_off_at IS NOT NULL",
    )
    const seen = new Set(refunds.map(({ transaction_id }) => transaction_id))
    const stray = payments().find(
      ({ orderId, payment }) =>
        isStanding(payment) && !seen.has(String(payment.id)) && !isFare(payment, byId.get(orderId)),
    )
    if (stray) {
      const { orderId, payment } = stray
      const order = byId.get(orderId)
      return `${payment.amountHalalas - payment.refundedHalalas} halalas of ${payment.id} are kept for OD-${orderId}, which is ${order && statusOf(order)} with ${order?.transaction_id}`
    }
    for (const order of [...byId.values()].filter((each) => statusOf(each) === 'PAID')) {
      const paid = payments().find(({ payment }) => String(payment.id) === order.transaction_id)
      if (!paid)
        return `OD-${order.id} is paid with ${order.transaction_id}, which the provider does not have`
      if (!isStanding(paid.payment) && !seen.has(String(paid.payment.id)))
        return `OD-${order.id} is PAID, and its payment went back`
    }
    return undefined
  }

  const refundedAgain: Check = async () => {
    // The bank can refuse a later request, and then the desk pays in another way.
    const rows = await store.read<{ id: string }>(
      'SELECT transaction_id AS id FROM refunds WHERE written_off_at IS NOT NULL',
    )
    const writtenOff = new Set(rows.map(({ id }) => id))
    const lost = payments().find(
      ({ payment }) =>
        world.notes.forgotten.has(String(payment.id)) &&
        !writtenOff.has(String(payment.id)) &&
        !payment.refusesRefunds &&
        isStanding(payment),
    )
    return lost && `the refund of ${lost.payment.id} was forgotten by the bank, and never made`
  }

  const shown: Check = async () => {
    for (const order of await orders())
      if (world.notes.shownPaid.has(order.id) && order.payment === 'unpaid')
        return `OD-${order.id} was shown as paid and is ${statusOf(order)}`
    return undefined
  }

  const handovers: Check = async () => {
    for (const awb of world.notes.handedOver) {
      const events = await store.read<{ kind: string }>(
        `SELECT kind FROM events JOIN bookings ON bookings.id = booking_id WHERE awb = '${awb}' AND kind IN ('received', 'undone')`,
      )
      if (events.length === 0) return `bag ${awb} was answered as taken and is not recorded`
    }
    return undefined
  }

  /** Compares pictures with the bags on them, the hand-overs, the accounts and the collections. */
  const pictures: Check = async () => {
    const rows = await store.read<{
      booking_id: number
      awb: string
      jpeg: Uint8Array
      stored_at: number
      delete_at: number
      last: string
      deleted_at: number | null
      carriage: Carriage
    }>(
      `SELECT handover_photos.booking_id, awb, jpeg, stored_at, delete_at, deleted_at, carriage,
         ${lastOf('booking_id = bookings.id', "'received', 'undone'")} AS last
       FROM handover_photos JOIN bookings ON bookings.id = handover_photos.booking_id
       JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id`,
    )
    const journeys = rows.length === 0 ? undefined : journeysOf(await bagEvents())
    for (const { booking_id, awb, jpeg, stored_at, delete_at, last, deleted_at, carriage } of rows) {
      if (!photoOfBag(awb).equals(jpeg)) return `the picture under bag ${awb} is not whole, or of another bag`
      if (last !== 'received') return `bag ${awb} has a picture, and its hand-over was undone`
      if (deleted_at !== null) return `bag ${awb} has a picture, and the account of its owner was deleted`
      const collections = journeys?.get(booking_id)?.filter(({ kind }) => kind === 'collected') ?? []
      const ends =
        carriage === 'collected'
          ? collections.map(({ at }) => photoEndOf(stored_at, at))
          : [photoEndOf(stored_at, undefined)]
      if (!ends.includes(delete_at))
        return `the picture of bag ${awb}, which is ${carriage}, is deleted at ${new Date(delete_at).toISOString()}`
    }
    const stored = new Set(rows.map(({ awb }) => awb))
    const missing = [...world.notes.pictured.keys()].filter((awb) => !stored.has(awb))
    const refused = [...world.notes.refusedPictures.keys()].filter((awb) => !stored.has(awb))
    if (missing.length + refused.length === 0) return undefined
    const standing = await store.read<{ awb: string }>(
      `SELECT awb FROM bookings JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id
       WHERE deleted_at IS NULL AND ${lastOf('booking_id = bookings.id', "'received', 'undone'")} = 'received'`,
    )
    const [lost] = standing.filter(({ awb }) => missing.includes(awb) || refused.includes(awb))
    return (
      lost && `the picture of bag ${lost.awb} is lost (${world.notes.refusedPictures.get(lost.awb) ?? done})`
    )
  }

  /** Counts the bags of groups that have a picture, and compares each picture with the one that its owner saw. */
  const counted: Check = async () => {
    const { pictured, seenPictures } = world.notes
    for (const [awb, jpeg] of seenPictures)
      if (!photoOfBag(awb).equals(jpeg)) return `the owner of bag ${awb} is shown another picture`
    const unseen = [...pictured.keys()].find((awb) => !seenPictures.has(awb))
    if (unseen !== undefined) return `the owner of bag ${unseen} is shown no picture`
    const later = [...pictured.values()].filter((when) => when === 'later').length
    const isAll = pictured.size >= Number(expectedPictures) && later * 2 >= Number(expectedPictures)
    return isAll ? undefined : `${pictured.size} bags have a picture, ${later} of them sent later`
  }

  const refusals: Check = async () => {
    const rows = await store.read<{ key: string; awb: string }>(
      "SELECT key, awb FROM events JOIN bookings ON bookings.id = booking_id WHERE kind = 'not-accepted'",
    )
    const recorded = new Set(rows.map(({ key, awb }) => `${key} ${awb}`))
    for (const [key, awb] of world.notes.notAccepted)
      if (!recorded.has(`${refusalKeyOf(key)} ${awb}`))
        return `bag ${awb} was answered as not accepted and is not recorded`
    return undefined
  }

  const consignees: Check = async () => {
    for (const shipment of simulator.shipping.listShipments()) {
      const said = world.notes.collectors.get(orderOfShipment(shipment) ?? 0)
      if (said === undefined) continue
      const { ContactName, ContactPhoneNumber } = shipment.request.ConsigneeAddress
      const isName =
        said.name.length < labelNameMinLength ? ContactName.startsWith(said.name) : ContactName === said.name
      if (!isName || ContactPhoneNumber !== said.phone)
        return `airway bill ${shipment.awb} names ${ContactName} ${ContactPhoneNumber}, and its order said ${said.name} ${said.phone}`
    }
    return undefined
  }

  const awbIn = (text: string) => /\d{12}/.exec(text)?.[0] ?? ''

  const phoneOnLabel = (awb: string) =>
    simulator.shipping.findByNumber(awb)?.request.ConsigneeAddress.ContactPhoneNumber

  /** How often each bag has arrived at a branch, by its airway bill. */
  async function countArrivals(): Promise<(awb: string) => number> {
    const journeys = journeysOf(await bagEvents())
    const bags = await store.read<{ id: number; awb: string }>(
      'SELECT id, awb FROM bookings WHERE awb IS NOT NULL',
    )
    const arrivals = new Map(
      bags.map(({ id, awb }) => [
        awb,
        journeys.get(id)?.filter(({ kind }) => kind === 'at-branch').length ?? 0,
      ]),
    )
    return (awb) => arrivals.get(awb) ?? 0
  }

  /** The facts that receivers got: `<phone> <airway bill> <whether the bag has arrived>`. */
  async function readTold(): Promise<ReadonlySet<string> | string> {
    const told = new Map<string, number>()
    const arrivalsOf = await countArrivals()
    for (const { to, body } of simulator.messaging.list(undefined, 10_000)) {
      if (!to.startsWith(receiverPhones)) continue
      const awb = awbIn(body)
      const phone = phoneOnLabel(awb)
      if (phone !== to) return `${to} is told of a bag that ${phone} collects: ${body}`
      // A link, or a code of four digits.
      if (/https?:|www\.|\.com|\/|(?<!\d)\d{4}(?!\d)/.test(body)) return `${to} is told: ${body}`
      const hasArrived = body.includes('جاهزة')
      const fact = `${to} ${awb} ${hasArrived}`
      const times = (told.get(fact) ?? 0) + 1
      told.set(fact, times)
      // A bag that was brought to a wrong branch first arrives again.
      const most = Math.max(1, Number(hasArrived) * arrivalsOf(awb))
      if (times > most) return `${to} is told ${times} times: ${body}`
    }
    return new Set(told.keys())
  }

  const receivers: Check = async () => {
    const told = await readTold()
    if (typeof told === 'string') return told
    const named = await store.read<{ phone: string; booking_id: number; state: string }>(
      "SELECT phone, booking_id, state FROM messages WHERE kind = 'receiver-named'",
    )
    for (const { id, awb } of await store.read<{ id: number; awb: string }>(
      `SELECT bookings.id, awb FROM bookings JOIN orders ON orders.id = order_id
       JOIN users ON users.id = user_id AND deleted_at IS NULL
       WHERE awb IS NOT NULL AND payment = 'paid' AND ended IS NULL AND carriage != 'void'`,
    )) {
      const to = phoneOnLabel(awb) ?? ''
      if (!to.startsWith(receiverPhones) || told.has(`${to} ${awb} false`)) continue
      const isOften = named.filter(({ phone }) => phone === to).length >= messageRules.namedPerPhone
      const isRefused = named.some((row) => row.booking_id === id && row.state === 'failed')
      if (!isOften && !isRefused) return `${to} was never told of bag ${awb}`
    }
    return undefined
  }

  /** Receivers of orders when it was last quiet, and the messages about changes of them. */
  const receiversSeen = new Map<number, { readonly receiver: string; readonly warnings: string }>()

  /** Rows go with their account, and power cuts take a change and its message back together. */
  const personalData: Check = async () => {
    for (const { id, kind, data } of await store.read<Pick<Row<'events'>, 'id' | 'kind' | 'data'>>(
      'SELECT id, kind, data FROM events',
    )) {
      const { personal: _, ...rest } = JSON.parse(data)
      const kept = JSON.stringify(rest)
      const text = personalTexts.find((each) => kept.includes(each))
      if (text !== undefined)
        return `event ${id} (${kind}) holds “${text}” where no erasure finds it: ${kept}`
    }
    return undefined
  }

  const receiverWarnings: Check = async () => {
    let found: string | undefined
    for (const { id, name, phone, warnings } of await store.read<{
      id: number
      name: string | null
      phone: string | null
      warnings: string
    }>(
      `SELECT orders.id, receiver_name AS name, receiver_phone AS phone,
         (SELECT count(*) || ' until ' || coalesce(max(created_at), 0) FROM messages
           WHERE order_id = orders.id AND kind = 'receiver-changed') AS warnings
       FROM orders JOIN bookings ON order_id = orders.id
       JOIN users ON users.id = user_id AND deleted_at IS NULL WHERE leg = 0`,
    )) {
      const receiver = `${name} ${phone}`
      const seen = receiversSeen.get(id)
      if (seen && seen.receiver !== receiver && seen.warnings === warnings)
        found = `${receiver} collects the bag of OD-${id} in place of ${seen.receiver}, and its owner has no message of it`
      receiversSeen.set(id, { receiver, warnings })
    }
    return found
  }

  /** What was stored of an order at the last look, and how many notices its stream had sent. */
  const noticed = new Map<number, { readonly stored: string; readonly notices: number }>()
  const streams: Check = async () => {
    for (const [orderId, notices] of world.notes.streams) {
      const bags = await store.read(
        `SELECT payment, ended, awb, carriage,
           (SELECT count(*) FROM events WHERE booking_id = bookings.id
             AND kind IN ('received', 'undone', 'not-accepted', 'scan', 'bag-void', 'bag-valid')) AS events,
           (SELECT count(*) FROM handover_photos WHERE booking_id = bookings.id) AS pictures,
           (SELECT count(*) FROM refunds JOIN payment_attempts ON payment_attempts.id = attempt_id
             WHERE order_id = orders.id AND refunds.state <> 'done') AS refunds
         FROM orders JOIN bookings ON order_id = orders.id WHERE orders.id = ${orderId} ORDER BY leg`,
      )
      const stored = JSON.stringify(bags)
      const before = noticed.get(orderId)
      noticed.set(orderId, { stored, notices })
      if (before !== undefined && before.stored !== stored && before.notices === notices)
        return `OD-${orderId} was ${before.stored} and is ${stored}, and its stream has sent no notice`
    }
    return undefined
  }

  const scansArrive: Check = async () => {
    for (const shipment of simulator.shipping.listShipments()) {
      if (!isCollected(shipment)) continue
      const [row] = await store.read<{ carriage: Carriage }>(
        `SELECT carriage FROM bookings WHERE awb = '${shipment.awb}'`,
      )
      if (row && row.carriage !== 'collected' && row.carriage !== 'void')
        return `bag ${shipment.awb} was collected and is shown as ${row.carriage}`
    }
    return undefined
  }

  const always: Readonly<Record<string, Check>> = {
    'every paid order has exactly one label per bag, and no unpaid order has one': labels,
    'nothing waits for the label of a bag that will not be carried': withdrawn,
    'a payment form that was shown is replaced only after the provider has said that nothing was paid in it':
      secondForms,
    'numbers of receipts have no gaps, and a written document never changes': receipts,
    'a payment, a refund and a receipt come with their events, each once': moneyEvents,
    'where a bag is follows from all that happened to it, and how many of an order are handed over from its bags; one is void exactly where its order was cancelled or its money goes back before it left its owner':
      carriage,
    'a bag is made void once, and valid again only after that': voids,
    'a cancelled order has its money on its way and no bag that was handed over, and no more goes back than was captured':
      ledger,
    'a bag that left its owner can be reported and its arrival is told, and no other, whatever became of the money':
      bagsAlone,
    'no session begins without a code of its phone': sessions,
    'a code is checked only for the number it was sent to': codes,
    'a changed number needs both codes, and an address that is a day old': changedNumbers,
    'a message whose outcome is known is not sent again': messages,
    'an event comes with its messages, and a message with its event': told,
    'a message under way follows its account to another number': movedMessages,
    'each arrival of a bag has a message': arrivals,
    'an account with a paid, unused order is deleted only by who gives it up': deletions,
    'no order is created while a stop is in force for it, and one that exists is still paid': stops,
    'no refund and no cancellation of a paid order by staff without two, nor more than was captured; none without its event, and nothing they ask for is done twice':
      desk,
    'what staff did is recorded once it is answered, and each act has its event': acted,
    'a hand-over that is answered as recorded is recorded': handovers,
    'the picture of a bag is stored once it is answered, whole and under no other bag, for as long as its hand-over, its account and its time last':
      pictures,
    'no bag is collected before it was paid': collections,
    'a bag that an agent did not accept is recorded as that, and stays where it is': refusals,
    'one claim about a bag and kind is open at a time, its answer is due on one working day, and each step of it has its event':
      claims,
    'what happens to an order, its airway bills, its link and its account is recorded with it, once':
      recorded,
    'the courier is asked for an airway bill, and its history says so, unless nothing has changed since it was asked before':
      requested,
  }
  /** Streams and the outbox have every change by then. */
  const quietly = {
    'the stream of an order sends a notice of every change that a reload shows': streams,
    'another receiver is told to the owner at once': receiverWarnings,
  }
  const lastly: Readonly<Record<string, Check>> = {
    'a paid bag gets its label, or an operator sees it': usable,
    'money is the fare of a paid order, or it goes back whole': money,
    'an operator can order a refund again that the bank has dropped': refundedAgain,
    'what a person was told is true': shown,
    'what people wrote stands in an event only where erasure finds it': personalData,
    'what the courier scanned is shown': scansArrive,
    'a step of a claim that is answered as done is recorded, and an opened claim is told once':
      claimsRecorded,
    'an airway bill names whom the order said when the courier was asked': consignees,
    'the receiver on an airway bill, and no other, is told of it once, and of each arrival, without a link or a code':
      receivers,
    ...(expectedPictures !== undefined && {
      [`of ${expectedPictures} bags with a picture, half of them taken off line, each owner is shown the own one`]:
        counted,
    }),
  }

  const first = async (checks: Readonly<Record<string, Check>>): Promise<Broken | undefined> => {
    for (const [promise, check] of Object.entries(checks)) {
      const found = await check()
      if (found !== undefined) return { promise, found }
    }
    return undefined
  }

  const nextDue = 'min(CASE WHEN due_at > leased_until THEN due_at ELSE leased_until END)'
  const due = [
    ...['bookings', 'payment_attempts', 'messages'].map(
      (table) => `SELECT '${table}' AS what, ${nextDue} AS at FROM ${table} WHERE due_at IS NOT NULL`,
    ),
    // Later ones are an operator's: a bank may refuse a refund for ever.
    `SELECT 'refunds' AS what, ${nextDue} AS at FROM refunds WHERE due_at IS NOT NULL AND tries < 12`,
    // An order with an attempt expires with its inquiry.
    `SELECT 'orders' AS what, min(created_at) + 5400000 AS at FROM orders WHERE payment = 'unpaid' AND ended IS NULL
       AND id NOT IN (SELECT order_id FROM payment_attempts WHERE due_at IS NOT NULL)`,
  ].join(' UNION ALL ')

  return {
    afterStep: () => first(always),
    atQuiet: () => first(quietly),
    atRest: () => first({ ...always, ...quietly, ...lastly }),
    async nextWork() {
      const rows = await store.read<{ at: number | null }>(due)
      const times = rows.flatMap(({ at }) => (at === null || at > reality.now() + soonMs ? [] : [at]))
      // A lost push is found by polling, rarely for a bag that was silent.
      if (times.length === 0 && (await scansArrive()) !== undefined) {
        const [row] = await store.read<{ at: number }>('SELECT min(due_at) AS at FROM tracked_bookings')
        return row?.at
      }
      return times.length > 0 ? Math.min(...times) : undefined
    },
    unfinished: async () => JSON.stringify([...(await store.read(due)), ...(await orders())]),
  }
}

interface ClaimFacts {
  readonly id: number
  readonly booking_id: number
  readonly kind: string
  readonly state: string
  readonly answer_by: number
  readonly late_since: number | null
  readonly openings: number
  readonly last: string
  readonly lates: number
}

function faultOfClaim({ id, state, answer_by, late_since, openings, last, lates }: ClaimFacts) {
  const inRiyadh = answer_by + 180 * minute
  if (inRiyadh % day !== 0 || new Date(inRiyadh - 1).getUTCDay() > 4)
    return `CL-${id} is answered by ${new Date(answer_by).toISOString()}`
  if (openings !== 1) return `CL-${id} was opened once and has ${openings} events of it`
  if (claimStateAfter[last] !== state) return `CL-${id} is ${state}, and its last event is ${last}`
  if ((late_since !== null) !== lates > 0) return `CL-${id} is late since ${late_since}, by ${lates} events`
  return undefined
}

/** A bag is made void while it is valid, and valid while it is void for a time. */
function faultOfVoids(events: readonly StoredEvent[]): string | undefined {
  const isVoid = new Map<number | undefined, 'for a time' | 'for good'>()
  for (const event of events.filter((each) => each.kind === 'bag-void' || each.kind === 'bag-valid')) {
    const { kind, bookingId } = event
    const before = isVoid.get(bookingId)
    const isAllowed = kind === 'bag-valid' ? before === 'for a time' : before === undefined
    if (!isAllowed) return `bag ${bookingId} gets ${kind}, and was ${before ? `void ${before}` : 'valid'}`
    if (event.kind === 'bag-valid') isVoid.delete(bookingId)
    else isVoid.set(bookingId, event.data.forGood ? 'for good' : 'for a time')
  }
  return undefined
}

const eventsOf = (owner: string, kinds: string) => `FROM events WHERE ${owner} AND kind IN (${kinds})`

const countOf = (owner: string, kinds: string) => `(SELECT count(*) ${eventsOf(owner, kinds)})`

const lastOf = (owner: string, kinds: string) =>
  `coalesce((SELECT kind ${eventsOf(owner, kinds)} ORDER BY events.id DESC LIMIT 1), '')`

const labelKinds = "'label-requested', 'label-refused', 'label-escalated', 'label-permitted', 'label-issued'"

/** Rows without their event, and events without their row. */
const unrecorded = [
  `SELECT 'not created once: OD' AS what, id FROM orders
     WHERE ${countOf('order_id = orders.id', "'order-created'")} <> 1`,
  `SELECT 'not cancelled with its event: OD' AS what, id FROM orders
     WHERE ${countOf('order_id = orders.id', "'order-cancelled'")} <> CASE WHEN ended = 'cancelled' THEN 1 ELSE 0 END`,
  // A late payment revives an order that has expired.
  `SELECT 'not expired with its event: OD' AS what, id FROM
     (SELECT id, payment, ended, ${countOf('order_id = orders.id', "'order-expired'")} AS times FROM orders) AS expired
     WHERE times > 1 OR times = 0 AND ended = 'expired' OR times = 1 AND ended IS NULL AND payment = 'unpaid'`,
  `SELECT 'numbered without its event: bag' AS what, id FROM bookings
     WHERE ${countOf('booking_id = bookings.id', "'label-issued'")} <> CASE WHEN awb IS NULL THEN 0 ELSE 1 END`,
  // The creations of a void bag end.
  `SELECT 'stopped without its event: bag' AS what, id FROM
     (SELECT id, state, stopped_at, creations_allowed,
        ${lastOf('booking_id = bookings.id', "'label-escalated', 'label-permitted', 'label-issued'")} AS last
        FROM bookings) AS stopped
     WHERE CASE WHEN stopped_at IS NOT NULL THEN last <> 'label-escalated'
       ELSE last = 'label-escalated' AND state = 'waiting' AND creations_allowed > 0 END`,
  `SELECT 'alerted without its event: bag' AS what, booking_id AS id FROM
     (SELECT booking_id, count(*) AS alerts FROM scan_alerts GROUP BY booking_id) AS noticed
     WHERE alerts > ${countOf('booking_id = noticed.booking_id', "'bag-alert'")}`,
  `SELECT 'linked without its event: OD' AS what, id FROM orders
     WHERE EXISTS (SELECT 1 FROM order_shares WHERE order_id = orders.id)
       <> (${lastOf('order_id = orders.id', "'link-created', 'link-ended'")} = 'link-created')`,
  `SELECT 'reached by an address without its event: user' AS what, id FROM users WHERE deleted_at IS NULL
     AND (email IS NOT NULL) <> (coalesce((SELECT data ${eventsOf('user_id = users.id', "'account-changed'")}
       AND data LIKE '%"email-%' ORDER BY events.id DESC LIMIT 1), '') LIKE '%"email-added"%')`,
  `SELECT 'set or ended without its event: stop' AS what, id FROM stops
     WHERE (SELECT count(*) FROM events WHERE kind = 'stops-changed' AND data LIKE '%"stop ' || stops.id || '":%')
       <> CASE WHEN ended_at IS NULL THEN 1 ELSE 2 END`,
  `SELECT 'deleted without its event: user' AS what, id FROM users
     WHERE ${countOf('user_id = users.id', "'account-deleted'")} <> CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END`,
].join(' UNION ALL ')

/** What is wrong with where a bag is said to be. */
function faultOfBag(bag: BagRow, events: readonly TravelEvent[], isGivenUp: boolean): string | undefined {
  const { id, carriage, payment, ended } = bag
  const follows = carriageOf({ isPaid: payment !== 'unpaid', isLabelled: bag.state === 'issued', events })
  if (follows !== carriage) return `bag ${id} is ${carriage}, and what happened to it says ${follows}`
  if (payment === 'unpaid') return undefined
  const isStopped = ended === 'cancelled' || payment === 'returned' || Number(bag.back) >= bag.amount_halalas
  if (carriage === 'void' && !isStopped && !isGivenUp) return `bag ${id} is void, and its order stands`
  return isStopped && carriage !== 'void' && !isCarried(carriage)
    ? `bag ${id} is ${carriage}, and its order was cancelled or its money goes back`
    : undefined
}
