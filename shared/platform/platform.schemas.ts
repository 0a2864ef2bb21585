import Type, { type Static, type TSchema } from 'typebox'
import { type LanguageCode, languages } from './language.ts'
import { staffRoles } from './staff-roles.ts'
import { reasonLength } from './typed-text.ts'

/** Coordinates in WGS 84; `null` when the partner sent none. */
export const Coordinates = Type.Union([
  Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  Type.Null(),
])
export type Coordinates = Static<typeof Coordinates>

export const NumberInPath = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'A positive whole number.',
})

export const InEveryLanguage = Type.Object(
  Object.fromEntries(Object.keys(languages).map((code) => [code, Type.String()])) as Record<
    LanguageCode,
    Type.TString
  >,
)

export const Time = Type.String({ format: 'date-time' })

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const StaffRoles = Type.Array(Type.Enum([...staffRoles]), {
  description: 'Of the person at that time. None of operators, and of what was before they were stored.',
})

export const Instant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
  maxLength: 40,
})

interface TypedLength {
  readonly least: number
  readonly most: number
}

/** The server cleans a typed line (`oneLine`) before it counts the characters, and refuses a line without a letter. */
export const TypedLine = ({ least, most }: TypedLength, description?: string) =>
  Type.String({
    minLength: least,
    maxLength: most,
    'x-typed': 'line',
    'x-readable': 'letters',
    ...(description !== undefined && { description }),
  })

export const TypedLines = (length: TypedLength, description?: string) => ({
  ...TypedLine(length, description),
  'x-typed': 'lines',
})

/** A reference of another organization needs no letter: digits are enough. */
export const TypedReference = (length: TypedLength, description?: string) => ({
  ...TypedLine(length, description),
  'x-readable': 'letters-or-digits',
})

export const Again = Type.Object({ again: Type.Optional(Type.Literal('1')) }, { additionalProperties: false })

export const Reason = TypedLine(reasonLength)

export const NoBody = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()])

const IdempotencyKey = Type.String({ minLength: 8, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })

/** A request with the same idempotency key and body gets the same response; with another body it gets 409. */
export const IdempotencyHeaders = Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKey) })

export const ActHeaders = Type.Object({ 'idempotency-key': IdempotencyKey })

export const StreamQuery = Type.Object(
  {
    replace: Type.Optional(
      Type.Literal('1', {
        description:
          'This browser holds one stream: the one that it opened so before ends. A proxy may not tell that it was left.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const EventStream = Type.String({
  description:
    'Events (https://html.spec.whatwg.org/multipage/server-sent-events.html), with a comment every 15 s. `event: closing` is the last one before the stream is ended from this side.',
})

export const WaitingApproval = Type.Optional(
  Type.Object({ approvalId: Type.Integer() }, { description: 'It waits for another person.' }),
)
