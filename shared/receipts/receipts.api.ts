import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NumberInPath } from '#shared/platform/platform.schemas.ts'
import * as endpoints from './receipts.operations.ts'

const strict = { additionalProperties: false }

export const readReceiptPdf = defineOperation({
  ...endpoints.readReceiptPdf,
  summary:
    'The receipts or tax invoices of the payments of an order as a PDF, below each a note for money that was returned',
  feature: 'receipts',
  params: Type.Object({ id: NumberInPath }, strict),
  query: Type.Object({ download: Type.Optional(Type.String({ maxLength: 8 })) }, strict),
  response: Type.String({ format: 'binary' }),
  contentType: 'application/pdf',
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_FOUND', 'RECEIPT_NOT_READY', 'TOO_MANY_CALLS'],
})

export const receiptsOperations = { readReceiptPdf } as const
