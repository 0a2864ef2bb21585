import { Value } from 'typebox/value'
import { cityName } from '#shared/platform/city-names.ts'
import { isDate, riyadhOffset } from '#shared/platform/instant.ts'
import { AnyRecord, AnyRecords, AnyScan, AnyStatusText } from '#shared/wire/tracking/tracking.wire.ts'
import type { CodeText, Scan, TrackedShipment, TrackingReport } from './tracking.provider.ts'

const longest = { code: 60, text: 200, city: 80, zone: 10, reference: 64 } as const
const mostScans = 1_000
/**
 * Only this many scans with one code are read, so that a repeated scan cannot hide a step. One is not enough, because
 * the code can also come from another parcel.
 */
const mostOfCode = 50

/** A missing or unreadable zone means Saudi time (docs/wires/tracking.md T6). */
function zoneOf(text: string | null | undefined) {
  const zone = text?.trim().toUpperCase() ?? ''
  if (/^(Z|UTC|GMT)$/.test(zone)) return '+00:00'
  const [, sign, hours = '', minutes = '00'] = /^([+-])?(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  if (hours === '' || Number(hours) > 14 || Number(minutes) > 59) return riyadhOffset
  return `${sign ?? '+'}${hours.padStart(2, '0')}:${minutes}`
}

const writtenTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/

/** The text can have its own zone, which wins. @returns undefined for a date or time that does not exist */
function timeOf(text: string, zone: string) {
  const [, date = '', time = '', own] = writtenTime.exec(text) ?? []
  if (!isDate(date)) return undefined
  const at = Date.parse(`${date}T${time}${own === undefined ? zone : zoneOf(own).replace('+00:00', 'Z')}`)
  return Number.isNaN(at) ? undefined : at
}

const textOf = (value: unknown, most: number) => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return (
    String(value)
      .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, most) || undefined
  )
}

/** Texts with the name of the receiver, or of the person who took the bag, must not be stored. */
function namesIn(record: object): readonly string[] {
  return ['RecipientName', 'ReceivedBy'].flatMap((field) => {
    const value = textOf((record as Record<string, unknown>)[field], 200)?.toLowerCase()
    return value === undefined || value.length < 2 ? [] : [value]
  })
}

function scanOf(row: unknown, names: readonly string[]): Scan | undefined {
  if (!Value.Check(AnyScan, row)) return undefined
  const code = textOf(row.ScanType, longest.code)
  const zone = zoneOf(row.ScanTimeZone)
  const time = row.ScanDateTime.trim()
  if (code === undefined || !writtenTime.test(time)) return undefined
  const text = textOf(row.ScanDescription, longest.text)
  const city = textOf(row.City, longest.city)
  const isPersonal = (given: string | undefined) =>
    [...names, ...namesIn(row)].some((name) => given?.toLowerCase().includes(name))
  return {
    code,
    at: timeOf(time, zone),
    time,
    zone,
    // A known city is stored even when it is also a name of this person.
    city: isPersonal(city) && !isKnownCity(city) ? undefined : city,
    text: isPersonal(text) ? undefined : text,
  }
}

const isKnownCity = (city: string | undefined) => city !== undefined && cityName(city, 'ar') !== city

function readableOf(rows: readonly unknown[]) {
  const codeOf = (row: unknown) =>
    Value.Check(AnyScan, row) ? textOf(row.ScanType, longest.code) : undefined
  const counts = new Map<string | undefined, number>()
  const few = rows.filter((row) => {
    const code = codeOf(row)
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    return count <= mostOfCode
  })
  return few.slice(0, mostScans)
}

export function reportOf(body: unknown): TrackingReport | undefined {
  const isList = Value.Check(AnyRecords, body)
  if (!isList && !Value.Check(AnyRecord, body)) return undefined
  let unreadable = 0
  const shipments: TrackedShipment[] = []
  for (const record of isList ? body : [body]) {
    if (!Value.Check(AnyRecord, record)) {
      unreadable += 1
      continue
    }
    const rows = readableOf(record.Scans ?? [])
    const names = namesIn(record)
    const scans = rows.map((row) => scanOf(row, names)).filter((scan) => scan !== undefined)
    unreadable += rows.length - scans.length
    shipments.push({
      awb: String(record.AWB),
      reference: textOf(record.Reference, longest.reference),
      scans,
    })
  }
  return { shipments, unreadable }
}

/** The courier has about 110 texts of scan codes. */
const mostTexts = 1_000

export function textsOf(body: unknown): CodeText[] | undefined {
  if (!Value.Check(AnyRecords, body)) return undefined
  return body
    .slice(0, mostTexts)
    .filter((row) => Value.Check(AnyStatusText, row))
    .flatMap((row) => {
      const code = textOf(row.Code, longest.code)
      const texts = { ar: textOf(row.ScanDescAR, longest.text), en: textOf(row.ScanDescEN, longest.text) }
      return code === undefined ? [] : [{ code: code.toUpperCase(), ...texts }]
    })
}
