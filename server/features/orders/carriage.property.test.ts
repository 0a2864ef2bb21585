import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { listBagEvents } from '#server/features/history/bag-events.ts'
import { recordHandover, undoHandover } from '#server/features/order-views/handovers.ts'
import type { Database } from '#server/platform/database/database.ts'
import { isFailure } from '#server/platform/errors.ts'
import {
  type Carriage,
  carriageOf,
  type HandOverCount,
  handOverCountOf,
} from '#shared/orders/travel.rules.ts'
import { openBags } from '#test/kit/bags.ts'
import { manualClock } from '#test/kit/clock.ts'
import { reportBag } from '#test/kit/core-orders.ts'
import { isFull } from '#test/kit/full-run.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { runSeed } from '#test/kit/random.ts'
import { scanOf } from '#test/kit/stored-orders.ts'
import { findBookings } from './bookings.queries.ts'
import { findOrder, markRefunded, resumeCarriage, stopCarriage } from './orders.queries.ts'

/**
 * Orders of one bag and of two, and all that happens to bags and money in every order: hand-overs, undos, scans of the
 * courier, a cancellation, refunds that are ordered, written off or made. After each step the two stored columns are compared
 * with a model that knows what each step means, and with what the stored events say.
 */

const scans = { picked: 'picked-up', branch: 'at-branch', collected: 'collected' } as const
type BagStep = 'hand over' | 'undo' | keyof typeof scans
type MoneyStep = 'cancel' | 'order refund' | 'write off' | 'return'
type Step = { readonly bag: 0 | 1; readonly step: BagStep } | { readonly step: MoneyStep }

interface ModelBag {
  hasAgent: boolean
  isVoid: boolean
  readonly scanned: Set<keyof typeof scans>
}

class Model {
  readonly bags: readonly ModelBag[]
  isCancelled = false
  isReturned = false
  isRefundOrdered = false

  constructor(count: number) {
    this.bags = Array.from({ length: count }, () => ({ hasAgent: false, isVoid: false, scanned: new Set() }))
  }

  carriageOf({ isVoid, scanned, hasAgent }: ModelBag): Carriage {
    if (isVoid) return 'void'
    if (scanned.has('collected')) return 'collected'
    if (scanned.has('picked')) return scanned.has('branch') ? 'at-branch' : 'moving'
    return scanned.has('branch') || hasAgent ? 'received' : 'ready'
  }

  get handedOver(): HandOverCount {
    const valid = this.bags.map((bag) => this.carriageOf(bag)).filter((carriage) => carriage !== 'void')
    if (valid.length === 0) return 'void'
    const left = valid.filter((carriage) => carriage !== 'ready')
    if (left.length === 0) return 'none'
    return left.length === valid.length ? 'all' : 'some'
  }

  /** A bag with its owner is not carried while the order is cancelled or its money goes back. */
  stop(): void {
    for (const bag of this.bags) if (this.carriageOf(bag) === 'ready') bag.isVoid = true
  }

  take(step: Step): void {
    if ('bag' in step) this.takeOfBag(step)
    else this.takeOfMoney(step.step)
  }

  takeOfBag({ bag: index, step }: Extract<Step, { bag: 0 | 1 }>): void {
    const bag = this.bags[index]
    if (bag === undefined) return
    if (step === 'hand over') {
      if (this.carriageOf(bag) === 'ready') bag.hasAgent = true
    } else if (step === 'undo') {
      if (!bag.hasAgent || bag.scanned.size > 0) return
      bag.hasAgent = false
      if (this.isReturned || this.isRefundOrdered) this.stop()
    } else bag.scanned.add(step)
  }

  takeOfMoney(step: MoneyStep): void {
    const isPaid = !this.isReturned && !this.isCancelled
    if (step === 'cancel' && isPaid && this.handedOver === 'none') {
      this.isCancelled = true
      this.stop()
    }
    if (step === 'order refund' && isPaid) {
      this.isRefundOrdered = true
      this.stop()
    }
    if (step === 'write off' && this.isRefundOrdered && !this.isReturned) {
      this.isRefundOrdered = false
      // A bag that a cancellation made void stays void.
      if (!this.isCancelled) for (const bag of this.bags) bag.isVoid = false
    }
    if (step === 'return' && !this.isReturned) {
      this.isReturned = true
      this.stop()
    }
  }
}

const clock = manualClock()
const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const

let database: Database
let bags: Awaited<ReturnType<typeof openBags>>
beforeEach(async () => {
  database = await openMemory(clock)
  bags = await openBags(database, clock)
})

