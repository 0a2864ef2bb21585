import { sql } from 'kysely'
import type { Core } from '#server/core.ts'
import { claimEventKinds } from '#server/features/history/history.kinds.ts'
import { deleteEventsOfClaims, recordEvents } from '#server/features/history/history.ts'
import { type Claimed, createLeases, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { claimRules } from './claims.rules.ts'

// Each change of a claim's state is one UPDATE that checks the state and locks the claim until the transaction ends.

export type ClaimRow = Row<'claims'>
export type NewClaim = Pick<
  ClaimRow,
  'user_id' | 'order_id' | 'booking_id' | 'kind' | 'idem_key' | 'body_hash' | 'opened_at' | 'answer_by'
>

// SQL that uses a partial index must contain literals, not parameters.
const isOpen = sql<boolean>`state = 'OPEN'`
const isNotClosed = sql<boolean>`state != 'CLOSED'`

/** This text replaces the hash of a claim's request when the owner deletes the account. */
export const erasedHash = ''

const mostCounted = 1_000

const answered = {
  lease: null,
  leased_until: 0,
  due_at: null,
  tries: 0,
  last_error: null,
  late_since: null,
}

const claims = ({ database }: Core) => database.tables.selectFrom('claims').selectAll()
const updateClaims = ({ database }: Core) => database.tables.updateTable('claims')

export const findClaim = (core: Core, id: number): Promise<ClaimRow | undefined> =>
  claims(core).where('id', '=', id).executeTakeFirst()

export async function lockClaim(core: Core, id: number): Promise<ClaimRow | undefined> {
  const { database } = core
  database.assertTransaction()
  return claims(core)
    .where('id', '=', id)
    .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/**
 * Needs a transaction. The claim cannot be closed before the transaction ends. @returns false when the claim is already
 * closed
 */
export async function lockUnclosedClaim(core: Core, id: number): Promise<boolean> {
  const claim = await lockClaim(core, id)
  return claim !== undefined && claim.state !== 'CLOSED'
}

export const listClaimsOfOrder = (core: Core, orderId: number): Promise<ClaimRow[]> =>
  claims(core).where('order_id', '=', orderId).orderBy('id', 'desc').execute()

export const listClaimsOfUser = (core: Core, userId: number, limit: number): Promise<ClaimRow[]> =>
  claims(core)
    .where('user_id', '=', userId)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const hasOpenClaim = ({ database }: Core, userId: number): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('claims')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 'OPEN')
      .limit(1),
  )

export const findClaimByKey = (core: Core, userId: number, key: string): Promise<ClaimRow | undefined> =>
  claims(core).where('user_id', '=', userId).where('idem_key', '=', key).executeTakeFirst()

export const findUnclosedClaim = (
  core: Core,
  { booking_id, kind }: Pick<ClaimRow, 'booking_id' | 'kind'>,
): Promise<ClaimRow | undefined> =>
  claims(core)
    .where('booking_id', '=', booking_id)
    .where('kind', '=', kind)
    .where(isNotClosed)
    .executeTakeFirst()

export async function listOpenings({ database }: Core, userId: number, since: number): Promise<number[]> {
  const rows = await database.tables
    .selectFrom('claims')
    .select('opened_at')
    .where('user_id', '=', userId)
    .where('opened_at', '>', since)
    .execute()
  return rows.map(({ opened_at }) => opened_at).toSorted((a, b) => a - b)
}

