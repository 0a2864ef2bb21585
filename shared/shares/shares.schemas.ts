import Type, { type Static } from 'typebox'
import { BookingEvent, travelFields } from '#shared/orders/travel.schemas.ts'

const Day = Type.String({ format: 'date' })

const City = Type.Object({ city: Type.Optional(Type.String()) })

/** Readers of a shared link must not see names, phones, airway bills, amounts or addresses. */
export const SharedBooking = Type.Object({
  state: travelFields.state,
  lastEventAt: travelFields.lastEventAt,
  events: Type.Array(
    Type.Object({
      kind: BookingEvent.properties.kind,
      at: BookingEvent.properties.at,
      source: BookingEvent.properties.source,
      place: Type.Optional(Type.String({ description: 'A city.' })),
    }),
    { description: 'Oldest first.' },
  ),
  origin: City,
  destination: City,
  arrives: Type.Optional(
    Type.Object(
      { first: Day, last: Day },
      { description: 'On which days a bag on its way usually arrives. Absent where none were promised.' },
    ),
  ),
  keptUntil: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'The last day on which the branch keeps a bag that is there. Absent where none was promised.',
    }),
  ),
})
export type SharedBooking = Static<typeof SharedBooking>
