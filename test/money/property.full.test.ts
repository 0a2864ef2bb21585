import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import type { BookingRow } from '#server/features/orders/bookings.queries.ts'
import { findBookings, permitCreation } from '#server/features/orders/bookings.queries.ts'
import { beginCreation, leaseBooking } from '#server/features/orders/bookings.ts'
import type { OrderRow } from '#server/features/orders/orders.queries.ts'
import { listOrdersOfUser } from '#server/features/orders/orders.queries.ts'
import { lockOrder } from '#server/features/orders/travel.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { receiveCallback } from '#server/features/payments/callbacks.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import { openPayment } from '#server/features/payments/intentions.ts'
import type { PaymentReport } from '#server/features/payments/payments.rules.ts'
import {
  beginRefund,
  leaseRefund,
  listRefundsOfTransaction,
  readOpenRefunds,
  sumReturned,
} from '#server/features/payments/refunds.queries.ts'
import { leaseMs, unansweredMs } from '#server/features/shipments/shipments.rules.ts'
import { freeLeases } from '#server/platform/database/leases.ts'
import { isFailure } from '#server/platform/errors.ts'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { isCarried } from '#shared/orders/travel.rules.ts'
import type { EventKind } from '#shared/payments/payments.schemas.ts'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import {
  type Charge,
  openPaymentFixture,
  type PaymentFixture,
  quietMs,
  type Trouble,
} from '#test/kit/payment-fixture.ts'
import { bagEvent } from '#test/kit/stored-orders.ts'

/**
 * Model-based test of orders and money. The model records the charges at the provider and what was reported to the
 * gateway. The invariants are checked after every step, and again when no work is pending.
 */

const runs = 2_000
const longest = 80

interface Seen {
  readonly status: OrderStatus
  readonly transactionId: string | null
  /** Creations of shipments that were begun for its bookings. */
  readonly begun: number
}

interface Model {
  /** The last state seen of every order. */
  readonly seen: Map<number, Seen>
  /** Charges that callbacks can report, oldest first. */
  readonly charges: Charge[]
  /** Client secrets that the user has received and can pay with. */
  readonly secrets: string[]
  /** Transactions whose success, or whose refund, a callback has reported. */
  readonly reported: { readonly success: Set<string>; readonly refund: Set<string> }
}

interface Setup {
  readonly model: Model
  readonly fixture: PaymentFixture
}

/** How many orders of all histories reached each state: a run that never reaches one does not test it. */
const reached = {
  paid: 0,
  refunded: 0,
  expired: 0,
  'paid after it had expired': 0,
  'issued with one shipment': 0,
  'issued after a person allowed it': 0,
  'paid twice, and one payment refunded': 0,
  'paid a wrong amount, which was refunded': 0,
  'cancelled before it was paid': 0,
  'cancelled after it was paid': 0,
  'paid after it was cancelled, and refunded': 0,
  'handed over': 0,
}

const expiryMs = 75 * minute

const pick = <T>(things: readonly T[], number: number): T | undefined => things[number % things.length]
const caller = { role: 'user', userId: 1 } as const

// ---- What a step can do

type Act = (setup: Setup) => Promise<void>

async function pressPay(setup: Setup, orderId: number, isRepeated = false): Promise<void> {
  const { model, fixture } = setup
  const before = await fixture.statusOf(orderId)
  try {
    const { clientSecret } = await openPayment(fixture.core, orderId)
    expect(before).toBe('PENDING_PAYMENT')
    model.secrets.push(clientSecret)
  } catch (error) {
    // The provider refuses, or does not say what became of the last payment.
    if (isFailure(error, 'PAYMENT_UNAVAILABLE') || isFailure(error, 'PAYMENT_UNCHECKED')) return
    if (!isFailure(error, 'ORDER_NOT_PAYABLE')) throw error
    // The order cannot be paid while a wrong amount is being refunded. Where the refund was withdrawn meanwhile, it is paid.
    const { refund } = await readOrderFor(fixture.core, caller, orderId)
    if ((await fixture.statusOf(orderId)) !== 'PENDING_PAYMENT') return
    // Or a report that pays nothing has withdrawn it since: then the order can be paid.
    if (refund === undefined && !isRepeated) return pressPay(setup, orderId, true)
    expect(refund).toMatchObject({ reason: 'wrong-amount' })
  }
}

