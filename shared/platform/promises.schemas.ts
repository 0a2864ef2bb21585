import Type, { type Static } from 'typebox'

/** Both numbers count calendar days. The schema is no tuple, because OpenAPI cannot describe tuples. */
export const DaySpan = Type.Unsafe<[least: number, most: number]>(
  Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
)
export type DaySpan = Static<typeof DaySpan>

export const Promises = Type.Object({
  transitDays: Type.Record(Type.String(), DaySpan, {
    description:
      'Calendar days in Riyadh from the hand-over until the bag has arrived, least and most, by the code of the city at the far end of the leg; `default` is for all others. Empty where nothing is promised.',
  }),
  handInUntil: Type.Optional(
    Type.String({
      description:
        'The last day in Riyadh on which a bag should be handed over, such as 2027-05-29. Absent once it is past.',
    }),
  ),
  storageDays: Type.Optional(
    Type.Integer({ description: 'So many days a branch keeps a bag after it has arrived there.' }),
  ),
  lateAfterDays: Type.Optional(
    Type.Integer({ description: 'A bag that has not arrived so many days after the hand-over is late.' }),
  ),
  lostSar: Type.Optional(Type.Integer({ description: 'SAR that are paid at most for a lost bag.' })),
})
export type Promises = Static<typeof Promises>
