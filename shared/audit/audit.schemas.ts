import Type, { type Static } from 'typebox'

/** What an operator changed for the user, in the account export. */
export const OperatorActionExport = Type.Object({
  at: Type.String({ format: 'date-time' }),
  action: Type.String({ description: 'Such as refund or unlock.' }),
  orderId: Type.Union([Type.Integer(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
})
export type OperatorActionExport = Static<typeof OperatorActionExport>
