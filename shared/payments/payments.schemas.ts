import Type, { type Static } from 'typebox'

const Time = Type.String({ format: 'date-time' })
const money = {
  amountHalalas: Type.Integer({ description: '5000 is 50.00 SAR.' }),
  currency: Type.String(),
}

/** One try to pay an order, in the file a person takes with them. The secret it was made with stays out. */
export const KeptPayment = Type.Object({
  reference: Type.String(),
  state: Type.String(),
  ...money,
  startedAt: Time,
  events: Type.Array(
    Type.Object({
      transactionId: Type.String(),
      kind: Type.String(),
      outcome: Type.String(),
      ...money,
      receivedAt: Time,
    }),
  ),
  refunds: Type.Array(
    Type.Object({
      transactionId: Type.String(),
      state: Type.String(),
      reason: Type.String(),
      amountHalalas: money.amountHalalas,
      orderedAt: Time,
      doneAt: Type.Union([Time, Type.Null()]),
    }),
  ),
})
export type KeptPayment = Static<typeof KeptPayment>
