import Type, { type Static } from 'typebox'
import { claimKinds } from '#shared/claims/claims.operations.ts'
import { DeskClaim } from '#shared/desk/claims/desk-claims.schemas.ts'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { orderStatuses, travelStates } from '#shared/orders/orders.operations.ts'
import { AirwayBillNumber, OrderExport } from '#shared/orders/orders.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { orNull, StaffRoles, Time } from '#shared/platform/platform.schemas.ts'
import { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import { longestQuery } from './desk-orders.operations.ts'

const maskedName = Type.String({ description: 'The first word and a letter.' })
const maskedPhone = Type.String({ description: 'The calling code and the last four digits.' })

export const DeskQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: longestQuery,
      description:
        'A number of an order (with or without `OD-`) or of a claim (`CL-118`), an airway bill, a reference of a shipment or payment, a transaction; a phone, whole or its last four digits; a name, or three letters of each of its words, in any script; a word of two letters is compared whole.',
    }),
  },
  { additionalProperties: false },
)

const Owner = Type.Object({ userId: Type.Integer(), name: maskedName, phone: maskedPhone })

export const DeskOrderRow = Type.Object({
  orderId: Type.Integer(),
  status: Type.Enum([...orderStatuses]),
  type: Type.Enum([...bookingTypes]),
  amountHalalas: Type.Integer(),
  currency: Type.String(),
  createdAt: Time,
  paidAt: orNull(Time),
  agentCode: Type.String(),
  agentName: orNull(Type.String()),
  centerCode: Type.String(),
  city: orNull(Type.String({ description: 'Of the branch.' })),
  owner: orNull(Owner),
  bags: Type.Array(
    Type.Object({
      awb: orNull(AirwayBillNumber),
      state: orNull(Type.Enum([...travelStates])),
      lastEventAt: orNull(Time),
    }),
  ),
})
export type DeskOrderRow = Static<typeof DeskOrderRow>

export const DeskPerson = Type.Object({
  ...Owner.properties,
  createdAt: Time,
})
export type DeskPerson = Static<typeof DeskPerson>

export const FoundClaim = Type.Pick(DeskClaim, ['claimId', 'number', 'orderId', 'kind', 'state'])
export type FoundClaim = Static<typeof FoundClaim>

export const foundAtMost = 20

export const DeskFindings = Type.Object({
  exact: orNull(
    Type.Integer({
      description: 'The order that the query cannot but mean: its page can be opened at once.',
    }),
  ),
  orders: Type.Array(DeskOrderRow, { description: `At most ${foundAtMost}, the newest first.` }),
  people: Type.Array(DeskPerson, { description: `At most ${foundAtMost}, the newest first.` }),
  claims: Type.Array(FoundClaim, { description: 'By their number, such as `CL-118`.' }),
  more: Type.Object({ orders: Type.Boolean(), people: Type.Boolean() }),
})
export type DeskFindings = Static<typeof DeskFindings>

const Day = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' })
/** PostgreSQL cannot store NUL, so control characters are refused. */
const Code = Type.String({ pattern: '^[^\\u0000-\\u001F]{1,64}$' })

