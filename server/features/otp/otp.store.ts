import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { PastSend } from './channels.rules.ts'
import { type Rule, scopes } from './limits.rules.ts'
import {
  emailRoles,
  isEmailRole,
  type Origin,
  type Outcome,
  phoneRoles,
  type Role,
  roles,
} from './otp.rules.ts'

type Phone = Pick<Origin, 'role' | 'phone'>

export type ChallengeRow = Row<'otp_challenges'>
type OfEmail = 'email' | 'new_phone'
type NewChallenge = Omit<
  ChallengeRow,
  'id' | 'state' | 'checks' | 'uncertain_checks' | 'delivery' | OfEmail
> &
  Partial<Pick<ChallengeRow, OfEmail>>
/** A counted check, and everything it was counted in. */
export interface CountedCheck {
  readonly challenge: ChallengeRow
  readonly eventId: number
  readonly origin: Origin
}

/** Times before which rows expire. `failures`: phones with consecutive wrong codes below the hard stop; `phones`: without. */
export type ExpiryBounds = Readonly<
  Record<'challenges' | 'events' | 'devices' | 'phones' | 'failures', number>
>

export type OtpStore = ReturnType<typeof createOtpStore>

const failuresColumn = { open: 'consecutive_failures', known: 'known_consecutive_failures' } as const

const noFailures = { consecutive_failures: 0, known_consecutive_failures: 0 }
const hasFailures = sql<boolean>`consecutive_failures + known_consecutive_failures > 0`

/** Each event that a rule counts, less each that allows one more. */
const countOf = ({ counts }: Rule) =>
  sql<number>`coalesce(sum(case when outcome in (${sql.join(counts)}) then 1 else -1 end), 0)`