const checkout =
  (type: (typeof bookingTypes)[number]): Act =>
  async (setup) => {
    const { model, fixture } = setup
    const orderId = await fixture.createOrder(type)
    model.seen.set(orderId, { status: 'PENDING_PAYMENT', transactionId: null, begun: 0 })
    await pressPay(setup, orderId)
  }

const payAgain =
  (nth: number): Act =>
  async (setup) => {
    const orderId = pick([...setup.model.seen.keys()], nth)
    if (orderId !== undefined) await pressPay(setup, orderId)
  }

const charge =
  (nth: number, isApproved: boolean, missingHalalas: number): Act =>
  async ({ model, fixture }) => {
    const secret = pick(model.secrets, nth)
    if (secret === undefined) return
    const intention = fixture.provider.intentionOf(secret)
    const amount = intention.request.amountHalalas - missingHalalas
    model.charges.push(fixture.provider.charge(intention, isApproved, amount))
  }

const paidOnes = ({ seen }: Model): number[] =>
  [...seen].filter(([, { status }]) => status === 'PAID').map(([orderId]) => orderId)

/** The owner cancels an order; twice is once. */
const cancel =
  (nth: number, isOfPaid: boolean): Act =>
  async ({ model, fixture }) => {
    const orderId = pick(isOfPaid ? paidOnes(model) : [...model.seen.keys()], nth)
    if (orderId === undefined) return
    try {
      await cancelOrder(fixture.core, 1, orderId)
      expect(['CANCELLED', 'REFUNDED']).toContain(await fixture.statusOf(orderId))
    } catch (error) {
      const isRefused = isFailure(error, 'ALREADY_HANDED_OVER') || isFailure(error, 'ORDER_NOT_CANCELLABLE')
      if (!isRefused) throw error
    }
  }

/** The agent takes the first bag of an order. */
const handOver =
  (nth: number): Act =>
  async ({ model, fixture }) => {
    const orderId = pick(paidOnes(model), nth)
    if (orderId === undefined) return
    await fixture.database.transaction(async () => {
      await lockOrder(fixture.core, orderId)
      const [booking] = await findBookings(fixture.core, [orderId])
      if (booking === undefined) throw new Error('an order without bookings')
      // As an agent is refused: it is not paid, void, or was handed over before.
      if (booking.carriage !== 'awaiting-label' && booking.carriage !== 'ready') return
      await recordBagEvents(fixture.core, booking.id, [bagEvent('handed-over', fixture.clock.now())])
      reached['handed over'] += 1
    })
  }

/** A partial refund does not change the order. */
const isWholeRefund = ({ refundedHalalas, amountHalalas }: PaymentReport) => refundedHalalas === amountHalalas

/** A callback reports the state at its sending: a success may arrive after its own refund. */
const reportCharge =
  (nth: number, isOld: boolean): Act =>
  async ({ model, fixture }) => {
    const charged = pick(model.charges, nth)
    if (charged === undefined) return
    const now = fixture.provider.report(charged)
    const wasSuccess = now.kind === 'refunded' && isOld
    const kind: EventKind = wasSuccess ? 'succeeded' : now.kind
    const refundedHalalas = wasSuccess ? 0 : now.refundedHalalas
    await receiveCallback(fixture.core, { ...now, kind, refundedHalalas }, 'signature')
    if (kind === 'succeeded' || kind === 'refunded') model.reported.success.add(now.transactionId)
    if (kind === 'refunded' && isWholeRefund(now)) model.reported.refund.add(now.transactionId)
  }

/** The signature does not cover the reference: the copy must not count, and must not prevent the genuine one. */
const reportTampered =
  (nth: number): Act =>
  async ({ model, fixture }) => {
    const charged = pick(model.charges, nth)
    if (charged === undefined) return
    await receiveCallback(
      fixture.core,
      { ...fixture.provider.report(charged), merchantReference: 'OD0-OTHER' },
      'signature',
    )
  }

