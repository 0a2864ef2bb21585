import Type, { type Static } from 'typebox'
import { Coordinates, Time } from '#shared/platform/platform.schemas.ts'
import { Promises } from '#shared/platform/promises.schemas.ts'
import { agentContactDays, agentContactsPerHour } from './agent-contacts.rules.ts'
import { bookingTypes } from './booking-types.ts'
import { orderNumberPrefix } from './order-number.ts'
import { agentOrderStates, longestSearch, orderStatuses } from './orders.operations.ts'
import { receiverFields } from './receiver.schemas.ts'
import { OrderTerms } from './terms.schemas.ts'
import { travelFields } from './travel.schemas.ts'

export const BookingType = Type.Enum([...bookingTypes])
export type BookingType = (typeof bookingTypes)[number]

export const orderPayments = ['unpaid', 'paid', 'returned'] as const
export type OrderPayment = (typeof orderPayments)[number]

export const orderEnds = ['expired', 'cancelled'] as const
export type OrderEnd = (typeof orderEnds)[number]

export type OrderStatus = (typeof orderStatuses)[number]

export const Location = Type.Object({
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  addressAR: Type.Optional(Type.String()),
  addressEN: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  coordinates: Coordinates,
})
export type Location = Static<typeof Location>

/** `awb` is null until the partner has issued the airway bill. */
export const Booking = Type.Object({
  awb: Type.Union([Type.String(), Type.Null()]),
  receiver: Type.Optional(
    Type.String({
      description: 'The name printed on the airway bill; absent until the partner has been asked for it.',
    }),
  ),
  labelPending: Type.Optional(
    Type.Boolean({
      description:
        'True while the shipping partner has issued the airway bill but not sent its file: GET /api/orders/barcode/{awb}.pdf answers LABEL_NOT_READY. Otherwise absent.',
    }),
  ),
  photo: Type.Optional(
    Type.Object(
      { takenAt: Type.String({ format: 'date-time' }) },
      {
        description:
          'The agent took a picture at the hand-over: GET /api/orders/{id}/bookings/{awb}/photo. Only for the owner of the order.',
      },
    ),
  ),
  hasPhoto: Type.Optional(
    Type.Boolean({
      description: 'Whether a picture of the hand-over is stored. Only for the agent of the order.',
    }),
  ),
  origin: Location,
  destination: Location,
  ...travelFields,
})
export type Booking = Static<typeof Booking>

export const refundStates = ['pending', 'done', 'needs-help'] as const
export const refundReasons = ['wrong-amount', 'second-payment', 'cancelled', 'operator'] as const

export const OrderRefund = Type.Object({
  state: Type.Enum([...refundStates]),
  amount: Type.Number({ description: 'SAR, unless `currency` says otherwise.' }),
  currency: Type.Optional(Type.String({ description: 'Of the amount, where the money taken was not SAR.' })),
  reason: Type.Enum([...refundReasons]),
})
export type OrderRefund = Static<typeof OrderRefund>

export const Order = Type.Object({
  orderId: Type.Integer(),
  status: Type.Enum([...orderStatuses], { description: 'A reader must tolerate others.' }),
  transactionId: Type.Optional(Type.String()),
  type: BookingType,
  amount: Type.Optional(
    Type.Number({ description: 'SAR, VAT included: what the order costs. Only for its owner.' }),
  ),
  creationDate: Type.String({ format: 'date-time' }),
  paidAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When its payment was confirmed. Only for its owner.' }),
  ),
  agentCode: Type.Optional(
    Type.String({ description: 'Of its agent, in the list of agents. Only for its owner.' }),
  ),
  centerCode: Type.Optional(
    Type.String({ description: 'Of its branch, in the list of branches. Only for its owner.' }),
  ),
  user: Type.Optional(
    Type.Object(
      {
        name: Type.Union([Type.String(), Type.Null()]),
        phone: Type.Union([Type.String(), Type.Null()]),
      },
      {
        description: `Only for its agent: while a bag is to be handed over (paid within ${agentContactDays.waiting} days) and for ${agentContactDays.received} days after a hand-over. Otherwise both are null, and \`receiver\`, \`secondPhone\` and the names on airway bills are absent. ${agentContactsPerHour} different orders an hour and agent, then 429.`,
      },
    ),
  ),
  ...receiverFields,
  payable: Type.Boolean({ description: 'A payment can be started now.' }),
  cancellable: Type.Optional(Type.Boolean({ description: 'It can be cancelled now. Only for its owner.' })),
  refund: Type.Optional(OrderRefund),
  hasReceipt: Type.Optional(
    Type.Boolean({ description: 'GET /api/orders/{id}/receipt.pdf answers. Only for its owner.' }),
  ),
  promises: Type.Optional(
    Type.Object(Promises.properties, {
      description:
        'What was promised when it was made. Only for its owner; absent for an order of an earlier build.',
    }),
  ),
  bookings: Type.Array(Booking),
})
export type Order = Static<typeof Order>