/** The one refund of an order's payment, as the payments store it; the orders read no more of it. */
async function orderRefund(orderId: number): Promise<void> {
  const { id } = await database.tables
    .insertInto('payment_attempts')
    .values({
      order_id: orderId,
      reference: `OD${orderId}-${crypto.randomUUID()}`,
      amount_halalas: 5_000,
      currency: 'SAR',
      state: 'succeeded',
      created_at: clock.now(),
      secret_until: clock.now(),
      inquired_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.tables
    .insertInto('refunds')
    .values({
      transaction_id: `T${orderId}`,
      attempt_id: id,
      amount_halalas: 5_000,
      currency: 'SAR',
      reason: 'operator',
      state: 'due',
      created_at: clock.now(),
    })
    .execute()
  await stopCarriage(bags.core, orderId, clock.now())
}

const writeOff = (orderId: number) =>
  database.transaction(async () => {
    await database.tables
      .updateTable('refunds')
      .set({ state: 'done', written_off_at: clock.now() })
      .where('transaction_id', '=', `T${orderId}`)
      .execute()
    await resumeCarriage(bags.core, orderId)
  })

/** Takes a step as the features do, which refuse what is not possible. */
async function take(
  orderId: number,
  own: readonly { bookingId: number; awb: string }[],
  model: Model,
  step: Step,
): Promise<unknown> {
  if (!('bag' in step)) {
    if (step.step === 'cancel') return bags.cancel(orderId)
    if (step.step === 'return')
      return bags.core.database.transaction(() => markRefunded(bags.core, orderId, `T${orderId}`))
    if (step.step === 'write off')
      return model.isRefundOrdered && !model.isReturned ? writeOff(orderId) : undefined
    const isOrderable = !model.isRefundOrdered && !model.isReturned && !model.isCancelled
    return isOrderable ? database.transaction(() => orderRefund(orderId)) : undefined
  }
  const bag = own[step.bag]
  if (bag === undefined) return undefined
  if (step.step === 'hand over') return recordHandover(bags.core, agent, { awb: bag.awb }, undefined)
  if (step.step === 'undo') return undoHandover(bags.core, agent, bag.awb)
  // The courier's own time says the order of the scans, whatever the order of their arrival.
  const at = clock.now() + Object.keys(scans).indexOf(step.step)
  return reportBag(bags.core, bag.bookingId, scanOf(scans[step.step], at, { key: step.step }))
}

async function play(count: 1 | 2, steps: readonly Step[]): Promise<void> {
  const { orderId, bags: own } = await bags.addReady(count)
  const model = new Model(count)
  for (const [index, step] of steps.entries()) {
    const story = steps
      .slice(0, index + 1)
      .map((each) => Object.values(each).join(' '))
      .join(', ')
    await take(orderId, own, model, step).catch((error: unknown) => {
      if (!isFailure(error)) throw error
    })
    model.take(step)
    const order = await findOrder(bags.core, orderId)
    const stored = await findBookings(bags.core, [orderId])
    const carriages = stored.map(({ carriage }) => carriage)
    expect(carriages, story).toEqual(model.bags.map((bag) => model.carriageOf(bag)))
    expect(order?.handed_over, story).toBe(model.handedOver)
    const events = await listBagEvents(
      bags.core,
      stored.map(({ id }) => id),
    )
    const followed = stored.map(({ id, state }) =>
      carriageOf({ isPaid: true, isLabelled: state === 'issued', events: events.get(id) ?? [] }),
    )
    expect(followed, `by the events of ${story}`).toEqual(carriages)
    expect(handOverCountOf(followed), `by the events of ${story}`).toBe(order?.handed_over)
  }
}

const moneySteps = ['cancel', 'order refund', 'write off', 'return'] as const
const bagSteps = ['hand over', 'undo', 'picked', 'branch', 'collected'] as const
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ step: fc.constantFrom<MoneyStep>(...moneySteps) }),
  fc.record({ bag: fc.constantFrom<0 | 1>(0, 1), step: fc.constantFrom<BagStep>(...bagSteps) }),
)

it('the carriage of bags and the count of those handed over are what the model says after any steps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<1 | 2>(1, 2),
      fc.array(anyStep, { minLength: 1, maxLength: 12 }),
      (count, steps) => play(count, steps),
    ),
    { numRuns: isFull ? 2_000 : 80, seed: runSeed },
  )
})

it.each<[string, 1 | 2, readonly Step[]]>([
  [
    'an undo after the return',
    1,
    [{ bag: 0, step: 'hand over' }, { step: 'return' }, { bag: 0, step: 'undo' }],
  ],
  [
    'an undo while the refund is on its way, then written off',
    1,
    [
      { bag: 0, step: 'hand over' },
      { step: 'order refund' },
      { bag: 0, step: 'undo' },
      { step: 'write off' },
      { bag: 0, step: 'hand over' },
    ],
  ],
  [
    'a return with one of two bags handed over, then the undo',
    2,
    [{ bag: 1, step: 'hand over' }, { step: 'return' }, { bag: 1, step: 'undo' }],
  ],
  [
    'a cancellation after a write-off',
    2,
    [{ step: 'order refund' }, { step: 'write off' }, { step: 'cancel' }],
  ],
])('are right after %s', async (_, count, steps) => {
  await play(count, steps)
})
