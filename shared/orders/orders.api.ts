import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import {
  EventStream,
  IdempotencyHeaders,
  NoBody,
  NumberInPath,
  StreamQuery,
} from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import {
  findForeignBag,
  readHandoverPhoto,
  recordHandover,
  refuseBag,
  storeHandoverPhoto,
  undoHandover,
} from './handovers.api.ts'
import * as endpoints from './orders.operations.ts'
import {
  AgentOrderPage,
  AgentOrdersQuery,
  AirwayBillNumber,
  Order,
  OrderKey,
  OrderPage,
  PageQuery,
  PaymentRenewal,
  PaymentStart,
} from './orders.schemas.ts'
import { ReceiverChange } from './receiver.schemas.ts'

const feature = 'orders'
const strict = { additionalProperties: false }
const labelErrors = [
  'LABEL_NOT_FOUND',
  'LABEL_WITHDRAWN',
  'LABEL_DELETED',
  'LABEL_NOT_READY',
  'LABEL_CLOSED',
  'TOO_MANY_CALLS',
] as const

export const readOrder = defineOperation({
  ...endpoints.readOrder,
  summary: 'One order, by its number or any merchant reference issued for it',
  feature,
  refusedLast: true,
  params: Type.Object({ id: OrderKey }, strict),
  response: successOf({ order: Order }),
  etag: 'weak',
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_CALLS'],
})

const OrderChanged = Type.Object({ orderId: Type.Integer() })

export const readOrderEvents = defineOperation({
  ...endpoints.readOrderEvents,
  summary: 'A notice at once, and after each change of the order: read the order again, with its ETag',
  feature,
  params: Type.Object({ id: OrderKey }, strict),
  query: StreamQuery,
  response: EventStream,
  contentType: 'text/event-stream',
  stream: { ...endpoints.readOrderEvents.stream, data: OrderChanged },
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_STREAMS'],
})

export const renewPayment = defineOperation({
  ...endpoints.renewPayment,
  summary:
    'The client secret of an order still unpaid; with a client secret, only if it was issued for this order',
  feature,
  refusedLast: true,
  params: Type.Object({ id: NumberInPath }, strict),
  body: PaymentRenewal,
  response: PaymentStart,
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_NOT_PAYABLE',
    'PAYMENT_LINK_MISMATCH',
    'PAYMENT_UNCHECKED',
    'PAYMENT_UNAVAILABLE',
  ],
})

export const cancelOrder = defineOperation({
  ...endpoints.cancelOrder,
  summary:
    'Cancel an order before a bag of it is handed over; money that was paid goes back whole. Cancelling again changes nothing',
  feature,
  refusedLast: true,
  params: Type.Object({ id: NumberInPath }, strict),
  headers: IdempotencyHeaders,
  body: NoBody,
  response: successOf({ order: Order }),
  errors: [
    'ORDER_NOT_FOUND',
    'ALREADY_HANDED_OVER',
    'CANCELLATION_NOT_OFFERED',
    'ORDER_NOT_CANCELLABLE',
    'IDEMPOTENCY_CONFLICT',
  ],
})

export const changeReceiver = defineOperation({
  ...endpoints.changeReceiver,
  summary: 'Name who collects the bag, or another number, until the courier is asked for the airway bill',
  feature,
  refusedLast: true,
  params: Type.Object({ id: NumberInPath }, strict),
  body: ReceiverChange,
  response: successOf({ order: Order }),
  errors: ['ORDER_NOT_FOUND', 'RECEIVER_REFUSED', 'RECEIVER_PRINTED', 'ORDER_ENDED'],
})

export const listUserOrders = defineOperation({
  ...endpoints.listUserOrders,
  summary: 'The orders of the signed-in user, newest first',
  feature,
  params: Type.Object({ userId: NumberInPath }, strict),
  query: PageQuery,
  response: OrderPage,
  errors: ['ORDER_NOT_FOUND'],
})

export const listAgentOrders = defineOperation({
  ...endpoints.listAgentOrders,
  summary: 'The paid and refunded orders of the signed-in agent: searched, filtered and counted',
  feature,
  params: Type.Object({ agentId: NumberInPath }, strict),
  query: AgentOrdersQuery,
  response: AgentOrderPage,
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const readAgentEvents = defineOperation({
  ...endpoints.readAgentEvents,
  summary: 'The number of each order of the signed-in agent that changes',
  feature,
  params: Type.Object({ agentId: NumberInPath }, strict),
  query: StreamQuery,
  response: EventStream,
  contentType: 'text/event-stream',
  stream: { ...endpoints.readAgentEvents.stream, data: OrderChanged },
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_STREAMS'],
})

export const readLabel = defineOperation({
  method: 'GET',
  path: '/api/orders/barcode/:awb',
  summary: 'The airway bill label as base64',
  feature,
  access: 'signed-in',
  refusedLast: true,
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  response: successOf({ awbFile: Type.String({ description: 'The PDF in base64.' }) }),
  errors: labelErrors,
})

export const readLabelPdf = defineOperation({
  ...endpoints.readLabelPdf,
  summary: 'The airway bill label as a PDF',
  feature,
  refusedLast: true,
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  query: Type.Object({ download: Type.Optional(Type.String({ maxLength: 8 })) }, strict),
  response: Type.String({ format: 'binary' }),
  contentType: 'application/pdf',
  errors: labelErrors,
})

export const ordersOperations = {
  readOrder,
  readOrderEvents,
  renewPayment,
  cancelOrder,
  changeReceiver,
  listUserOrders,
  listAgentOrders,
  readAgentEvents,
  readLabel,
  readLabelPdf,
  recordHandover,
  refuseBag,
  undoHandover,
  findForeignBag,
  storeHandoverPhoto,
  readHandoverPhoto,
} as const
