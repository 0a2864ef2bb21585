import Type, { type Static } from 'typebox'
import { KeptOrder } from '#shared/orders/orders.schemas.ts'
import { KeptPayment } from '#shared/payments/payments.schemas.ts'
import { KeptCode, SessionView } from '#shared/sessions/sessions.schemas.ts'

const Time = Type.String({ format: 'date-time' })

/** Everything kept of a person, in one file. */
export const AccountExport = Type.Object({
  exportedAt: Time,
  profile: Type.Object({
    userId: Type.Integer(),
    name: Type.String(),
    phone: Type.String(),
    signedUpAt: Time,
  }),
  sessions: Type.Array(SessionView),
  codes: Type.Array(KeptCode),
  orders: Type.Array(Type.Object({ ...KeptOrder.properties, payments: Type.Array(KeptPayment) })),
})
export type AccountExport = Static<typeof AccountExport>
