import Type from 'typebox'
import { AirwayBillNumber } from '#shared/orders/orders.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './passes.operations.ts'

const feature = 'passes'
const strict = { additionalProperties: false }

export const readWalletLink = defineOperation({
  ...endpoints.readWalletLink,
  summary: 'Where the owner of a bag saves its barcode to Google Wallet; 20 a minute',
  feature,
  params: Type.Object({ id: NumberInPath, awb: AirwayBillNumber }, strict),
  response: successOf({ url: Type.String({ format: 'uri' }) }),
  errors: ['ORDER_NOT_FOUND', 'LABEL_WITHDRAWN', 'WALLET_NOT_OFFERED', 'TOO_MANY_CALLS'],
})

export const readCalendar = defineOperation({
  ...endpoints.readCalendar,
  summary:
    'The next opening of the branch to which the owner of an order goes with a bag or for one (RFC 5545)',
  feature,
  params: Type.Object({ id: NumberInPath }, strict),
  response: Type.String(),
  contentType: 'text/calendar',
  errors: ['ORDER_NOT_FOUND', 'VISIT_UNKNOWN', 'CENTERS_UNAVAILABLE'],
})

export const passesOperations = { readWalletLink, readCalendar } as const
