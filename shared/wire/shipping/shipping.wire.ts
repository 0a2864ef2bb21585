import Type, { type Static } from 'typebox'

/**
 * What the shipping partner speaks: the SMSA Express e-commerce REST API, as two independent public transcriptions of
 * its documentation show it (`samples/README.md` says which parts no document shows). Field names keep SMSA's spelling and case: PascalCase in
 * requests and in tracking, camelCase in shipment answers, `Desination…` without its t.
 * Every schema tolerates fields it does not name: a partner adds fields without notice.
 */

/** One key per environment travels in this header; there is no other authentication. */
export const apiKeyHeader = 'apikey'

/** Paths below the base URL. `:name` is filled with `encodeURIComponent`. */
export const shippingPaths = {
  createB2c: '/api/shipment/b2c/new',
  queryB2c: '/api/shipment/b2c/query/:awb',
  trackReference: '/api/track/reference/:reference',
  trackSingle: '/api/track/single/:awb',
  offices: '/api/lookup/smsaoffices',
  cities: '/api/lookup/cities/:country',
  /** Not SMSA's: SMSA has no list of collecting agents, so this directory is agreed with the partner. */
  agents: '/directory/agents',
} as const

/** Lengths and bounds the partner refuses beyond. `orderNumberMax` and `declaredValueMin` are documented for C2B only. */
export const shippingLimits = {
  contactName: { min: 5, max: 150 },
  city: { min: 3, max: 50 },
  addressLine1: { min: 10, max: 100 },
  addressLine2: { min: 0, max: 100 },
  orderNumberMax: 50,
  declaredValueMin: 0.1,
} as const

/** SMSA writes times without a zone and means Saudi time (UTC+3, no daylight saving). */
export const shippingUtcOffsetMs = 3 * 60 * 60 * 1000

/** Twelve digits. The number of the piece (`awb`) is not the number of the shipment (`sawb`). */
export const Awb = Type.String({ pattern: '^\\d{12}$' })

/** `2027-05-18T15:30:00`: no zone, Saudi time. */
export const PartnerTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?$',
})

/** `lat,lng` in decimal degrees, or an empty string where the partner has none. */
export const PartnerCoordinates = Type.String({ pattern: '^(-?\\d{1,2}(\\.\\d+)?, ?-?\\d{1,3}(\\.\\d+)?)?$' })

const shipmentAddressFields = {
  ContactName: Type.String({ minLength: 5, maxLength: 150 }),
  ContactPhoneNumber: Type.String({ minLength: 1 }),
  ContactPhoneNumber2: Type.Optional(Type.String()),
  Country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2.' }),
  City: Type.String({ minLength: 3, maxLength: 50, description: 'A `cityName` of the cities look-up.' }),
  AddressLine1: Type.String({ minLength: 10, maxLength: 100 }),
  AddressLine2: Type.Optional(Type.String({ maxLength: 100 })),
  District: Type.Optional(Type.String()),
  PostalCode: Type.Optional(Type.String()),
  Coordinates: Type.Optional(PartnerCoordinates),
}

export const ShipperAddress = Type.Object(shipmentAddressFields)
export type ShipperAddress = Static<typeof ShipperAddress>

export const ConsigneeAddress = Type.Object({
  ...shipmentAddressFields,
  ConsigneeID: Type.Optional(Type.String()),
  ShortCode: Type.Optional(Type.String({ description: 'Short national address, 4 letters and 4 digits.' })),
})
export type ConsigneeAddress = Static<typeof ConsigneeAddress>

/** `POST /api/shipment/b2c/new`. Repeating it with the same `OrderNumber` makes a second shipment: there is no idempotency key. */
export const CreateB2cRequest = Type.Object({
  ConsigneeAddress,
  ShipperAddress,
  OrderNumber: Type.String({ minLength: 1, maxLength: 50 }),
  ContentDescription: Type.String({ minLength: 1 }),
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
export type Waybill = Static<typeof Waybill>

/** The answer of create and of query. The documents always show `createDate`; clients have met answers without it. */
export const B2cShipment = Type.Object({
  sawb: Type.String(),
  createDate: Type.Optional(Type.String()),
  shipmentParcelsCount: Type.Optional(Type.Integer()),
  waybills: Type.Array(Waybill),
})
export type B2cShipment = Static<typeof B2cShipment>

/**
 * ASP.NET's validation problem. Keys of `errors` are field names, `ConsigneeAddress.ContactName` for a nested one.
 * SMSA's own shop plug-in looks for `errors` whatever the status, so it may also arrive with a 200.
 */
export const ValidationProblem = Type.Object({
  errors: Type.Record(Type.String(), Type.Array(Type.String())),
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  traceId: Type.Optional(Type.String()),
})
export type ValidationProblem = Static<typeof ValidationProblem>

/** ASP.NET's problem without fields, as sent with 401, 404 and 500. No document shows these bodies: read the status, not them. */
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

/** `GET /api/track/single/{AWB}`. */
export const TrackSingleAnswer = TrackingRecord
export type TrackSingleAnswer = Static<typeof TrackSingleAnswer>

/**
 * `GET /api/track/reference/{OrderNumber}`. The documents show one bare record; what several shipments of one
 * reference look like is not documented, so a reader must accept an array too. Unknown reference: not documented,
 * read 404 and an empty array both as "none known (yet)".
 */
export const TrackReferenceAnswer = Type.Union([Type.Array(TrackingRecord), TrackingRecord])
export type TrackReferenceAnswer = Static<typeof TrackReferenceAnswer>

/** `GET /api/lookup/smsaoffices` lists offices of every country and says neither country, name nor phone. */
export const Office = Type.Object({
  code: Type.String({ minLength: 1 }),
  address: Type.String({ description: 'English.' }),
  cityName: Type.String({
    description: 'English; a Saudi office is one whose city is in `/api/lookup/cities/SA`.',
  }),
  addressAR: Type.String(),
  /** Any text: what comes malformed must cost its pin, not the list. `PartnerCoordinates` tells what can be trusted. */
  coordinates: Type.Optional(Type.String({ description: '`lat,lng`, or empty for some offices.' })),
  firstShift: Type.Optional(Type.String({ description: '`08:00 - 23:00` or empty.' })),
  secondShift: Type.Optional(Type.String({ description: 'The second half of a split day, or empty.' })),
  weekendShift: Type.Optional(Type.String({ description: '`16:00 - 20:00`, `OFF` or empty.' })),
})
export type Office = Static<typeof Office>

export const OfficesAnswer = Type.Array(Office)
export type OfficesAnswer = Static<typeof OfficesAnswer>

/** `GET /api/lookup/cities/{ISO2}`; English names only. */
export const PartnerCity = Type.Object({
  cityName: Type.String(),
  cityCode: Type.String(),
  countryCode: Type.String(),
  currencyCode: Type.Optional(Type.String()),
  currencyName: Type.Optional(Type.String()),
})
export type PartnerCity = Static<typeof PartnerCity>

export const CitiesAnswer = Type.Array(PartnerCity)
export type CitiesAnswer = Static<typeof CitiesAnswer>

/** `GET /directory/agents`, ours: an agent has one name and one address, each holding both languages. */
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

export const AgentsAnswer = Type.Array(DirectoryAgent)
export type AgentsAnswer = Static<typeof AgentsAnswer>
