import { type Box, openSheet, type Sheet, type TextStyle } from '#pdf/sheet.ts'
import { directionOf } from '#pdf/text.ts'
import { code128Modules } from './shipping.barcode.ts'
import { findArabicCityName, findCity, findOffice } from './shipping.directory.ts'
import type { ShipmentRecord } from './shipping.state.ts'

/** The usual size (docs/wires/shipping.md S28). */
export const labelSizeMm = { width: 100, height: 150 } as const

/** Four dots of a 203 dpi thermal printer. */
const moduleMm = 0.5

const edge = 5
const contentWidth = labelSizeMm.width - 2 * edge
const columnGap = 4
const columnWidth = (contentWidth - columnGap) / 2

/** Either is empty for a text in one language. */
interface Bilingual {
  readonly ar: string
  readonly en: string
}

/** Makes the PDF of a piece, counted from 0. */
export type LabelRenderer = (shipment: ShipmentRecord, pieceIndex: number) => Promise<Buffer>

/**
 * Caches the labels used last, so that a query after a create, and the panel, draw nothing again; simultaneous requests
 * draw once. AWBs are unique, so they are the key.
 * @param capacity in labels; one takes about 20 kB
 */
export function createLabelCache(render: LabelRenderer = renderLabel, capacity = 256): LabelRenderer {
  const labels = new Map<string, Promise<Buffer>>()
  return (shipment, pieceIndex) => {
    const key = `${shipment.sawb}/${pieceIndex}`
    const label = labels.get(key) ?? render(shipment, pieceIndex)
    // Moved to the end: the first key is the one used longest ago.
    labels.delete(key)
    labels.set(key, label)
    label.catch(() => labels.delete(key))
    const [oldest] = labels.keys()
    if (labels.size > capacity && oldest !== undefined) labels.delete(oldest)
    return label
  }
}

/** One file for every piece, drawn once: for measurements, where drawing would be most of the work. */
export function createFixedLabel(render: LabelRenderer = renderLabel): LabelRenderer {
  let drawn: Promise<Buffer> | undefined
  return () => {
    drawn ??= render(specimen, 0)
    return drawn
  }
}

const specimenLocation = {
  ContactName: 'نموذج · Specimen',
  ContactPhoneNumber: '+966500000000',
  Country: 'SA',
  City: 'Makkah',
  AddressLine1: 'عنوان نموذجي · Specimen address',
} as const

const specimen: ShipmentRecord = {
  reference: 'SPECIMEN',
  awb: '000000000000',
  awbs: ['000000000000'],
  sawb: '000000000000',
  createdAtMs: 0,
  visibleAtMs: 0,
  createdAt: [],
  request: {
    ConsigneeAddress: specimenLocation,
    ShipperAddress: specimenLocation,
    OrderNumber: 'SPECIMEN',
    DeclaredValue: 0,
    CODAmount: 0,
    Parcels: 1,
    ShipDate: '2026-01-01T00:00:00',
    ShipmentCurrency: 'SAR',
    Weight: 1,
    WaybillType: 'PDF',
    WeightUnit: 'KG',
    ContentDescription: 'Specimen',
  },
}

const carrier: Bilingual = { en: 'Demo Express', ar: 'الناقل التجريبي' }

/**
 * The label of one piece as a PDF of one page; the same shipment gives the same bytes. Black and white, for thermal printers.
 * @param pieceIndex counted from 0
 * @throws RangeError if the shipment has no such piece
 */
export async function renderLabel(shipment: ShipmentRecord, pieceIndex = 0): Promise<Buffer> {
  const awb = shipment.awbs[pieceIndex]
  if (awb === undefined) throw new RangeError(`shipment ${shipment.sawb} has no piece ${pieceIndex + 1}`)
  const sheet = openSheet({
    widthMm: labelSizeMm.width,
    heightMm: labelSizeMm.height,
    title: `AWB ${awb}`,
    author: carrier.en,
    createdAtMs: shipment.createdAtMs,
  })
  sheet.addPage()
  drawHeader(sheet)
  drawSender(sheet, shipment)
  drawDestination(sheet, shipment)
  drawReceiver(sheet, shipment)
  drawFacts(sheet, shipment, pieceIndex)
  drawBarcode(sheet, awb)
  return sheet.close()
}

