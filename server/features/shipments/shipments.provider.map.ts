import { Value } from 'typebox/value'
import { cutText } from '#server/platform/cut-text.ts'
import { declaredValueHalalas } from '#shared/checkout/checkout.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import {
  AnyShipment,
  AnyTrackingRecord,
  AnyWaybill,
  apiKeyHeader,
  type CreateB2cRequest,
  type ShipperAddress,
  shippingLimits,
  ValidationProblem,
} from '#shared/wire/shipping/shipping.wire.ts'
import type { ShipmentRequest } from './shipments.provider.ts'

const noBranch = '0'

/** Appends `filler` to a text that is too short for the partner, such as «علي». */
export function fitted(text: string, { min, max }: { min: number; max: number }, filler: string): string {
  const tidy = text.replace(/\s+/g, ' ').trim()
  const long = tidy.length >= min ? tidy : `${tidy} - ${filler}`.replace(/^ - /, '')
  return cutText(long, max).trim()
}

export function partnerTime(epochMs: number): string {
  return riyadhTimeOf(epochMs).slice(0, 19)
}

function receiverName(name: string) {
  return fitted(name, shippingLimits.contactName, brand.name.en)
}

export function waybillsOf(body: unknown): { awb: string; file: string | null | undefined }[] {
  if (!Value.Check(AnyShipment, body)) return []
  return body.waybills
    .filter((row) => Value.Check(AnyWaybill, row))
    .map(({ awb, awbFile }) => ({ awb: String(awb), file: awbFile }))
}

/** After these statuses the partner has possibly created the shipment. */
const inconclusiveStatuses: readonly number[] = [408, 409, 499]

/**
 * Undefined when the shipment possibly exists, as after a 5xx. The partner can send its validation problem with any
 * other status, even 200.
 */
export function refusedFieldsOf(status: number, body: unknown): string[] | undefined {
  if (status >= 500) return undefined
  const fields = Value.Check(ValidationProblem, body) ? Object.keys(body.errors) : []
  if (status < 300) return fields.length > 0 && !Value.Check(AnyShipment, body) ? fields : undefined
  if (status < 400 || inconclusiveStatuses.includes(status)) return undefined
  return status === 401 || status === 403 ? [apiKeyHeader] : fields
}

/** `unreadable`: an unreadable record is possibly the one with this reference. */
export function trackedNumberOf(body: unknown, reference: string): string | undefined | 'unreadable' {
  const records = Array.isArray(body) ? body : [body]
  const readable = records.filter((record) => Value.Check(AnyTrackingRecord, record))
  const match = readable.find((record) => String(record.Reference) === reference)
  if (match) return String(match.AWB)
  return readable.length < records.length ? 'unreadable' : undefined
}

function addressOf(location: Location, contact: { name: string; phone: string }): ShipperAddress {
  const line = location.address ?? [location.addressAR, location.addressEN].filter(Boolean).join(' · ')
  const city = location.city ?? ''
  return {
    ContactName: receiverName(contact.name),
    ContactPhoneNumber: contact.phone,
    Country: 'SA',
    City: city,
    AddressLine1: fitted(line, shippingLimits.addressLine1, `${city}, Saudi Arabia`),
    ...(location.coordinates
      ? { Coordinates: `${location.coordinates.latitude},${location.coordinates.longitude}` }
      : {}),
  }
}

/** Without `ServiceCode` the account's default applies. The partner refuses a code that the account does not have. */
export function shipmentRequestOf(request: ShipmentRequest): CreateB2cRequest {
  const { origin, destination, consignee } = request
  return {
    ShipperAddress: addressOf(origin, {
      name: origin.name ?? brand.name.en,
      phone: origin.phone ?? request.ownerPhone,
    }),
    ConsigneeAddress: {
      ...addressOf(destination, consignee),
      ...(consignee.secondPhone === null ? {} : { ContactPhoneNumber2: consignee.secondPhone }),
    },
    OrderNumber: request.reference,
    ContentDescription: `Luggage ${orderNumber(request.orderId)}`,
    DeclaredValue: riyalsOf(declaredValueHalalas),
    CODAmount: 0,
    Parcels: 1,
    ShipDate: partnerTime(request.shipAt),
    ShipmentCurrency: currency,
    Weight: request.weightKg,
    WeightUnit: 'KG',
    SMSARetailID: request.branchCode ?? noBranch,
    WaybillType: 'PDF',
  }
}

/** PDF readers search for the beginning of a PDF in this many bytes (ISO 32000-1, implementation note 13). */
const beginsWithinBytes = 1_024

/** Undefined when the file is not a PDF: the partner also sends ZPL. */
export function pdfOf(base64: string | null | undefined): Uint8Array | undefined {
  if (!base64) return undefined
  const bytes = Buffer.from(base64.replace(/^data:[^,]{0,100},/, ''), 'base64')
  const beginsAt = bytes.subarray(0, beginsWithinBytes).indexOf('%PDF-', 0, 'latin1')
  return beginsAt === -1 ? undefined : bytes.subarray(beginsAt)
}
