import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import type { ReceiptDocuments } from './receipts.service.ts'

export function receiptsRoutes(app: FastifyInstance, scope: SessionScope, receipts: ReceiptDocuments): void {
  registerOperation(app, scope, readReceiptPdf, async ({ params, query, principal, reply }) => {
    const pdf = await receipts.readPdf(principal.userId, Number(params.id))
    const disposition = query.download === undefined ? 'inline' : 'attachment'
    return reply
      .type('application/pdf')
      .header('content-disposition', `${disposition}; filename="amtiati-receipt-${params.id}.pdf"`)
      .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))
  })
}
