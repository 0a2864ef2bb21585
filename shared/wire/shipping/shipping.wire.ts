import Type, { type Static, type TSchema } from 'typebox'

/**
 * This is the wire of the SMSA Express e-commerce REST API (docs/wires/shipping.md); `samples/README.md` says which
 * samples are ours. Names keep SMSA's spelling and case, even `Desination…` without its t. Every schema accepts fields
 * that it does not name.
 */

/** Each environment has one API key; there is no other authentication. */
export const apiKeyHeader = 'apikey'

export const shippingPaths = {
  createB2c: '/api/shipment/b2c/new',
  queryB2c: '/api/shipment/b2c/query/:awb',
  trackReference: '/api/track/reference/:reference',
  trackSingle: '/api/track/single/:awb',
  offices: '/api/lookup/smsaoffices',
  cities: '/api/lookup/cities/:country',
  /** SMSA has no such path; it is agreed with the partner (docs/wires/shipping.md S8). */
  agents: '/directory/agents',
} as const

/** The partner refuses values of a shipment outside these limits (docs/wires/shipping.md S10 and S11). */
export const shippingLimits = {
  contactName: { min: 5, max: 150 },
  city: { min: 3, max: 50 },
  addressLine1: { min: 10, max: 100 },
  addressLine2: { min: 0, max: 100 },
  orderNumberMax: 50,
  declaredValueMin: 0.1,
} as const

/** The airway bill of the piece (`awb`) differs from that of the shipment (`sawb`). */
export const Awb = Type.String({ pattern: '^\\d{12}$' })

/**
 * The simulator also sends an airway bill as a JSON number, which holds twelve digits exactly. This is not documented.
 */
export const AnyAwb = Type.Union([Awb, Type.Integer({ minimum: 100_000_000_000, maximum: 999_999_999_999 })])

const TextOrNumber = Type.Union([Type.String({ minLength: 1 }), Type.Number()])
const nullable = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))

/** A time in Riyadh has no zone: `2027-05-18T15:30:00` (docs/wires/shipping.md S12). */
export const PartnerTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?$',
})

/** Coordinates of the partner: `lat,lng` in decimal degrees, or empty when unknown. */
export const PartnerCoordinates = Type.String({ pattern: '^(-?\\d{1,2}(\\.\\d+)?, ?-?\\d{1,3}(\\.\\d+)?)?$' })

const shipmentAddressFields = {
  ContactName: Type.String({ minLength: 5, maxLength: 150 }),
  ContactPhoneNumber: Type.String({ minLength: 1, maxLength: 30 }),
  ContactPhoneNumber2: Type.Optional(Type.String({ maxLength: 30 })),
  Country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2.' }),
  City: Type.String({ minLength: 3, maxLength: 50, description: 'A `cityName` of the cities look-up.' }),
  AddressLine1: Type.String({ minLength: 10, maxLength: 100 }),
  AddressLine2: Type.Optional(Type.String({ maxLength: 100 })),
  District: Type.Optional(Type.String({ maxLength: 100 })),
  PostalCode: Type.Optional(Type.String({ maxLength: 100 })),
  Coordinates: Type.Optional(PartnerCoordinates),
}

export const ShipperAddress = Type.Object(shipmentAddressFields)
export type ShipperAddress = Static<typeof ShipperAddress>

export const ConsigneeAddress = Type.Object({
  ...shipmentAddressFields,
  ConsigneeID: Type.Optional(Type.String({ maxLength: 30 })),
  ShortCode: Type.Optional(
    Type.String({
      pattern: '^([A-Z]{4}\\d{4})?$',
      description: 'Short national address, 4 letters and 4 digits.',
    }),
  ),
})
export type ConsigneeAddress = Static<typeof ConsigneeAddress>

