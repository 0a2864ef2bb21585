import { randomUUID } from 'node:crypto'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { EventKind, GroupBy, Lane, Outcome } from './codes.rules.ts'
import type { Audience } from './sessions.rules.ts'

interface ChallengesTable {
  id: string
  audience: Audience
  phone: string
  browser_hash: string
  provider_ref: string | null
  state: 'sent' | 'proven' | 'spent'
  checks: number
  sent_at: number
  expires_at: number
  /** The event of its send; null for a challenge older than the events. */
  send_id: number | null
}

interface CountersTable {
  audience: Audience
  phone: string
  touched_at: number
  wrong_in_a_row: Generated<number>
  known_wrong_in_a_row: Generated<number>
}

interface EventsTable {
  id: Generated<number>
  kind: EventKind
  audience: Audience
  phone: string
  prefix: string
  country: string
  address: string
  lane: Lane
  at: number
  outcome: Outcome
}

interface DevicesTable {
  token_hash: string
  audience: Audience
  phone: string
  created_at: number
  used_at: number
}

interface CodesTables {
  otp_challenges: ChallengesTable
  otp_counters: CountersTable
  otp_events: EventsTable
  otp_devices: DevicesTable
}

export type ChallengeRow = Selectable<ChallengesTable>
export type EventRow = Selectable<EventsTable>

/** Those who share a limit: `key` is the prefix, the country or the address; all when `by` is `all`. */
export interface Group {
  readonly by: GroupBy
  readonly key: string
}

/** Events of a group that ended in one of the ways, since (excluded) `after`. */
export interface GroupQuestion {
  readonly group: Group
  readonly outcomes: readonly Outcome[]
  readonly after: number
}

/** What is remembered of codes. Times are epoch milliseconds; phones are E.164. */
export interface CodesStore {
  /**
   * Locks the phone until the transaction ends, so that limits are looked at and counted by one request at a time,
   * on every gateway. Answers its wrong codes in a row, by lane. Must be called in a transaction.
   */
  lockPhone(audience: Audience, phone: string, now: number): Promise<Readonly<Record<Lane, number>>>
  /** Events of a phone since (excluded) `after`, oldest first. */
  findPhoneEvents(audience: Audience, phone: string, after: number): Promise<EventRow[]>
  /** How many events each question is about, in its order. Without a lock: a few too many may pass at once. */
  countGroups(questions: readonly GroupQuestion[]): Promise<number[]>
  /** Their times, oldest first, at most `most` of the oldest. */
  findGroupTimes(question: GroupQuestion, most: number): Promise<number[]>
  /** Keeps an event and answers its number. */
  addEvent(event: Omit<EventRow, 'id'>): Promise<number>
  /** Says how a send ended. */
  settleSend(id: number, outcome: 'failed'): Promise<void>

  /** Keeps a challenge that was sent; the older ones of the same phone and browser are spent. */
  addChallenge(challenge: Omit<ChallengeRow, 'id' | 'state' | 'checks'>): Promise<void>
  /** The newest challenge of a phone in a browser that is not spent and has not run out; else undefined. */
  findChallenge(
    audience: Audience,
    phone: string,
    browserHash: string,
    now: number,
  ): Promise<ChallengeRow | undefined>
  /** Challenges of a phone that are still kept, newest first. */
  listChallenges(audience: Audience, phone: string): Promise<ChallengeRow[]>
  /** What the provider was last asked to send to a phone after `after`, in whichever browser; else undefined. */
  findLastRef(audience: Audience, phone: string, after: number): Promise<string | undefined>
  /** Counts one more check before the code is compared; undefined when none is left. */
  countCheck(id: string, maxChecks: number, now: number): Promise<ChallengeRow | undefined>
  /** One wrong code more in a row. The phone must be locked. */
  countInARow(audience: Audience, phone: string, lane: Lane): Promise<void>
  /** Takes a check back that was never compared: its event, its count, its place in the row. */
  giveCheckBack(check: CountedCheck): Promise<void>
  /**
   * Marks the code as proven: the check was right, its send is answered, the row of wrong codes ends. `false` when
   * somebody else was first.
   */
  prove(check: CountedCheck, now: number, provenUntil: number): Promise<boolean>
  /** Uses a proven challenge up; `false` when it is not proven or has run out. */
  spend(id: string, now: number): Promise<boolean>

  /** Has this browser signed in with this phone since (excluded) `usedAfter`? */
  isKnownDevice(tokenHash: string, audience: Audience, phone: string, usedAfter: number): Promise<boolean>
  /** Did we give this token out, for whatever phone? */
  isIssuedDevice(tokenHash: string): Promise<boolean>
  /** Remembers that a browser signed in with a phone. */
  keepDevice(tokenHash: string, audience: Audience, phone: string, now: number): Promise<void>

