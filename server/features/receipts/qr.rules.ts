import { formatRiyals } from '#shared/platform/money.ts'

export interface CodeFields {
  readonly sellerName: string
  readonly vatNumber: string
  readonly issuedAt: number
  readonly totalHalalas: number
  readonly vatHalalas: number
}

/**
 * QR code of ZATCA phase 1 in base64: each field is a byte for its tag, a byte for its length in UTF-8 bytes, and
 * its value (docs/wires/invoices.md I5).
 * @throws RangeError for a value of more than 255 bytes
 */
export function invoiceCode({
  sellerName,
  vatNumber,
  issuedAt,
  totalHalalas,
  vatHalalas,
}: CodeFields): string {
  const time = new Date(issuedAt).toISOString().replace(/\.\d{3}Z$/, 'Z')
  const values = [sellerName, vatNumber, time, formatRiyals(totalHalalas), formatRiyals(vatHalalas)]
  return Buffer.concat(values.map((value, index) => fieldOf(index + 1, value))).toString('base64')
}

function fieldOf(tag: number, value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8')
  if (bytes.length > longestField)
    throw new RangeError(`field ${tag} of the QR code is longer than a byte counts`)
  return Buffer.concat([Buffer.from([tag, bytes.length]), bytes])
}

const longestField = 255
