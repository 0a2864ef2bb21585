import { openSheet } from '#pdf/sheet.ts'
import { drawPaper, paperSizeMm } from './receipts.paper.pdf.ts'
import { printedNumber, type ReceiptDocument } from './receipts.rules.ts'

/** Equal documents always give equal bytes. */
export async function drawReceipts(documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  const [first] = documents
  if (!first) throw new RangeError('no document to draw')
  const sheet = openSheet({
    widthMm: paperSizeMm.width,
    heightMm: paperSizeMm.height,
    title: printedNumber(first.kind, first.number),
    author: first.seller.name,
    createdAtMs: documents.at(-1)?.issuedAt ?? first.issuedAt,
  })
  for (const [index, document] of documents.entries())
    drawPaper(sheet, document, { number: index + 1, total: documents.length })
  return sheet.close()
}
