import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import type { BranchHours, Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { Coordinates } from '#shared/platform/platform.schemas.ts'
import { AnyAgent, AnyCity, AnyOffice } from '#shared/wire/shipping/shipping.wire.ts'
import type { ReadList } from './partner.provider.ts'

export function readCoordinates(text: unknown): Coordinates {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(textOf(text))
  if (!match) return null
  const latitude = Number(match[1])
  const longitude = Number(match[2])
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || (latitude === 0 && longitude === 0)) return null
  return { latitude, longitude }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

type Shift = Omit<BranchHours['week'][number], 'days'>

function readShift(text: string): readonly Shift[] | undefined {
  if (/^off$/i.test(text)) return []
  const match = /^([01]?\d|2[0-3])(:[0-5]\d)\s*[-–]\s*([01]?\d|2[0-3])(:[0-5]\d)$/.exec(text)
  const [, fromHour = '', fromMinute = '', toHour = '', toMinute = ''] = match ?? []
  const shift = { from: fromHour.padStart(2, '0') + fromMinute, to: toHour.padStart(2, '0') + toMinute }
  // Equal times can mean the whole day or no opening hours.
  return match && shift.from !== shift.to ? [shift] : undefined
}

const workDays = [0, 1, 2, 3, 4]
const weekend = [5, 6]

/**
 * One unreadable shift makes all hours unknown, because an open branch must not seem closed (docs/wires/shipping.md
 * S31).
 */
function readHours(row: Static<typeof AnyOffice>): BranchHours | undefined {
  const first = readShift(textOf(row.firstShift))
  const second = String(row.secondShift ?? '').trim() === '' ? [] : readShift(textOf(row.secondShift))
  const off = readShift(textOf(row.weekendShift))
  if (!first || !second || !off) return undefined
  const week = [
    ...[...first, ...second].map((shift) => ({ days: workDays, ...shift })),
    ...off.map((shift) => ({ days: weekend, ...shift })),
  ]
  return week.length === 0 ? undefined : { week }
}

/** @param read returns a row, the reason to drop it, or undefined to skip it */
function readRows<T>(rows: readonly unknown[], read: (row: unknown) => T | string | undefined): ReadList<T> {
  const kept: T[] = []
  const dropped: Record<string, number> = {}
  for (const row of rows) {
    const result = read(row)
    if (typeof result === 'string') dropped[result] = (dropped[result] ?? 0) + 1
    else if (result !== undefined) kept.push(result)
  }
  return { rows: kept, dropped }
}

/** The partner's list names no country: an office is used when its city is in Saudi Arabia. */
export function centersOf(offices: readonly unknown[], saudiCities: readonly unknown[]): ReadList<Center> {
  const cities = readRows(saudiCities, (row) =>
    Value.Check(AnyCity, row) ? { name: row.cityName } : 'city-unreadable',
  )
  const names = new Set(cities.rows.map(({ name }) => name))
  const codes = new Set<string>()
  const { rows, dropped } = readRows<Center>(offices, (row) => {
    if (!Value.Check(AnyOffice, row)) return 'office-unreadable'
    if (!names.has(row.cityName)) return undefined
    const code = String(row.code)
    const [addressEN, addressAR] = [textOf(row.address), textOf(row.addressAR)]
    if (!addressEN && !addressAR) return 'office-without-address'
    if (codes.has(code)) return 'office-repeated'
    codes.add(code)
    const hours = readHours(row)
    return {
      code,
      addressAR: addressAR || addressEN,
      addressEN: addressEN || addressAR,
      city: row.cityName,
      coordinates: readCoordinates(row.coordinates),
      ...(hours ? { hours } : {}),
    }
  })
  return { rows, dropped: { ...cities.dropped, ...dropped } }
}

export function agentsOf(directory: readonly unknown[]): ReadList<PartnerAgent> {
  const ids = new Set<string>()
  return readRows<PartnerAgent>(directory, (row) => {
    if (!Value.Check(AnyAgent, row)) return 'agent-unreadable'
    const [id, phone] = [String(row.id), String(row.phone)]
    if (!/\d{7}/.test(phone.replace(/[\s()-]/g, ''))) return 'agent-without-phone'
    if (ids.has(id)) return 'agent-repeated'
    ids.add(id)
    const { name, address, city } = row
    return { id, name, address, city, phone, coordinates: readCoordinates(row.coordinates) }
  })
}
