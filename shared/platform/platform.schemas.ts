import Type, { type Static, type TSchema } from 'typebox'
import { type LanguageCode, languages } from './language.ts'
import { staffRoles } from './staff-roles.ts'
import { reasonLength } from './typed-text.ts'

/** Degrees (WGS 84). `null` when the partner gave none: the screens then show no map link. */
export const Coordinates = Type.Union([
  Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  Type.Null(),
])
export type Coordinates = Static<typeof Coordinates>

/** Decimal digits, never coerced. */
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

/** The server cleans the line (`oneLine`) before counting its characters, and refuses it without a letter. */
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

/** A number of another organization, which may have no letter. */
export const TypedReference = (length: TypedLength, description?: string) => ({
  ...TypedLine(length, description),
  'x-readable': 'letters-or-digits',
})

/** The page shows the answer already and reads it again without user action. */
export const Again = Type.Object({ again: Type.Optional(Type.Literal('1')) }, { additionalProperties: false })

export const Reason = TypedLine(reasonLength)

export const NoBody = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()])

const IdempotencyKey = Type.String({ minLength: 8, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })

/** Same key and body, same answer; same key and another body, 409. */
export const IdempotencyHeaders = Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKey) })

/** New each time the form is opened. A repeated request changes nothing and gets the same answer. */
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

/** Present when the act waits for approval. */
export const WaitingApproval = Type.Optional(
  Type.Object({ approvalId: Type.Integer() }, { description: 'It waits for another person.' }),
)
