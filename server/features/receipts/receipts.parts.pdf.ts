import encodeQr from 'qr'
import type { Sheet } from '#pdf/sheet.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'
import type { Bilingual, ReceiptDocument } from './receipts.rules.ts'

/* What both looks of a receipt have. It changes as little as the first look. */

export const muted = '#4B5B56'

export const titles = {
  invoice: { ar: 'فاتورة ضريبية مبسطة', en: 'Simplified tax invoice' },
  'credit-note': { ar: 'إشعار دائن لفاتورة ضريبية مبسطة', en: 'Credit note to a simplified tax invoice' },
  receipt: { ar: 'إيصال', en: 'Receipt' },
  'refund-receipt': { ar: 'إيصال استرداد', en: 'Refund receipt' },
} as const satisfies Record<ReceiptKind, Bilingual>

export const demoMark: Bilingual = { ar: 'تجريبي، ليس مستندًا ضريبيًا', en: 'Demo, not a tax document' }

export const isReturn = ({ kind }: ReceiptDocument) => kind === 'credit-note' || kind === 'refund-receipt'

export function amountsOf(document: ReceiptDocument): [Bilingual, number][] {
  const { totalHalalas, vat } = document
  const total: Bilingual = isReturn(document)
    ? { ar: 'المبلغ المعاد', en: 'Amount returned' }
    : { ar: 'الإجمالي', en: 'Total' }
  if (vat === null) return [[total, totalHalalas]]
  return [
    [{ ar: 'المبلغ دون الضريبة', en: 'Amount without VAT' }, vat.netHalalas],
    [{ ar: `ضريبة القيمة المضافة ${vat.percent}%`, en: `VAT ${vat.percent}%` }, vat.vatHalalas],
    [{ ar: `${total.ar} شامل الضريبة`, en: `${total.en} including VAT` }, totalHalalas],
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
