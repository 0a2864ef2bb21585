import Type, { type Static } from 'typebox'
import { Instant, Reason, TypedLine } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { Stop } from '#shared/platform/stop.ts'

export const mostStops = 200

const Sentence = TypedLine({ least: 5, most: 300 })

export const NewStop = Type.Object(
  {
    what: Stop.properties.what,
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    from: Type.Optional(Instant),
    until: Type.Optional(Instant),
    text: Type.Object({ ar: Sentence, en: Sentence }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type NewStop = Static<typeof NewStop>

/** The request replaces the whole list of stops: a stop that remains must be in it. */
export const StopsRequest = Type.Object(
  {
    stops: Type.Array(NewStop, { maxItems: mostStops }),
    reason: Reason,
    revision: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'As it was read. Refused where the stops were changed since; absent: not checked.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type StopsRequest = Static<typeof StopsRequest>

export const StaffStop = Type.Object({
  ...Stop.properties,
  isInForce: Type.Boolean({ description: 'False: it begins later.' }),
  by: Type.String({ description: 'Who set it.' }),
  at: Type.String({ format: 'date-time', description: 'When it was set.' }),
  reason: Type.String(),
})
export type StaffStop = Static<typeof StaffStop>

export const StopsResponse = successOf({ stops: Type.Array(StaffStop), revision: Type.String() })
export type StopsResponse = Static<typeof StopsResponse>