/** The same `OrderNumber` can create a second shipment (docs/wires/shipping.md S7). */
export const CreateB2cRequest = Type.Object({
  ConsigneeAddress,
  ShipperAddress,
  OrderNumber: Type.String({ minLength: 1, maxLength: 50 }),
  ContentDescription: Type.String({ minLength: 1, maxLength: 200 }),
  DeclaredValue: Type.Number({ minimum: 0.1 }),
  CODAmount: Type.Number({ minimum: 0 }),
  Parcels: Type.Integer({ minimum: 1 }),
  ShipDate: PartnerTime,
  ShipmentCurrency: Type.String({ pattern: '^[A-Z]{3}$' }),
  Weight: Type.Number({ exclusiveMinimum: 0 }),
  WeightUnit: Type.Union([Type.Literal('KG'), Type.Literal('LB')]),
  ServiceCode: Type.Optional(
    Type.String({
      description: 'Left out, the account default applies; a code the account lacks is refused.',
    }),
  ),
  SMSARetailID: Type.Optional(
    Type.String({ description: 'Code of the office where the receiver collects; "0" is none.' }),
  ),
  WaybillType: Type.Optional(Type.Union([Type.Literal('PDF'), Type.Literal('ZPL')])),
  VatPaid: Type.Optional(Type.Boolean()),
  DutyPaid: Type.Optional(Type.Boolean()),
})
export type CreateB2cRequest = Static<typeof CreateB2cRequest>

export const Waybill = Type.Object({
  awb: Awb,
  awbFile: Type.Optional(
    Type.String({ description: 'Base64 of a PDF or of ZPL text; may be missing for a piece.' }),
  ),
})

export const AnyWaybill = Type.Object({ awb: AnyAwb, awbFile: nullable(Type.String()) })

export const AnyShipment = Type.Object({ waybills: Type.Array(Type.Unknown()) })

/** Creating or querying a shipment returns this (docs/wires/shipping.md S16 and S17). */
export const B2cShipment = Type.Object({
  sawb: Type.String(),
  createDate: Type.Optional(Type.String()),
  shipmentParcelsCount: Type.Optional(Type.Integer()),
  waybills: Type.Array(Waybill),
})
export type B2cShipment = Static<typeof B2cShipment>

/**
 * A validation problem of ASP.NET. The keys of `errors` are names of fields, a nested one as
 * `ConsigneeAddress.ContactName`. It can also arrive with status 200 (docs/wires/shipping.md S19).
 */
export const ValidationProblem = Type.Object({
  errors: Type.Record(Type.String(), Type.Array(Type.String())),
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  traceId: Type.Optional(Type.String()),
})
export type ValidationProblem = Static<typeof ValidationProblem>

/**
 * A problem of ASP.NET without fields, for 401, 404 and 500. Its body is not published (docs/wires/shipping.md S20).
 */
export const PartnerProblem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.String(),
  status: Type.Integer(),
  traceId: Type.Optional(Type.String()),
})
export type PartnerProblem = Static<typeof PartnerProblem>

export const Scan = Type.Object({
  City: Type.Optional(Type.String()),
  ScanType: Type.String({
    description: 'CC: waiting for the receiver to collect. DL: delivered. The list is open.',
  }),
  ScanDescription: Type.Optional(Type.String()),
  ScanDateTime: Type.String(),
  ScanTimeZone: Type.Optional(Type.String()),
  ReceivedBy: Type.Optional(Type.String()),
})
export type Scan = Static<typeof Scan>

export const TrackingRecord = Type.Object({
  AWB: Type.String({
    pattern: '^\\d{12}$',
    description:
      'In the documents’ samples this is the `sawb` of the create sample. Query it to learn the pieces’ own `awb`.',
  }),
  Reference: Type.String({ description: 'The `OrderNumber` of the create request.' }),
  Pieces: Type.Optional(Type.Integer()),
  CODAmount: Type.Optional(Type.Number()),
  ContentDesc: Type.Optional(Type.String()),
  RecipientName: Type.Optional(Type.String()),
  OriginCity: Type.Optional(Type.String()),
  OriginCountry: Type.Optional(Type.String()),
  DesinationCity: Type.Optional(Type.String()),
  DesinationCountry: Type.Optional(Type.String()),
  isDelivered: Type.Optional(Type.Boolean({ description: 'Present only when true.' })),
  Scans: Type.Optional(Type.Array(Scan, { description: 'Newest first; may be missing or empty.' })),
})
export type TrackingRecord = Static<typeof TrackingRecord>

