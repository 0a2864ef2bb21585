import Type, { type Static } from 'typebox'
import { TypedLine } from '#shared/platform/platform.schemas.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { revealReasons } from './audit.operations.ts'

export const Reveal = Type.Object(
  {
    reason: Type.Enum([...revealReasons]),
    text: Type.Optional(TypedLine(reasonLength, 'Needed with `other`.')),
  },
  { additionalProperties: false },
)
export type Reveal = Static<typeof Reveal>
