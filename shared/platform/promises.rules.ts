import { cityCode } from '#shared/platform/city-codes.ts'
import { isoOf, riyadhOffset, riyadhTimeOf } from '#shared/platform/instant.ts'
import type { DaySpan, Promises } from './promises.schemas.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A day of Riyadh, such as `2027-05-29`. */
export type Day = string

/** The day in Riyadh of a moment in epoch milliseconds. */
export const dayOf = (epochMs: number): Day => riyadhTimeOf(epochMs).slice(0, 10)

const dayAfter = (day: Day, days: number): Day =>
  isoOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs).slice(0, 10)

const morningOf = (day: Day): number => Date.parse(`${day}T09:00:00${riyadhOffset}`)

/** Days until a bag has arrived that goes to this city, or comes from it; undefined where nothing is promised. */
export function transitDaysOf(
  { transitDays }: Pick<Promises, 'transitDays'>,
  city: string | undefined,
): DaySpan | undefined {
  return transitDays[cityCode(city) ?? 'default'] ?? transitDays.default
}

/** From the least days of any city to the most; undefined where nothing is promised. */
export function transitDaysOverall({ transitDays }: Pick<Promises, 'transitDays'>): DaySpan | undefined {
  const spans = Object.values(transitDays)
  if (spans.length === 0) return undefined
  return [Math.min(...spans.map(([least]) => least)), Math.max(...spans.map(([, most]) => most))]
}

/** The days on which a bag usually arrives that was handed over at `handedOverAt` (epoch milliseconds), first and last. */
export function arrivalDays([least, most]: DaySpan, handedOverAt: number): readonly [Day, Day] {
  const day = dayOf(handedOverAt)
  return [dayAfter(day, least), dayAfter(day, most)]
}

/** The last day on which a branch keeps a bag that arrived at `arrivedAt` (epoch milliseconds). */
export function keptUntil(storageDays: number, arrivedAt: number): Day {
  return dayAfter(dayOf(arrivedAt), storageDays)
}

/** The last day on which a bag that was handed over at `handedOverAt` is in time; undefined where nothing is promised. */
const lastDayInTime = (
  { lateAfterDays }: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
): Day | undefined => (lateAfterDays === undefined ? undefined : dayAfter(dayOf(handedOverAt), lateAfterDays))

/** Whether a bag that was handed over at `handedOverAt` and has not arrived is late at `now`; both in epoch milliseconds. */
export function isLate(
  promises: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
  now: number,
): boolean {
  const last = lastDayInTime(promises, handedOverAt)
  return last !== undefined && dayOf(now) > last
}

/** 09:00 in Riyadh of the first day on which `isLate` is true, in epoch milliseconds; undefined where it never is. */
export function lateFrom(
  promises: Pick<Promises, 'lateAfterDays'>,
  handedOverAt: number,
): number | undefined {
  const last = lastDayInTime(promises, handedOverAt)
  return last === undefined ? undefined : morningOf(dayAfter(last, 1))
}

/** The moment, if it lies between 09:00 and 21:00 in Riyadh, else the next 09:00; epoch milliseconds. */
export function inDaytime(epochMs: number): number {
  const hour = Number(riyadhTimeOf(epochMs).slice(11, 13))
  if (hour >= 9 && hour < 21) return epochMs
  return morningOf(dayAfter(dayOf(epochMs), hour < 9 ? 0 : 1))
}

/** The day, unless it is past at `now`, in epoch milliseconds: a day that is past is no promise. */
export const unlessPast = (day: Day | undefined, now: number): Day | undefined =>
  day !== undefined && dayOf(now) <= day ? day : undefined

/** What still holds at `now`, in epoch milliseconds. */
export function presentPromises(promises: Promises, now: number): Promises {
  const { handInUntil, ...others } = promises
  return unlessPast(handInUntil, now) === undefined ? others : promises
}

/** Where a bag is on its way, as far as days are promised of it. Times are epoch milliseconds. */
export interface PromisedWay {
  /** At the far end of the leg: the city of the branch. */
  readonly city: string | undefined
  /** The bag is handed out at a branch. */
  readonly endsAtBranch: boolean
  readonly handedOverAt?: number | undefined
  readonly arrivedAt?: number | undefined
}

/** The days that an order's promises name of a bag; what is not promised is undefined. */
export interface PromisedDays {
  /** Until it has arrived, counted from the hand-over. */
  readonly transit: DaySpan | undefined
  /** The last day for handing it over. */
  readonly handInUntil: Day | undefined
  /** Days that the branch keeps it after it has arrived. */
  readonly storageDays: number | undefined
  /** The first and the last day on which it usually arrives. */
  readonly arrival: readonly [Day, Day] | undefined
  /** The last day on which the branch keeps it. */
  readonly keptUntil: Day | undefined
  /** The last of the days on which it usually arrives, else the last day on which it is in time. */
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

/** Without the days that are past at `now`, in epoch milliseconds, but for the one on which the bag was due. */
export function presentPromisedDays(days: PromisedDays, now: number): PromisedDays {
  const { arrival } = days
  return {
    ...days,
    handInUntil: unlessPast(days.handInUntil, now),
    arrival: unlessPast(arrival?.[1], now) === undefined ? undefined : arrival,
    keptUntil: unlessPast(days.keptUntil, now),
  }
}