export const AnyTrackingRecord = Type.Object({ AWB: AnyAwb, Reference: TextOrNumber })

export const TrackSingleAnswer = TrackingRecord
export type TrackSingleAnswer = Static<typeof TrackSingleAnswer>

/**
 * The courier returns one record or an array; for an unknown shipment it returns 404 or an empty array
 * (docs/wires/shipping.md S22).
 */
export const TrackReferenceAnswer = Type.Union([Type.Array(TrackingRecord), TrackingRecord])
export type TrackReferenceAnswer = Static<typeof TrackReferenceAnswer>

/** `GET /api/lookup/smsaoffices` lists offices of every country, without country, name or phone. */
export const Office = Type.Object({
  code: Type.String({ minLength: 1 }),
  address: Type.String({ description: 'English.' }),
  cityName: Type.String({
    description: 'English; a Saudi office is one whose city is in `/api/lookup/cities/SA`.',
  }),
  addressAR: Type.String(),
  /** An office whose coordinates are not `PartnerCoordinates` has no map pin, but remains in the list. */
  coordinates: Type.Optional(Type.String({ description: '`lat,lng`, or empty for some offices.' })),
  firstShift: Type.Optional(Type.String({ description: '`08:00 - 23:00` or empty.' })),
  secondShift: Type.Optional(Type.String({ description: 'The second half of a split day, or empty.' })),
  weekendShift: Type.Optional(Type.String({ description: '`16:00 - 20:00`, `OFF` or empty.' })),
})
export type Office = Static<typeof Office>

export const AnyRows = Type.Array(Type.Unknown())

/** Code and city of an office are certain; every other field can be missing, null or of another type. */
export const AnyOffice = Type.Object({
  code: TextOrNumber,
  cityName: Type.String({ minLength: 1 }),
  address: Type.Optional(Type.Unknown()),
  addressAR: Type.Optional(Type.Unknown()),
  coordinates: Type.Optional(Type.Unknown()),
  firstShift: Type.Optional(Type.Unknown()),
  secondShift: Type.Optional(Type.Unknown()),
  weekendShift: Type.Optional(Type.Unknown()),
})

export const OfficesAnswer = Type.Array(Office)
export type OfficesAnswer = Static<typeof OfficesAnswer>

/** `GET /api/lookup/cities/{ISO2}` gives English names only. */
export const PartnerCity = Type.Object({
  cityName: Type.String(),
  cityCode: Type.String(),
  countryCode: Type.String(),
  currencyCode: Type.Optional(Type.String()),
  currencyName: Type.Optional(Type.String()),
})
export type PartnerCity = Static<typeof PartnerCity>

export const AnyCity = Type.Object({ cityName: Type.String({ minLength: 1 }) })

export const CitiesAnswer = Type.Array(PartnerCity)
export type CitiesAnswer = Static<typeof CitiesAnswer>

/** `GET /directory/agents` is not of SMSA. The name and the address of an agent each contain both languages. */
export const DirectoryAgent = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String({
    minLength: 1,
    description: 'Both languages in one string: `وكيل منى 1 · Mina Agent 1`.',
  }),
  address: Type.String({
    minLength: 1,
    description: 'Both languages in one string, Arabic first, joined by ` · `.',
  }),
  city: Type.String({ minLength: 1, description: 'A `cityName` of the cities look-up.' }),
  phone: Type.String({ pattern: '^\\+[1-9]\\d{7,14}$' }),
  coordinates: PartnerCoordinates,
})
export type DirectoryAgent = Static<typeof DirectoryAgent>

export const AnyAgent = Type.Object({
  id: TextOrNumber,
  name: Type.String({ minLength: 1 }),
  address: Type.String({ minLength: 1 }),
  city: Type.String({ minLength: 1 }),
  phone: TextOrNumber,
  coordinates: Type.Optional(Type.Unknown()),
})

export const AgentsAnswer = Type.Array(DirectoryAgent)
export type AgentsAnswer = Static<typeof AgentsAnswer>
