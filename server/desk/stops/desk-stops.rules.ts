import type { AddedStop, OpenStop, StopRow } from '#server/features/stops/stops.queries.ts'
import { shownStop } from '#server/features/stops/stops.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { isInForce } from '#shared/stops/in-force.ts'
import { stopRefusals } from '#shared/stops/stops.errors.ts'
import type { NewStop, StaffStop } from '#shared/stops/stops.schemas.ts'

export interface KnownLists {
  readonly agents: readonly { readonly id: string }[] | undefined
  readonly centers: readonly { readonly code: string; readonly city: string }[] | undefined
}

export function staffStop(row: OpenStop): StaffStop {
  const stop = shownStop(row)
  const { set_by: by, set_at, reason, now } = row
  return { ...stop, isInForce: isInForce(stop, now), by, at: isoOf(set_at), reason }
}

const isListed = ({ agents, centers }: KnownLists, { what, code }: NewStop) => {
  if (what === 'agent') return agents?.some(({ id }) => id === code) ?? true
  if (what === 'branch') return centers?.some((center) => center.code === code) ?? true
  return what === 'all' || (centers?.some(({ city }) => city === code) ?? true)
}

export function refusalOf(
  stop: NewStop,
  lists: KnownLists,
  now: number,
):
  | { readonly field: 'code' | 'until'; readonly text: (typeof stopRefusals)['code' | 'unknown' | 'until'] }
  | undefined {
  const { what, code, from, until } = stop
  if ((what === 'all') !== (code === undefined)) return { field: 'code', text: stopRefusals.code }
  if (!isListed(lists, stop)) return { field: 'code', text: stopRefusals.unknown }
  const begins = Math.max(now, from === undefined ? now : Date.parse(from))
  if (until !== undefined && !(Date.parse(until) > begins))
    return { field: 'until', text: stopRefusals.until }
  return undefined
}

/** A requested stop without `from` equals a stored stop that has begun. */
export function isSame(row: StopRow, { what, code, from, until, text }: NewStop, now: number): boolean {
  return (
    row.what === what &&
    row.code === (code ?? null) &&
    row.text_ar === text.ar &&
    row.text_en === text.en &&
    row.until_at === (until === undefined ? null : Date.parse(until)) &&
    (from === undefined ? row.from_at <= now : row.from_at === Date.parse(from))
  )
}

export function newRow(
  { what, code, from, until, text }: NewStop,
  { now, by, reason }: { readonly now: number; readonly by: string; readonly reason: string },
): AddedStop {
  return {
    what,
    code: code ?? null,
    text_ar: text.ar,
    text_en: text.en,
    from_at: from === undefined ? now : Math.max(now, Date.parse(from)),
    until_at: until === undefined ? null : Date.parse(until),
    set_at: now,
    set_by: by,
    reason,
  }
}
