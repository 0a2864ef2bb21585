import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'
import { DemoOrder, DemoOrderRef } from './demo.schemas.ts'

const feature = 'demo'
const strict = { additionalProperties: false }

/** Every path of this feature begins so. */
export const demoPath = '/api/demo/'

/** Holds DEMO_CONTROL_KEY. */
export const demoKeyHeader = 'x-demo-key'

export const readDemoOrder = defineOperation({
  method: 'GET',
  path: '/api/demo/orders/:ref',
  summary: 'What is stored of an order, by its number, a merchant or shipment reference, or an airway bill',
  feature,
  access: 'tester',
  params: Type.Object({ ref: DemoOrderRef }, strict),
  response: successOf({ order: DemoOrder }),
  errors: ['ORDER_NOT_FOUND'],
})

export const demoOperations = { readDemoOrder } as const
