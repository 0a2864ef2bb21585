import Type, { type Static } from 'typebox'
import { TypedLine } from '#shared/platform/platform.schemas.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'

export const OperatorActionExport = Type.Object({
  at: Type.String({ format: 'date-time' }),
  action: Type.String({
    description:
      'Such as refund-ordered or phone-unlocked; a look is order-viewed, person-viewed, searched or disclosed.',
  }),
  orderId: Type.Union([Type.Integer(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
})
export type OperatorActionExport = Static<typeof OperatorActionExport>

export const revealReasons = ['call-back', 'identity', 'name', 'partner', 'authority', 'other'] as const

export const Reveal = Type.Object(
  {
    reason: Type.Enum([...revealReasons]),
    text: Type.Optional(TypedLine(reasonLength, 'Needed with `other`.')),
  },
  { additionalProperties: false },
)
export type Reveal = Static<typeof Reveal>
