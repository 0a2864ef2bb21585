import { type RawBuilder, sql } from 'kysely'
import { Value } from 'typebox/value'
import type { Core } from '#server/core.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import { prepared } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn, storedRoles } from '#server/platform/staff-roles.ts'
import {
  type ActorKind,
  type Changed,
  type ClaimEventKind,
  claimEventKinds,
  type EventData,
  type EventKind,
  eventData,
} from './history.kinds.ts'
import { type Effects, writeMessages } from './outbox.ts'

export type Actor =
  | { readonly kind: Exclude<ActorKind, 'agent' | 'operator' | 'staff'> }
  | { readonly kind: 'agent' | 'operator'; readonly name: string }
  | ({ readonly kind: 'staff' } & Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>)

export interface Acting {
  readonly by: Actor
  readonly reason?: string | null
}

export const changedByOffice = ({ kind }: Actor, changed: Changed): { changed?: Changed } =>
  kind === 'staff' || kind === 'operator' ? { changed } : {}

export const personalReason = (reason: string | null | undefined): { reason: string } | null =>
  reason ? { reason } : null

export type Fact = { [K in EventKind]: { readonly kind: K; readonly data: EventData[K] } }[EventKind]

interface Subject {
  readonly orderId?: number | undefined
  readonly bookingId?: number | undefined
  readonly claimId?: number | undefined
  readonly userId?: number | undefined
}

export type NewEvent = Fact &
  Subject & {
    readonly by: Actor
    readonly at?: number
    /** Repeated reports of one event of a bag have the same key. */
    readonly key?: string
  }

export type StoredEvent = Fact &
  Subject & {
    /** The ids of one order's events increase in the order of recording. */
    readonly id: number
    readonly by: Actor
    readonly at: number
    readonly recordedAt: number
    readonly key: string | null
  }

export type StoredClaimEvent = Extract<StoredEvent, { readonly kind: ClaimEventKind }> & {
  readonly claimId: number
}

/**
 * Needs the transaction that makes the event true and has locked its order, claim or account. Stores the event and its
 * messages.
 * @returns undefined when the bag already has an event with this key
 */
export async function recordEvent(
  core: QueryCore,
  event: NewEvent,
  effects: Effects = {},
): Promise<number | undefined> {
  const [id] = await recordEvents(core, [event])
  if (id !== undefined) await writeMessages(core, { ...event, id }, effects)
  return id
}

/** Records an event like `recordEvent`, but does not wait for the database (`database.send`). */
export async function sendEvent(core: QueryCore, event: NewEvent, effects: Effects = {}): Promise<void> {
  const { database } = core
  database.assertTransaction()
  if (event.key !== undefined) throw new Error('an event with a key is recorded by recordEvent')
  await database.send(database.tables.insertInto('events').values(rowOf(database, event)))
  await writeMessages(core, { ...event, id: lastId(database) }, effects)
}

/** SQLite has one writer, so its greatest id is the last event of this transaction. */
const lastId = ({ engine }: QueryCore['database']) =>
  engine === 'postgres'
    ? sql<number>`currval(pg_get_serial_sequence('events', 'id'))`
    : sql<number>`(SELECT max(id) FROM events)`