export async function listWithdrawals({ database }: Core, userId: number, since: number): Promise<number[]> {
  const rows = await database.tables
    .selectFrom('events')
    .select('at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'claim-closed')
    .where('actor_kind', '=', 'owner')
    .where('at', '>', since)
    .execute()
  return rows.map(({ at }) => at).toSorted((a, b) => a - b)
}

/** A scrape of the metrics must read few rows, so at most 1,000 claims are counted. */
export async function countOpenClaims({ database }: Core): Promise<{ inTime: number; overdue: number }> {
  const rows = await database.tables
    .selectFrom('claims')
    .select('late_since')
    .where(isOpen)
    .orderBy('answer_by')
    .limit(mostCounted)
    .execute()
  const overdue = rows.filter(({ late_since }) => late_since !== null).length
  return {
    inTime: rows.length - overdue,
    overdue,
  }
}

/** @returns undefined when the bag has an unclosed claim of this kind, or the user has used the idempotency key */
export async function insertClaim({ database }: Core, claim: NewClaim): Promise<ClaimRow | undefined> {
  return database.tables
    .insertInto('claims')
    .values({
      ...claim,
      state: 'OPEN',
      touched_at: claim.opened_at,
      due_at: database.now(claim.answer_by - claim.opened_at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Only an answered or closed claim gets the deadline `answerBy`.
 * @returns undefined when the claim was closed before `closedSince`, or the bag has another unclosed claim of this kind
 */
export async function reopenClaim(
  core: Core,
  { id, booking_id, kind }: ClaimRow,
  { now, answerBy, closedSince }: { now: number; answerBy: number; closedSince: number },
): Promise<ClaimRow | undefined> {
  const dueAt = core.database.now(answerBy - now)
  return updateClaims(core)
    .set({
      state: 'OPEN',
      answer_by: sql<number>`CASE WHEN state = 'OPEN' THEN answer_by ELSE CAST(${answerBy} AS bigint) END`,
      due_at: sql<number>`CASE WHEN state = 'OPEN' THEN due_at ELSE ${dueAt} END`,
      closed_at: null,
      outcome: null,
      touched_at: now,
    })
    .where('id', '=', id)
    .where((row) => row.or([isNotClosed, row('closed_at', '>', closedSince)]))
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM claims AS other WHERE other.booking_id = ${booking_id}
        AND other.kind = ${kind} AND other.state != 'CLOSED' AND other.id != ${id})`,
    )
    .returningAll()
    .executeTakeFirst()
}

export const markAnswered = (core: Core, id: number, now: number): Promise<ClaimRow | undefined> =>
  updateClaims(core)
    .set({ ...answered, state: 'ANSWERED', touched_at: now })
    .where('id', '=', id)
    .where(isNotClosed)
    .returningAll()
    .executeTakeFirst()

export const markClosed = (
  core: Core,
  id: number,
  outcome: ClaimOutcome,
  now: number,
): Promise<ClaimRow | undefined> =>
  updateClaims(core)
    .set({ ...answered, state: 'CLOSED', outcome, closed_at: now, touched_at: now })
    .where('id', '=', id)
    .where(isNotClosed)
    .returningAll()
    .executeTakeFirst()

export const markNoted = (
  core: Core,
  id: number,
  change: Partial<Pick<ClaimRow, 'partner_case' | 'partner_notified_at'>>,
  now: number,
): Promise<ClaimRow | undefined> =>
  updateClaims(core)
    .set({ ...change, touched_at: now })
    .where('id', '=', id)
    .where('body_hash', '!=', erasedHash)
    .returningAll()
    .executeTakeFirst()

export const leaseLateClaim = async ({ database, random }: Core): Promise<Claimed<'claims'> | undefined> => {
  const leases = createLeases(database, 'claims')
  const [claim] = await leases.claim({ lease: random.uuid(), until: database.now(claimRules.leaseMs) })
  return claim
}

export const markLate = (
  { database }: Core,
  { id, lease }: Claimed<'claims'>,
  answerBy: number,
  now: number,
): Promise<ClaimRow | undefined> =>
  createLeases(database, 'claims')
    .held(id, lease)
    .set({
      ...released(database.now(answerBy - now)),
      late_since: sql<number>`coalesce(late_since, answer_by)`,
      answer_by: answerBy,
      tries: 0,
    })
    .where(isOpen)
    .returningAll()
    .executeTakeFirst()

export async function insertCompensation(
  { database }: Core,
  compensation: Row<'compensations'>,
): Promise<void> {
  database.assertTransaction()
  await database.tables.insertInto('compensations').values(compensation).execute()
}

export async function listPhotos(
  { database }: Core,
  claimIds: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  if (claimIds.length === 0) return new Map()
  const rows = await database.tables
    .selectFrom('claim_photos')
    .select(['claim_id', 'number'])
    .where('claim_id', 'in', claimIds)
    .orderBy('claim_id')
    .orderBy('number')
    .execute()
  const byClaim = Map.groupBy(rows, ({ claim_id }) => claim_id)
  return new Map([...byClaim].map(([id, photos]) => [id, photos.map(({ number }) => number)]))
}

export async function findPhoto(
  { database }: Core,
  claimId: number,
  number: number,
): Promise<Uint8Array | undefined> {
  const row = await database.tables
    .selectFrom('claim_photos')
    .select('jpeg')
    .where('claim_id', '=', claimId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.jpeg
}

export async function writePhoto(
  { database }: Core,
  claimId: number,
  number: number,
  jpeg: Uint8Array,
  now: number,
): Promise<void> {
  const photo = {
    jpeg,
    stored_at: now,
  }
  await database.tables
    .insertInto('claim_photos')
    .values({ ...photo, claim_id: claimId, number })
    .onConflict((conflict) => conflict.columns(['claim_id', 'number']).doUpdateSet(photo))
    .execute()
}

/** Needs a transaction. */
export async function deleteOldClaims(
  core: Core,
  before: number,
  limit: number,
): Promise<{ rows: number; more: boolean }> {
  const { database } = core
  database.assertTransaction()
  const old = await database.tables
    .selectFrom('claims')
    .select('id')
    .where('touched_at', '<', before)
    .where('state', '!=', 'OPEN')
    .orderBy('touched_at')
    .limit(limit)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) {
    await deletePhotos(core, ids)
    await database.tables.deleteFrom('compensations').where('claim_id', 'in', ids).execute()
    await deleteEventsOfClaims(core, ids)
    await database.tables.deleteFrom('claims').where('id', 'in', ids).execute()
  }
  return {
    rows: ids.length,
    more: ids.length === limit,
  }
}

async function deletePhotos({ database }: Core, claimIds: readonly number[]) {
  await database.tables.deleteFrom('claim_photos').where('claim_id', 'in', claimIds).execute()
}

/** Needs the transaction that deletes an account, before `eraseEvents`. Earlier outcomes stay. */
export async function eraseClaimsOfUser(core: Core, userId: number): Promise<void> {
  const { database, clock } = core
  database.assertTransaction()
  const own = await database.tables.selectFrom('claims').select('id').where('user_id', '=', userId).execute()
  const ids = own.map(({ id }) => id)
  if (ids.length === 0) return
  // This update comes first: it waits for a simultaneous step of a claim, so that `eraseEvents` finds the text of that
  // step.
  await updateClaims(core)
    .set({ idem_key: null, body_hash: erasedHash, partner_case: null })
    .where('id', 'in', ids)
    .execute()
  const closed = await updateClaims(core)
    .set({
      ...released(null),
      state: 'CLOSED',
      outcome: 'withdrawn',
      closed_at: clock.now(),
      late_since: null,
    })
    .where('id', 'in', ids)
    .where(isNotClosed)
    .returning(['id as claimId', 'order_id as orderId', 'booking_id as bookingId'])
    .execute()
  const events = closed.map(
    (subject) =>
      ({
        ...subject,
        userId,
        kind: 'claim-closed',
        data: {
          outcome: 'withdrawn',
          halalas: null,
          personal: null,
        },
        by: { kind: 'owner' },
      }) as const,
  )
  await recordEvents(core, events)
  await deletePhotos(core, ids)
  await database.tables
    .updateTable('compensations')
    .set({ reference: null })
    .where('claim_id', 'in', ids)
    .execute()
}

const stepsOfPeople = claimEventKinds.filter((kind) => kind !== 'claim-late')

export async function listClaimFacts({ database }: Core, orderIds: readonly number[]) {
  if (orderIds.length === 0) return []
  const rows = await database.tables
    .selectFrom('claims')
    .select(['claims.id', 'claims.order_id', 'claims.state', 'claims.late_since'])
    .select((claim) => [
      claim
        .selectFrom('compensations')
        .select((row) => row.fn.sum<number | null>('halalas').as('sum'))
        .whereRef('compensations.claim_id', '=', 'claims.id')
        .as('compensated'),
      claim
        .selectFrom('events')
        .select((row) => row.fn.max('events.id').as('last'))
        .whereRef('events.claim_id', '=', 'claims.id')
        .where('events.kind', 'in', stepsOfPeople)
        .as('step'),
    ])
    .where('claims.order_id', 'in', orderIds)
    .execute()
  return rows.map((row) => ({ ...row, compensated: Number(row.compensated ?? 0) }))
}
