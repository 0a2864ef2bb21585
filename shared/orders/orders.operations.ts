import type { Endpoint } from '#shared/platform/operation.ts'

export const travelStates = [
  'AWAITING_LABEL',
  'READY',
  'HANDED_OVER',
  'IN_TRANSIT',
  'AT_BRANCH',
  'COLLECTED',
  'EXCEPTION',
  'CANCELLED',
] as const
export const eventKinds = [
  'handed-over',
  'hand-over-undone',
  'not-accepted',
  'picked-up',
  'in-transit',
  'at-branch',
  'collected',
  'exception',
  'returning',
  'cancelled',
  'unknown',
] as const

export const orderStatuses = ['PENDING_PAYMENT', 'PAID', 'EXPIRED', 'REFUNDED', 'CANCELLED'] as const
export const agentOrderStates = ['waiting', 'received', 'refused'] as const

export const longestSearch = 100

/** We promise that the bank shows returned money within this many days (docs/operate.md, Cancelled orders). */
export const refundDays = 14

export const readOrder = {
  method: 'GET',
  path: '/api/orders/:id',
  access: 'signed-in',
} as const satisfies Endpoint

export const readOrderEvents = {
  method: 'GET',
  path: '/api/orders/:id/events',
  access: 'user',
  stream: { event: 'changed' },
} as const satisfies Endpoint

export const renewPayment = {
  method: 'POST',
  path: '/api/orders/:id/payment',
  access: 'user',
} as const satisfies Endpoint

export const cancelOrder = {
  method: 'POST',
  path: '/api/orders/:id/cancel',
  access: 'user',
} as const satisfies Endpoint

export const changeReceiver = {
  method: 'PATCH',
  path: '/api/orders/:id/receiver',
  access: 'user',
} as const satisfies Endpoint

export const listUserOrders = {
  method: 'GET',
  path: '/api/orders/user/:userId',
  access: 'user',
} as const satisfies Endpoint

export const listAgentOrders = {
  method: 'GET',
  path: '/api/orders/agent/:agentId',
  access: 'agent',
} as const satisfies Endpoint

export const readAgentEvents = {
  method: 'GET',
  path: '/api/orders/agent/:agentId/events',
  access: 'agent',
  stream: { event: 'changed' },
} as const satisfies Endpoint

export const readLabelPdf = {
  method: 'GET',
  path: '/api/orders/barcode/:awb.pdf',
  access: 'signed-in',
} as const satisfies Endpoint
