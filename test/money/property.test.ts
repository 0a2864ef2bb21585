import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookingRow, OrderRow } from '#server/features/orders/orders.store.ts'
import type { EventKind, PaymentReport } from '#server/features/payments/payments.rules.ts'
import { doubtMs, leaseMs } from '#server/features/shipments/shipments.rules.ts'
import { isFailure } from '#server/platform/errors.ts'
import { bookingTypes } from '#shared/orders/orders.schemas.ts'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import { type Charge, type MoneyRoom, openMoneyRoom, type Trouble } from '#test/kit/money-room.ts'
import { isFull } from '#test/kit/stage.ts'

/**
 * Orders and money against a small model. The model knows the truth at the provider and what the gateway was told of
 * it; everything that must follow from the two is checked after every step, and once more when all is quiet.
 */

const runs = isFull ? 2_000 : 250
const longest = isFull ? 80 : 50

interface Seen {
  readonly status: OrderRow['status']
  readonly transactionId: string | null
  /** Shipments that were begun for its bookings. */
  readonly begun: number
}

interface Model {
  /** The last state seen of every order. */
  readonly seen: Map<number, Seen>
  /** Charges that can be told about, oldest first. */
  readonly charges: Charge[]
  /** Secrets that a person has seen, and can pay with. */
  readonly secrets: string[]
  /** Transactions whose success, or whose refund, the gateway was told by a callback. */
  readonly told: { readonly success: Set<string>; readonly refund: Set<string> }
}

interface World {
  readonly model: Model
  readonly room: MoneyRoom
}

/** How many orders of all histories came this way: a run that never gets here would say nothing. */
const reached = {
  paid: 0,
  refunded: 0,
  expired: 0,
  'paid after it had expired': 0,
  'issued with one shipment': 0,
  'paid twice, and one payment given back': 0,
}

const expiryMs = 75 * minute

const pick = <T>(things: readonly T[], number: number): T | undefined => things[number % things.length]
const caller = { role: 'user', userId: 1 } as const

// ---- What can happen

type Act = (world: World) => Promise<void>

async function openPayment({ model, room }: World, orderId: number): Promise<void> {
  const statusOf = async () => (await room.orders.findPayable(orderId))?.status
  const before = await statusOf()
  try {
    const { clientSecret } = await room.payments.open(orderId)
    expect(before).toBe('PENDING_PAYMENT')
    model.secrets.push(clientSecret)
  } catch (error) {
    if (isFailure(error, 'PAYMENT_UNAVAILABLE')) return
    if (!isFailure(error, 'ORDER_NOT_PAYABLE')) throw error
    expect(await statusOf()).not.toBe('PENDING_PAYMENT')
  }
}

const checkout =
  (type: (typeof bookingTypes)[number]): Act =>
  async (world) => {
    const { model, room } = world
    const orderId = await room.place(type)
    model.seen.set(orderId, { status: 'PENDING_PAYMENT', transactionId: null, begun: 0 })
    await openPayment(world, orderId)
  }

const payAgain =
  (nth: number): Act =>
  async (world) => {
    const orderId = pick([...world.model.seen.keys()], nth)
    if (orderId !== undefined) await openPayment(world, orderId)
  }

const charge =
  (nth: number, isApproved: boolean, missingHalalas: number): Act =>
  async ({ model, room }) => {
    const secret = pick(model.secrets, nth)
    if (secret === undefined) return
    const intention = room.provider.intentionOf(secret)
    const amount = intention.request.amountHalalas - missingHalalas
    model.charges.push(room.provider.charge(intention, isApproved, amount))
  }

/** What went back in part leaves the order as it is. */
const isWholeRefund = ({ refundedHalalas, amountHalalas }: PaymentReport) => refundedHalalas === amountHalalas

/** A callback tells what was so when it left: a success may arrive after its own refund. */
const tell =
  (nth: number, isOld: boolean): Act =>
  async ({ model, room }) => {
    const told = pick(model.charges, nth)
    if (told === undefined) return
    const now = room.provider.report(told)
    const wasSuccess = now.kind === 'refunded' && isOld
    const kind: EventKind = wasSuccess ? 'succeeded' : now.kind
    const refundedHalalas = wasSuccess ? 0 : now.refundedHalalas
    await room.payments.receive({ ...now, kind, refundedHalalas }, 'signature')
    if (kind === 'succeeded') model.told.success.add(now.transactionId)
    if (kind === 'refunded' && isWholeRefund(now)) model.told.refund.add(now.transactionId)
  }

