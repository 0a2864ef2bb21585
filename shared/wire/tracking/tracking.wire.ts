import Type, { type Static, type TSchema } from 'typebox'
import { AnyAwb, Awb, TrackingRecord } from '#shared/wire/shipping/shipping.wire.ts'

/**
 * The courier reports about a shipment (docs/wires/tracking.md): a single request returns one record; a bulk request
 * returns, and a push contains, an array. Field names keep SMSA's spelling. Every schema accepts fields that it does
 * not name.
 */

/** A fixed secret of the account, by which a push of the courier proves its sender (docs/wires/tracking.md T10). */
export const webhookKeyHeader = 'x-webhook-key'

export const trackingPaths = {
  single: '/api/track/single/:awb',
  bulk: '/api/track/bulk/',
  statuses: '/api/track/statuslookup',
} as const

/** No limit is documented for a bulk request; a public client sends twenty airway bills (docs/wires/tracking.md T4). */
export const mostPerBulk = 20

const nullable = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const TextOrNumber = Type.Union([Type.String({ minLength: 1 }), Type.Number()])

export const BulkRequest = Type.Array(Awb, { minItems: 1 })

/**
 * Tracking records, as a bulk request returns and a push contains them. Some requested airway bills can be missing.
 * `Scans` can be missing or contain several scans.
 */
export const TrackingRecords = Type.Array(TrackingRecord)

export const AnyRecords = Type.Array(Type.Unknown())

export const AnyRecord = Type.Object({
  AWB: AnyAwb,
  Reference: nullable(TextOrNumber),
  Scans: nullable(Type.Array(Type.Unknown())),
})

/** `ReceivedBy`, the person who took the bag, is never read, stored or logged. */
export const AnyScan = Type.Object({
  ScanType: TextOrNumber,
  ScanDateTime: Type.String({ minLength: 1, maxLength: 40 }),
  ScanTimeZone: nullable(Type.String()),
  ScanDescription: nullable(TextOrNumber),
  City: nullable(Type.String()),
})

/** Only `GET /api/track/statuslookup` has Arabic texts of the codes. */
export const StatusText = Type.Object({
  Code: Type.String({ minLength: 1 }),
  ScanDescEN: Type.String(),
  ScanDescAR: Type.String(),
})
export type StatusText = Static<typeof StatusText>

export const StatusTexts = Type.Array(StatusText)

export const AnyStatusText = Type.Object({
  Code: TextOrNumber,
  ScanDescEN: nullable(Type.String()),
  ScanDescAR: nullable(Type.String()),
})
