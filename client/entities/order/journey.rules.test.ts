import { expect, it } from 'vitest'
import type { BookingEvent, EventKind } from '#shared/orders/travel.schemas.ts'
import { handoverOf, knownKind, knownReason, refusalOf } from './journey.rules.ts'

let minutes = 0
function event(kind: EventKind, source: BookingEvent['source'] = 'courier'): BookingEvent {
  minutes += 1
  return { kind, source, at: new Date(Date.UTC(2027, 4, 18, 12, minutes)).toISOString() }
}
it('a hand-over counts until it is undone', () => {
  const taken = event('handed-over', 'agent')
  expect(handoverOf([])).toBeUndefined()
  expect(handoverOf([taken, event('picked-up')])).toBe(taken)
  expect(handoverOf([taken, event('hand-over-undone', 'agent')])).toBeUndefined()
})

it('a refusal counts while its bag waits, until the agent does something else, and is no undo', () => {
  const refused = event('not-accepted', 'agent')
  const taken = event('handed-over', 'agent')
  const given = event('hand-over-undone', 'agent')
  expect(refusalOf({ state: 'READY', events: [taken, given, refused, event('unknown')] })).toBe(refused)
  expect(refusalOf({ state: 'CANCELLED', events: [refused] })).toBeUndefined()
  expect(refusalOf({ state: 'READY', events: [refused, taken, given] })).toBeUndefined()
  expect(handoverOf([taken, refused])).toBe(taken)
})

it('words of a newer server have texts', () => {
  expect(knownKind('weighed')).toBe('unknown')
  expect(knownReason('wet')).toBe('other')
})
