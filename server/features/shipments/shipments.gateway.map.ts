import type { Place } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import type { CreateB2cRequest, ShipperAddress } from '#shared/wire/shipping/shipping.wire.ts'
import { shippingLimits, shippingUtcOffsetMs } from '#shared/wire/shipping/shipping.wire.ts'
import type { ShipmentRequest } from './shipments.gateway.ts'

/** The partner's word for "no office". */
const noBranch = '0'

/** The partner wants a value above zero; the price of the transport stands for a bag nobody has appraised. */
const declaredHalalas = 5_000

/** Fits free text between the partner's bounds: «علي» is shorter than its shortest name. */
export function fitted(text: string, { min, max }: { min: number; max: number }, filler: string): string {
  const tidy = text.replace(/\s+/g, ' ').trim()
  const long = tidy.length >= min ? tidy : `${tidy} - ${filler}`.replace(/^ - /, '')
  return long.slice(0, max).trim()
}

/** `2027-05-18T15:30:00` in Saudi time. */
export function partnerTime(epochMs: number): string {
  return new Date(epochMs + shippingUtcOffsetMs).toISOString().slice(0, 19)
}

function addressOf(place: Place, contact: { name: string; phone: string }): ShipperAddress {
  const line = place.address ?? [place.addressAR, place.addressEN].filter(Boolean).join(' · ')
  const city = place.city ?? ''
  return {
    ContactName: fitted(contact.name, shippingLimits.contactName, brand.name.en),
    ContactPhoneNumber: contact.phone,
    Country: 'SA',
    City: city,
    AddressLine1: fitted(line, shippingLimits.addressLine1, `${city}, Saudi Arabia`),
    ...(place.coordinates
      ? { Coordinates: `${place.coordinates.latitude},${place.coordinates.longitude}` }
      : {}),
  }
}

/** `ServiceCode` is left out: the account's default applies, and codes an account lacks are refused. */
export function shipmentRequestOf(request: ShipmentRequest): CreateB2cRequest {
  const { origin, destination, customer } = request
  return {
    ShipperAddress: addressOf(origin, {
      name: origin.name ?? brand.name.en,
      phone: origin.phone ?? customer.phone,
    }),
    ConsigneeAddress: addressOf(destination, customer),
    OrderNumber: request.reference,
    ContentDescription: `Luggage OD-${request.orderId}`,
    DeclaredValue: riyalsOf(declaredHalalas),
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

/** A label only when it really is a PDF: the partner may send ZPL, or nothing. */
export function pdfOf(base64: string | undefined): Uint8Array | undefined {
  if (!base64) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? bytes : undefined
}
