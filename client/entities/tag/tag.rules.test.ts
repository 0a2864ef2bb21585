import { describe, expect, it } from 'vitest'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { BookingEvent, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isTagOver, isUntorn, stepsOf, type TagState, tagOf } from './tag.rules.ts'

const at = (hour: number) => new Date(Date.UTC(2027, 4, 18, hour)).toISOString()
let hours = 0
function scan(kind: EventKind, place?: string): BookingEvent {
  hours += 1
  return { kind, source: 'courier', at: at(hours), ...(place === undefined ? {} : { place }) }
}
const taken: BookingEvent = { kind: 'handed-over', source: 'agent', at: at(0), place: 'وكيل منى 1' }
const undone: BookingEvent = { kind: 'hand-over-undone', source: 'agent', at: at(1) }
const refund = { state: 'pending', amount: 50, reason: 'operator' } as const

describe('the state of a tag', () => {
  it.each<[TravelState | null, BookingEvent[], TagState]>([
    [null, [], 'tied'],
    ['AWAITING_LABEL', [], 'tied'],
    ['READY', [], 'tied'],
    ['READY', [taken, undone], 'tied'],
    ['HANDED_OVER', [taken], 'torn'],
    ['IN_TRANSIT', [taken, scan('picked-up')], 'travelling'],
    ['EXCEPTION', [taken, scan('exception')], 'delayed'],
    ['AT_BRANCH', [taken, scan('in-transit'), scan('at-branch')], 'here'],
    ['COLLECTED', [taken, scan('collected')], 'collected'],
    ['CANCELLED', [], 'cancelled'],
    ['ON_A_SHIP' as TravelState, [taken], 'travelling'],
    ['ON_HOLD' as TravelState, [], 'tied'],
  ])('of a paid bag that is %s after %j is its bag’s: %s', (state, events, tag) => {
    expect(tagOf(orderOf(), bookingOf({ state, events }))).toBe(tag)
  })

  it.each<[Partial<Order>, TagState, boolean]>([
    [{ status: 'PENDING_PAYMENT', payable: true }, 'blank', false],
    [{ status: 'PENDING_PAYMENT', payable: false }, 'blank', false],
    [{ status: 'PENDING_PAYMENT', payable: false, refund }, 'refunded', true],
    [{ status: 'PENDING_PAYMENT', payable: true, refund: { ...refund, state: 'done' } }, 'blank', false],
    [{ status: 'EXPIRED' }, 'expired', true],
    [{ status: 'EXPIRED', refund }, 'expired', true],
    [{ status: 'REFUNDED' }, 'refunded', true],
    [{ status: 'CANCELLED', refund }, 'cancelled', true],
    [{ status: 'LOST' as Order['status'] }, 'blank', false],
  ])('of an order that is %j: %s, void %s', (change, tag, voided) => {
    const order = orderOf({ payable: false, ...change })
    const state = tagOf(order, bookingOf({ state: null }))
    // A bag that travels goes on.
    expect(tagOf(order, bookingOf({ state: 'IN_TRANSIT' }))).toBe('travelling')
    expect(state).toBe(tag)
    expect(isTagOver(state)).toBe(voided)
  })

  it.each<[TravelState, BookingEvent[], boolean]>([
    ['READY', [taken, undone], true],
    ['READY', [taken, undone, taken], false],
    ['READY', [], false],
    // On its way all the same.
    ['IN_TRANSIT', [taken, undone], false],
  ])('says that the stub is there again: %s after %j is %s', (state, events, expected) => {
    expect(isUntorn({ state, events })).toBe(expected)
  })
})

describe('the steps of a timeline', () => {
  const steps = (state: TravelState, ...events: BookingEvent[]) =>
    stepsOf({ state, events }).map(({ event, progress }) =>
      `${event.kind} ${event.place ?? ''} ${progress}`.replace('  ', ' '),
    )

  it.each<[string, TravelState, BookingEvent[], string[]]>([
    ['the hand-over', 'HANDED_OVER', [taken], ['handed-over وكيل منى 1 current']],
    ['not one that was undone', 'IN_TRANSIT', [taken, undone, scan('picked-up')], ['picked-up current']],
    [
      'the hand-over and the newest scan that means a step',
      'IN_TRANSIT',
      [taken, scan('picked-up', 'Makkah'), scan('in-transit', 'Taif'), scan('unknown', 'Makkah')],
      ['handed-over وكيل منى 1 done', 'in-transit Taif current'],
    ],
    [
      'not the counter where it was dropped',
      'HANDED_OVER',
      [taken, scan('at-branch')],
      ['handed-over وكيل منى 1 current'],
    ],
    [
      'the last, which is held up',
      'EXCEPTION',
      [taken, scan('in-transit', 'Taif'), scan('exception', 'Taif')],
      ['handed-over وكيل منى 1 done', 'exception Taif delayed'],
    ],
    [
      'none to come',
      'COLLECTED',
      [taken, scan('collected')],
      ['handed-over وكيل منى 1 done', 'collected done'],
    ],
  ])('are %s', (_, state, events, expected) => {
    expect(steps(state, ...events)).toEqual(expected)
  })

  it('have the newest time of a place that scans a bag twice', () => {
    const [first, again] = [scan('in-transit', 'Taif'), scan('in-transit', 'Taif')]
    expect(stepsOf({ state: 'IN_TRANSIT', events: [first, again] }).map(({ event }) => event)).toEqual([
      again,
    ])
  })
})
