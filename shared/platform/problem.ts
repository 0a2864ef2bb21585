import Type, { type Static, type TProperties } from 'typebox'
import { sendChannels } from './code-channels.ts'
import type { LanguageCode } from './language.ts'
import { Stop } from './stop.ts'

export const RefusedField = Type.Object({ field: Type.String(), message: Type.String() })

export const PaidOrder = Type.Object({
  orderId: Type.Integer(),
  amount: Type.Number({ description: 'In riyals.' }),
  cancellable: Type.Boolean({ description: 'Its owner can cancel it, and the full price goes back.' }),
})
export type PaidOrder = Static<typeof PaidOrder>

export const Problem = Type.Object({
  success: Type.Literal(false),
  code: Type.String(),
  message: Type.String({ description: 'In the language of the caller.' }),
  requestId: Type.String(),
  fields: Type.Optional(Type.Array(RefusedField)),
  retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  orders: Type.Optional(
    Type.Array(PaidOrder, { description: 'Of `ACCOUNT_HAS_PAID_ORDERS`: the orders, the oldest first.' }),
  ),
  channels: Type.Optional(
    Type.Array(Type.Enum([...sendChannels]), {
      description: 'Of `CHANNEL_UNAVAILABLE` and `OTP_UNAVAILABLE`: other ways to get a code.',
    }),
  ),
  receivedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Of `ALREADY_RECEIVED`: when the bag was taken.' }),
  ),
  stop: Type.Optional(
    Type.Object(Stop.properties, {
      description: 'Of `SALES_STOPPED`: what is not sold, and what pilgrims read of it in each language.',
    }),
  ),
})
export type Problem = Static<typeof Problem>

/** The values of an error replace each `{{name}}` in its text. */
export interface ErrorRow {
  readonly status: number
  readonly level: 'info' | 'warn' | 'error'
  readonly text: Readonly<Record<LanguageCode, string>>
}

export function defineErrors<const R extends Record<string, ErrorRow>>(rows: R): R {
  return rows
}

export function successOf<P extends TProperties>(fields: P) {
  return Type.Object({ success: Type.Literal(true), ...fields })
}
