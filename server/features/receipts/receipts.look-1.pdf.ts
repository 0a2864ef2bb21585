import type { Box, Sheet, TextStyle } from '#pdf/sheet.ts'
import { riyadhMinuteOf } from '#shared/platform/instant.ts'
import { currency, formatRiyals } from '#shared/platform/money.ts'
import { amountsOf, demoMark, drawCode, muted } from './receipts.parts.pdf.ts'
import { printedNumber, type ReceiptDocument } from './receipts.rules.ts'
import { type Bilingual, both, inOneLine } from './receipts.texts.ts'

/*
 * The look of receipts that were issued before their documents had a `paper`: a document is drawn with the same bytes as
 * long as it is kept, so nothing here changes.
 */

/** A5: readable on a phone without zooming, and two fit on a printed A4 sheet. */
const pageSizeMm = { width: 148, height: 210 } as const

const edge = 12
const contentWidth = pageSizeMm.width - 2 * edge
const line = '#D5CFC0'
/** Light enough for text and scanners above it. */
const watermarkColor = '#E4E0D6'

export function drawFirstLook(sheet: Sheet, document: ReceiptDocument): void {
  sheet.addPage({ widthMm: pageSizeMm.width, heightMm: pageSizeMm.height })
  if (document.isDemo) drawWatermark(sheet)
  drawPage(sheet, document)
}

/** Below everything else, across the page. */
function drawWatermark(sheet: Sheet): void {
  const style: TextStyle = { font: 'bold', maxSize: 34, align: 'centre', color: watermarkColor, turned: 48 }
  const box = { x: -26, width: 200, height: 18 }
  sheet.text(demoMark.ar, { ...box, y: 82 }, style)
  sheet.text(demoMark.en, { ...box, y: 108 }, style)
}

function drawPage(sheet: Sheet, document: ReceiptDocument): void {
  let y = drawHead(sheet, document)
  for (const [label, value] of factsOf(document)) y = drawFact(sheet, y, label, value)
  if (document.corrects !== null) {
    const { reason } = document.corrects
    y = drawPair(sheet, y, both('reason', { reason }), { maxSize: 9, minSize: 7 }, 11)
  }
  y = drawRule(sheet, y + 1.5)
  for (const service of document.lines) y = drawPair(sheet, y, service, { maxSize: 10, minSize: 7 }, 11)
  y = drawRule(sheet, y)
  for (const [label, halalas] of amountsOf(document)) y = drawAmount(sheet, y, label, halalas)
  y = drawRule(sheet, y + 1)
  if (document.code !== null)
    drawCode(sheet, document.code, { x: (pageSizeMm.width - codeMm) / 2, y: y + 3, size: codeMm })
  if (document.isDemo) {
    const box = { x: edge, y: pageSizeMm.height - 11, width: contentWidth, height: 6 }
    sheet.text(inOneLine(demoMark), box, { font: 'bold', maxSize: 9, align: 'centre' })
  }
}

function drawHead(sheet: Sheet, { kind, seller }: ReceiptDocument): number {
  const box = (y: number, height: number): Box => ({ x: edge, y, width: contentWidth, height })
  const centred = { align: 'centre' } as const
  const title = both(`title.${kind}`)
  sheet.text(title.ar, box(9, 11), { ...centred, font: 'bold', maxSize: 19, minSize: 12 })
  sheet.text(title.en, box(19, 7), { ...centred, maxSize: 12, color: muted })
  sheet.text(seller.name, box(28, 10), { ...centred, font: 'bold', maxSize: 12, minSize: 7 })
  sheet.text(seller.address, box(38, 9), { ...centred, maxSize: 9, minSize: 6, color: muted })
  return drawRule(sheet, 48.5)
}

function factsOf(document: ReceiptDocument): [Bilingual, string][] {
  const { seller, corrects } = document
  const facts: [Bilingual, string | null][] = [
    [both('label.number'), printedNumber(document.kind, document.number)],
    [both('label.date'), riyadhMinuteOf(document.issuedAt)],
    [both('label.vat-number'), seller.vatNumber],
    [both('label.registration'), seller.registrationNumber],
    [both('label.order'), document.orderNumber],
    [both('label.transaction'), document.transactionId],
    [both('label.corrects'), corrects?.number ?? null],
    [both('label.issued-on'), corrects && riyadhMinuteOf(corrects.issuedAt)],
  ]
  return facts.filter((fact): fact is [Bilingual, string] => fact[1] !== null)
}

const factHeight = 6.4
/** Arabic label on the right, English on the left, the value between them. */
const labelWidth = 38

function drawFact(sheet: Sheet, y: number, label: Bilingual, value: string): number {
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

/** With its white edge. */
const codeMm = 40
