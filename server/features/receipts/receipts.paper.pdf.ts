import encodeQr from 'qr'
import type { Box, Placement, Sheet, TextStyle } from '#pdf/sheet.ts'
import { riyadhMinuteOf } from '#shared/platform/instant.ts'
import { currency, sumIn } from '#shared/platform/money.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'
import { cityColour, colours } from './receipts.colours.ts'
import { printedNumber, type ReceiptDocument, type ReceiptTag } from './receipts.rules.ts'
import { type Bilingual, both, inOneLine } from './receipts.texts.ts'

/* Every stored document must look as it did when it was issued. */

export const paperSizeMm = { width: 210, height: 297 } as const

/** Lengths in this file are CSS pixels of an A4 page of 794 × 1123 pixels. */
const px = paperSizeMm.width / 794
const boxOf = (x: number, y: number, width: number, height: number): Box => ({
  x: x * px,
  y: y * px,
  width: width * px,
  height: height * px,
})
const placed = (x: number, y: number, scale = 1): Placement => ({ x: x * px, y: y * px, scale: scale * px })
const points = 0.75

const left = 56
const right = 738
const width = right - left

const demoMark = both('demo')

const isReturn = ({ kind }: ReceiptDocument) => kind === 'credit-note' || kind === 'refund-receipt'

function amountsOf(document: ReceiptDocument): [Bilingual, number][] {
  const { totalHalalas, vat } = document
  const total = both(isReturn(document) ? 'amount.returned' : 'amount.total')
  if (vat === null) return [[total, totalHalalas]]
  return [
    [both('amount.net'), vat.netHalalas],
    [both('amount.vat', { percent: vat.percent }), vat.vatHalalas],
    [both('amount.with-vat', { total }), totalHalalas],
  ]
}

interface PageNumber {
  readonly number: number
  readonly total: number
}

export function drawPaper(sheet: Sheet, document: ReceiptDocument, page: PageNumber): void {
  sheet.addPage({ widthMm: paperSizeMm.width, heightMm: paperSizeMm.height })
  if (document.isDemo) drawDemoMark(sheet)
  drawHead(sheet, document)
  let y = drawFacts(sheet, document, 286)
  y = drawServices(sheet, document, y)
  drawAmounts(sheet, document, y)
  if (document.code !== null) drawInvoiceCode(sheet, document.code, y)
  drawFoot(sheet, document, page)
}

interface WordStyle extends Pick<TextStyle, 'font' | 'align' | 'color' | 'direction'> {
  readonly size: number
}

/** Writes one line; with `height`, as many lines as fit. @returns the height of the lines */
function write(
  sheet: Sheet,
  text: string,
  [x, y, w]: readonly [x: number, y: number, width: number],
  { size, ...style }: WordStyle,
  height?: number,
) {
  const maxSize = size * points
  const lines = { maxSize, minSize: (maxSize * 2) / 3, ...(height && { verticalAlign: 'top' as const }) }
  const box = boxOf(x, y, w, height ?? 1.5 * size)
  return sheet.text(text, box, { color: colours.ink, ...style, ...lines }) / px
}

const english = { size: 12, color: colours.muted, align: 'right', direction: 'ltr' } as const

function drawDemoMark(sheet: Sheet) {
  // The colour is light, so that text over it can be read and scanned.
  const style: TextStyle = { font: 'bold', maxSize: 44, align: 'centre', color: '#ece9e1', turned: 52 }
  sheet.text(demoMark.ar, boxOf(-80, 520, 954, 90), style)
  sheet.text(demoMark.en, boxOf(-80, 640, 954, 90), style)
}

function drawHead(sheet: Sheet, document: ReceiptDocument) {
  const { paper, kind, orderNumber } = document
  drawName(sheet, paper.name.ar, 'right', 52, 62)
  drawName(sheet, paper.name.en, 'left', 70, 24)
  if (paper.tag !== null) {
    drawTag(sheet, paper.tag, orderNumber)
    const thread = paper.tag.isVoid ? loopedThread : tiedThread
    sheet.path(thread, placed(0, 0), { stroke: colours.thread, strokeWidth: 2.5 })
  }
  const title = both(`title.${kind}`)
  write(sheet, title.ar, [240, 152, right - 240], { size: 30, font: 'bold', align: 'right' })
  write(sheet, title.en, [240, 196, right - 240], { ...english, size: 17 })
  drawDots(sheet, 272)
}

const strap = 'M738 101.5H752C762 101.5 766 108 766 118V128C766 152 640 150 480 142'
const tiedThread = `${strap}C330 132 190 98 128 135`
const loopedThread = `${strap}C400 138 292 140 292 118C292 96 350 96 352 118C354 136 300 140 262 128`

function drawName(sheet: Sheet, name: string, side: 'left' | 'right', y: number, height: number) {
  const drawing = wordmarks[name]
  if (drawing === undefined) {
    const style = { size: 24, font: 'bold', align: side, color: colours.primary } as const
    write(sheet, name, [side === 'left' ? left : right - 300, y, 300], style)
    return
  }
  const scale = height / drawing.height
  const x = side === 'left' ? left : right - drawing.width * scale
  for (const [path, strokeWidth] of drawing.strokes)
    sheet.path(path, placed(x, y, scale), { stroke: colours.primary, strokeWidth })
}

