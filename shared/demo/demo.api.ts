import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { ClockMove, ClockView, DemoOrder, DemoOrderRef } from './demo.schemas.ts'

const feature = 'demo'

export const demoPath = '/api/demo/'

export const demoKeyHeader = 'x-demo-key'

export const readDemoOrder = defineOperation({
  method: 'GET',
  path: '/api/demo/orders/:ref',
  summary: 'What is stored of an order, by its number, a merchant or shipment reference, or an airway bill',
  feature,
  access: 'tester',
  params: Type.Object({ ref: DemoOrderRef }, { additionalProperties: false }),
  response: successOf({ order: DemoOrder }),
  errors: ['ORDER_NOT_FOUND'],
})

export const resetDemo = defineOperation({
  method: 'POST',
  path: '/api/demo/reset',
  summary: 'Delete every user, session and order, and go back to real time; numbers of orders continue',
  feature,
  access: 'tester',
  body: NoBody,
  response: successOf(ClockView.properties),
  errors: ['DATABASE_NOT_DEMO'],
})

export const moveDemoClock = defineOperation({
  method: 'POST',
  path: '/api/demo/clock',
  summary: 'Move the clock of the gateway; what has become due is done',
  feature,
  access: 'tester',
  body: ClockMove,
  response: successOf(ClockView.properties),
  errors: ['DATABASE_NOT_DEMO'],
})

export const demoOperations = {
  readDemoOrder,
  resetDemo,
  moveDemoClock,
} as const
