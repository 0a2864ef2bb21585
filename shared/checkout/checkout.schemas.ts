import Type, { type Static } from 'typebox'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { newReceiverFields } from '#shared/orders/receiver.schemas.ts'
import { PartnerKey } from '#shared/partner/partner.schemas.ts'
import { packagesPerOrder } from './checkout.operations.ts'

export const CheckoutRequest = Type.Object(
  {
    userId: Type.Integer({ minimum: 1 }),
    type: Type.Enum([...bookingTypes]),
    noOfPackages: Type.Integer({ description: `Always ${packagesPerOrder}.` }),
    agentCode: PartnerKey,
    centerCode: PartnerKey,
    amount: Type.Number({ description: 'SAR. The server computes it; another amount is refused.' }),
    ...newReceiverFields,
  },
  { additionalProperties: false },
)
export type CheckoutRequest = Static<typeof CheckoutRequest>

export const PaymentOrderRequest = Type.Object(
  {
    userId: Type.Integer({ minimum: 1 }),
    amount: CheckoutRequest.properties.amount,
    bookingDetails: Type.Object(
      {
        type: Type.Enum([...bookingTypes]),
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