/** The signature does not cover the reference: the copy must neither count nor stand in the way. */
const tellTampered =
  (nth: number): Act =>
  async ({ model, room }) => {
    const told = pick(model.charges, nth)
    if (told === undefined) return
    await room.payments.receive(
      { ...room.provider.report(told), merchantReference: 'OD0-OTHER' },
      'signature',
    )
  }

const tellForeign: Act = async ({ model, room }) => {
  const [told] = model.charges
  if (told === undefined) return
  const report = { ...room.provider.report(told), transactionId: '7', providerOrderId: 7 }
  await room.payments.receive(report, 'signature')
}

const reverseByHand =
  (nth: number, isWhole: boolean): Act =>
  async ({ model, room }) => {
    const reversible = model.charges.filter(
      ({ isApproved, amountHalalas, refundedHalalas }) => isApproved && refundedHalalas < amountHalalas,
    )
    const reversed = pick(reversible, nth)
    if (reversed === undefined) return
    const rest = reversed.amountHalalas - reversed.refundedHalalas
    room.provider.reverse(reversed, isWhole ? rest : Math.ceil(rest / 3))
  }

const look =
  (nth: number): Act =>
  async ({ model, room }) => {
    const orderId = pick([...model.seen.keys()], nth)
    if (orderId !== undefined) await room.payments.readOrder(caller, String(orderId))
  }

const pass =
  (ms: number): Act =>
  async ({ room }) =>
    room.clock.advance(ms)

/** Past expiry and grace, with the questions that belong to it. */
const expire: Act = async ({ room }) => {
  for (let passed = 0; passed < expiryMs; passed += 15 * minute) {
    room.clock.advance(15 * minute)
    await room.sweep()
  }
}

/** What the gateway does by itself in the next seconds. */
const goOn: Act = async ({ room }) => {
  room.clock.advance(3 * second)
  await room.ship()
  await room.giveBack()
  await room.sweep()
}

const sweep: Act = ({ room }) => room.sweep()
const giveBack: Act = ({ room }) => room.giveBack()
const ship: Act = ({ room }) => room.ship()

/** A process that dies with a booking in its hands, at any point of the worker's way. */
const dieShipping =
  (at: 'before it asked' | 'while it asked' | 'after it asked'): Act =>
  async ({ room }) => {
    const now = room.clock.now()
    const lease = `dead-${now}`
    const booking = await room.orders.leaseBooking(lease, leaseMs)
    if (booking?.awb !== null || booking.inDoubtUntil > 0 || at === 'before it asked') return
    if (!(await room.orders.noteDoubt(booking.id, lease, now + doubtMs))) return
    room.partner.recover()
    if (at === 'while it asked') room.partner.fail('create', 'cut-meanwhile')
    const request = { reference: booking.reference } as Parameters<typeof room.partner.create>[0]
    await room.partner.create(request).catch(() => undefined)
  }

/** The start of the only gateway on a file. */
const restart: Act = async ({ room }) => {
  await room.orders.freeLeases()
}

/** A process that dies with a refund in its hands. */
const dieRefunding =
  (isMade: boolean): Act =>
  async ({ room }) => {
    const now = room.clock.now()
    const refund = await room.paymentsStore.claimDueRefund(now, now + minute)
    if (refund?.state !== 'due' || !isMade) return
    const seen = await room.provider.readTransaction(refund.transaction_id).catch(() => undefined)
    if (seen?.kind !== 'succeeded') return
    await room.paymentsStore.planRefund(refund.id, 'doubtful', now + minute)
    await room.provider.refund(refund.transaction_id, refund.amount_halalas).catch(() => undefined)
  }

const trouble =
  (where: 'provider' | 'partner', nth: number, troubles: readonly Trouble[]): Act =>
  async ({ room }) => {
    if (where === 'provider')
      room.provider.fail(pick(['create', 'inquire', 'read', 'refund'] as const, nth) ?? 'create', ...troubles)
    else room.partner.fail(pick(['create', 'find', 'label'] as const, nth) ?? 'create', ...troubles)
  }

// ---- What must follow

/** Everything the gateway knows of a success: callbacks, and answers to its own questions. */
function toldOf({ model, room }: World, kind: 'succeeded' | 'refunded'): ReadonlySet<string> {
  const answered = room.provider.answers.filter(
    (answer) => answer.kind === kind && (kind === 'succeeded' || isWholeRefund(answer)),
  )
  const byCallback = kind === 'succeeded' ? model.told.success : model.told.refund
  return new Set([...byCallback, ...answered.map(({ transactionId }) => transactionId)])
}

