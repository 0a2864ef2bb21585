import type { WorkList, WorkRow } from '#shared/desk/work/work.schemas.ts'
import { type WorkKind, workKinds } from '#shared/platform/desk-words.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export type WorkPageKind = Exclude<WorkKind, 'approvals'>

/** Those that have this page. */
export const isWorkKind = (text: string | undefined): text is WorkPageKind =>
  text !== 'approvals' && workKinds.some((kind) => kind === text)

type Counts = Pick<WorkList, 'count' | 'late'>

/** The one with the most past their limit, then the longest. */
const byUrgency = (one: Counts, other: Counts): number => other.late - one.late || other.count - one.count

/** The desk opens with the reddest list for a lead, approvals for finance, bags for support. */
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

/** By its age: amber from half of its limit, red past it. */
export function toneOfAge(
  { since, dueAt }: Pick<WorkRow, 'since' | 'dueAt'>,
  now: number,
): 'bad' | 'waiting' | 'plain' {
  const [from, until] = [Date.parse(since), Date.parse(dueAt)]
  if (now >= until) return 'bad'
  return now >= (from + until) / 2 ? 'waiting' : 'plain'
}

export interface Over {
  /** Since when the colleague has it whom the page names. */
  readonly over?: string
}

/** The colleague whom an act takes rows from, as the page names them: of several rows who took one last. */
export const colleagueOf = (rows: readonly Pick<WorkRow, 'taken'>[]): WorkRow['taken'] =>
  rows
    .flatMap(({ taken }) => (taken === null || taken.isYou || taken.isStale ? [] : [taken]))
    .toSorted((one, other) => Date.parse(other.since) - Date.parse(one.since))[0] ?? null

export const overOf = (colleague: WorkRow['taken']): Over =>
  colleague === null ? {} : { over: colleague.since }

/** The act of one press on a row: take it, ask before taking it from a colleague, or none where the operator has it. */
export function pressOf({ taken }: Pick<WorkRow, 'taken'>): 'take' | 'ask' | 'none' {
  if (taken === null || (taken.isStale && !taken.isYou)) return 'take'
  return taken.isYou ? 'none' : 'ask'
}

const keyOf = ({ kind, id }: Pick<WorkRow, 'kind' | 'id'>) => `${kind} ${id}`

/** The rows, where one has changed hands. */
export const withHolder = (
  rows: readonly WorkRow[],
  { taken, ...key }: Pick<WorkRow, 'kind' | 'id' | 'taken'>,
): WorkRow[] => rows.map((row) => (keyOf(row) === keyOf(key) ? { ...row, taken } : row))
