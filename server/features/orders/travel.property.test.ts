import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventKinds } from '#shared/orders/orders.operations.ts'
import { carriageOf, carriedOf, type TravelEvent } from '#shared/orders/travel.rules.ts'
import { runSeed } from '#test/kit/basics/random.ts'

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