/** A callback with a valid signature and another amount, which the provider's inquiry does not confirm. */
const reportOtherAmount =
  (nth: number): Act =>
  async ({ model, fixture }) => {
    const charged = pick(model.charges, nth)
    if (charged?.isApproved !== true) return
    const report = fixture.provider.report(charged, 'succeeded')
    await receiveCallback(fixture.core, { ...report, amountHalalas: 1, refundedHalalas: 0 }, 'signature')
  }

const reportForeign: Act = async ({ model, fixture }) => {
  const [charged] = model.charges
  if (charged === undefined) return
  const report = { ...fixture.provider.report(charged), transactionId: '7', providerOrderId: 7 }
  await receiveCallback(fixture.core, report, 'signature')
}

const reverseByHand =
  (nth: number, isWhole: boolean): Act =>
  async ({ model, fixture }) => {
    const reversible = model.charges.filter(
      ({ isApproved, amountHalalas, refundedHalalas }) => isApproved && refundedHalalas < amountHalalas,
    )
    const reversed = pick(reversible, nth)
    if (reversed === undefined) return
    const rest = reversed.amountHalalas - reversed.refundedHalalas
    fixture.provider.reverse(reversed, isWhole ? rest : Math.ceil(rest / 3))
  }

const look =
  (nth: number): Act =>
  async ({ model, fixture }) => {
    const orderId = pick([...model.seen.keys()], nth)
    if (orderId !== undefined) await fixture.readOrder(caller, String(orderId))
  }

const pass =
  (ms: number): Act =>
  async ({ fixture }) =>
    fixture.clock.advance(ms)

/** Advances the clock beyond expiry and its grace period, with the inquiries due meanwhile. */
const expire: Act = async ({ fixture }) => {
  for (let passed = 0; passed < expiryMs; passed += 15 * minute) {
    fixture.clock.advance(15 * minute)
    await fixture.sweep()
  }
}

/** The background work of the next seconds. */
const goOn: Act = async ({ fixture }) => {
  fixture.clock.advance(3 * second)
  await fixture.ship()
  await fixture.refund()
  await fixture.sweep()
}

const sweep: Act = ({ fixture }) => fixture.sweep()
const refund: Act = ({ fixture }) => fixture.refund()
const ship: Act = ({ fixture }) => fixture.ship()

/** A process that dies while it processes a booking, at each step of the worker. */
const dieShipping =
  (at: 'before it asked' | 'while it asked' | 'after it asked'): Act =>
  async ({ fixture }) => {
    const now = fixture.clock.now()
    const lease = `dead-${now}`
    const booking = await leaseBooking(fixture.core, lease, leaseMs)
    if (booking?.awb !== null || booking.uncertainUntil > 0 || at === 'before it asked') return
    if (!(await beginCreation(fixture.core, booking.id, lease, unansweredMs(quietMs), 'Maryam'))) return
    fixture.partner.recover()
    if (at === 'while it asked') fixture.partner.fail('create', 'cut-meanwhile')
    const request = { reference: booking.reference } as Parameters<typeof fixture.partner.create>[0]
    await fixture.partner.create(request).catch(() => undefined)
  }

/** Both creations of a booking are cut off before the partner works, so that both outcomes are unknown. */
const useUpCreations: Act = async ({ fixture }) => {
  fixture.partner.fail('create', 'cut-before', 'cut-before')
  for (let count = 0; count < 3; count += 1) {
    await fixture.ship()
    fixture.clock.advance(2 * minute)
  }
  await fixture.ship()
}

/** The start of the only gateway on a file. */
const restart: Act = async ({ fixture }) => {
  await freeLeases(fixture.database)
}

/** A process that dies while it processes a refund. */
const dieRefunding =
  (isMade: boolean): Act =>
  async ({ model, fixture }) => {
    const refund = await leaseRefund(fixture.core)
    if (refund?.state !== 'due' || !isMade) return
    // Read directly, because the answer to a killed process is lost.
    const charge = model.charges.find(({ id }) => String(id) === refund.transaction_id)
    const seen = charge && fixture.provider.report(charge)
    if (seen?.kind !== 'succeeded') return
    // As the worker does: no refund is requested when the provider reports another amount.
    if (seen.amountHalalas !== refund.amount_halalas) return
    await fixture.database.transaction(() => beginRefund(fixture.core, refund))
    await fixture.provider.refund(refund.transaction_id, refund.amount_halalas).catch(() => undefined)
  }