function drawHeader(sheet: Sheet): void {
  drawPair(sheet, carrier, { y: 4, height: 7 }, { font: 'bold', maxSize: 12 })
  drawRule(sheet, 11.5)
}

function drawSender(sheet: Sheet, { request }: ShipmentRecord): void {
  const sender = request.ShipperAddress
  drawPair(sheet, { en: 'FROM', ar: 'من' }, { y: 12, height: 3.4 }, captionStyle)
  drawPair(
    sheet,
    languagesOf(sender.ContactName),
    { y: 15.4, height: 5.6 },
    { ...bold, maxSize: 11, minSize: 6 },
  )
  drawPair(
    sheet,
    languagesOf(sender.AddressLine1, sender.AddressLine2 ?? ''),
    { y: 20.8, height: 8.4 },
    { maxSize: 8.5, minSize: 5.5, verticalAlign: 'top' },
  )
  const phone: Box = { x: edge, y: 29, width: contentWidth, height: 4.8 }
  sheet.text(sender.ContactPhoneNumber, phone, { ...bold, maxSize: 10, minSize: 6, direction: 'ltr' })
  drawRule(sheet, 34.2)
}

function drawDestination(sheet: Sheet, { request }: ShipmentRecord): void {
  const { ConsigneeAddress: receiver, SMSARetailID = '0' } = request
  const named = findOffice(SMSARetailID)
  // A named branch of another city is not the destination.
  const office = named?.cityName === receiver.City ? named : undefined
  const stationCode = findCity(receiver.Country, receiver.City)?.cityCode ?? receiver.Country
  drawPair(sheet, { en: 'TO', ar: 'إلى' }, { y: 34.7, height: 3.4 }, captionStyle)

  const station: Box = { x: edge, y: 38.6, width: 36, height: 16.4 }
  sheet.fill(station)
  // Capitals have no descenders: a taller, lower box centres them on the black background.
  const capitals = { ...station, y: station.y - 1.5, height: station.height + 5 }
  sheet.text(stationCode, capitals, { ...bold, maxSize: 40, minSize: 20, align: 'centre', color: 'white' })
  const beside = { x: edge + station.width + 3, width: contentWidth - station.width - 3 }
  const arabicCity = findArabicCityName(receiver.City)
  if (arabicCity) {
    const style: TextStyle = { ...bold, maxSize: 23, minSize: 12, align: 'right' }
    sheet.text(arabicCity, { ...beside, y: 37.6, height: 10.4 }, style)
    sheet.text(
      receiver.City,
      { ...beside, y: 48, height: 7.4 },
      { ...bold, maxSize: 15, minSize: 8, align: 'right' },
    )
  } else {
    sheet.text(
      receiver.City,
      { ...beside, y: 39, height: 15.6 },
      { ...bold, maxSize: 23, minSize: 12, align: 'right' },
    )
  }

  const delivery: Bilingual = office
    ? { en: `Branch ${office.code}: hold for collection`, ar: `فرع ${office.code}: يُحفظ للاستلام` }
    : { en: 'Deliver to address', ar: 'توصيل إلى العنوان' }
  drawPair(sheet, delivery, { y: 56, height: 5 }, { ...bold, maxSize: 10, minSize: 6 })
  const address = office
    ? { en: office.address, ar: office.addressAR }
    : languagesOf(receiver.AddressLine1, receiver.AddressLine2 ?? '')
  drawPair(sheet, address, { y: 61.2, height: 10.4 }, { maxSize: 9.5, minSize: 5.5, verticalAlign: 'top' })
  drawRule(sheet, 72.2)
}

function drawReceiver(sheet: Sheet, { request }: ShipmentRecord): void {
  const receiver = request.ConsigneeAddress
  drawPair(sheet, { en: 'RECEIVER', ar: 'المستلم' }, { y: 72.7, height: 3.4 }, captionStyle)
  sheet.text(
    receiver.ContactName,
    { x: edge, y: 76, width: contentWidth, height: 8 },
    { ...bold, maxSize: 16, minSize: 7.5, align: 'centre' },
  )
  sheet.text(
    [receiver.ContactPhoneNumber, receiver.ContactPhoneNumber2].filter(Boolean).join('  '),
    { x: edge, y: 83.9, width: contentWidth, height: 7.5 },
    { ...bold, maxSize: 15, minSize: 8, align: 'centre', direction: 'ltr' },
  )
  drawRule(sheet, 91.4)
}

