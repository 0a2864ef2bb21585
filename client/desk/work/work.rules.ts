import type { WorkList, WorkRow } from '#shared/desk/work/work.schemas.ts'
import { type WorkKind, workKinds } from '#shared/platform/desk-words.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export type WorkPageKind = Exclude<WorkKind, 'approvals'>

/** True for the lists that the page of work lists can show. */
export const isWorkKind = (text: string | undefined): text is WorkPageKind =>
  text !== 'approvals' && workKinds.some((kind) => kind === text)

type Counts = Pick<WorkList, 'count' | 'late'>

/** Sorts lists: first the most rows past their limit, then the most rows. */
const byUrgency = (one: Counts, other: Counts): number => other.late - one.late || other.count - one.count

/** The desk opens with the most urgent list for a lead, approvals for finance, and bags for support. */
export function firstPlace(
  lists: readonly Pick<WorkList, 'kind' | 'count' | 'late'>[],
  roles: readonly StaffRole[],
): WorkKind {
  if (roles.includes('lead')) {
    const [reddest] = lists.toSorted(byUrgency)
    return reddest === undefined || reddest.count === 0 ? 'bags' : reddest.kind
  }
  return roles.includes('money') ? 'approvals' : 'bags'
}

/** The most urgent other list. */
export const nextList = (lists: readonly WorkList[], here: WorkKind): WorkList | undefined =>
  lists.filter(({ kind, count }) => kind !== here && count > 0).toSorted(byUrgency)[0]

/** The colour of a row's age: amber from half of its limit, red past it. */
export function toneOfAge(
  { since, dueAt }: Pick<WorkRow, 'since' | 'dueAt'>,
  now: number,
): 'bad' | 'waiting' | 'plain' {
  const [from, until] = [Date.parse(since), Date.parse(dueAt)]
  if (now >= until) return 'bad'
  return now >= (from + until) / 2 ? 'waiting' : 'plain'
}

export interface Over {
  /** ISO 8601 since when the colleague whom the page names has the row. */
  over?: string
}

/** The colleague who loses the rows to an act. When several colleagues have rows, it is the one who took a row last. */
export const colleagueOf = (rows: readonly Pick<WorkRow, 'taken'>[]): WorkRow['taken'] =>
  rows
    .flatMap(({ taken }) => (taken === null || taken.isYou || taken.isStale ? [] : [taken]))
    .toSorted((one, other) => Date.parse(other.since) - Date.parse(one.since))[0] ?? null

export const overOf = (colleague: WorkRow['taken']): Over =>
  colleague === null ? {} : { over: colleague.since }

/** The effect of a press: take the row, ask before taking it from a colleague, or nothing when the operator has it. */
export function pressOf({ taken }: Pick<WorkRow, 'taken'>): 'take' | 'ask' | 'none' {
  if (taken === null || (taken.isStale && !taken.isYou)) return 'take'
  return taken.isYou ? 'none' : 'ask'
}

const keyOf = ({ kind, id }: Pick<WorkRow, 'kind' | 'id'>) => `${kind} ${id}`

/** Returns the rows with a new holder in one of them. */
export const withHolder = (
  rows: readonly WorkRow[],
  { taken, ...key }: Pick<WorkRow, 'kind' | 'id' | 'taken'>,
): WorkRow[] => rows.map((row) => (keyOf(row) === keyOf(key) ? { ...row, taken } : row))
