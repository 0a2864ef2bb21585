import { describe, expect, it } from 'vitest'
import type { BookingEvent, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { handoverOf, isTravelling, knownKind, knownState, stepsOf } from './journey.rules.ts'

let minutes = 0
function event(kind: EventKind, source: BookingEvent['source'] = 'courier'): BookingEvent {
  minutes += 1
  return { kind, source, at: new Date(Date.UTC(2027, 4, 18, 12, minutes)).toISOString() }
}
const progressOf = (state: TravelState | null, ...kinds: EventKind[]) =>
  stepsOf({ state, lastEventAt: null, events: kinds.map((kind) => event(kind)) }).map(
    ({ progress }) => progress,
  )

describe('the knots of the thread', () => {
  it.each<[TravelState, EventKind[], string[]]>([
    ['HANDED_OVER', ['handed-over'], ['current', 'ahead', 'ahead', 'ahead']],
    ['IN_TRANSIT', ['picked-up'], ['done', 'current', 'ahead', 'ahead']],
    ['AT_BRANCH', ['in-transit', 'at-branch'], ['done', 'done', 'current', 'ahead']],
    ['COLLECTED', ['collected'], ['done', 'done', 'done', 'done']],
    ['EXCEPTION', ['handed-over', 'exception'], ['delayed', 'ahead', 'ahead', 'ahead']],
    ['EXCEPTION', ['in-transit', 'exception'], ['done', 'delayed', 'ahead', 'ahead']],
    ['EXCEPTION', ['in-transit', 'at-branch', 'exception'], ['done', 'done', 'delayed', 'ahead']],
  ])('of a bag that is %s after %j are %j', (state, kinds, progress) => {
    expect(progressOf(state, ...kinds)).toEqual(progress)
  })

  it.each(['READY', 'AWAITING_LABEL', 'CANCELLED', null] as const)(
    'are none for a bag that is %s',
    (state) => {
      expect(progressOf(state)).toEqual([])
    },
  )

  it('have the newest event that reached them', () => {
    const [first, second, third] = [event('picked-up'), event('in-transit'), event('unknown')]
    const steps = stepsOf({ state: 'IN_TRANSIT', lastEventAt: null, events: [first, second, third] })
    expect(steps.map((step) => step.event)).toEqual([undefined, second, undefined, undefined])
  })
})

it('a hand-over counts until it is undone', () => {
  const taken = event('handed-over', 'agent')
  expect(handoverOf([])).toBeUndefined()
  expect(handoverOf([taken, event('picked-up')])).toBe(taken)
  expect(handoverOf([taken, event('hand-over-undone', 'agent')])).toBeUndefined()
})

it('a bag travels once it was handed over', () => {
  expect(isTravelling({ state: 'HANDED_OVER' })).toBe(true)
  expect(isTravelling({ state: 'READY' })).toBe(false)
  expect(isTravelling({ state: null })).toBe(false)
})

it('words of a newer server have texts', () => {
  expect(knownState('ON_A_SHIP')).toBe('other')
  expect(knownKind('weighed')).toBe('unknown')
})
