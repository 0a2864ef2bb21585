import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { AirwayBillNumber, Order, OrderKey, OrderPage, PageQuery } from './orders.schemas.ts'

const room = 'orders'
const strict = { additionalProperties: false }

export const readOrder = defineOperation({
  method: 'GET',
  path: '/api/orders/:id',
  summary: 'One order, by its number or any merchant reference issued for it',
  room,
  caller: 'signed-in',
  params: Type.Object({ id: OrderKey }, strict),
  response: successOf({ order: Order }),
})

export const listUserOrders = defineOperation({
  method: 'GET',
  path: '/api/orders/user/:userId',
  summary: 'The orders of the signed-in user, newest first',
  room,
  caller: 'user',
  params: Type.Object({ userId: NumberInPath }, strict),
  query: PageQuery,
  response: OrderPage,
})

export const listAgentOrders = defineOperation({
  method: 'GET',
  path: '/api/orders/agent/:agentId',
  summary: 'The paid orders assigned to the signed-in agent, newest first',
  room,
  caller: 'agent',
  params: Type.Object({ agentId: NumberInPath }, strict),
  query: PageQuery,
  response: OrderPage,
})

export const readLabel = defineOperation({
  method: 'GET',
  path: '/api/orders/barcode/:awb',
  summary: 'The airway bill label as base64',
  room,
  caller: 'signed-in',
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  response: successOf({ awbFile: Type.String({ description: 'The PDF in base64.' }) }),
})

export const readLabelPdf = defineOperation({
  method: 'GET',
  path: '/api/orders/barcode/:awb.pdf',
  summary: 'The airway bill label as a PDF',
  room,
  caller: 'signed-in',
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  query: Type.Object({ download: Type.Optional(Type.String({ maxLength: 8 })) }, strict),
  response: Type.String({ format: 'binary' }),
  contentType: 'application/pdf',
})

export const ordersOperations = {
  readOrder,
  listUserOrders,
  listAgentOrders,
  readLabel,
  readLabelPdf,
} as const