export async function recordEvents({ database }: QueryCore, events: readonly NewEvent[]): Promise<number[]> {
  database.assertTransaction()
  if (events.length === 0) return []
  const rows = await database.tables
    .insertInto('events')
    .values(events.map((event) => rowOf(database, event)))
    .onConflict((conflict) =>
      conflict.columns(['booking_id', 'key']).where('key', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** PostgreSQL refuses JSON with a NUL character or half of a surrogate pair. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

function rowOf({ now }: QueryCore['database'], event: NewEvent) {
  const { kind, data, by, orderId, bookingId, claimId, userId, at, key } = event
  if (!Value.Check(eventData[kind], data))
    throw new Error(`the data of an event of the kind ${kind} is not valid`)
  return {
    kind,
    key: key ?? null,
    order_id: orderId ?? null,
    booking_id: bookingId ?? null,
    claim_id: claimId ?? null,
    user_id: userId ?? null,
    at: at ?? now(),
    recorded_at: now(),
    actor_kind: by.kind,
    actor_issuer: by.kind === 'staff' ? by.issuer : null,
    actor_subject: by.kind === 'staff' ? by.subject : null,
    actor_name: 'name' in by ? by.name : null,
    actor_roles: by.kind === 'staff' ? storedRoles(by.roles) : null,
    data: JSON.stringify(data, (_, value) => (typeof value === 'string' ? storable(value) : value)),
  }
}

export async function findEvent({ database }: QueryCore, id: number): Promise<StoredEvent | undefined> {
  const row = await database.tables.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
  return row && storedEventOf(row)
}

export async function listEvents(
  { database }: QueryCore,
  subject: 'order_id' | 'booking_id' | 'claim_id' | 'user_id',
  ids: readonly number[],
  kinds?: readonly EventKind[],
): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  const rows = await database.rows(
    database.tables
      .selectFrom('events')
      .selectAll()
      .where(subject, 'in', ids)
      .$if(kinds !== undefined, (rows) => rows.where('kind', 'in', kinds ?? []))
      .orderBy(subject)
      .orderBy('id'),
  )
  return rows.map(storedEventOf)
}

const ofBags = prepared(({ database }: QueryCore, orderId: number) =>
  database.tables
    .selectFrom('events')
    .selectAll()
    .where('booking_id', 'in', (query) =>
      query.selectFrom('bookings').select('bookings.id').where('bookings.order_id', '=', orderId),
    )
    .orderBy('booking_id')
    .orderBy('id'),
)

export const listEventsOfBags = async (core: QueryCore, orderId: number): Promise<StoredEvent[]> =>
  (await ofBags(core, orderId)).map(storedEventOf)

export const listClaimEvents = async (
  core: QueryCore,
  claimIds: readonly number[],
): Promise<StoredClaimEvent[]> =>
  (await listEvents(core, 'claim_id', claimIds, claimEventKinds)).filter(isClaimEvent)

export const isClaimEvent = (event: StoredEvent): event is StoredClaimEvent =>
  event.claimId !== undefined && claimEventKinds.some((kind) => kind === event.kind)

export function storedEventOf(row: Row<'events'>): StoredEvent {
  return {
    id: row.id,
    key: row.key,
    orderId: row.order_id ?? undefined,
    bookingId: row.booking_id ?? undefined,
    claimId: row.claim_id ?? undefined,
    userId: row.user_id ?? undefined,
    at: row.at,
    recordedAt: row.recorded_at,
    by: actorOf(row),
    ...({ kind: row.kind, data: JSON.parse(row.data) } as Fact),
  }
}

function actorOf({ actor_kind: kind, actor_name: name, ...row }: Row<'events'>): Actor {
  if (kind === 'staff')
    return {
      kind,
      issuer: row.actor_issuer ?? '',
      subject: row.actor_subject ?? '',
      name: name ?? '',
      roles: rolesIn(row.actor_roles),
    }
  return kind === 'agent' || kind === 'operator' ? { kind, name: name ?? '' } : { kind }
}

export const withoutPersonal = ({ engine }: Core['database']) =>
  engine === 'postgres'
    ? sql<string>`CAST(jsonb_set(CAST(data AS jsonb), '{personal}', 'null', false) AS text)`
    : sql<string>`json_replace(data, '$.personal', NULL)`

export const withoutChanged = (
  { engine }: Core['database'],
  data: RawBuilder<string> = sql.ref<string>('data'),
): RawBuilder<string> =>
  engine === 'postgres'
    ? sql<string>`CAST(CAST(${data} AS jsonb) - 'changed' AS text)`
    : sql<string>`json_remove(${data}, '$.changed')`

export async function erasePersonal(
  { database }: QueryCore,
  which: RawBuilder<boolean>,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<PrunedPage> {
  const old = await database.tables
    .selectFrom('events')
    .select('id')
    .where(which)
    .where('recorded_at', '<', before)
    .orderBy('recorded_at')
    .limit(limit)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0)
    await database.tables
      .updateTable('events')
      .set({ data: withoutPersonal(database) })
      .where('id', 'in', ids)
      .execute()
  return { rows: ids.length, reached: ids.at(-1) ?? 0, more: ids.length === limit }
}

// SQL that uses a partial index must contain literals, not parameters.
const hasFormerPhone = sql<boolean>`(kind = 'account-changed' AND data LIKE '%"personal":{%')`

export const eraseFormerPhones = (core: QueryCore, before: number, limit: number): Promise<PrunedPage> =>
  erasePersonal(core, hasFormerPhone, { before, limit })

/** Needs the transaction that deletes an account. Names of staff and operators stay. */
export async function eraseEvents({ database }: QueryCore, userId: number): Promise<void> {
  database.assertTransaction()
  const erased = database.tables.updateTable('events').set({
    data: withoutPersonal(database),
    actor_name: sql<string | null>`CASE WHEN actor_kind IN ('staff', 'operator') THEN actor_name END`,
  })
  await erased.where('user_id', '=', userId).execute()
  await erased
    .where('order_id', 'in', (query) =>
      query.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId),
    )
    .execute()
}

/** Acts of staff and operators stay, without their texts. */
export async function deleteEventsOfOrders(
  { database }: QueryCore,
  orderIds: readonly number[],
): Promise<void> {
  database.assertTransaction()
  if (orderIds.length === 0) return
  await database.tables
    .deleteFrom('events')
    .where('order_id', 'in', orderIds)
    .where('actor_kind', 'not in', ['staff', 'operator'])
    .execute()
  await database.tables
    .updateTable('events')
    .set({ data: withoutPersonal(database) })
    .where('order_id', 'in', orderIds)
    .execute()
}

export async function deleteEventsOfClaims(
  { database }: QueryCore,
  claimIds: readonly number[],
): Promise<void> {
  database.assertTransaction()
  if (claimIds.length === 0) return
  await database.tables
    .deleteFrom('events')
    .where('claim_id', 'in', claimIds)
    .where('kind', 'in', claimEventKinds)
    .execute()
}
