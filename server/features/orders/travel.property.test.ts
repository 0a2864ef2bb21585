import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordHandover, refuseBag, undoHandover } from '#server/features/order-views/handovers.ts'
import { isFailure } from '#server/platform/errors.ts'
import { eventKinds } from '#shared/orders/orders.operations.ts'
import { carriageOf, carriedOf, type TravelEvent } from '#shared/orders/travel.rules.ts'
import { openBags } from '#test/kit/bags.ts'
import { manualClock } from '#test/kit/clock.ts'
import { reportBag } from '#test/kit/core-orders.ts'
import { isFull } from '#test/kit/full-run.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { messagesIn } from '#test/kit/messages.ts'
import { runSeed } from '#test/kit/random.ts'
import { scanOf } from '#test/kit/stored-orders.ts'
import { findBookings } from './bookings.queries.ts'
import { findOrder, markRefunded } from './orders.queries.ts'

/**
 * One bag and all that happens to it, in every order: hand-over, undo, refusal, scans of the courier, a cancellation by its
 * owner, and a refund. After each step the stored order is compared with a model that knows what each step means, and nothing of how it is stored.
 */

const scans = { P: 'picked-up', B: 'at-branch', C: 'collected', U: 'unknown' } as const
type Scan = keyof typeof scans
/** `H` and `H2`: two scans of the agent, with keys of their own. `R`: the agent does not accept the bag. */
type Step = 'H' | 'H2' | 'R' | 'undo' | 'cancel' | 'refund' | Scan

/** What each step means, without times: scans of the courier happen in the order P, B, C, whenever they arrive. */
class Model {
  payment: 'paid' | 'returned' = 'paid'
  isCancelled = false
  /** The bag was with its owner when the order was cancelled or its money went back. */
  isVoid = false
  /** The last word of the agent; null: none. */
  agent: 'took' | 'undid' | null = null
  readonly scanned = new Set<Scan>()
  /** Outcomes by key: a key that was used is not decided again. */
  readonly outcomes = new Map<string, string>()

  get carriage(): string {
    if (this.isVoid) return 'void'
    if (this.scanned.has('C')) return 'collected'
    if (this.scanned.has('P')) return this.scanned.has('B') ? 'at-branch' : 'moving'
    return this.scanned.has('B') || this.agent === 'took' ? 'received' : 'ready'
  }

  get isGone(): boolean {
    return this.carriage !== 'void' && this.carriage !== 'ready'
  }

  /** Takes a step; returns the answer that it should have. */
  take(step: Step): string {
    if (step === 'H' || step === 'H2') {
      const outcome = this.outcomes.get(step) ?? this.handOver()
      this.outcomes.set(step, outcome)
      return outcome
    }
    // Nothing follows from it.
    if (step === 'R') return this.obstacle ?? 'done'
    if (step === 'undo') return this.undo()
    if (step === 'cancel') return this.cancel()
    if (step === 'refund') this.refund()
    else this.scanned.add(step)
    return 'done'
  }

  /** Why the agent has nothing to do with it. */
  get obstacle(): string | undefined {
    if (this.isVoid) return 'DO_NOT_ACCEPT'
    return this.isGone ? 'ALREADY_RECEIVED' : undefined
  }

  handOver(): string {
    if (this.obstacle) return this.obstacle
    this.agent = 'took'
    return 'done'
  }

  undo(): string {
    if (this.agent === null) return 'ORDER_NOT_FOUND'
    if (this.agent === 'undid') return 'done'
    if ((['P', 'B', 'C'] as const).some((scan) => this.scanned.has(scan))) return 'TOO_LATE'
    this.agent = 'undid'
    // Its money went back while it was with the agent.
    if (this.payment === 'returned' && !this.isGone) this.isVoid = true
    return 'done'
  }

  cancel(): string {
    if (this.isCancelled) return 'done'
    if (this.payment === 'returned') return 'ORDER_NOT_CANCELLABLE'
    if (this.isGone) return 'ALREADY_HANDED_OVER'
    this.isCancelled = true
    this.isVoid = true
    return 'done'
  }

  /** Money goes back once. */
  refund(): void {
    if (this.payment === 'returned') return
    if (!this.isGone) this.isVoid = true
    this.payment = 'returned'
  }
}

let play: (steps: readonly Step[]) => Promise<void>

