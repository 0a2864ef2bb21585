import { Check } from 'typebox/value'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { CreateB2cRequest, PartnerCoordinates, shippingLimits } from '#shared/wire/shipping/shipping.wire.ts'
import { findCity, findOffice } from './shipping.directory.ts'

/** From a field's name, as ASP.NET spells it, to its error messages. */
export type FieldErrors = Record<string, string[]>

type CheckedRequest = { isValid: true; request: CreateB2cRequest } | { isValid: false; errors: FieldErrors }

/** Any field of a request body may be anything. */
type Fields = Record<string, unknown>

/** Codes of the demo account: others are refused, none is always accepted (docs/wires/shipping.md S13). */
const serviceCodePattern = /^(EDDL|EIDL)$/
const shipDatePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,7})?$/
/** Short national address: four letters and four digits. */
const shortCodePattern = /^[A-Z]{4}\d{4}$/

interface Length {
  readonly min: number
  readonly max: number
}

/** Collects the errors of all fields, as ASP.NET does. */
function createFieldChecks(fields: Fields) {
  const errors: FieldErrors = {}
  const refuse = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message]
  }

  const text = (owner: Fields, prefix: string, name: string, { min, max }: Length) => {
    const value = owner[name]
    const field = prefix + name
    if (value === undefined || (value === '' && min > 0)) {
      if (min > 0) refuse(field, `The ${name} field is required.`)
      return
    }
    if (typeof value !== 'string') {
      refuse(field, `The JSON value could not be converted to System.String. Path: $.${field}`)
      return
    }
    if (value.length < min || value.length > max)
      refuse(
        field,
        min > 1
          ? `The field ${name} must be a string with a minimum length of ${min} and a maximum length of ${max}.`
          : `The field ${name} must be a string with a maximum length of ${max}.`,
      )
  }
  const number = (name: string, accept: (value: number) => boolean, range: string, kind = 'Double') => {
    const value = fields[name]
    if (value !== undefined && typeof value !== 'number')
      refuse(name, `The JSON value could not be converted to System.${kind}. Path: $.${name}`)
    else if (typeof value === 'number' && !accept(value)) refuse(name, `The field ${name} must be ${range}.`)
  }
  const boolean = (name: string) => {
    const value = fields[name]
    if (value !== undefined && typeof value !== 'boolean')
      refuse(name, `The JSON value could not be converted to System.Boolean. Path: $.${name}`)
  }

  const choice = (name: string, message: string, accepts: RegExp | ((value: string) => boolean)) => {
    const value = fields[name]
    if (value === undefined) return
    const isAccepted = (text: string) => (accepts instanceof RegExp ? accepts.test(text) : accepts(text))
    if (typeof value !== 'string' || !isAccepted(value)) refuse(name, message)
  }
  const required = (...names: string[]) => {
    for (const name of names) if (fields[name] === undefined) refuse(name, `The ${name} field is required.`)
  }
  return { errors, refuse, text, number, boolean, choice, required }
}
type FieldChecks = ReturnType<typeof createFieldChecks>

function checkAddress(
  check: FieldChecks,
  name: 'ConsigneeAddress' | 'ShipperAddress',
  address: unknown,
): void {
  if (!isFields(address)) {
    check.refuse(name, `The ${name} field is required.`)
    return
  }
  const prefix = `${name}.`
  const { contactName, city, addressLine1, addressLine2 } = shippingLimits
  const lengths: Record<string, Length> = {
    ContactName: contactName,
    ContactPhoneNumber: { min: 1, max: 30 },
    ContactPhoneNumber2: { min: 0, max: 30 },
    Country: { min: 2, max: 2 },
    City: city,
    AddressLine1: addressLine1,
    AddressLine2: addressLine2,
    District: { min: 0, max: 100 },
    PostalCode: { min: 0, max: 100 },
    Coordinates: { min: 0, max: 100 },
    ConsigneeID: { min: 0, max: 30 },
    ShortCode: { min: 0, max: 30 },
  }
  for (const [field, length] of Object.entries(lengths)) check.text(address, prefix, field, length)
  if (typeof address.Coordinates === 'string' && !Check(PartnerCoordinates, address.Coordinates))
    check.refuse(`${prefix}Coordinates`, 'The field Coordinates must be "latitude,longitude".')
  const { Country, City } = address
  if (typeof Country === 'string' && typeof City === 'string' && City.length >= city.min) {
    if (!findCity(Country, City)) check.refuse(`${prefix}City`, 'City is not in the list of served cities.')
  }
  for (const consigneeOnly of ['ConsigneeID', 'ShortCode']) {
    if (name === 'ShipperAddress' && address[consigneeOnly])
      check.refuse(prefix + consigneeOnly, `${consigneeOnly} is valid only on the consignee address.`)
  }
  if (typeof address.ShortCode === 'string' && address.ShortCode !== '') {
    if (!shortCodePattern.test(address.ShortCode))
      check.refuse(`${prefix}ShortCode`, 'The field ShortCode must be four letters and four digits.')
  }
}

