import Type, { type Static } from 'typebox'
import { MessageExport } from '#shared/messages/messages.schemas.ts'
import { OrderExport } from '#shared/orders/orders.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { User } from '#shared/sessions/sessions.schemas.ts'

/** What the gateway has stored of an order, for testers: its state, its shipments, its payments and its messages. */
export const DemoOrder = Type.Object({
  ...OrderExport.properties,
  user: Type.Union([User, Type.Null()], { description: 'Null when the account was deleted.' }),
  payments: Type.Array(PaymentExport, {
    description: 'Attempts, oldest first, each with what the provider reported of it and its refunds.',
  }),
  messages: Type.Array(MessageExport, { description: 'Newest first.' }),
})
export type DemoOrder = Static<typeof DemoOrder>

/** `OD-12`, `12`, a merchant reference, a reference of a shipment, or an airway bill. */
export const DemoOrderRef = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