  /** Ends the rows of wrong codes of a phone for both audiences; answers how many hard stops or counts that ended. */
  unlockPhone(phone: string): Promise<number>
  /**
   * Deletes what is remembered of a phone whose owner leaves: all but the events of its last day. They run out by
   * themselves, and without them signing up and leaving in turn would send SMS without end.
   */
  forgetPhone(audience: Audience, phone: string): Promise<void>
  /** Deletes what ended before the given times; answers how many rows. A phone at `hardStop` wrong codes stays so. */
  forget(before: ForgetBefore, hardStop: number): Promise<number>
}

/** A check that was counted, with all that it was counted in. */
export interface CountedCheck {
  readonly eventId: number
  readonly challengeId: string
  readonly sendId: number | null
  readonly audience: Audience
  readonly phone: string
  readonly lane: Lane
}

export interface ForgetBefore {
  readonly challenges: number
  readonly events: number
  readonly devices: number
  /** Phones without wrong codes in a row. */
  readonly phones: number
  /** Phones with some, below the hard stop. */
  readonly rows: number
}

const rowColumn = { open: 'wrong_in_a_row', known: 'known_wrong_in_a_row' } as const

export function createCodesStore(database: Database): CodesStore {
  const tables = () => database.tables<CodesTables>()

  const ofGroup = ({ group: { by, key }, outcomes, after }: GroupQuestion) => {
    const events = tables()
      .selectFrom('otp_events')
      .where('outcome', 'in', [...outcomes])
      .where('at', '>', after)
    return by === 'all' ? events : events.where(by, '=', key)
  }

  const lockPhone: CodesStore['lockPhone'] = async (audience, phone, now) => {
    const row = await tables()
      .insertInto('otp_counters')
      .values({ audience, phone, touched_at: now })
      .onConflict((conflict) => conflict.columns(['audience', 'phone']).doUpdateSet({ touched_at: now }))
      .returning(['wrong_in_a_row', 'known_wrong_in_a_row'])
      .executeTakeFirstOrThrow()
    return { open: row.wrong_in_a_row, known: row.known_wrong_in_a_row }
  }

  return {
    lockPhone,
    findPhoneEvents: (audience, phone, after) =>
      tables()
        .selectFrom('otp_events')
        .selectAll()
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('at', '>', after)
        .orderBy('at')
        .orderBy('id')
        .execute(),
    async countGroups(questions) {
      if (questions.length === 0) return []
      // One journey to the database for all of them: a locked phone waits meanwhile.
      const counts = await tables()
        .selectNoFrom(
          questions.map((question, index) =>
            ofGroup(question)
              .select((expression) => expression.fn.countAll<number>().as('events'))
              .as(`count_${index}`),
          ),
        )
        .executeTakeFirstOrThrow()
      return questions.map((_, index) => Number(counts[`count_${index}`]))
    },
    async findGroupTimes(question, most) {
      const rows = await ofGroup(question).select('at').orderBy('at').limit(most).execute()
      return rows.map(({ at }) => at)
    },
    async addEvent(event) {
      const { id } = await tables()
        .insertInto('otp_events')
        .values(event)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async settleSend(id, outcome) {
      await tables().updateTable('otp_events').set({ outcome }).where('id', '=', id).execute()
    },
    async addChallenge(challenge) {
      await database.transaction(async () => {
        await tables()
          .updateTable('otp_challenges')
          .set({ state: 'spent' })
          .where('audience', '=', challenge.audience)
          .where('phone', '=', challenge.phone)
          .where('browser_hash', '=', challenge.browser_hash)
          .execute()
        await tables()
          .insertInto('otp_challenges')
          .values({ id: randomUUID(), state: 'sent', checks: 0, ...challenge })
          .execute()
      })
    },
    findChallenge: (audience, phone, browserHash, now) =>
      tables()
        .selectFrom('otp_challenges')
        .selectAll()
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('browser_hash', '=', browserHash)
        .where('state', '!=', 'spent')
        .where('expires_at', '>', now)
        .orderBy('sent_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    listChallenges: (audience, phone) =>
      tables()
        .selectFrom('otp_challenges')
        .selectAll()
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .orderBy('sent_at', 'desc')
        .limit(100)
        .execute(),
    async findLastRef(audience, phone, after) {
      const row = await tables()
        .selectFrom('otp_challenges')
        .select('provider_ref')
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('provider_ref', 'is not', null)
        .where('sent_at', '>', after)
        .orderBy('sent_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.provider_ref ?? undefined
    },
    countCheck: (id, maxChecks, now) =>
      tables()
        .updateTable('otp_challenges')
        .set((expression) => ({ checks: expression('checks', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'sent')
        .where('checks', '<', maxChecks)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async countInARow(audience, phone, lane) {
      const column = rowColumn[lane]
      await tables()
        .updateTable('otp_counters')
        .set((expression) => ({ [column]: expression(column, '+', 1) }))
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .execute()
    },
    giveCheckBack: ({ eventId, challengeId, audience, phone, lane }) =>
      database.transaction(async () => {
        const column = rowColumn[lane]
        // First the phone, as everywhere: two orders of locks would wait for each other.
        await tables()
          .updateTable('otp_counters')
          .set((expression) => ({ [column]: expression(column, '-', 1) }))
          .where('audience', '=', audience)
          .where('phone', '=', phone)
          // A right code may have ended the row since.
          .where(column, '>', 0)
          .execute()
        await tables().deleteFrom('otp_events').where('id', '=', eventId).execute()
        await tables()
          .updateTable('otp_challenges')
          .set((expression) => ({ checks: expression('checks', '-', 1) }))
          .where('id', '=', challengeId)
          .where('checks', '>', 0)
          .execute()
      }),
    prove: ({ eventId, challengeId, sendId, audience, phone }, now, provenUntil) =>
      database.transaction(async () => {
        await lockPhone(audience, phone, now)
        const won = await tables()
          .updateTable('otp_challenges')
          .set({ state: 'proven', expires_at: provenUntil })
          .where('id', '=', challengeId)
          .where('state', '=', 'sent')
          .returning('id')
          .executeTakeFirst()
        if (!won) return false
        await tables()
          .updateTable('otp_counters')
          .set({ wrong_in_a_row: 0, known_wrong_in_a_row: 0 })
          .where('audience', '=', audience)
          .where('phone', '=', phone)
          .execute()
        await tables().updateTable('otp_events').set({ outcome: 'right' }).where('id', '=', eventId).execute()
        if (sendId !== null)
          await tables()
            .updateTable('otp_events')
            .set({ outcome: 'answered' })
            .where('id', '=', sendId)
            .execute()
        return true
      }),
    async spend(id, now) {
      const won = await tables()
        .updateTable('otp_challenges')
        .set({ state: 'spent' })
        .where('id', '=', id)
        .where('state', '=', 'proven')
        .where('expires_at', '>', now)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    async isKnownDevice(tokenHash, audience, phone, usedAfter) {
      const row = await tables()
        .selectFrom('otp_devices')
        .select('phone')
        .where('token_hash', '=', tokenHash)
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('used_at', '>', usedAfter)
        .executeTakeFirst()
      return row !== undefined
    },
    async isIssuedDevice(tokenHash) {
      const row = await tables()
        .selectFrom('otp_devices')
        .select('phone')
        .where('token_hash', '=', tokenHash)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    async keepDevice(tokenHash, audience, phone, now) {
      await tables()
        .insertInto('otp_devices')
        .values({ token_hash: tokenHash, audience, phone, created_at: now, used_at: now })
        .onConflict((conflict) =>
          conflict.columns(['token_hash', 'audience', 'phone']).doUpdateSet({ used_at: now }),
        )
        .execute()
    },
    async unlockPhone(phone) {
      const unlocked = await tables()
        .updateTable('otp_counters')
        .set({ wrong_in_a_row: 0, known_wrong_in_a_row: 0 })
        .where('phone', '=', phone)
        .where(sql<boolean>`wrong_in_a_row + known_wrong_in_a_row > 0`)
        .returning('audience')
        .execute()
      return unlocked.length
    },
    async forgetPhone(audience, phone) {
      await database.transaction(async () => {
        for (const table of ['otp_counters', 'otp_challenges', 'otp_devices'] as const)
          await tables()
            .deleteFrom(table)
            .where('audience', '=', audience)
            .where('phone', '=', phone)
            .execute()
      })
    },
    async forget(before, hardStop) {
      const deletions = [
        tables().deleteFrom('otp_challenges').where('expires_at', '<', before.challenges),
        tables().deleteFrom('otp_events').where('at', '<', before.events),
        tables().deleteFrom('otp_devices').where('used_at', '<', before.devices),
        tables()
          .deleteFrom('otp_counters')
          .where('wrong_in_a_row', '=', 0)
          .where('known_wrong_in_a_row', '=', 0)
          .where('touched_at', '<', before.phones),
        tables()
          .deleteFrom('otp_counters')
          .where('wrong_in_a_row', '<', hardStop)
          .where('known_wrong_in_a_row', '<', hardStop)
          .where('touched_at', '<', before.rows),
      ]
      let rows = 0
      for (const deletion of deletions) rows += Number((await deletion.executeTakeFirst()).numDeletedRows)
      return rows
    },
  }
}