/** Challenges, events, consecutive wrong codes and known devices. Times are epoch milliseconds; phones are E.164. */
export function createOtpStore(database: Database) {
  const updateCounters = ({ role, phone }: Phone) =>
    database.tables.updateTable('otp_counters').where((row) => row.and({ role, phone }))
  const addFailures = (origin: Origin, wrongs: 1 | -1) => {
    const column = failuresColumn[origin.trust]
    const change = updateCounters(origin).set((row) => ({ [column]: row(column, '+', wrongs) }))
    // A right code may have reset the counter since: it never goes below zero.
    return change.where(column, '>=', -wrongs).execute()
  }
  const setOutcome = (id: number, outcome: Outcome) =>
    database.tables.updateTable('otp_events').set({ outcome }).where('id', '=', id).execute()
  const updateChallenge = (match: { id: string; state?: ChallengeRow['state'] }) =>
    database.tables
      .updateTable('otp_challenges')
      .where((row) => row.and(match))
      .returningAll()
  const challengesOf = ({ role, phone }: Phone) =>
    database.tables
      .selectFrom('otp_challenges')
      .where((row) => row.and({ role, phone }))
      .orderBy('sent_at', 'desc')

  /** The challenges in a browser that are not spent and have not expired, newest first. */
  const liveIn = (browserHash: string, now: number) =>
    database.tables
      .selectFrom('otp_challenges')
      .selectAll()
      .where('browser_hash', '=', browserHash)
      .where('state', '!=', 'spent')
      .where('expires_at', '>', now)
      .orderBy('sent_at', 'desc')
  /** Events a rule is about: of codes to phones, or of those to addresses. The first column of each scope begins an index. */
  const eventsOf = (rule: Rule, outcomes: readonly Outcome[], origin: Partial<Origin>, now: number) =>
    database.tables
      .selectFrom('otp_events')
      .where((row) =>
        row.and(
          scopes[rule.per].map((column) => {
            const isEqual = row(column, '=', origin[column] ?? '')
            // Sends of before there were other channels.
            return origin[column] === 'sms' ? row.or([isEqual, row(column, 'is', null)]) : isEqual
          }),
        ),
      )
      .where('role', 'in', origin.role && isEmailRole(origin.role) ? emailRoles : phoneRoles)
      .where('outcome', 'in', outcomes)
      .where('at', '>', now - rule.windowMs)

  /**
   * Inside a transaction: locks the phone until it ends, so that one request at a time, on all gateways, reads and counts its
   * limits. Returns its consecutive wrong codes of the given trust.
   */
  async function lockPhone({ role, phone, trust }: Phone & Pick<Origin, 'trust'>, now: number) {
    database.assertTransaction()
    const row = await database.tables
      .insertInto('otp_counters')
      .values({ role, phone, touched_at: now })
      .onConflict((conflict) => conflict.columns(['role', 'phone']).doUpdateSet({ touched_at: now }))
      .returning(failuresColumn[trust])
      .executeTakeFirstOrThrow()
    return row[failuresColumn[trust]] as number
  }

  /** Adds a send as unanswered or a check as wrong; returns its id. */
  async function addEvent(origin: Origin, outcome: 'unanswered' | 'wrong', now: number): Promise<number> {
    const kind = outcome === 'wrong' ? 'check' : 'send'
    const { id } = await database.tables
      .insertInto('otp_events')
      .values({ ...origin, kind, outcome, at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return {
    lockPhone,
    addEvent,
    setOutcome,
    /** Sends to a phone after `since`, as far as they are counted with the attempt. */
    async listSends({ role, phone, trust }: Origin, since: number): Promise<PastSend[]> {
      const rows = await database.tables
        .selectFrom('otp_events')
        .select(['channel', 'outcome', 'at'])
        .where((row) => row.and({ role, phone, trust, kind: 'send' }))
        .where('at', '>', since)
        .execute()
      return rows.map(({ channel, ...send }) => ({ ...send, channel: channel ?? 'sms' }))
    },
    /** Events per rule, in the order of the rules. Shared rules are not locked: a few events too many may pass at once. */
    async countEvents(rules: readonly Rule[], origin: Partial<Origin>, now: number): Promise<number[]> {
      // One statement for all rules, because the phone stays locked meanwhile.
      const counts = await database.tables
        .selectNoFrom(
          rules.map((rule, index) =>
            eventsOf(rule, [...rule.counts, ...(rule.credits ?? [])], origin, now)
              .select(countOf(rule).as('events'))
              .as(`rule_${index}`),
          ),
        )
        .executeTakeFirstOrThrow()
      return rules.map((_, index) => Number(counts[`rule_${index}`]))
    },
    /** When a rule that has counted `used` events allows the next one, unless a crediting event allows it earlier. */
    async findFreeAt(rule: Rule, origin: Partial<Origin>, now: number, used: number): Promise<number> {
      const events = eventsOf(rule, rule.counts, origin, now).select('at').orderBy('at').limit(1)
      const last = await events.offset(used - rule.count).executeTakeFirst()
      return (last?.at ?? now) + rule.windowMs
    },
    /**
     * Adds a challenge that was sent. Of the browser's former binding, proofs of the same phone are consumed, and
     * challenges of other phones move to the new binding. A challenge sent to the same phone stays: when the response
     * with the new binding is lost, the code can still be entered, because the provider sends the same one again.
     */
    addChallenge: (challenge: NewChallenge, formerHash?: string): Promise<void> =>
      database.transaction(async () => {
        const { role, phone, browser_hash } = challenge
        if (formerHash !== undefined) {
          const former = database.tables.updateTable('otp_challenges').where('browser_hash', '=', formerHash)
          const proven = former.where((row) => row.and({ state: 'proven', role, phone }))
          await proven.set({ state: 'spent' }).execute()
          const others = former.where((row) => row.not(row.and({ role, phone })))
          await others.where('state', '!=', 'spent').set({ browser_hash }).execute()
        }
        const row = { id: randomUUID(), state: 'sent', checks: 0, ...challenge } as const
        await database.tables.insertInto('otp_challenges').values(row).execute()
      }),
    /** The newest challenge of a phone in a browser that is not spent and has not expired. */
    findChallenge: (phone: Phone, browserHash: string, now: number): Promise<ChallengeRow | undefined> =>
      challengesOf(phone)
        .selectAll()
        .where('browser_hash', '=', browserHash)
        .where('state', '!=', 'spent')
        .where('expires_at', '>', now)
        .limit(1)
        .executeTakeFirst(),
    /** The challenges in a browser that are not spent and have not expired, of any phone and role, newest first. */
    listLiveOf: (browserHash: string, now: number): Promise<ChallengeRow[]> =>
      liveIn(browserHash, now).limit(20).execute(),
    /** The newest challenge of a role in a browser that is not spent and has not expired, whatever it was sent to. */
    findChallengeOf: (role: Role, browserHash: string, now: number): Promise<ChallengeRow | undefined> =>
      liveIn(browserHash, now).where('role', '=', role).limit(1).executeTakeFirst(),
    /** `false` when the service was asked before whether the code arrived. */
    async claimDelivery(id: string): Promise<boolean> {
      const claimed = updateChallenge({ id }).set({ delivery: 'unknown' }).where('delivery', 'is', null)
      return (await claimed.executeTakeFirst()) !== undefined
    },
    setDelivery: (id: string, delivery: CodeDelivery) => updateChallenge({ id }).set({ delivery }).execute(),
    /** The number that a recovery is to end with. */
    async setNewPhone(id: string, new_phone: string): Promise<void> {
      await updateChallenge({ id }).set({ new_phone }).execute()
    },
    /** Challenges of a phone that are still stored, newest first. */
    listChallenges: (phone: Phone): Promise<ChallengeRow[]> =>
      challengesOf(phone).selectAll().limit(100).execute(),
    /** Counts one more wrong check, before the code is compared; undefined when no try is left. */
    async countCheck(origin: Origin, id: string, maxChecks: number, now: number) {
      const challenge = await updateChallenge({ id, state: 'sent' })
        .set((row) => ({ checks: row('checks', '+', 1) }))
        .where('checks', '<', maxChecks)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (!challenge) return undefined
      await addFailures(origin, 1)
      const check: CountedCheck = { challenge, origin, eventId: await addEvent(origin, 'wrong', now) }
      return check
    },
    /**
     * Uncounts a check that was not answered: its event, its try, its consecutive failure. At most `most` times per code
     * unless `isCertain` (nothing was compared), because the code may have been compared before the answer was lost.
     */
    uncountCheck: (check: CountedCheck, isCertain: boolean, most: number, now: number): Promise<void> =>
      database.transaction(async () => {
        // The phone is locked first, as in every transaction here: different orders of locking would deadlock.
        await lockPhone(check.origin, now)
        const given = await updateChallenge({ id: check.challenge.id })
          .set((row) => ({
            checks: row('checks', '-', 1),
            uncertain_checks: row('uncertain_checks', '+', isCertain ? 0 : 1),
          }))
          .where('checks', '>', 0)
          .where('uncertain_checks', isCertain ? '<=' : '<', most)
          .executeTakeFirst()
        if (!given) return
        await database.tables.deleteFrom('otp_events').where('id', '=', check.eventId).execute()
        await addFailures(check.origin, -1)
      }),
    /**
     * Marks the code as proven and the check as right, gives its send the `outcome`, and resets the consecutive wrong
     * codes. `false` when another request was first.
     */
    markProven: (check: CountedCheck, outcome: 'answered' | 'joined', now: number, provenUntil: number) =>
      database.transaction(async () => {
        const { id, send_id } = check.challenge
        await lockPhone(check.origin, now)
        const proven = updateChallenge({ id, state: 'sent' }).set({
          state: 'proven',
          expires_at: provenUntil,
        })
        if (!(await proven.executeTakeFirst())) return false
        await updateCounters(check.origin).set(noFailures).execute()
        await setOutcome(check.eventId, 'right')
        await setOutcome(send_id, outcome)
        return true
      }),
    /** Consumes a proven challenge; `false` when it is not proven or has expired. */
    async consumeProof(id: string, now: number): Promise<boolean> {
      const spent = updateChallenge({ id, state: 'proven' })
        .set({ state: 'spent' })
        .where('expires_at', '>', now)
      return (await spent.executeTakeFirst()) !== undefined
    },

    /** Whether the browser with this token has signed in after `usedAfter`: with the phone, or with any. */
    async isKnownDevice(token_hash: string, usedAfter: number, phone?: Phone): Promise<boolean> {
      const row = await database.tables
        .selectFrom('otp_devices')
        .select('phone')
        .where((row) => row.and({ token_hash, ...phone }))
        .where('used_at', '>', usedAfter)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Remembers that a browser signed in with a phone. */
    async saveDevice(token_hash: string, { role, phone }: Phone, now: number): Promise<void> {
      await database.tables
        .insertInto('otp_devices')
        .values({ token_hash, role, phone, created_at: now, used_at: now })
        .onConflict((conflict) =>
          conflict.columns(['token_hash', 'role', 'phone']).doUpdateSet({ used_at: now }),
        )
        .execute()
    },

    /** The consecutive wrong codes of a phone, per role that has entered any. */
    async findFailures(phone: string): Promise<{ role: Role; open: number; known: number }[]> {
      return database.tables
        .selectFrom('otp_counters')
        .select(['role', 'consecutive_failures as open', 'known_consecutive_failures as known'])
        .where('role', 'in', roles)
        .where('phone', '=', phone)
        .where(hasFailures)
        .execute()
    },

    /** Resets the consecutive wrong codes of a phone for both roles; returns how many counters were above zero. */
    async unlockPhone(phone: string): Promise<number> {
      return database.changes(
        database.tables
          .updateTable('otp_counters')
          .set(noFailures)
          .where('role', 'in', roles)
          .where('phone', '=', phone)
          .where(hasFailures),
      )
    },
    /**
     * Deletes what is stored of a phone, except its events: they expire within a day, and without them signing up and
     * deleting the account in turn would send SMS without end.
     */
    async erasePhone({ role, phone }: Phone): Promise<void> {
      for (const table of ['otp_counters', 'otp_challenges', 'otp_devices'] as const) {
        const deletion = database.tables.deleteFrom(table)
        await deletion.where((row) => row.and({ role, phone })).execute()
      }
    },
    /**
     * Deletes expired rows, at most `limit` of each kind; returns how many. A phone with `hardStop` consecutive wrong
     * codes stays locked.
     */
    async deleteExpired(before: ExpiryBounds, hardStop: number, limit: number): Promise<number> {
      const pieces = [
        { from: 'otp_challenges', by: 'expires_at', where: sql`expires_at < ${before.challenges}` },
        { from: 'otp_events', by: 'at', where: sql`at < ${before.events}` },
        { from: 'otp_devices', by: 'used_at', where: sql`used_at < ${before.devices}` },
        // Conditions as in the two partial indexes over the counters.
        {
          from: 'otp_counters',
          by: 'touched_at',
          where: sql`consecutive_failures = 0 AND known_consecutive_failures = 0 AND touched_at < ${before.phones}`,
        },
        {
          from: 'otp_counters',
          by: 'touched_at',
          where: sql`(consecutive_failures > 0 OR known_consecutive_failures > 0) AND touched_at < ${before.failures}
            AND consecutive_failures < ${hardStop} AND known_consecutive_failures < ${hardStop}`,
        },
      ]
      let rows = 0
      for (const piece of pieces) rows += await deletePiece(database, { ...piece, limit })
      return rows
    },
  }
}
