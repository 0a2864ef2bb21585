import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import { replayOutcomes } from '../payment/payment.replay.ts'
import { callbackModes, widgetRefusalNames } from '../payment/payment.scenarios.ts'
import { faultKinds } from '../platform/faults.ts'
import { journeySteps } from '../shipping/shipping.journey.ts'
import { pushModes } from '../shipping/shipping.pushes.ts'
import { shippingScenarioIds } from '../shipping/shipping.scenarios.ts'
import { listShapes } from '../shipping/shipping.settings.ts'

/** 366 days: a mistyped number beyond this would expire everything for good. */
const longestAdvanceMs = 31_622_400_000
const Delay = Type.Integer({ minimum: 0, maximum: 86_400_000 })

/** Without further fields. */
const fields = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

export const ReplayBody = fields({
  outcome: Type.Enum(replayOutcomes),
  callback: Type.Optional(Type.Enum(callbackModes)),
  delayMs: Type.Optional(Delay),
})

export const faultyServices = ['otp', 'payment', 'shipping', 'tracking', 'messaging', 'identity'] as const

export const FaultBody = fields({
  kind: Type.Enum(faultKinds),
  probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  delayMs: Type.Optional(Delay),
  delay: Type.Optional(fields({ min: Delay, max: Delay })),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  match: Type.Optional(
    Type.Object(
      {
        operation: Type.Optional(Type.String()),
        order: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.String()])),
        phone: Type.Optional(Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' })),
        nth: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
  ),
})

const ListShape = Type.Optional(Type.Enum([...listShapes]))

export const ShippingBody = fields({
  lagMs: Type.Optional(Delay),
  scenarios: Type.Optional(Type.Array(Type.Enum([...shippingScenarioIds]))),
  offices: ListShape,
  cities: ListShape,
  agents: ListShape,
})

const shortText = Type.String({ maxLength: 500 })

export const AdvanceBody = fields({
  to: Type.Optional(Type.Enum([...journeySteps])),
  push: Type.Optional(Type.Enum([...pushModes])),
  delayMs: Type.Optional(Delay),
  scan: Type.Optional(
    fields({
      code: Type.String({ minLength: 1, maxLength: 60 }),
      text: Type.Optional(shortText),
      city: Type.Optional(shortText),
      time: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
      zone: Type.Optional(Type.Union([Type.String({ maxLength: 10 }), Type.Null()])),
    }),
  ),
})

export const JourneyBody = fields({ minutesPerDay: Type.Number({ minimum: 0, maximum: 10_080 }) })

export const UnusualBody = fields({
  probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  lagMs: Type.Optional(Delay),
})

export const WidgetBody = fields({ refusal: Type.Enum(widgetRefusalNames) })

export const ClockBody = fields({ advanceMs: Type.Integer({ minimum: 0, maximum: longestAdvanceMs }) })

const LimitText = Type.String({ pattern: '^[1-9]\\d{0,4}$' })

/** A refusal for testers: `{ error, message }`. */
export class ControlError extends Error {
  readonly statusCode: number
  readonly error: string
  constructor(statusCode: number, error: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.error = error
  }
}

export const unknownRef = (kind: string, ref: string) =>
  new ControlError(404, 'UNKNOWN_REF', `there is no ${kind} for "${ref}"`)

/** A message that begins with the name of the field. */
function messageOf(error: TLocalizedValidationError | undefined): string {
  const field = error?.instancePath.slice(1) || 'body'
  switch (error?.keyword) {
    case 'required':
      return `${error.params.requiredProperties.join(', ')} is required`
    case 'boolean':
      return `${field} is not a known field`
    case 'enum':
      return `${field} must be one of ${error.params.allowedValues.join(', ')}`
    default:
      return `${field} ${error?.message ?? 'is not valid'}`
  }
}

/** @throws ControlError that names the first invalid field. */
export function parse<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  throw new ControlError(400, 'INVALID_REQUEST', messageOf(first))
}

const newestCount = 200

/** How many rows a list answers. @throws ControlError */
export function limitOf(query: unknown): number {
  const { limit } = query as { limit?: unknown }
  if (limit === undefined) return newestCount
  if (!Value.Check(LimitText, limit))
    throw new ControlError(400, 'INVALID_REQUEST', 'limit must be 1 to 99999')
  return Number(limit)
}

/** An unescaped `+` of a query arrives as a space. */
export const withPlus = (text: string): string => text.replace(/^ /, '+')

/** A field of the query. @throws ControlError */
export function textOf(query: unknown, name: 'phone' | 'to'): string | undefined {
  const text = (query as Readonly<Record<string, unknown>>)[name]
  if (text === undefined || typeof text === 'string') return text
  throw new ControlError(400, 'INVALID_REQUEST', `${name} must be given once`)
}

/** The phone that a list is asked for. @throws ControlError */
export function phoneOf(query: unknown): string | undefined {
  const phone = textOf(query, 'phone')
  return phone === undefined ? undefined : withPlus(phone)
}