const tagAt = { x: left, y: 116, width: 150, height: 140 } as const

function drawTag(sheet: Sheet, { letters, city, isVoid }: ReceiptTag, orderNumber: string) {
  const { x, y, width: w, height } = tagAt
  const at = placed(x, y)
  const onBand = { align: 'centre', color: 'white' } as const
  sheet.turn(4, { x: (x + w / 2) * px, y: (y + height / 2) * px }, () => {
    sheet.path('M24 0H126L150 24V38H0V24Z', at, { fill: colours.saffron })
    sheet.path('M64 19a11 11 0 1 0 22 0a11 11 0 1 0-22 0Z', at, { fill: colours['saffron-edge'] })
    sheet.path('M67 19a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z', at, { fill: 'white' })
    const fill = isVoid ? colours.line : cityColour(letters)
    sheet.path('M0 38H150V128a12 12 0 0 1-12 12H12a12 12 0 0 1-12-12Z', at, { fill })
    if (letters !== null) write(sheet, letters, [x, y + 36, w], { ...onBand, size: 44, font: 'black' })
    write(sheet, city.ar, [x + 8, y + 90, w - 16], { ...onBand, size: 16, font: 'bold' })
    write(sheet, orderNumber, [x + 8, y + 113, w - 16], { ...onBand, size: 12.5 })
  })
}

function drawDots(sheet: Sheet, y: number) {
  const style = { stroke: colours['paper-rule'], strokeWidth: 3, dash: [0.1, 5.9], isRound: true } as const
  sheet.path(`M${left} ${y}H${right}`, placed(0, 0), style)
}

function drawRule(sheet: Sheet, from: number, y: number, kind: 'thin' | 'thick') {
  const [height, colour] = kind === 'thick' ? [2.5, colours.ink] : [1, colours.rule]
  sheet.fill(boxOf(from, y, right - from, height), colour)
}

interface Fact {
  readonly label: Bilingual
  readonly value: string | null
  readonly more?: string | undefined
}

const columnWidth = 321
const rowHeight = 42

function drawFacts(sheet: Sheet, document: ReceiptDocument, y: number) {
  const columns = [
    [right - columnWidth, documentFacts(document)],
    [left, sellerFacts(document)],
  ] as const
  const ends = columns.map(([x, facts]) =>
    facts.reduce((from, fact) => (fact.value === null ? from : drawFact(sheet, fact, x, from)), y),
  )
  const below = Math.max(...ends)
  const { corrects } = document
  if (corrects === null) return below
  const reason = both('reason', { reason: corrects.reason })
  write(sheet, reason.ar, [left, below, width], {
    size: 14.5,
    font: 'bold',
    align: 'right',
  })
  write(sheet, reason.en, [left, below + 21, width], english)
  return below + rowHeight
}

function documentFacts({ kind, number, issuedAt, paper, corrects, ...document }: ReceiptDocument): Fact[] {
  return [
    { label: both('label.number'), value: printedNumber(kind, number) },
    {
      label: both('label.issued'),
      value: paper.hijriDay,
      more: both('saudi-time', { time: riyadhMinuteOf(issuedAt) }).ar,
    },
    { label: both('label.order'), value: document.orderNumber },
    { label: both('label.transaction'), value: document.transactionId },
    {
      label: both('label.corrects'),
      value: corrects?.number ?? null,
      more: corrects ? riyadhMinuteOf(corrects.issuedAt) : undefined,
    },
  ]
}

function sellerFacts({ seller }: ReceiptDocument): Fact[] {
  return [
    { label: both('label.seller'), ...inLines(seller.name) },
    { label: both('label.vat-number'), value: seller.vatNumber },
    { label: both('label.registration'), value: seller.registrationNumber },
    { label: both('label.address'), ...inLines(seller.address) },
  ]
}

function inLines(text: string): { readonly value: string; readonly more?: string } {
  const [value = '', ...rest] = text.split(' · ')
  return rest.length === 0 ? { value } : { value, more: rest.join(' · ') }
}

const labelWidth = 96
const longestValue = 68

function drawFact(sheet: Sheet, { label, value, more }: Fact, x: number, y: number) {
  const labelX = x + columnWidth - labelWidth
  write(sheet, label.ar, [labelX, y, labelWidth], { size: 14.5, align: 'right' })
  write(sheet, label.en, [labelX, y + 21, labelWidth], english)
  const valueWidth = columnWidth - labelWidth - 8
  const own = { size: 14.5, font: 'bold', align: 'left' } as const
  let below = y + write(sheet, value ?? '', [x, y, valueWidth], own, longestValue)
  if (more !== undefined) {
    const small = { size: english.size, color: english.color, align: 'left' } as const
    below += write(sheet, more, [x, below, valueWidth], small, longestValue)
  }
  return Math.max(y + rowHeight, below + 4)
}