export const DeskOrdersQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...orderStatuses])),
    state: Type.Optional(Type.Enum([...travelStates], { description: 'Of one of its bags.' })),
    agent: Type.Optional(Code),
    branch: Type.Optional(Code),
    city: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of the branch, as the list of branches has it.',
      }),
    ),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    cursor: Type.Optional(
      Type.String({ pattern: '^\\d{1,15}-\\d{1,15}$', description: 'From `nextCursor`.' }),
    ),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$', description: '1 to 100. Default: 50.' }),
    ),
    format: Type.Optional(
      Type.Literal('csv', {
        description: 'For the roles `money` and `lead`: a file without names and phones.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type DeskOrdersQuery = Static<typeof DeskOrdersQuery>

export const timelineActors = [
  'owner',
  'agent',
  'staff',
  'operator',
  'courier',
  'provider',
  'receiver',
  'system',
  'message-service',
] as const

export const TimelineLine = Type.Object({
  at: Time,
  kind: Type.String({
    description:
      'Of the event, such as `paid` or `scan`, or `message-sent`, `message-delivered`, `message-failed` or `message-dropped`. A reader shows the time of a kind that it does not know.',
  }),
  by: Type.Object({
    kind: Type.Enum([...timelineActors]),
    name: Type.Optional(Type.String({ description: 'Of staff, operators and agents.' })),
    roles: Type.Optional(StaffRoles),
  }),
  text: Type.String({ description: 'In the language of the caller, from the facts.' }),
  data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
    description:
      'The stored facts behind the text; `words` are those of a person, the courier or the bank, and `recordedAt` the time of storing where it is another one.',
  }),
})
export type TimelineLine = Static<typeof TimelineLine>

export const DeskOrder = Type.Object({
  ...OrderExport.properties,
  cancelledAt: orNull(Time),
  expiredAt: orNull(Time),
  bookings: Type.Array(
    Type.Object({
      ...OrderExport.properties.bookings.items.properties,
      stoppedAt: orNull(
        Type.String({ format: 'date-time', description: 'Since when it waits for a person.' }),
      ),
      newsBy: orNull(
        Type.String({
          format: 'date-time',
          description: 'Of a bag on its way: without news until then it is silent.',
        }),
      ),
      tries: Type.Integer({ description: 'To make its airway bill.' }),
      lastError: orNull(
        Type.String({ description: 'Why the last try failed, in the language of the caller.' }),
      ),
      claimKinds: Type.Array(Type.Enum([...claimKinds]), { description: 'What can be reported of it now.' }),
    }),
  ),
  alerts: Type.Array(
    Type.Object({
      leg: Type.Integer(),
      kind: Type.String({ description: 'Such as `damaged` or `contradiction`.' }),
      at: Time,
    }),
    { description: 'About its bags, that no person has looked at.' },
  ),
  mayCancel: Type.Boolean({ description: 'Its owner could cancel it now.' }),
  alone: Type.Object(
    {
      halalas: Type.Integer({ description: 'Of a write-off, at most; 0: none.' }),
      returnHalalas: Type.Integer({
        description:
          'Of a refund, a cancellation or a compensation, at most: with it no more leaves than was captured.',
      }),
      receiver: Type.Boolean({
        description: 'Change the receiver: the order is not paid, and its owner gets a message.',
      }),
      reissue: Type.Boolean({ description: 'Permit another creation: it is the first time.' }),
    },
    { description: 'What the caller does without a second person.' },
  ),
  user: orNull(
    Type.Object({
      ...Owner.properties,
      language: orNull(Type.String()),
      messages: Type.Boolean({ description: 'The owner wants messages about bags.' }),
    }),
  ),
  payments: Type.Array(PaymentExport),
  messages: Type.Array(
    Type.Object({
      at: Time,
      about: Type.String(),
      state: Type.String(),
      channel: Type.String(),
      to: orNull(maskedPhone),
    }),
  ),
  receipts: Type.Array(Type.Omit(ReceiptExport, ['file'])),
  otherOrders: Type.Array(
    Type.Object({ orderId: Type.Integer(), status: Type.Enum([...orderStatuses]), createdAt: Time }),
    { description: 'Of the same owner, the newest first.' },
  ),
  timeline: Type.Array(TimelineLine, { description: 'In the order of recording, the newest first.' }),
})
export type DeskOrder = Static<typeof DeskOrder>

export const Revealed = Type.Object({
  name: orNull(Type.String()),
  phone: orNull(Type.String()),
  receiver: orNull(Type.Object({ name: Type.String(), phone: orNull(Type.String()) })),
  secondPhone: orNull(Type.String()),
})
export type Revealed = Static<typeof Revealed>
