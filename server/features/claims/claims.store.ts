import { sql } from 'kysely'
import { deleteEventsOfClaims, recordEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'

export type ClaimRow = Row<'claims'>
export type NewClaim = Pick<
  ClaimRow,
  'user_id' | 'order_id' | 'booking_id' | 'kind' | 'idem_key' | 'body_hash' | 'opened_at' | 'answer_by'
>

export type ClaimsStore = ReturnType<typeof createClaimsStore>

// Literals, so that the database sees that a partial index covers the query.
const isOpen = sql<boolean>`state = 'OPEN'`
const isAlive = sql<boolean>`state != 'CLOSED'`
/** In place of the hash of a request whose owner's account was deleted. */
export const erasedHash = ''
/** A scrape reads no more rows. */
const mostCounted = 1_000

/**
 * Claims, their compensations and their photographs. Times are epoch milliseconds. A transition is one guarded statement, which
 * locks the claim until the transaction ends; the event of the step is recorded in the same transaction.
 */
export function createClaimsStore(database: Database) {
  return { ...createReads(database), ...createSteps(database), ...createUpkeep(database) }
}

function createReads(database: Database) {
  const claims = () => database.tables.selectFrom('claims').selectAll()
  return {
    findClaim: (id: number): Promise<ClaimRow | undefined> =>
      claims().where('id', '=', id).executeTakeFirst(),

    /** Inside a transaction: no other step of it is taken until that ends. */
    async lockClaim(id: number): Promise<ClaimRow | undefined> {
      database.assertTransaction()
      return (
        claims()
          .where('id', '=', id)
          // SQLite has one writer at a time.
          .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
          .executeTakeFirst()
      )
    },

    /** Newest first. */
    listOfOrder: (orderId: number): Promise<ClaimRow[]> =>
      claims().where('order_id', '=', orderId).orderBy('id', 'desc').execute(),

    /** Newest first. */
    listOfUser: (userId: number, limit: number): Promise<ClaimRow[]> =>
      claims()
        .where('user_id', '=', userId)
        .orderBy('opened_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    findByKey: (userId: number, key: string): Promise<ClaimRow | undefined> =>
      claims().where('user_id', '=', userId).where('idem_key', '=', key).executeTakeFirst(),

    /** The claim of a bag and kind that is not closed. */
    findAlive: ({ booking_id, kind }: Pick<ClaimRow, 'booking_id' | 'kind'>): Promise<ClaimRow | undefined> =>
      claims()
        .where('booking_id', '=', booking_id)
        .where('kind', '=', kind)
        .where(isAlive)
        .executeTakeFirst(),

    /** When the user opened claims since a time, oldest first. */
    async listOpenings(userId: number, since: number): Promise<number[]> {
      const rows = await database.tables
        .selectFrom('claims')
        .select('opened_at')
        .where('user_id', '=', userId)
        .where('opened_at', '>', since)
        .execute()
      return rows.map(({ opened_at }) => opened_at).toSorted((a, b) => a - b)
    },

    /** When the user withdrew claims since a time, oldest first. */
    async listWithdrawals(userId: number, since: number): Promise<number[]> {
      const rows = await database.tables
        .selectFrom('events')
        .select('at')
        .where('user_id', '=', userId)
        .where('kind', '=', 'claim-closed')
        .where('actor_kind', '=', 'owner')
        .where('at', '>', since)
        .execute()
      return rows.map(({ at }) => at).toSorted((a, b) => a - b)
    },

    /** Numbers of the photographs, by claim. */
    async findPhotos(claimIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> {
      if (claimIds.length === 0) return new Map()
      const rows = await database.tables
        .selectFrom('claim_photos')
        .select(['claim_id', 'number'])
        .where('claim_id', 'in', claimIds)
        .orderBy('claim_id')
        .orderBy('number')
        .execute()
      const numbers = new Map<number, number[]>()
      for (const { claim_id, number } of rows)
        numbers.set(claim_id, [...(numbers.get(claim_id) ?? []), number])
      return numbers
    },

    async readPhoto(claimId: number, number: number): Promise<Uint8Array | undefined> {
      const row = await database.tables
        .selectFrom('claim_photos')
        .select('jpeg')
        .where('claim_id', '=', claimId)
        .where('number', '=', number)
        .executeTakeFirst()
      return row?.jpeg
    },

    /** How many claims wait for an answer in time, and how many past a day that was promised; counted to 1,000. */
    async countWaiting(): Promise<{ inTime: number; overdue: number }> {
      const rows = await database.tables
        .selectFrom('claims')
        .select('late_since')
        .where(isOpen)
        .orderBy('answer_by')
        .limit(mostCounted)
        .execute()
      const overdue = rows.filter(({ late_since }) => late_since !== null).length
      return { inTime: rows.length - overdue, overdue }
    },
  }
}

function createSteps(database: Database) {
  const leases = createLeases(database, 'claims')
  const update = () => database.tables.updateTable('claims')
  const done = { ...released(null), tries: 0, last_error: null, late_since: null }

  return {
    /** Inside the transaction that closes the claim. */
    async addCompensation(compensation: Row<'compensations'>): Promise<void> {
      database.assertTransaction()
      await database.tables.insertInto('compensations').values(compensation).execute()
    },

    /** Inside a transaction: one opening of a user after the other, until it ends. */
    async lockOpenings(userId: number): Promise<void> {
      database.assertTransaction()
      // SQLite has one writer at a time. PostgreSQL finds only committed rows, so openings of one user take a lock.
      if (database.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(hashtextextended(${`claims:${userId}`}, 0))`.execute(
          database.tables,
        )
    },

    /** Undefined where the bag has one of the kind that is not closed, or the key was used. */
    async insertClaim(claim: NewClaim): Promise<ClaimRow | undefined> {
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
    },

    /**
     * The owner writes: an open claim keeps its day, any other is open again until the end of another one. Undefined where it
     * was closed before `closedSince`, or where another one of its bag and kind is open since.
     */
    async reopen(
      { id, booking_id, kind }: ClaimRow,
      { now, answerBy, closedSince }: { now: number; answerBy: number; closedSince: number },
    ): Promise<ClaimRow | undefined> {
      return update()
        .set({
          state: 'OPEN',
          answer_by: sql<number>`CASE WHEN state = 'OPEN' THEN answer_by ELSE CAST(${answerBy} AS bigint) END`,
          due_at: sql<number>`CASE WHEN state = 'OPEN' THEN due_at ELSE ${database.now(answerBy - now)} END`,
          closed_at: null,
          outcome: null,
          touched_at: now,
        })
        .where('id', '=', id)
        .where((row) => row.or([isAlive, row('closed_at', '>', closedSince)]))
        .where(
          sql<boolean>`NOT EXISTS (SELECT 1 FROM claims AS other WHERE other.booking_id = ${booking_id}
            AND other.kind = ${kind} AND other.state != 'CLOSED' AND other.id != ${id})`,
        )
        .returningAll()
        .executeTakeFirst()
    },

    /** Staff answer or ask; undefined for a closed claim. */
    answer: (id: number, now: number): Promise<ClaimRow | undefined> =>
      update()
        .set({ state: 'ANSWERED', touched_at: now, ...done })
        .where('id', '=', id)
        .where(isAlive)
        .returningAll()
        .executeTakeFirst(),

    /** Undefined for a closed claim. */
    close: (id: number, outcome: ClaimOutcome, now: number): Promise<ClaimRow | undefined> =>
      update()
        .set({ state: 'CLOSED', outcome, closed_at: now, touched_at: now, ...done })
        .where('id', '=', id)
        .where(isAlive)
        .returningAll()
        .executeTakeFirst(),

    /**
     * What staff note beside the conversation: that the courier was told, with its number, or what it answered. Undefined for
     * a claim whose owner's account was deleted: what was written about it is gone.
     */
    note: (
      id: number,
      change: Partial<Pick<ClaimRow, 'partner_case' | 'partner_told_at'>>,
      now: number,
    ): Promise<ClaimRow | undefined> =>
      update()
        .set({ touched_at: now, ...change })
        .where('id', '=', id)
        .where('body_hash', '!=', erasedHash)
        .returningAll()
        .executeTakeFirst(),

    /** Leases the open claim whose day ended first; undefined when none has. */
    claimLate: async (lease: string, until: Moment) => (await leases.claim({ lease, until }))[0],

    /** Under its lease: the day has passed, and another one is promised. Undefined when it was answered meanwhile. */
    markLate: (
      { id, lease }: Pick<ClaimRow, 'id'> & { readonly lease: string },
      answerBy: number,
      now: number,
    ): Promise<ClaimRow | undefined> =>
      leases
        .held(id, lease)
        .set({
          late_since: sql<number>`coalesce(late_since, answer_by)`,
          answer_by: answerBy,
          ...released(database.now(answerBy - now)),
          tries: 0,
        })
        .where(isOpen)
        .returningAll()
        .executeTakeFirst(),

    /** Inside a transaction, until whose end no other closes the claim; false for a closed one. */
    async lockAlive(claimId: number): Promise<boolean> {
      database.assertTransaction()
      const alive = await database.tables
        .selectFrom('claims')
        .select('id')
        .where('id', '=', claimId)
        .where(isAlive)
        // SQLite has one writer at a time.
        .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
      return alive !== undefined
    },

    /** In place of the one before. */
    async storePhoto(claimId: number, number: number, jpeg: Uint8Array, now: number): Promise<void> {
      const photo = { jpeg, stored_at: now }
      await database.tables
        .insertInto('claim_photos')
        .values({ claim_id: claimId, number, ...photo })
        .onConflict((conflict) => conflict.columns(['claim_id', 'number']).doUpdateSet(photo))
        .execute()
    },
  }
}

function createUpkeep(database: Database) {
  const deleteOf = async (table: 'claim_photos' | 'compensations', ids: readonly number[]) => {
    await database.tables.deleteFrom(table).where('claim_id', 'in', ids).execute()
  }
  return {
    /** Inside a transaction: claims, their conversation and photographs that nothing happened to since `before`. */
    async deleteUntouched(before: number, limit: number): Promise<{ rows: number; more: boolean }> {
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
      if (ids.length === 0) return { rows: 0, more: false }
      for (const table of ['claim_photos', 'compensations'] as const) await deleteOf(table, ids)
      await deleteEventsOfClaims({ database }, ids)
      await database.tables.deleteFrom('claims').where('id', 'in', ids).execute()
      return { rows: ids.length, more: ids.length === limit }
    },

    /**
     * Inside the transaction that deletes an account, before `eraseEvents`: what was photographed goes, what was decided stays.
     */
    async eraseUser(userId: number, now: number): Promise<void> {
      database.assertTransaction()
      const own = await database.tables
        .selectFrom('claims')
        .select('id')
        .where('user_id', '=', userId)
        .execute()
      const ids = own.map(({ id }) => id)
      if (ids.length === 0) return
      // First, so that a step that is being taken is waited for, and none follows: `eraseEvents` would not see its text.
      await database.tables
        .updateTable('claims')
        .set({ idem_key: null, body_hash: erasedHash, partner_case: null })
        .where('id', 'in', ids)
        .execute()
      const closed = await database.tables
        .updateTable('claims')
        .set({ ...released(null), state: 'CLOSED', outcome: 'withdrawn', closed_at: now, late_since: null })
        .where('id', 'in', ids)
        .where(isAlive)
        .returning(['id as claimId', 'order_id as orderId', 'booking_id as bookingId'])
        .execute()
      const events = closed.map(
        ({ claimId, orderId, bookingId }) =>
          ({
            kind: 'claim-closed',
            data: { outcome: 'withdrawn', halalas: null, personal: null },
            by: { kind: 'owner' },
            claimId,
            orderId,
            bookingId,
            userId,
          }) as const,
      )
      await recordEvents({ database }, events)
      await deleteOf('claim_photos', ids)
      await database.tables
        .updateTable('compensations')
        .set({ reference: null })
        .where('claim_id', 'in', ids)
        .execute()
    },
  }
}
