import encodeQr from 'qr'
import { type Box, openSheet, type Sheet, type TextStyle } from '#pdf/sheet.ts'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { currency, formatRiyals } from '#shared/platform/money.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'
import { type Bilingual, printedNumber, type ReceiptDocument } from './receipts.rules.ts'

/** A5: readable on a phone without zooming, and two fit on a printed A4 sheet. */
export const pageSizeMm = { width: 148, height: 210 } as const

const edge = 12
const contentWidth = pageSizeMm.width - 2 * edge
const muted = '#4B5B56'
const line = '#D5CFC0'
/** Light enough for text and scanners above it. */
const watermarkColor = '#E4E0D6'

const titles = {
  invoice: { ar: 'فاتورة ضريبية مبسطة', en: 'Simplified tax invoice' },
  'credit-note': { ar: 'إشعار دائن لفاتورة ضريبية مبسطة', en: 'Credit note to a simplified tax invoice' },
  receipt: { ar: 'إيصال', en: 'Receipt' },
  'refund-receipt': { ar: 'إيصال استرداد', en: 'Refund receipt' },
} as const satisfies Record<ReceiptKind, Bilingual>

const watermark: Bilingual = { ar: 'تجريبي، ليس مستندًا ضريبيًا', en: 'Demo, not a tax document' }

/** One page for each document; the same documents give the same bytes, however often they are drawn. */
export async function drawReceipts(documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  const [first] = documents
  if (!first) throw new RangeError('no document to draw')
  const sheet = openSheet({
    widthMm: pageSizeMm.width,
    heightMm: pageSizeMm.height,
    title: printedNumber(first.kind, first.number),
    author: first.seller.name,
    createdAtMs: documents.at(-1)?.issuedAt ?? first.issuedAt,
  })
  for (const document of documents) {
    sheet.addPage()
    if (document.isDemo) drawWatermark(sheet)
    drawPage(sheet, document)
  }
  return sheet.close()
}

/** Below everything else, across the page. */
function drawWatermark(sheet: Sheet): void {
  const style: TextStyle = { font: 'bold', maxSize: 34, align: 'centre', color: watermarkColor, turned: 48 }
  const box = { x: -26, width: 200, height: 18 }
  sheet.text(watermark.ar, { ...box, y: 82 }, style)
  sheet.text(watermark.en, { ...box, y: 108 }, style)
}

function drawPage(sheet: Sheet, document: ReceiptDocument): void {
  let y = drawHead(sheet, document)
  for (const [label, value] of factsOf(document)) y = drawFact(sheet, y, label, value)
  y = drawRule(sheet, y + 1.5)
  for (const service of document.lines) y = drawPair(sheet, y, service, { maxSize: 10, minSize: 7 }, 11)
  y = drawRule(sheet, y)
  for (const [label, halalas] of amountsOf(document)) y = drawAmount(sheet, y, label, halalas)
  y = drawRule(sheet, y + 1)
  if (document.code !== null) drawQr(sheet, document.code, y + 3)
  if (document.isDemo) {
    const box = { x: edge, y: pageSizeMm.height - 11, width: contentWidth, height: 6 }
    sheet.text(`${watermark.ar} · ${watermark.en}`, box, { font: 'bold', maxSize: 9, align: 'centre' })
  }
}

function drawHead(sheet: Sheet, { kind, seller }: ReceiptDocument): number {
  const box = (y: number, height: number): Box => ({ x: edge, y, width: contentWidth, height })
  const centred = { align: 'centre' } as const
  sheet.text(titles[kind].ar, box(9, 11), { ...centred, font: 'bold', maxSize: 19, minSize: 12 })
  sheet.text(titles[kind].en, box(19, 7), { ...centred, maxSize: 12, color: muted })
  sheet.text(seller.name, box(28, 10), { ...centred, font: 'bold', maxSize: 12, minSize: 7 })
  sheet.text(seller.address, box(38, 9), { ...centred, maxSize: 9, minSize: 6, color: muted })
  return drawRule(sheet, 48.5)
}

const yearToMinute = (epochMs: number) => riyadhTimeOf(epochMs).slice(0, 16).replace('T', ' ')

