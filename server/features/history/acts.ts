import { sql } from 'kysely'
import type { Core } from '#server/core.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { OperatorActionExport } from '#shared/account/account.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { ActKind, Changed, EventKind } from './history.kinds.ts'
import {
  type Actor,
  type Fact,
  personalReason,
  recordEvent,
  type StoredEvent,
  storedEventOf,
} from './history.ts'

export interface Act {
  readonly by: Actor
  readonly kind: ActKind
  readonly orderId?: number | undefined
  readonly bookingId?: number | undefined
  readonly claimId?: number | undefined
  readonly userId?: number | undefined
  readonly about?: string | undefined
  readonly changed?: Changed | undefined
  readonly reason?: string | null | undefined
  readonly at?: number | undefined
}

export type NamedActor = Extract<Actor, { readonly name: string }>

export type Person = Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>

export const staffActor = ({ issuer, subject, name, roles }: Person): Extract<Actor, { kind: 'staff' }> => ({
  kind: 'staff',
  issuer,
  subject,
  name,
  roles,
})

/** Needs the transaction that carries the act out. */
export async function recordAct(
  core: QueryCore,
  { kind, about, changed = {}, reason, at, ...act }: Act,
): Promise<number> {
  const data = { about: about ?? null, changed, personal: personalReason(reason) }
  const fact = { kind, data } as Fact
  const id = await recordEvent(core, { ...act, ...fact, ...(at !== undefined && { at }) })
  if (id === undefined) throw new Error('an act has no key, so it is always recorded')
  return id
}

export function changedBetween(
  before: Readonly<Record<string, string | number | null>>,
  after: Readonly<Record<string, string | number | null>>,
): Changed {
  const changed: Changed = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[name] !== after[name]) changed[name] = [before[name] ?? null, after[name] ?? null]
  return changed
}

/** Needs a transaction. Acts of one staff member wait for each other, because together they could exceed a limit. */
export const lockPerson = (
  { database }: QueryCore,
  { issuer, subject }: Pick<Staff, 'issuer' | 'subject'>,
): Promise<void> => database.lock(`desk:${issuer} ${subject}`)

/** SQL that uses a partial index must contain literals, not parameters. */
export const selectActs = ({ tables }: Core['database']) =>
  tables.selectFrom('events').where(sql<boolean>`actor_kind IN ('staff', 'operator')`)

interface ActQuery {
  readonly before?: number | undefined
  readonly by?: Pick<Staff, 'issuer' | 'subject'> | undefined
  readonly orderId?: number | undefined
  readonly userId?: number | undefined
  readonly kind?: string | undefined
  readonly limit: number
}

export async function listActs({ database }: QueryCore, query: ActQuery): Promise<StoredEvent[]> {
  const { before, by, orderId, userId, kind, limit } = query
  const newest = selectActs(database)
    .selectAll()
    .$if(before !== undefined, (rows) => rows.where('id', '<', before ?? 0))
    .$if(by !== undefined, (rows) =>
      rows.where('actor_issuer', '=', by?.issuer ?? '').where('actor_subject', '=', by?.subject ?? ''),
    )
    .$if(orderId !== undefined, (rows) => rows.where('order_id', '=', orderId ?? 0))
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', (kind ?? '') as EventKind))
    .orderBy('id', 'desc')
    .limit(limit)
  if (userId === undefined) return (await newest.execute()).map(storedEventOf)
  const orders = await database.tables
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  const ids = orders.map(({ id }) => id)
  const aboutUser = await newest.where('user_id', '=', userId).execute()
  const aboutOrders =
    ids.length === 0 ? [] : await newest.where('user_id', 'is', null).where('order_id', 'in', ids).execute()
  return [...aboutUser, ...aboutOrders]
    .toSorted((one, other) => other.id - one.id)
    .slice(0, limit)
    .map(storedEventOf)
}

export function reasonOf({ data }: Pick<StoredEvent, 'data'>): string | null {
  const personal = 'personal' in data ? data.personal : undefined
  return personal && 'reason' in personal ? personal.reason : null
}

const exportedAtMost = 1_000

export async function exportActs(core: QueryCore, userId: number): Promise<OperatorActionExport[]> {
  const acts = await listActs(core, { userId, limit: exportedAtMost })
  return acts
    .filter(({ kind }) => kind !== 'note' && !kind.startsWith('approval-'))
    .map((act) => ({
      at: isoOf(act.at),
      action: act.kind,
      orderId: act.orderId ?? null,
      reason: reasonOf(act),
    }))
}

export async function findSignIn(
  { database }: QueryCore,
  subject: string,
  since: number,
): Promise<StoredEvent | undefined> {
  const newestOf = (kind: EventKind) =>
    selectActs(database)
      .selectAll()
      .where('kind', '=', kind)
      .where('actor_subject', '=', subject)
      .where('at', '>', since)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const first = await newestOf('signed-in')
  const again = await newestOf('signed-in-again')
  const last = (again?.id ?? 0) > (first?.id ?? 0) ? again : first
  return last && storedEventOf(last)
}

export async function findLastAct(
  { database }: QueryCore,
  subject: { readonly orderId: number } | { readonly userId: number },
  kinds: readonly EventKind[],
): Promise<(StoredEvent & { readonly by: NamedActor }) | undefined> {
  const [column, id] =
    'orderId' in subject ? (['order_id', subject.orderId] as const) : (['user_id', subject.userId] as const)
  const row = await selectActs(database)
    .selectAll()
    .where(column, '=', id)
    .where('kind', 'in', kinds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && (storedEventOf(row) as StoredEvent & { readonly by: NamedActor })
}

export async function countActs(
  { database }: QueryCore,
  { userId, kind, since }: { readonly userId: number; readonly kind: ActKind; readonly since: number },
): Promise<number> {
  const { count } = await selectActs(database)
    .select((row) => row.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listNotes({ database }: QueryCore, orderIds: readonly number[]) {
  if (orderIds.length === 0) return []
  const rows = await database.tables
    .selectFrom('events')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .where('kind', '=', 'note')
    .orderBy('id')
    .execute()
  return rows.map(storedEventOf).flatMap(({ orderId, at, ...event }) => {
    const text = event.kind === 'note' ? event.data.personal?.text : undefined
    return text === undefined ? [] : [{ orderId, at, text }]
  })
}
