import Type, { type Static } from 'typebox'
import { BookingType } from '#shared/orders/orders.schemas.ts'
import { PartnerKey } from '#shared/partner/partner.schemas.ts'

/** Fares and limits of spec §9. */
export const fare = { baseHalalas: 5_000, returnHalalas: 5_000 } as const
export const maxWeightKg = 15
export const packagesPerOrder = 1

export const CheckoutRequest = Type.Object(
  {
    userId: Type.Integer({ minimum: 1 }),
    type: BookingType,
    noOfPackages: Type.Integer({ description: `Always ${packagesPerOrder}.` }),
    agentCode: PartnerKey,
    centerCode: PartnerKey,
    amount: Type.Number({ description: 'SAR. The server computes it; another amount is refused.' }),
  },
  { additionalProperties: false },
)
export type CheckoutRequest = Static<typeof CheckoutRequest>

/** The same order in the words of the spec's "create payment order" call. */
export const PaymentOrderRequest = Type.Object(
  {
    userId: Type.Integer({ minimum: 1 }),
    amount: CheckoutRequest.properties.amount,
    bookingDetails: Type.Object(
      {
        type: BookingType,
        agentCode: PartnerKey,
        centerCode: PartnerKey,
        noOfPackages: CheckoutRequest.properties.noOfPackages,
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type PaymentOrderRequest = Static<typeof PaymentOrderRequest>

export const PaymentStart = Type.Object({
  success: Type.Literal(true),
  orderId: Type.Integer(),
  clientSecret: Type.String(),
  publicKey: Type.String(),
})
export type PaymentStart = Static<typeof PaymentStart>

/** What the browser opens the card widget with. */
export type OpenedPayment = Omit<PaymentStart, 'success'>
