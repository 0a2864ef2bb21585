import type { Endpoint } from '#shared/platform/operation.ts'

export const readReceiptPdf = {
  method: 'GET',
  path: '/api/orders/:id/receipt.pdf',
  access: 'user',
} as const satisfies Endpoint