interface Facts {
  readonly order: OrderRow
  readonly bookings: readonly BookingRow[]
  /** Every charge on any of the order's intentions. */
  readonly charges: readonly Charge[]
}

async function factsOf({ room }: World): Promise<Facts[]> {
  const facts: Facts[] = []
  for (const order of await room.ordersStore.listOfUser(1, { limit: 1_000 }))
    facts.push({
      order,
      bookings: await room.ordersStore.findBookings([order.id]),
      charges: room.provider.intentions
        .filter(({ request }) => request.orderId === order.id)
        .flatMap(({ charges }) => charges),
    })
  return facts
}

const allowed: Readonly<Record<OrderRow['status'], readonly OrderRow['status'][]>> = {
  PENDING_PAYMENT: ['PENDING_PAYMENT', 'PAID', 'REFUNDED', 'EXPIRED'],
  EXPIRED: ['EXPIRED', 'PAID', 'REFUNDED'],
  PAID: ['PAID', 'REFUNDED'],
  REFUNDED: ['REFUNDED'],
}

async function check(world: World): Promise<void> {
  const { model, room } = world
  const successes = toldOf(world, 'succeeded')
  const reversals = toldOf(world, 'refunded')
  const made = new Map<string, number>()
  for (const { reference } of room.partner.shipments) made.set(reference, (made.get(reference) ?? 0) + 1)

  for (const { order, bookings, charges } of await factsOf(world)) {
    const fitting = charges.filter(
      ({ id, isApproved, amountHalalas }) =>
        isApproved && amountHalalas === order.amount_halalas && successes.has(String(id)),
    )
    const before = model.seen.get(order.id)
    if (!before) throw new Error('an order has come from nowhere')

    // Paid if and only if a fitting success was told, and un-paid only by the word of its own reversal.
    const isPaid = order.status === 'PAID' || order.status === 'REFUNDED'
    expect(isPaid).toBe(fitting.length > 0)
    expect(allowed[before.status]).toContain(order.status)
    const paying = charges.find(({ id }) => String(id) === order.transaction_id)
    if (isPaid) {
      expect(fitting).toContain(paying)
      expect(order.status).toBe(reversals.has(order.transaction_id ?? '') ? 'REFUNDED' : 'PAID')
      if (before.transactionId !== null) expect(order.transaction_id).toBe(before.transactionId)
    }
    if (order.status === 'EXPIRED' && before.status !== 'EXPIRED')
      expect(room.clock.now()).toBeGreaterThanOrEqual(order.created_at + expiryMs)

    // The payment that stands is never asked back, and nothing is given back that was not captured.
    expect(room.provider.refundsAsked).not.toContain(order.transaction_id)
    for (const { isApproved, amountHalalas, refundedHalalas } of charges)
      expect(refundedHalalas).toBeLessThanOrEqual(isApproved ? amountHalalas : 0)
    const sum = (of: (each: Charge) => number) => charges.reduce((total, each) => total + of(each), 0)
    const captured = sum((each) => (each.isApproved ? each.amountHalalas : 0))
    expect(sum((each) => each.refundedHalalas)).toBeLessThanOrEqual(captured)

    // One shipment per booking at the most, and none before the money.
    for (const { reference, awb } of bookings) {
      expect(made.get(reference) ?? 0).toBeLessThanOrEqual(isPaid ? 1 : 0)
      if (awb !== null) expect(room.partner.shipments).toContainEqual({ reference, awb })
    }
    const begun = bookings.reduce((sum, { reference }) => sum + room.partner.begun(reference), 0)
    if (before.status === 'REFUNDED') expect(begun).toBe(before.begun)

    if (before.status !== order.status) {
      if (order.status === 'PAID') reached.paid += 1
      if (order.status === 'EXPIRED') reached.expired += 1
      if (before.status === 'EXPIRED' && isPaid) reached['paid after it had expired'] += 1
      if (order.status === 'REFUNDED') reached.refunded += 1
    }
    model.seen.set(order.id, { status: order.status, transactionId: order.transaction_id, begun })
  }
}

/** Long enough for every lease and every delay. */
const quietMs = 12 * hour