function factsOf(document: ReceiptDocument): [Bilingual, string | Bilingual][] {
  const { seller, corrects } = document
  const facts: [Bilingual, string | Bilingual | null][] = [
    [{ ar: 'الرقم', en: 'Number' }, printedNumber(document.kind, document.number)],
    [{ ar: 'التاريخ', en: 'Date' }, yearToMinute(document.issuedAt)],
    [{ ar: 'الرقم الضريبي', en: 'VAT number' }, seller.vatNumber],
    [{ ar: 'السجل التجاري', en: 'Commercial registration' }, seller.registrationNumber],
    [{ ar: 'رقم الطلب', en: 'Order' }, document.orderNumber],
    [{ ar: 'رقم العملية', en: 'Transaction' }, document.transactionId],
    [{ ar: 'عن المستند رقم', en: 'Corrects number' }, corrects?.number ?? null],
    [{ ar: 'الصادر في', en: 'Issued on' }, corrects && yearToMinute(corrects.issuedAt)],
    [
      { ar: 'السبب', en: 'Reason' },
      corrects && { ar: `السبب: ${corrects.reason.ar}`, en: `Reason: ${corrects.reason.en}` },
    ],
  ]
  return facts.filter((fact): fact is [Bilingual, string | Bilingual] => fact[1] !== null)
}

function amountsOf({ kind, totalHalalas, vat }: ReceiptDocument): [Bilingual, number][] {
  const isReturn = kind === 'credit-note' || kind === 'refund-receipt'
  const total: Bilingual = isReturn
    ? { ar: 'المبلغ المعاد', en: 'Amount returned' }
    : { ar: 'الإجمالي', en: 'Total' }
  if (vat === null) return [[total, totalHalalas]]
  return [
    [{ ar: 'المبلغ دون الضريبة', en: 'Amount without VAT' }, vat.netHalalas],
    [{ ar: `ضريبة القيمة المضافة ${vat.percent}%`, en: `VAT ${vat.percent}%` }, vat.vatHalalas],
    [{ ar: `${total.ar} شامل الضريبة`, en: `${total.en} including VAT` }, totalHalalas],
  ]
}

const factHeight = 6.4
/** Arabic label on the right, English on the left, the value between them. */
const labelWidth = 38

function drawFact(sheet: Sheet, y: number, label: Bilingual, value: string | Bilingual): number {
  if (typeof value !== 'string') return drawPair(sheet, y, value, { maxSize: 9, minSize: 7 }, 11)
  drawLabels(sheet, y, label)
  const box = { x: edge + labelWidth, y, width: contentWidth - 2 * labelWidth, height: factHeight }
  sheet.text(value, box, { font: 'bold', maxSize: 11, minSize: 6, align: 'centre', direction: 'ltr' })
  return y + factHeight
}

function drawLabels(sheet: Sheet, y: number, { ar, en }: Bilingual): void {
  const style: TextStyle = { maxSize: 9, minSize: 6, color: muted }
  const box = { y, width: labelWidth, height: factHeight }
  sheet.text(en, { ...box, x: edge }, style)
  sheet.text(ar, { ...box, x: edge + contentWidth - labelWidth }, style)
}

function drawAmount(sheet: Sheet, y: number, label: Bilingual, halalas: number): number {
  drawLabels(sheet, y, label)
  const box = { x: edge + labelWidth, y, width: contentWidth - 2 * labelWidth, height: factHeight }
  // Left to right in both languages: amounts read alike.
  const amount = `${currency} ${formatRiyals(halalas)}`
  sheet.text(amount, box, { font: 'bold', maxSize: 12, align: 'centre', direction: 'ltr' })
  return y + factHeight
}

/** English on the left, Arabic on the right. */
function drawPair(sheet: Sheet, y: number, { ar, en }: Bilingual, style: TextStyle, height: number): number {
  const width = (contentWidth - 4) / 2
  sheet.text(en, { x: edge, y, width, height }, style)
  sheet.text(ar, { x: edge + width + 4, y, width, height }, style)
  return y + height
}

/** Returns where to go on below it. */
function drawRule(sheet: Sheet, y: number): number {
  sheet.fill({ x: edge, y, width: contentWidth, height: 0.3 }, line)
  return y + 1.8
}

const codeMm = 40
/** Modules of white around a QR code (ISO/IEC 18004). */
const quietModules = 4

function drawQr(sheet: Sheet, text: string, y: number): void {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: quietModules })
  const module = codeMm / rows.length
  const x = (pageSizeMm.width - codeMm) / 2
  sheet.fill({ x, y, width: codeMm, height: codeMm }, 'white')
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