beforeEach(async () => {
  const clock = manualClock()
  const database = await openMemory(clock)
  const bags = await openBags(database, clock)
  const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const

  play = async (steps) => {
    const { orderId, bookingId, awb } = await bags.addReady()

    async function take(step: Step): Promise<unknown> {
      if (step === 'H' || step === 'H2')
        return recordHandover(bags.core, agent, { awb }, `key-${step}-${awb}`)
      if (step === 'R') return refuseBag(bags.core, agent, { awb, reason: 'absent' }, undefined)
      if (step === 'undo') return undoHandover(bags.core, agent, awb)
      if (step === 'cancel') return bags.cancel(orderId)
      if (step === 'refund')
        return database.transaction(() => markRefunded(bags.core, orderId, `T${orderId}`))
      // The courier's own time says the order of the scans, whatever the order of their arrival.
      const at = 'PBCU'.indexOf(step)
      return reportBag(bags.core, bookingId, scanOf(scans[step], clock.now() + at, { key: step }))
    }
    const answerOf = (step: Step) =>
      take(step).then(
        () => 'done',
        (error: unknown) => {
          if (!isFailure(error)) throw error
          return error.code
        },
      )

    const model = new Model()
    for (const [index, step] of steps.entries()) {
      const story = `${steps.slice(0, index + 1).join(' ')} of ${steps.join(' ')}`
      expect(await answerOf(step), story).toBe(model.take(step))
      const order = await findOrder(bags.core, orderId)
      const [booking] = await findBookings(bags.core, [orderId])
      expect(booking?.carriage, story).toBe(model.carriage)
      expect(order?.payment, story).toBe(model.payment)
      expect(order?.ended, story).toBe(model.isCancelled ? 'cancelled' : null)
      // What a cancellation asks for, and agents' lists are cut by.
      expect(order?.handed_over, story).toBe(model.isVoid ? 'void' : model.isGone ? 'all' : 'none')
    }
    // Told only what is true, and the end of the journey once.
    const ends = (await messagesIn(database)).filter(
      ({ kind, booking_id }) => kind === 'collected' && booking_id === bookingId,
    )
    expect(ends.length).toBeLessThanOrEqual(model.isVoid ? 0 : 1)
  }
})

function interleavings<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    interleavings([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  )
}

describe('a bag', () => {
  it.each<Step[]>([
    ['H', 'undo', 'P', 'B', 'refund'],
    ['H', 'undo', 'P', 'cancel', 'refund'],
  ])('is where the model says in every interleaving of %s, %s, %s, %s and %s', async (...steps) => {
    const all = interleavings(steps)
    expect(all).toHaveLength(120)
    for (const each of all) await play(each)
  })

  it('is where the model says when a refund is reported again after the agent’s undo', async () => {
    await play(['H', 'refund', 'undo', 'refund', 'H'])
  })

  it('is where the model says after any steps, also repeated ones', async () => {
    const step = fc.constantFrom<Step>('H', 'H2', 'R', 'undo', 'cancel', 'refund', 'P', 'B', 'C', 'U')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => play(steps)),
      { numRuns: isFull ? 1_000 : 60, seed: runSeed },
    )
  })
})

describe('the carriage of a bag', () => {
  const carriage = (list: readonly TravelEvent[]) =>
    carriageOf({ isPaid: true, isLabelled: true, events: list })
  const event = fc.record({
    kind: fc.constantFrom(...eventKinds),
    source: fc.constant('courier' as const),
    at: fc.integer({ min: 0, max: 6 }),
  })
  const events = fc.array(event, { maxLength: 8 })
  const check = (property: fc.IProperty<unknown>) => fc.assert(property, { seed: runSeed })

  it('does not depend on the order in which the courier’s scans arrive, nor on repetitions', () => {
    check(
      fc.property(
        events.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length }),
          ),
        ),
        ([list, shuffled]) => {
          expect(carriage(shuffled)).toBe(carriage(list))
        },
      ),
    )
  })

  it('is not changed by unknown scans, nor after a cancellation of ours by any', () => {
    const cancelled = { kind: 'cancelled', source: 'system', at: 3 } as const
    check(
      fc.property(events, fc.integer({ min: 0, max: 6 }), (list, at) => {
        const unknown = { kind: 'unknown', source: 'courier', at } as const
        expect(carriage([...list, unknown])).toBe(carriage(list))
        expect(carriage([cancelled, ...list])).toBe('void')
      }),
    )
  })

  it('is never lost once the courier has moved the bag', () => {
    const moved = { kind: 'picked-up', source: 'courier', at: 0 } as const
    check(
      fc.property(events, (list) => {
        expect(carriedOf([moved, ...list])).not.toBeNull()
      }),
    )
  })
})