const trouble =
  (where: 'provider' | 'partner', nth: number, troubles: readonly Trouble[]): Act =>
  async ({ fixture }) => {
    if (where === 'provider')
      fixture.provider.fail(
        pick(['create', 'inquire', 'read', 'refund'] as const, nth) ?? 'create',
        ...troubles,
      )
    else fixture.partner.fail(pick(['create', 'find', 'label'] as const, nth) ?? 'create', ...troubles)
  }

// ---- Invariants

/** The transactions reported as succeeded or refunded, by callbacks and by inquiries. A refund implies a success. */
function reportedOf({ model, fixture }: Setup, kind: 'succeeded' | 'refunded'): ReadonlySet<string> {
  const answered = fixture.provider.answers.filter((answer) =>
    answer.kind === 'refunded' ? kind === 'succeeded' || isWholeRefund(answer) : answer.kind === kind,
  )
  const byCallback = kind === 'succeeded' ? model.reported.success : model.reported.refund
  return new Set([...byCallback, ...answered.map(({ transactionId }) => transactionId)])
}

interface Facts {
  readonly order: OrderRow
  readonly status: OrderStatus
  readonly bookings: readonly BookingRow[]
  /** Every charge on any of the order's intentions. */
  readonly charges: readonly Charge[]
}

async function factsOf({ fixture }: Setup): Promise<Facts[]> {
  const facts: Facts[] = []
  for (const order of await listOrdersOfUser(fixture.core, 1, { limit: 1_000 }))
    facts.push({
      order,
      status: statusOf(order),
      bookings: await findBookings(fixture.core, [order.id]),
      charges: fixture.provider.intentions
        .filter(({ request }) => request.orderId === order.id)
        .flatMap(({ charges }) => charges),
    })
  return facts
}

/** The money goes back or went back, and no shipment is created any more. */
const isEnded = (status: OrderStatus): boolean => status === 'CANCELLED' || status === 'REFUNDED'

const allowed: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING_PAYMENT: ['PENDING_PAYMENT', 'PAID', 'REFUNDED', 'EXPIRED', 'CANCELLED'],
  // Paid late and cancelled, by two steps at once.
  EXPIRED: ['EXPIRED', 'PAID', 'REFUNDED', 'CANCELLED'],
  PAID: ['PAID', 'REFUNDED', 'CANCELLED'],
  CANCELLED: ['CANCELLED', 'REFUNDED'],
  REFUNDED: ['REFUNDED'],
}

/** The stored refunds of a charge add up to more than was captured. */
async function isOverReturned({ core }: PaymentFixture, charges: readonly Charge[]): Promise<boolean> {
  for (const { id, amountHalalas } of charges) {
    const refunds = await listRefundsOfTransaction(core, String(id))
    if (refunds.reduce((sum, row) => sum + row.amount_halalas, 0) > amountHalalas) return true
  }
  return false
}

