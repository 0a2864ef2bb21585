import Type, { type Static } from 'typebox'
import { Coordinates } from '#shared/platform/platform.schemas.ts'

/** The routes on offer (spec §3). */
export const bookingTypes = ['TO_MINA', 'FROM_MINA', 'TO_AND_FROM_MINA'] as const
export const BookingType = Type.Enum([...bookingTypes])
export type BookingType = (typeof bookingTypes)[number]

/** Spec §9. */
export const defaultBookingType: BookingType = 'FROM_MINA'

export const orderStatuses = ['PENDING_PAYMENT', 'PAID', 'EXPIRED', 'REFUNDED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Where a bag starts or ends, as it was when the order was placed. */
export const Place = Type.Object({
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  addressAR: Type.Optional(Type.String()),
  addressEN: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  coordinates: Coordinates,
})
export type Place = Static<typeof Place>

/** One leg of an order. `awb` is null until the partner has issued the airway bill. */
export const Booking = Type.Object({
  awb: Type.Union([Type.String(), Type.Null()]),
  origin: Place,
  destination: Place,
})
export type Booking = Static<typeof Booking>

export const Order = Type.Object({
  orderId: Type.Integer(),
  status: Type.String({ description: `One of ${orderStatuses.join(', ')}; a reader must tolerate others.` }),
  transactionId: Type.Optional(Type.String()),
  type: BookingType,
  creationDate: Type.String({ format: 'date-time' }),
  user: Type.Optional(
    Type.Object({
      name: Type.Union([Type.String(), Type.Null()]),
      phone: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  bookings: Type.Array(Booking),
})
export type Order = Static<typeof Order>

/** An order number, or any merchant reference that was issued for the order. */
export const OrderKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })

/** Airway bill numbers are digits; the bounds are generous because they are the partner's. */
export const AirwayBillNumber = Type.String({ pattern: '^[0-9]{6,20}$' })

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'From `nextCursor`.' })),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$', description: '1 to 100, 20 unless told.' }),
    ),
  },
  { additionalProperties: false },
)

export const OrderPage = Type.Object({
  success: Type.Literal(true),
  orders: Type.Array(Order),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
})
export type OrderPage = Static<typeof OrderPage>

const Time = Type.String({ format: 'date-time' })

/** An order in the file a person takes with them: all that is kept of it but its payments. */
export const KeptOrder = Type.Object({
  orderId: Type.Integer(),
  status: Type.String(),
  type: BookingType,
  amountHalalas: Type.Integer({ description: '5000 is 50.00 SAR.' }),
  currency: Type.String(),
  agentCode: Type.String(),
  centerCode: Type.String(),
  transactionId: Type.Union([Type.String(), Type.Null()]),
  placedAt: Time,
  paidAt: Type.Union([Time, Type.Null()]),
  bookings: Type.Array(
    Type.Object({
      ...Booking.properties,
      reference: Type.String({ description: 'What the shipping partner knows the shipment by.' }),
      state: Type.String(),
      label: Type.Union([Type.String(), Type.Null()], {
        description: 'Where its owner, signed in, downloads the PDF that is kept.',
      }),
    }),
  ),
})
export type KeptOrder = Static<typeof KeptOrder>
