import Type, { type Static } from 'typebox'
import { Claim } from '#shared/claims/claims.schemas.ts'
import { MessageExport } from '#shared/messages/messages.schemas.ts'
import { OrderExport } from '#shared/orders/orders.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { Time } from '#shared/platform/platform.schemas.ts'
import { PushSubscriptionExport } from '#shared/push/push.schemas.ts'
import { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import { CodeExport, NumberChangeExport, SessionView } from '#shared/sessions/sessions.schemas.ts'

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

export const NoteExport = Type.Object({ at: Time, text: Type.String() })

export const AccountExport = Type.Object({
  exportedAt: Time,
  profile: Type.Object({
    userId: Type.Integer(),
    name: Type.String(),
    phone: Type.String(),
    signedUpAt: Time,
    language: Type.Union([Type.String(), Type.Null()], { description: 'The language of messages.' }),
    messages: Type.Boolean({ description: 'Whether messages about bags are wanted by SMS.' }),
    email: Type.Union([Type.String(), Type.Null()], { description: 'The address that was proven.' }),
    formerPhones: Type.Array(Type.Object({ phone: Type.String(), until: Time }), {
      description: 'Numbers that the account had before, newest first.',
    }),
    numberChange: Type.Union([NumberChangeExport, Type.Null()], {
      description: 'The last change of number that support made, where the old number was gone.',
    }),
  }),
  sessions: Type.Array(SessionView),
  codes: Type.Array(CodeExport),
  messages: Type.Array(MessageExport),
  pushSubscriptions: Type.Array(PushSubscriptionExport),
  claims: Type.Array(Type.Object({ orderId: Type.Integer(), ...Claim.properties }), {
    description:
      'Newest first. Photographs are files of their own: `GET /api/claims/{claimId}/photos/{number}`.',
  }),
  operatorActions: Type.Array(OperatorActionExport, {
    description: 'What operators and staff changed or looked at, newest first.',
  }),
  orders: Type.Array(
    Type.Object({
      ...OrderExport.properties,
      payments: Type.Array(PaymentExport),
      receipts: Type.Array(ReceiptExport),
      notes: Type.Array(NoteExport, { description: 'What staff wrote about the order, oldest first.' }),
    }),
  ),
})
export type AccountExport = Static<typeof AccountExport>