async function check(setup: Setup): Promise<void> {
  const { model, fixture } = setup
  const successes = reportedOf(setup, 'succeeded')
  const reversals = reportedOf(setup, 'refunded')
  const made = new Map<string, number>()
  for (const { reference } of fixture.partner.shipments) made.set(reference, (made.get(reference) ?? 0) + 1)

  for (const { order, status, bookings, charges } of await factsOf(setup)) {
    const fitting = charges.filter(
      ({ id, isApproved, amountHalalas }) =>
        isApproved && amountHalalas === order.amount_halalas && successes.has(String(id)),
    )
    const before = model.seen.get(order.id)
    if (!before) throw new Error('an order has come from nowhere')

    // Has a payment if and only if a success of the right amount was reported; refunded only by a report of its refund.
    const isCancelled = order.ended === 'cancelled'
    const isPaid = order.payment !== 'unpaid'
    expect(isPaid).toBe(fitting.length > 0)
    expect(order.transaction_id !== null).toBe(isPaid)
    expect(allowed[before.status]).toContain(status)
    const paying = charges.find(({ id }) => String(id) === order.transaction_id)
    if (isPaid) {
      expect(fitting).toContain(paying)
      const standing = isCancelled ? 'CANCELLED' : 'PAID'
      expect(status).toBe(reversals.has(order.transaction_id ?? '') ? 'REFUNDED' : standing)
      if (before.transactionId !== null) expect(order.transaction_id).toBe(before.transactionId)
    }
    if (status === 'EXPIRED' && before.status !== 'EXPIRED')
      expect(fixture.clock.now()).toBeGreaterThanOrEqual(order.created_at + expiryMs)

    // The payment that counts is refunded by us only for a cancellation, and no more is refunded than was captured.
    if (!isCancelled) expect(fixture.provider.refundsAsked).not.toContain(order.transaction_id)
    // Of a hand-over and a cancellation one happens.
    expect(isCancelled && bookings.some(({ carriage }) => isCarried(carriage))).toBe(false)
    expect(await isOverReturned(fixture, charges)).toBe(false)
    for (const { isApproved, amountHalalas, refundedHalalas } of charges)
      expect(refundedHalalas).toBeLessThanOrEqual(isApproved ? amountHalalas : 0)
    const sum = (of: (each: Charge) => number) => charges.reduce((total, each) => total + of(each), 0)
    const captured = sum((each) => (each.isApproved ? each.amountHalalas : 0))
    expect(sum((each) => each.refundedHalalas)).toBeLessThanOrEqual(captured)

    // At most one shipment per booking, none before the payment, and each with the receiver's name.
    for (const { reference, awb, state, carriage, receiver, creations, creations_allowed } of bookings) {
      expect(made.get(reference) ?? 0).toBeLessThanOrEqual(order.paid_at === null ? 0 : 1)
      // A void bag may still have a shipment to look up, and none to create. One that was handed over is carried to its end.
      if (isEnded(status) && !isCarried(carriage))
        expect(state === 'waiting' && creations_allowed > 0).toBe(false)
      else expect(creations).toBeLessThanOrEqual(creations_allowed)
      if (made.has(reference)) expect(receiver).toBe('Maryam')
      if (awb !== null) expect(fixture.partner.shipments).toContainEqual({ reference, awb })
    }
    const begun = bookings
      .filter(({ carriage }) => !isCarried(carriage))
      .reduce((sum, { reference }) => sum + fixture.partner.begun(reference), 0)
    if (isEnded(before.status)) expect(begun).toBeLessThanOrEqual(before.begun)

    if (before.status !== status) {
      if (status === 'PAID') reached.paid += 1
      if (status === 'EXPIRED') reached.expired += 1
      if (before.status === 'EXPIRED' && isPaid) reached['paid after it had expired'] += 1
      if (status === 'REFUNDED') reached.refunded += 1
      if (status === 'CANCELLED')
        reached[order.paid_at === null ? 'cancelled before it was paid' : 'cancelled after it was paid'] += 1
      if (isCancelled && status === 'REFUNDED' && order.paid_at === null)
        reached['paid after it was cancelled, and refunded'] += 1
    }
    model.seen.set(order.id, { status, transactionId: order.transaction_id, begun })
  }
}

/** Long enough for every lease and every delay. */
const quietForMs = 12 * hour

const permitWithin = ({ core, database }: Setup['fixture'], orderId: number) =>
  database.transaction(() => permitCreation(core, orderId, { by: { kind: 'operator', name: 'Sara' } }))

/** The operator allows one more creation for every booking that has used up its creations. */
async function permit({ model, fixture }: Setup): Promise<void> {
  for (const orderId of model.seen.keys())
    if ((await permitWithin(fixture, orderId)).length > 0) reached['issued after a person allowed it'] += 1
}