function drawServices(sheet: Sheet, { lines }: ReceiptDocument, from: number) {
  let y = from + 14
  const heading = both('label.description')
  write(sheet, heading.ar, [left, y, width], { size: 14.5, font: 'bold', align: 'right' })
  write(sheet, heading.en, [left, y + 20, width], english)
  y += 42
  drawRule(sheet, left, y, 'thick')
  y += 8
  for (const { ar, en } of lines) {
    write(sheet, ar, [left, y, width], { size: 15, align: 'right' })
    write(sheet, en, [left, y + 22, width], english)
    y += 44
  }
  drawRule(sheet, left, y, 'thin')
  return y + 18
}

const sumX = right - 360

const amountRow = {
  rule: 'thin',
  above: 4,
  label: { size: 14.5 },
  toEnglish: 21,
  amount: { size: 14.5, font: 'bold' },
  height: 42,
} as const

const totalRow = {
  rule: 'thick',
  above: 10,
  label: { size: 17, font: 'bold' },
  toEnglish: 25,
  amount: { size: 26, font: 'black' },
  height: 48,
} as const

function drawAmounts(sheet: Sheet, document: ReceiptDocument, from: number) {
  const amounts = amountsOf(document)
  let y = from
  for (const [index, [label, halalas]] of amounts.entries()) {
    const row = index === amounts.length - 1 ? totalRow : amountRow
    if (index > 0 || row === totalRow) drawRule(sheet, sumX, y, row.rule)
    y += row.above
    write(sheet, label.ar, [sumX + 130, y, 230], { ...row.label, align: 'right' })
    write(sheet, `${label.en}, ${currency}`, [sumX + 130, y + row.toEnglish, 230], english)
    write(sheet, sumIn('ar', halalas), [sumX, y, 150], { ...row.amount, align: 'left', direction: 'rtl' })
    y += row.height
  }
  const hasReturned = isReturn(document)
  const color = hasReturned ? colours.muted : colours.paid
  const done = inOneLine(both(hasReturned ? 'returned' : 'paid'))
  sheet.path('M4 12l6 6L20 6', placed(right - 24, y + 1), { stroke: color, strokeWidth: 3 })
  write(sheet, done, [sumX, y, 360 - 32], { size: 14.5, font: 'bold', align: 'right', color })
}

const quietModules = 4

function drawCode(
  sheet: Sheet,
  text: string,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
) {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: quietModules })
  const module = size / rows.length
  sheet.fill({ x, y, width: size, height: size }, 'white')
  for (const [row, cells] of rows.entries()) {
    // Each run of dark modules is one rectangle, so that there are no gaps.
    for (let from = 0; from < cells.length; from += 1) {
      let to = from
      while (cells[to]) to += 1
      if (to === from) continue
      sheet.fill({ x: x + from * module, y: y + row * module, width: (to - from) * module, height: module })
      from = to
    }
  }
}

/**
 * The size includes the white edge, a part of which lies outside the column, so that the dark modules begin at the
 * column.
 */
const codeSize = 196
const codeEdge = 15

function drawInvoiceCode(sheet: Sheet, code: string, from: number) {
  drawCode(sheet, code, { x: (left - codeEdge) * px, y: (from - codeEdge) * px, size: codeSize * px })
  const y = from + codeSize - codeEdge + 2
  const style = { ...english, align: 'left' } as const
  const name = both('code')
  write(sheet, name.ar, [left, y, 300], { ...style, direction: 'rtl' })
  write(sheet, name.en, [left, y + 18, 300], style)
}

function drawFoot(sheet: Sheet, { paper, orderNumber, isDemo }: ReceiptDocument, page: PageNumber) {
  const { phone, email } = paper.support
  const [onRight, onLeft] = [left + width / 2, left]
  const atLeft = { align: 'left' } as const
  const bold = { size: 14.5, font: 'bold' } as const
  drawDots(sheet, 1000)
  write(sheet, inOneLine(both('label.help')), [onRight, 1012, width / 2], { ...bold, align: 'right' })
  write(sheet, phone, [onRight, 1035, width / 2], { size: 14.5, align: 'right', direction: 'ltr' })
  write(sheet, email, [onLeft, 1012, width / 2], { ...bold, ...atLeft })
  const quote = both('quote', { order: orderNumber })
  write(sheet, quote.ar, [onLeft, 1035, width / 2], { size: 14.5, ...atLeft })
  write(sheet, quote.en, [onLeft, 1058, width / 2], { ...english, ...atLeft })
  write(sheet, `${page.number} / ${page.total}`, [onLeft, 1081, 100], { ...english, ...atLeft })
  if (paper.tag !== null && !paper.tag.isVoid) {
    const collected = both('collection')
    write(sheet, collected.ar, [onRight - 100, 1061, width / 2 + 100], { ...english, direction: 'rtl' })
    write(sheet, collected.en, [onRight - 100, 1081, width / 2 + 100], english)
  }
  if (isDemo)
    write(sheet, inOneLine(demoMark), [left, 1101, width], { size: 12, font: 'bold', align: 'centre' })
}
