import Type, { type Static } from 'typebox'
import { OrderExport } from '#shared/orders/orders.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { CodeExport, SessionView } from '#shared/sessions/sessions.schemas.ts'

const Time = Type.String({ format: 'date-time' })

/** Everything stored of a user, in one file. */
export const AccountExport = Type.Object({
  exportedAt: Time,
  profile: Type.Object({
    userId: Type.Integer(),
    name: Type.String(),
    phone: Type.String(),
    signedUpAt: Time,
  }),
  sessions: Type.Array(SessionView),
  codes: Type.Array(CodeExport),
  orders: Type.Array(Type.Object({ ...OrderExport.properties, payments: Type.Array(PaymentExport) })),
})
export type AccountExport = Static<typeof AccountExport>