/** Ends all failures, lets time pass, and checks what must be completed by then. */
async function checkQuiet(setup: Setup): Promise<void> {
  const { fixture } = setup
  fixture.provider.recover()
  fixture.partner.recover()
  for (let passed = 0; passed < quietForMs; passed += 20 * minute) {
    fixture.clock.advance(20 * minute)
    await fixture.sweep()
    await fixture.refund()
    await fixture.ship()
    await permit(setup)
  }
  // The last inquiry may have found a payment whose refund is under way.
  await fixture.refundFor(10 * second)
  await check(setup)
  const successes = reportedOf(setup, 'succeeded')
  for (const { order, status, bookings, charges } of await factsOf(setup)) {
    for (const { reference, awb, state } of bookings) {
      const count = fixture.partner.shipments.filter((each) => each.reference === reference).length
      if (status === 'PAID') {
        expect([count, state, typeof awb]).toEqual([1, 'issued', 'string'])
        reached['issued with one shipment'] += 1
      }
      if (status === 'EXPIRED' || status === 'PENDING_PAYMENT') expect(count).toBe(0)
      // Withdrawn: the number of a shipment that was made is known, and no work is left.
      if (isEnded(status)) {
        expect(awb === null ? 0 : 1).toBe(count)
        expect(['none', 'issued', 'canceled']).toContain(state)
      }
    }
    // A cancelled order that was paid is refunded in full by now.
    if (order.ended === 'cancelled') {
      const paying = charges.find(({ id }) => String(id) === order.transaction_id)
      expect(status).toBe(paying ? 'REFUNDED' : 'CANCELLED')
      expect(paying?.refundedHalalas).toBe(paying?.amountHalalas)
    }
    // All of a payment that went back whole is stored, whoever returned it.
    if (order.payment === 'returned')
      expect(await sumReturned(fixture.core, 'transaction_id', order.transaction_id ?? '')).toBe(
        order.amount_halalas,
      )
    // Every payment beyond the first, and every one of a wrong amount, is refunded in full.
    for (const { id, isApproved, amountHalalas, refundedHalalas } of charges) {
      const isReported = isApproved && successes.has(String(id))
      if (!isReported || String(id) === order.transaction_id) continue
      expect(refundedHalalas).toBe(amountHalalas)
      const isFitting = amountHalalas === order.amount_halalas
      reached[
        isFitting ? 'paid twice, and one payment refunded' : 'paid a wrong amount, which was refunded'
      ] += 1
    }
  }
  expect((await readOpenRefunds(fixture.core)).count).toBe(0)
}

// ---- Steps

class Step implements fc.AsyncCommand<Model, PaymentFixture> {
  readonly name: string
  readonly act: Act
  constructor(name: string, act: Act) {
    this.name = name
    this.act = act
  }
  check = () => true
  async run(model: Model, fixture: PaymentFixture): Promise<void> {
    await this.act({ model, fixture })
    await check({ model, fixture })
  }
  toString = () => this.name
}

const nth = fc.nat({ max: 30 })
const trouble1 = fc.constantFrom<Trouble>('refused', 'cut-before', 'cut-after', 'cut-meanwhile')
/** Only the partner may answer with a failure after it has done the work; the provider's refusals are definite. */
const partnerTrouble = fc.oneof(trouble1, fc.constant<Trouble>('failed-after'))

const reportSteps = fc
  .tuple(nth, fc.boolean())
  .map(([n, isOld]) => new Step(`report ${n}${isOld ? ' old' : ''}`, reportCharge(n, isOld)))

const chargeSteps = fc
  .tuple(nth, fc.constantFrom(true, true, true, false), fc.constantFrom(0, 0, 0, 0, 1))
  .map(([n, isApproved, missing]) => {
    const name = `charge ${n} ${isApproved ? 'approved' : 'declined'} -${missing}`
    return new Step(name, charge(n, isApproved, missing))
  })

const endSteps = fc.oneof(
  fc
    .tuple(nth, fc.boolean())
    .map(([n, isOfPaid]) => new Step(`cancel ${isOfPaid ? 'paid ' : ''}${n}`, cancel(n, isOfPaid))),
  nth.map((n) => new Step(`hand over ${n}`, handOver(n))),
)

