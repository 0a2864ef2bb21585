import { riyadhOffsetMs } from '#shared/platform/instant.ts'
import type { BranchHours } from './partner.schemas.ts'

export type Opening =
  | { readonly state: 'open'; readonly until?: number }
  | { readonly state: 'closed'; readonly opensAt: number; readonly isToday: boolean }
  | { readonly state: 'unsure' }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export function openingOf(hours: BranchHours | undefined, now: number): Opening | undefined {
  if (hours === undefined) return undefined
  if (isSeason(now)) return { state: 'unsure' }
  const spans = spansAround(hours, now)
  let until = now
  for (const { from, to } of spans) if (from <= until && to > until) until = to
  if (until > now) return { state: 'open', ...(until - now < dayMs ? { until } : {}) }
  const next = spans.find(({ from }) => from > now)
  if (!next) return undefined
  if (isSeason(next.from)) return { state: 'unsure' }
  return { state: 'closed', opensAt: next.from, isToday: midnightOf(next.from) === midnightOf(now) }
}

/** The shifts of yesterday can end after midnight. */
function spansAround({ week }: BranchHours, now: number) {
  const midnights = Array.from({ length: 9 }, (_, day) => midnightOf(now) + (day - 1) * dayMs)
  return midnights
    .flatMap((midnight) => {
      const weekday = new Date(midnight + riyadhOffsetMs).getUTCDay()
      return week
        .filter(({ days }) => days.includes(weekday))
        .map(({ from, to }) => ({
          from: midnight + msOf(from),
          to: midnight + msOf(to) + (to < from ? dayMs : 0),
        }))
    })
    .sort((a, b) => a.from - b.from)
}

function midnightOf(epochMs: number) {
  return Math.floor((epochMs + riyadhOffsetMs) / dayMs) * dayMs - riyadhOffsetMs
}

function msOf(time: string) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * minuteMs
}

export interface WeekPart {
  /** Each pair is a run of consecutive weekdays; 0 is Sunday. Null means every day. */
  readonly days: readonly (readonly [first: number, last: number])[] | null
  readonly shifts: readonly { readonly from: string; readonly to: string }[]
}

export function weekOf({ week }: BranchHours): readonly WeekPart[] {
  const shiftsOn = (weekday: number) =>
    week
      .filter(({ days }) => days.includes(weekday))
      .map(({ from, to }) => ({ from, to }))
      .sort((a, b) => a.from.localeCompare(b.from))
  const hours = Array.from({ length: 7 }, (_, weekday) => JSON.stringify(shiftsOn(weekday)))
  const hoursOn = (day: number) => hours[(day + 7) % 7]
  const first = [0, -1, -2, -3, -4, -5, -6].find((day) => hoursOn(day) !== hoursOn(day - 1))
  if (first === undefined)
    return [{ days: null, shifts: shiftsOn(0) }].filter(({ shifts }) => shifts.length > 0)
  const runs = new Map<string | undefined, [number, number][]>()
  for (let day = first; day < first + 7; day += 1) {
    const known = runs.get(hoursOn(day)) ?? []
    const last = known.at(-1)
    const weekday = (day + 7) % 7
    if (last !== undefined && hoursOn(day) === hoursOn(day - 1) && day > first) last[1] = weekday
    else known.push([weekday, weekday])
    runs.set(hoursOn(day), known)
  }
  return [...runs.values()]
    .map((days) => ({ days, shifts: shiftsOn(days[0]?.[0] ?? 0) }))
    .filter(({ shifts }) => shifts.length > 0)
}

const ummAlQura = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', {
  month: 'numeric',
  day: 'numeric',
  timeZone: 'Asia/Riyadh',
})

/**
 * Opening hours are unsure in Ramadan and the month of the Hajj, with the Eids. The numbers are month and day of the
 * Umm al-Qura calendar.
 */
const seasons = [
  [901, 1004],
  [1201, 1213],
] as const

export function isSeason(epochMs: number) {
  const parts = ummAlQura.formatToParts(epochMs)
  const numberOf = (type: 'month' | 'day') => Number(parts.find((part) => part.type === type)?.value)
  const date = numberOf('month') * 100 + numberOf('day')
  return seasons.some(([first, last]) => date >= first && date <= last)
}
