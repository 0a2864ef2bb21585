import Type, { type Static } from 'typebox'
import { InEveryLanguage } from '#shared/platform/platform.schemas.ts'
import { Promises } from '#shared/platform/promises.schemas.ts'
import { CancellationTerms } from './cancellation.schemas.ts'

export const ShownTerms = Type.Object({
  notInTheBag: InEveryLanguage,
  terms: InEveryLanguage,
  cancellation: CancellationTerms,
  liability: Type.Optional(
    Type.Object(InEveryLanguage.properties, {
      description:
        'What is paid for a late, damaged or lost bag, and by whom. Absent where the operator says nothing.',
    }),
  ),
})
export type ShownTerms = Static<typeof ShownTerms>

const KeptTerms = Type.Object({
  ...ShownTerms.properties,
  promises: Type.Optional(Promises),
})
export type KeptTerms = Static<typeof KeptTerms>

export const OrderTerms = Type.Object({
  version: Type.String({ description: 'Of the text: the same terms have the same.' }),
  language: Type.String({ description: 'In which they were shown.' }),
  shown: KeptTerms,
})
export type OrderTerms = Static<typeof OrderTerms>