/** Steps that may run concurrently with another one. */
const concurrentSteps: fc.Arbitrary<Step>[] = [
  reportSteps,
  reportSteps,
  nth.map((n) => new Step(`report tampered ${n}`, reportTampered(n))),
  nth.map((n) => new Step(`look ${n}`, look(n))),
  nth.map((n) => new Step(`pay again ${n}`, payAgain(n))),
  fc.constant(new Step('sweep', sweep)),
  fc.constant(new Step('refund', refund)),
  fc.constant(new Step('ship', ship)),
]

/** Each entry is drawn with the same probability, so repeated ones are more frequent: payments more than kills. */
const steps: fc.Arbitrary<Step>[] = [
  ...concurrentSteps,
  ...[chargeSteps, chargeSteps, chargeSteps, reportSteps, endSteps],
  ...[1, 2].map(() =>
    fc.constantFrom(...bookingTypes).map((type) => new Step(`check out ${type}`, checkout(type))),
  ),
  ...[1, 2].map(() => fc.constant(new Step('go on', goOn))),
  fc.constant(new Step('expire', expire)),
  fc.constant(new Step('restart', restart)),
  fc.constant(new Step('use up creations', useUpCreations)),
  fc.constant(new Step('report foreign', reportForeign)),
  nth.map((n) => new Step(`report another amount ${n}`, reportOtherAmount(n))),
  ...[true, true, false].map((isWhole) =>
    nth.map((n) => new Step(`reverse ${isWhole ? '' : 'a part of '}${n}`, reverseByHand(n, isWhole))),
  ),
  fc
    .constantFrom(second, 3 * second, 10 * second, minute, 10 * minute, hour, day)
    .map((ms) => new Step(`pass ${ms / second} s`, pass(ms))),
  fc
    .constantFrom('before it asked' as const, 'while it asked' as const, 'after it asked' as const)
    .map((at) => new Step(`die shipping ${at}`, dieShipping(at))),
  fc.boolean().map((isMade) => new Step(`die refunding${isMade ? ' after' : ''}`, dieRefunding(isMade))),
  fc
    .oneof(
      fc.tuple(fc.constant('provider' as const), nth, fc.array(trouble1, { minLength: 1, maxLength: 3 })),
      fc.tuple(
        fc.constant('partner' as const),
        nth,
        fc.array(partnerTrouble, { minLength: 1, maxLength: 3 }),
      ),
    )
    .map(
      ([where, n, troubles]) => new Step(`trouble ${where} ${n} ${troubles}`, trouble(where, n, troubles)),
    ),
  fc.array(fc.oneof(...concurrentSteps, endSteps), { minLength: 2, maxLength: 6 }).map(
    (together) =>
      new Step(`at once (${together.join('; ')})`, async (setup) => {
        await Promise.all(together.map(({ act }) => act(setup)))
      }),
  ),
]

/** Runs a history from an empty database to the time when no work is pending. */
async function runToQuiet(
  run: (setup: { model: Model; real: PaymentFixture }) => Promise<void>,
): Promise<void> {
  const fixture = await openPaymentFixture()
  const model: Model = {
    seen: new Map(),
    charges: [],
    secrets: [],
    reported: { success: new Set(), refund: new Set() },
  }
  try {
    await run({ model, real: fixture })
    await checkQuiet({ model, fixture })
  } finally {
    await fixture.close()
  }
}

describe('orders and money', () => {
  it(`agree over ${runs} random histories`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: longest, size: 'max' }), (history) =>
        runToQuiet((setup) => fc.asyncModelRun(() => setup, history)),
      ),
      { numRuns: runs },
    )
  })

  it('agree when the last inquiry before all is quiet finds a second payment', async () => {
    await runToQuiet(async ({ model, real }) => {
      for (const step of [
        new Step('check out', checkout('FROM_MINA')),
        new Step('expire', expire),
        new Step('charge', charge(0, true, 0)),
        new Step('charge again', charge(0, true, 0)),
        new Step('report the first', reportCharge(0, false)),
        // The provider is asked a day after the attempt was started.
        new Step('pass until then', pass(day - expiryMs - quietForMs)),
      ])
        await step.run(model, real)
    })
  })

  it('reached every state that an order can have', () => {
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
  })
})