/**
 * Checks a create request as the partner does, all fields at once. Ranges are SMSA's documented ones; the messages are
 * ASP.NET's defaults, since no document shows SMSA's own.
 */
export function checkCreateRequest(body: unknown): CheckedRequest {
  if (!isFields(body)) return { isValid: false, errors: { $: ['A non-empty request body is required.'] } }
  const fields = withoutNulls(body)
  const check = createFieldChecks(fields)
  checkAddress(check, 'ConsigneeAddress', fields.ConsigneeAddress)
  checkAddress(check, 'ShipperAddress', fields.ShipperAddress)

  check.required('DeclaredValue', 'CODAmount', 'Parcels', 'Weight')
  check.required('ShipDate', 'ShipmentCurrency', 'WeightUnit')
  check.text(fields, '', 'OrderNumber', { min: 1, max: shippingLimits.orderNumberMax })
  check.text(fields, '', 'ContentDescription', { min: 1, max: 200 })
  check.number(
    'DeclaredValue',
    (value) => value >= shippingLimits.declaredValueMin,
    `at least ${shippingLimits.declaredValueMin}`,
  )
  check.number('CODAmount', (value) => value >= 0, 'at least 0')
  check.number(
    'Parcels',
    (value) => Number.isInteger(value) && value >= 1,
    'a whole number of at least 1',
    'Int32',
  )
  check.number('Weight', (value) => value > 0, 'greater than 0')
  check.boolean('VatPaid')
  check.boolean('DutyPaid')

  check.choice('ShipDate', 'The field ShipDate must be a date and time as yyyy-MM-ddTHH:mm:ss.', isShipDate)
  check.choice('ShipmentCurrency', 'The field ShipmentCurrency is not an ISO code.', /^[A-Z]{3}$/)
  check.choice('WeightUnit', 'The field WeightUnit must be KG or LB.', /^(KG|LB)$/)
  check.choice('WaybillType', 'The field WaybillType must be PDF or ZPL.', /^(PDF|ZPL)$/)
  check.choice('ServiceCode', 'ServiceCode is not available for this account.', serviceCodePattern)
  check.choice(
    'SMSARetailID',
    'SMSARetailID is not the code of an office.',
    (value) => value === '' || value === '0' || findOffice(value) !== undefined,
  )

  if (Object.keys(check.errors).length > 0) return { isValid: false, errors: check.errors }
  // Unknown fields stay, as a record of the request.
  if (Check(CreateB2cRequest, fields)) return { isValid: true, request: fields }
  return { isValid: false, errors: { $: ['The request could not be read.'] } }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** ASP.NET treats null like a missing field. */
function withoutNulls(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isFields(value) ? withoutNulls(value) : value]),
  )
}

/** 30 February fits the pattern, so the parsed date must also format to the same text. */
function isShipDate(value: string): boolean {
  if (!shipDatePattern.test(value)) return false
  const epochMs = Date.parse(`${value.slice(0, 19)}Z`)
  return Number.isFinite(epochMs) && new Date(epochMs).toISOString().startsWith(value.slice(0, 19))
}

/** `2027-05-18T15:30:00`: Saudi time, no zone. */
export function partnerTimeOf(epochMs: number): string {
  return riyadhTimeOf(epochMs).slice(0, 19)
}