/** Everything works again, and time passes: what must have come to its end by then. */
async function checkQuiet(world: World): Promise<void> {
  const { room } = world
  room.provider.recover()
  room.partner.recover()
  for (let passed = 0; passed < quietMs; passed += 20 * minute) {
    room.clock.advance(20 * minute)
    await room.sweep()
    await room.giveBack()
    await room.ship()
  }
  await check(world)
  const successes = toldOf(world, 'succeeded')
  for (const { order, bookings, charges } of await factsOf(world)) {
    for (const { reference, awb, state } of bookings) {
      const count = room.partner.shipments.filter((each) => each.reference === reference).length
      if (order.status === 'PAID') {
        expect([count, state, typeof awb]).toEqual([1, 'issued', 'string'])
        reached['issued with one shipment'] += 1
      }
      if (order.status === 'EXPIRED' || order.status === 'PENDING_PAYMENT') expect(count).toBe(0)
    }
    // Every payment beyond the first has gone back whole, and only those.
    for (const { id, isApproved, amountHalalas, refundedHalalas } of charges) {
      const isFitting = isApproved && amountHalalas === order.amount_halalas && successes.has(String(id))
      if (!isFitting || String(id) === order.transaction_id) continue
      expect(refundedHalalas).toBe(amountHalalas)
      reached['paid twice, and one payment given back'] += 1
    }
  }
  const open = (await room.paymentsStore.countRefunds()).filter(({ state }) => state !== 'done')
  expect(open).toEqual([])
}

// ---- Steps

class Step implements fc.AsyncCommand<Model, MoneyRoom> {
  readonly name: string
  readonly act: Act
  constructor(name: string, act: Act) {
    this.name = name
    this.act = act
  }
  check = () => true
  async run(model: Model, room: MoneyRoom): Promise<void> {
    await this.act({ model, room })
    await check({ model, room })
  }
  toString = () => this.name
}

const nth = fc.nat({ max: 30 })
const trouble1 = fc.constantFrom<Trouble>('refused', 'cut-before', 'cut-after', 'cut-meanwhile')

const told = fc
  .tuple(nth, fc.boolean())
  .map(([n, isOld]) => new Step(`tell ${n}${isOld ? ' old' : ''}`, tell(n, isOld)))

const charged = fc
  .tuple(nth, fc.constantFrom(true, true, true, false), fc.constantFrom(0, 0, 0, 0, 1))
  .map(([n, isApproved, missing]) => {
    const name = `charge ${n} ${isApproved ? 'approved' : 'declined'} -${missing}`
    return new Step(name, charge(n, isApproved, missing))
  })

/** What may happen beside something else. */
const concurrentSteps: fc.Arbitrary<Step>[] = [
  told,
  told,
  nth.map((n) => new Step(`tell tampered ${n}`, tellTampered(n))),
  nth.map((n) => new Step(`look ${n}`, look(n))),
  nth.map((n) => new Step(`pay again ${n}`, payAgain(n))),
  fc.constant(new Step('sweep', sweep)),
  fc.constant(new Step('give back', giveBack)),
  fc.constant(new Step('ship', ship)),
]

/** Every kind is drawn as often as it stands here: money moves more often than processes die. */
const steps: fc.Arbitrary<Step>[] = [
  ...concurrentSteps,
  ...[charged, charged, charged, told],
  ...[1, 2].map(() =>
    fc.constantFrom(...bookingTypes).map((type) => new Step(`check out ${type}`, checkout(type))),
  ),
  ...[1, 2].map(() => fc.constant(new Step('go on', goOn))),
  fc.constant(new Step('expire', expire)),
  fc.constant(new Step('restart', restart)),
  fc.constant(new Step('tell foreign', tellForeign)),
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
    .tuple(
      fc.constantFrom('provider' as const, 'partner' as const),
      nth,
      fc.array(trouble1, { minLength: 1, maxLength: 3 }),
    )
    .map(
      ([where, n, troubles]) => new Step(`trouble ${where} ${n} ${troubles}`, trouble(where, n, troubles)),
    ),
  fc.array(fc.oneof(...concurrentSteps), { minLength: 2, maxLength: 6 }).map(
    (together) =>
      new Step(`at once (${together.join('; ')})`, async (world) => {
        await Promise.all(together.map(({ act }) => act(world)))
      }),
  ),
]

describe('orders and money', () => {
  it(`hold together over ${runs} histories`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: longest, size: 'max' }), async (history) => {
        const room = await openMoneyRoom()
        const model: Model = {
          seen: new Map(),
          charges: [],
          secrets: [],
          told: { success: new Set(), refund: new Set() },
        }
        try {
          await fc.asyncModelRun(() => ({ model, real: room }), history)
          await checkQuiet({ model, room })
        } finally {
          await room.close()
        }
      }),
      { numRuns: runs },
    )
  })

  it('came to every pass that an order can come to', () => {
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
    process.stdout.write(
      `${Object.entries(reached)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}\n`,
    )
  })
})
