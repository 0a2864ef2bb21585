import type { ShipmentRecord } from './shipping.state.ts'

/** Dots of a 203 dpi thermal printer. */
const dotsPerMm = 8

/**
 * The label of one piece in Zebra's printer language, as the partner sends it when `WaybillType` asks for ZPL.
 * Plain: it only has to be no PDF and to have the right barcode.
 */
export function zplLabel(shipment: ShipmentRecord, pieceIndex: number): string {
  const { request } = shipment
  const awb = shipment.awbs[pieceIndex]
  if (awb === undefined) throw new RangeError(`shipment ${shipment.sawb} has no piece ${pieceIndex + 1}`)
  const lines = [
    request.ShipperAddress.ContactName,
    request.ShipperAddress.ContactPhoneNumber,
    request.ConsigneeAddress.City,
    request.ConsigneeAddress.ContactName,
    [request.ConsigneeAddress.ContactPhoneNumber, request.ConsigneeAddress.ContactPhoneNumber2]
      .filter(Boolean)
      .join('  '),
    `${shipment.reference}  ${pieceIndex + 1}/${shipment.awbs.length}  ${request.Weight} ${request.WeightUnit}`,
  ]
  return [
    '^XA',
    // UTF-8, and the page in dots.
    `^CI28^PW${100 * dotsPerMm}^LL${150 * dotsPerMm}`,
    ...lines.map((line, index) => `^FO40,${40 + index * 80}^A0N,48,48^FH^FD${escaped(line)}^FS`),
    // Modules of four dots; `>;` begins in set C.
    `^FO196,600^BY4^BCN,176,Y,N,N^FD>;${awb}^FS`,
    '^XZ',
  ].join('\n')
}

/** Caret, tilde and underscore would be read as commands. */
function escaped(text: string): string {
  return text.replace(/[\^~_]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
