import Type, { type Static } from 'typebox'
import { eventKinds, travelStates } from './orders.operations.ts'

export const TravelState = Type.Enum([...travelStates])
export type TravelState = (typeof travelStates)[number]

export type EventKind = (typeof eventKinds)[number]

export const alertKinds = [
  'damaged',
  'destroyed',
  'missing',
  'cancelled',
  'returning',
  'contradiction',
  'not-of-this-bag',
  'future-time',
] as const
export type AlertKind = (typeof alertKinds)[number]

export const eventSources = ['agent', 'courier', 'system'] as const
export type EventSource = (typeof eventSources)[number]

export const BookingEvent = Type.Object({
  kind: Type.Enum([...eventKinds], { description: 'A reader must tolerate others.' }),
  at: Type.String({ format: 'date-time' }),
  place: Type.Optional(Type.String({ description: 'A city or the name of an agent.' })),
  source: Type.Enum([...eventSources]),
  code: Type.Optional(
    Type.String({ description: 'The courier’s own; of `not-accepted` the reason that the agent chose.' }),
  ),
  text: Type.Optional(Type.String({ description: 'The courier’s own; of `not-accepted` the agent’s.' })),
})
export type BookingEvent = Static<typeof BookingEvent>

export const travelFields = {
  state: Type.Union([TravelState, Type.Null()], {
    description:
      'Null while the order is unpaid or expired. From the newest meaning of the events, whatever order they arrive in. A reader must tolerate others.',
  }),
  lastEventAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the bag was last seen.',
  }),
  events: Type.Array(BookingEvent, { description: 'Oldest first.' }),
}
