import Type from 'typebox'
import { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import { AirwayBillNumber } from '#shared/orders/orders.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { Again, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './desk-orders.operations.ts'
import {
  DeskFindings,
  DeskOrder,
  DeskOrderRow,
  DeskOrdersQuery,
  DeskQuery,
  Revealed,
} from './desk-orders.schemas.ts'
import { peopleOperations } from './people.api.ts'

const feature = 'desk-orders'
const strict = { additionalProperties: false }

export const searchDesk = defineOperation({
  ...endpoints.searchDesk,
  summary:
    'Find orders, people and claims, masked; a search that finds a person, or asks for a phone, is recorded. By POST, so that no log holds what was typed',
  feature,
  body: DeskQuery,
  response: successOf(DeskFindings.properties),
  errors: ['TOO_MANY_CALLS'],
})

export const listDeskOrders = defineOperation({
  ...endpoints.listDeskOrders,
  summary:
    'Orders by status, state, agent, branch, city and day, the newest first; as CSV for `money` and `lead`, with `x-next-cursor`, and a last line that names its address, where another file follows: after 20,000 rows, or where many were passed for few',
  feature,
  query: DeskOrdersQuery,
  response: successOf({
    orders: Type.Array(DeskOrderRow),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'With a state a page may hold fewer than `limit`, also none, and still have a next one.',
    }),
  }),
  errors: ['TOO_MANY_CALLS'],
})

export const readDeskOrder = defineOperation({
  ...endpoints.readDeskOrder,
  summary:
    'All of an order with its timeline, masked, which is recorded; by its number, a reference, an airway bill or a transaction',
  feature,
  isQuiet: 'again',
  query: Again,
  params: Type.Object(
    {
      id: Type.String({
        pattern: '^[A-Za-z0-9-]{1,64}$',
        description: 'A number, a reference, an airway bill or a transaction.',
      }),
    },
    strict,
  ),
  response: successOf({ order: DeskOrder }),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const revealDeskOrder = defineOperation({
  ...endpoints.revealDeskOrder,
  summary: 'Name, phone and receiver of an order, for a reason that is recorded; 30 an hour and 100 a day',
  feature,
  params: Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) }, strict),
  body: Reveal,
  response: successOf(Revealed.properties),
  errors: ['ORDER_NOT_FOUND', 'REASON_NEEDED', 'TOO_MANY_CALLS'],
})

export const readDeskHandoverPhoto = defineOperation({
  ...endpoints.readDeskHandoverPhoto,
  summary: 'The picture that the agent took at the hand-over of a bag, as a file; a look at it is recorded',
  feature,
  params: Type.Object({ id: NumberInPath, awb: AirwayBillNumber }, strict),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/jpeg',
  errors: ['PHOTO_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const deskOrdersOperations = {
  searchDesk,
  listDeskOrders,
  readDeskOrder,
  revealDeskOrder,
  readDeskHandoverPhoto,
  ...peopleOperations,
} as const
