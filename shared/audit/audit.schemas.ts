import Type, { type Static } from 'typebox'

/** What an operator or staff changed for the user, or looked at, in the account export. */
export const OperatorActionExport = Type.Object({
  at: Type.String({ format: 'date-time' }),
  action: Type.String({
    description: 'Such as refund or unlock; a look is order-read, person-read, search or reveal.',
  }),
  orderId: Type.Union([Type.Integer(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
})
export type OperatorActionExport = Static<typeof OperatorActionExport>
