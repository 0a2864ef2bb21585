import encodeQr from 'qr'
import type { Sheet } from '#pdf/sheet.ts'
import type { ReceiptDocument } from './receipts.rules.ts'
import { type Bilingual, both } from './receipts.texts.ts'

/* What both looks of a receipt have. It changes as little as the first look. */

export const muted = '#4B5B56'

export const demoMark = both('demo')

export const isReturn = ({ kind }: ReceiptDocument) => kind === 'credit-note' || kind === 'refund-receipt'

export function amountsOf(document: ReceiptDocument): [Bilingual, number][] {
  const { totalHalalas, vat } = document
  const total = both(isReturn(document) ? 'amount.returned' : 'amount.total')
  if (vat === null) return [[total, totalHalalas]]
  return [
    [both('amount.net'), vat.netHalalas],
    [both('amount.vat', { percent: vat.percent }), vat.vatHalalas],
    [both('amount.with-vat', { total }), totalHalalas],
  ]
}

/** Modules of white around a QR code (ISO/IEC 18004). */
const quietModules = 4

/** With its white edge, in a square of `size` millimetres. */
export function drawCode(
  sheet: Sheet,
  text: string,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): void {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: quietModules })
  const module = size / rows.length
  sheet.fill({ x, y, width: size, height: size }, 'white')
  for (const [row, cells] of rows.entries()) {
    // One rectangle per run of dark modules: without seams between them, and a smaller file.
    for (let from = 0; from < cells.length; from += 1) {
      let to = from
      while (cells[to]) to += 1
      if (to === from) continue
      sheet.fill({ x: x + from * module, y: y + row * module, width: (to - from) * module, height: module })
      from = to
    }
  }
}
