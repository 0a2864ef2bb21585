import { cityCode } from '#shared/platform/city-codes.ts'
import { isoOf, riyadhOffset, riyadhTimeOf } from '#shared/platform/instant.ts'
import type { DaySpan, Promises } from './promises.schemas.ts'

const dayMs = 24 * 60 * 60 * 1000

export type Day = string

export const dayOf = (epochMs: number): Day => riyadhTimeOf(epochMs).slice(0, 10)

const dayAfter = (day: Day, days: number): Day =>
  isoOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs).slice(0, 10)

const morningOf = (day: Day) => Date.parse(`${day}T09:00:00${riyadhOffset}`)

export function transitDaysOf(
  { transitDays }: Pick<Promises, 'transitDays'>,
  city: string | undefined,
): DaySpan | undefined {
  return transitDays[cityCode(city) ?? 'default'] ?? transitDays.default
}

export function transitDaysOverall({ transitDays }: Pick<Promises, 'transitDays'>): DaySpan | undefined {
  const spans = Object.values(transitDays)
  if (spans.length === 0) return undefined
  return [Math.min(...spans.map(([least]) => least)), Math.max(...spans.map(([, most]) => most))]
}

export function arrivalDays([least, most]: DaySpan, handedOverAt: number): readonly [Day, Day] {
  const day = dayOf(handedOverAt)
  return [dayAfter(day, least), dayAfter(day, most)]
}

export function keptUntil(storageDays: number, arrivedAt: number): Day {
  return dayAfter(dayOf(arrivedAt), storageDays)
}

const lastDayInTime = (
  { lateAfterDays }: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
): Day | undefined => (lateAfterDays === undefined ? undefined : dayAfter(dayOf(handedOverAt), lateAfterDays))

/** Use `isLate` only for a bag that has not arrived. */
export function isLate(
  promises: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
  now: number,
): boolean {
  const last = lastDayInTime(promises, handedOverAt)
  return last !== undefined && dayOf(now) > last
}

/** Returns 09:00 in Riyadh on the first day on which the bag is late. */
export function lateFrom(
  promises: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
): number | undefined {
  const last = lastDayInTime(promises, handedOverAt)
  return last === undefined ? undefined : morningOf(dayAfter(last, 1))
}

/** Moves a time that is not between 09:00 and 21:00 in Riyadh to the next 09:00. */
export function inDaytime(epochMs: number): number {
  const hour = Number(riyadhTimeOf(epochMs).slice(11, 13))
  if (hour >= 9 && hour < 21) return epochMs
  return morningOf(dayAfter(dayOf(epochMs), hour < 9 ? 0 : 1))
}

export const unlessPast = (day: Day | undefined, now: number): Day | undefined =>
  day !== undefined && dayOf(now) <= day ? day : undefined

export function presentPromises(promises: Promises, now: number): Promises {
  const { handInUntil, ...others } = promises
  return unlessPast(handInUntil, now) === undefined ? others : promises
}

export interface PromisedWay {
  readonly city: string | undefined
  readonly endsAtBranch: boolean
  readonly handedOverAt?: number | undefined
  readonly arrivedAt?: number | undefined
}

export interface PromisedDays {
  readonly transit: DaySpan | undefined
  readonly handInUntil: Day | undefined
  readonly storageDays: number | undefined
  readonly arrival: readonly [Day, Day] | undefined
  readonly keptUntil: Day | undefined
  /** The last usual day of arrival; when that is unknown, the last day on which the bag is not late. */
  readonly dueOn: Day | undefined
}

export function promisedDays(
  promises: Promises,
  { city, endsAtBranch, handedOverAt, arrivedAt }: PromisedWay,
): PromisedDays {
  const transit = transitDaysOf(promises, city)
  const storageDays = endsAtBranch ? promises.storageDays : undefined
  const arrival =
    transit === undefined || handedOverAt === undefined ? undefined : arrivalDays(transit, handedOverAt)
  return {
    transit,
    handInUntil: promises.handInUntil,
    storageDays,
    arrival,
    keptUntil:
      storageDays === undefined || arrivedAt === undefined ? undefined : keptUntil(storageDays, arrivedAt),
    dueOn: arrival?.[1] ?? (handedOverAt === undefined ? undefined : lastDayInTime(promises, handedOverAt)),
  }
}

export function presentPromisedDays(days: PromisedDays, now: number): PromisedDays {
  const { arrival } = days
  return {
    ...days,
    handInUntil: unlessPast(days.handInUntil, now),
    arrival: unlessPast(arrival?.[1], now) === undefined ? undefined : arrival,
    keptUntil: unlessPast(days.keptUntil, now),
  }
}
