import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/receipts/receipts.api.ts'
import { endDrawing } from './receipts.drawing.ts'
import { readReceiptPdf } from './receipts.ts'

export function receiptsRoutes(core: Core, { add, app }: Routes): void {
  add(operations.readReceiptPdf, async ({ params, query, principal, reply }) => {
    const pdf = await readReceiptPdf(core, principal.userId, Number(params.id))
    const disposition = query.download === undefined ? 'inline' : 'attachment'
    return reply
      .type('application/pdf')
      .header('content-disposition', `${disposition}; filename="amtiati-receipt-${params.id}.pdf"`)
      .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))
  })
  app.addHook('onClose', () => endDrawing(core))
}