function drawFacts(sheet: Sheet, shipment: ShipmentRecord, pieceIndex: number): void {
  const { request } = shipment
  const rows: (readonly (readonly [label: Bilingual, value: string])[])[] = [
    [
      [{ en: 'PIECE', ar: 'القطعة' }, `${pieceIndex + 1}/${shipment.awbs.length}`],
      [{ en: 'WEIGHT', ar: 'الوزن' }, `${request.Weight} ${request.WeightUnit}`],
      [{ en: 'DATE', ar: 'التاريخ' }, request.ShipDate.slice(0, 10)],
      [{ en: 'SERVICE', ar: 'الخدمة' }, request.ServiceCode ?? 'STD'],
    ],
    [
      [{ en: 'ORDER', ar: 'الطلب' }, shipment.reference],
      [{ en: 'CONTENTS', ar: 'المحتويات' }, request.ContentDescription],
      ...(request.CODAmount > 0
        ? ([
            [{ en: 'COLLECT', ar: 'التحصيل' }, `${request.ShipmentCurrency} ${request.CODAmount.toFixed(2)}`],
          ] as const)
        : []),
    ],
  ]
  const rowHeight = 8.8
  for (const [row, cells] of rows.entries()) {
    const y = 91.9 + row * rowHeight
    const width = (contentWidth - columnGap * (cells.length - 1)) / cells.length
    for (const [column, [label, value]] of cells.entries()) {
      const x = edge + column * (width + columnGap)
      sheet.text(label.en, { x, y, width, height: 2.8 }, { maxSize: 5.5 })
      sheet.text(label.ar, { x, y, width, height: 2.8 }, { maxSize: 5.5 })
      sheet.text(
        value,
        { x, y: y + 2.8, width, height: rowHeight - 3.2 },
        { ...bold, maxSize: 10.5, minSize: 5, align: 'centre' },
      )
    }
  }
  drawRule(sheet, 109.6)
}

function drawBarcode(sheet: Sheet, awb: string): void {
  const modules = code128Modules(awb)
  const width = modules.reduce((sum, each) => sum + each, 0) * moduleMm
  // Centred: leaves the ten modules of quiet zone on each side (docs/wires/shipping.md S28).
  let x = (labelSizeMm.width - width) / 2
  for (const [index, each] of modules.entries()) {
    const isBar = index % 2 === 0
    if (isBar) sheet.fill({ x, y: 112, width: each * moduleMm, height: 22 })
    x += each * moduleMm
  }
  sheet.text(
    awb,
    { x: edge, y: 134.4, width: contentWidth, height: 8.6 },
    { ...bold, maxSize: 19, align: 'centre', direction: 'ltr', spacing: 1.2 },
  )
  drawPair(
    sheet,
    { en: 'Simulated label, not valid for carriage', ar: 'بوليصة محاكاة لا تصلح للنقل' },
    { y: 143.4, height: 3 },
    { maxSize: 5.5 },
  )
}

const bold = { font: 'bold' } as const
const captionStyle: TextStyle = { maxSize: 6.5 }

type Row = Pick<Box, 'y' | 'height'>

/** English on the left, Arabic on the right; the whole width for a text in one language. */
function drawPair(sheet: Sheet, { en, ar }: Bilingual, row: Row, style: TextStyle): void {
  const whole = { ...row, x: edge, width: contentWidth }
  if (en === '' || ar === '') {
    sheet.text(en + ar, whole, style)
    return
  }
  sheet.text(en, { ...whole, width: columnWidth }, style)
  sheet.text(ar, { ...whole, x: edge + columnWidth + columnGap, width: columnWidth }, style)
}

function drawRule(sheet: Sheet, y: number): void {
  sheet.fill({ x: edge, y, width: contentWidth, height: 0.3 })
}

/** Splits names and addresses by language; ` · ` separates the two. */
function languagesOf(...texts: string[]): Bilingual {
  const parts = texts.flatMap((text) => text.split(' · ')).filter((part) => part.trim() !== '')
  return {
    ar: parts.filter((part) => directionOf(part) === 'rtl').join('، '),
    en: parts.filter((part) => directionOf(part) === 'ltr').join(', '),
  }
}
