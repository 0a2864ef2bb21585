import { Check, Errors } from 'typebox/value'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { CreateB2cRequest } from '#shared/wire/shipping/shipping.wire.ts'
import { findCity, findOffice } from './shipping.directory.ts'

/** From a field's name, as ASP.NET spells it, to its error messages. */
export type FieldErrors = Record<string, string[]>

type CheckedRequest = { isValid: true; request: CreateB2cRequest } | { isValid: false; errors: FieldErrors }

/** Any field of a request body may be anything. */
type Fields = Record<string, unknown>

const isServed = ({ Country, City }: { Country: string; City: string }): boolean =>
  findCity(Country, City) !== undefined

/** Codes of the demo account: others are refused, a missing one is accepted (docs/wires/shipping.md S13). */
const serviceCodes = ['EDDL', 'EIDL']
const noOffice = ['', '0']

/** Beyond the form of the request: the field, its message, and whether the request is accepted. */
const rules: readonly (readonly [string, string, (request: CreateB2cRequest) => boolean])[] = [
  ['ShipDate', 'The field ShipDate is no day.', ({ ShipDate }) => isDay(ShipDate)],
  [
    'ServiceCode',
    'ServiceCode is not available for this account.',
    ({ ServiceCode = 'EDDL' }) => serviceCodes.includes(ServiceCode),
  ],
  [
    'SMSARetailID',
    'SMSARetailID is not the code of an office.',
    ({ SMSARetailID: id = '0' }) => noOffice.includes(id) || findOffice(id) !== undefined,
  ],
  [
    'ConsigneeAddress.City',
    'City is not in the list of served cities.',
    ({ ConsigneeAddress }) => isServed(ConsigneeAddress),
  ],
  [
    'ShipperAddress.City',
    'City is not in the list of served cities.',
    ({ ShipperAddress }) => isServed(ShipperAddress),
  ],
  ...['ConsigneeID', 'ShortCode'].map(
    (name) =>
      [
        `ShipperAddress.${name}`,
        `${name} is valid only on the consignee address.`,
        ({ ShipperAddress }: CreateB2cRequest) => !(name in ShipperAddress),
      ] as const,
  ),
]

/**
 * Checks a create request as the partner does, all fields at once. Ranges are SMSA's documented ones; the messages are
 * like ASP.NET's, since no document shows SMSA's own.
 */
export function checkCreateRequest(body: unknown): CheckedRequest {
  if (!isFields(body)) return { isValid: false, errors: { $: ['A non-empty request body is required.'] } }
  // Unknown fields stay, as a record of the request.
  const request = withoutNulls(body)
  const errors: FieldErrors = {}
  const refuse = (field: string, message: string): void => {
    errors[field] = [...(errors[field] ?? []), message]
  }
  if (!Check(CreateB2cRequest, request)) {
    for (const [field, message] of faultsOf(request)) refuse(field, message)
    return { isValid: false, errors }
  }
  for (const [field, message, accepts] of rules) if (!accepts(request)) refuse(field, message)
  return Object.keys(errors).length > 0 ? { isValid: false, errors } : { isValid: true, request }
}

/** Fields of another form than the documented one, each with its message. */
const faultsOf = (request: Fields): [field: string, message: string][] =>
  [...Errors(CreateB2cRequest, request)].flatMap((error): [string, string][] => {
    const path = error.instancePath.split('/').slice(1)
    if (error.keyword !== 'required') return [[path.join('.'), `The field ${path.at(-1)} ${error.message}.`]]
    return error.params.requiredProperties.map((name) => [
      [...path, name].join('.'),
      `The ${name} field is required.`,
    ])
  })

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
function isDay(value: string): boolean {
  const epochMs = Date.parse(`${value.slice(0, 19)}Z`)
  return Number.isFinite(epochMs) && new Date(epochMs).toISOString().startsWith(value.slice(0, 19))
}

/** `2027-05-18T15:30:00`: Saudi time, no zone. */
export function partnerTimeOf(epochMs: number): string {
  return riyadhTimeOf(epochMs).slice(0, 19)
}