export const OrderKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })

/** A number of an airway bill. The shipping partner chooses its length. */
export const AirwayBillNumber = Type.String({ pattern: '^[0-9]{6,20}$' })

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'From `nextCursor`.' })),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$', description: '1 to 100. Default: 20.' }),
    ),
  },
  { additionalProperties: false },
)

export type AgentOrderState = (typeof agentOrderStates)[number]

const listOrders = ['newest', 'oldest'] as const
export type ListOrder = (typeof listOrders)[number]

export const AgentOrdersQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(
      Type.String({
        maxLength: longestSearch,
        description: `Words or numbers: of the order (with or without \`${orderNumberPrefix}-\`), the airway bill, the phone, the name of the customer or on the airway bill, the city of the branch in Arabic or English. Every word must be found. Arabic is compared without vowel signs and spellings of alef; digits may be Arabic. An order with exactly this number comes first. Names and phones that the agent is not shown find nothing.`,
      }),
    ),
    state: Type.Optional(
      Type.Enum([...agentOrderStates], {
        description:
          'waiting: a bag is to be handed over. received: every bag was. refused: refunded or cancelled, not to be accepted.',
      }),
    ),
    city: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of the branch, spelled as in the list of branches.',
      }),
    ),
    order: Type.Optional(Type.Enum([...listOrders], { description: 'Default: newest.' })),
  },
  { additionalProperties: false },
)
export type AgentOrdersQuery = Static<typeof AgentOrdersQuery>

export const OrderPage = Type.Object({
  success: Type.Literal(true),
  orders: Type.Array(Order),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
})
export type OrderPage = Static<typeof OrderPage>

export const AgentOrderPage = Type.Object({
  success: Type.Literal(true),
  orders: Type.Array(Order),
  counts: Type.Object(
    { waiting: Type.Integer(), received: Type.Integer(), refused: Type.Integer() },
    { description: 'Of all orders of the agent, whatever is searched for.' },
  ),
  nextCursor: Type.Union([Type.String(), Type.Null()], {
    description:
      'With `q` or `city` a call looks through a limited number of orders: a page may then hold fewer than `limit`, also none, and still have a next one.',
  }),
})
export type AgentOrderPage = Static<typeof AgentOrderPage>

export const PaymentStart = Type.Object({
  success: Type.Literal(true),
  orderId: Type.Integer(),
  clientSecret: Type.String(),
  publicKey: Type.String(),
})
export type PaymentStart = Static<typeof PaymentStart>

export type OpenedPayment = Omit<PaymentStart, 'success'>

/** The address of the payment page contains this client secret, so the server never trusts it. */
export const PaymentRenewal = Type.Union([
  Type.Object(
    {
      clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
      spent: Type.Optional(
        Type.Boolean({
          description: 'The card form takes no payment with this secret any more: issue another.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
])

/**
 * `waiting`: the partner has not issued the airway bill of a paid order. `labelling`: the airway bill has no file yet.
 * `canceled`: the bag became void before the airway bill was issued.
 */
export const bookingStates = ['none', 'waiting', 'labelling', 'issued', 'canceled'] as const
export type BookingState = (typeof bookingStates)[number]

export const OrderExport = Type.Object({
  orderId: Type.Integer(),
  status: Type.Enum([...orderStatuses]),
  type: BookingType,
  amountHalalas: Type.Integer({ description: '5000 is 50.00 SAR.' }),
  currency: Type.String(),
  agentCode: Type.String(),
  centerCode: Type.String(),
  transactionId: Type.Union([Type.String(), Type.Null()]),
  createdAt: Time,
  paidAt: Type.Union([Time, Type.Null()]),
  terms: Type.Optional(OrderTerms),
  ...receiverFields,
  bookings: Type.Array(
    Type.Object({
      ...Booking.properties,
      reference: Type.String({ description: 'What the shipping partner knows the shipment by.' }),
      labelState: Type.Enum([...bookingStates]),
      label: Type.Union([Type.String(), Type.Null()], {
        description: 'Where its owner, signed in, downloads the PDF that is kept.',
      }),
    }),
  ),
})
export type OrderExport = Static<typeof OrderExport>
