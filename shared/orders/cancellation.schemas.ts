import Type, { type Static } from 'typebox'

/** An unpaid order can always be cancelled. */
export const CancellationTerms = Type.Object({
  isOffered: Type.Boolean({ description: 'A paid order can be cancelled until a bag of it is handed over.' }),
  hours: Type.Integer({
    description: 'In which it can be, counted from the payment. 0: until the hand-over.',
  }),
})
export type CancellationTerms = Static<typeof CancellationTerms>
