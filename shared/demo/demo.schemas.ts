import Type, { type Static } from 'typebox'
import { MessageExport } from '#shared/messages/messages.schemas.ts'
import { OrderExport } from '#shared/orders/orders.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { User } from '#shared/sessions/sessions.schemas.ts'

export const DemoOrder = Type.Object({
  ...OrderExport.properties,
  user: Type.Union([User, Type.Null()], { description: 'Null when the account was deleted.' }),
  payments: Type.Array(PaymentExport, {
    description: 'Attempts, oldest first, each with what the provider reported of it and its refunds.',
  }),
  messages: Type.Array(MessageExport, { description: 'Newest first.' }),
})
export type DemoOrder = Static<typeof DemoOrder>

/** The maximum is 366 days: a mistyped longer time would expire all orders for good. */
const longestMs = 31_622_400_000

export const ClockMove = Type.Object(
  {
    advanceMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: longestMs, description: 'Added to the time.' }),
    ),
    aheadMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How far ahead of real time the clock is from now on.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
)
export type ClockMove = Static<typeof ClockMove>

export const ClockView = Type.Object({
  now: Type.String({ format: 'date-time' }),
  aheadMs: Type.Integer({ description: 'How far ahead of real time.' }),
})
export type ClockView = Static<typeof ClockView>

/**
 * A reference to an order: its number (`OD-12` or `12`), a merchant reference, a shipment reference or an airway bill.
 */
export const DemoOrderRef = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
