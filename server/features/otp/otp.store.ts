import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import { prepared, preparedChanges, preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import { type PastEvent, type Rule, scopes } from './limits.rules.ts'
import {
  countedTogether,
  type DeviceTrust,
  type Origin,
  type Outcome,
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
type ChallengeInsert = Required<NewChallenge> & Pick<ChallengeRow, 'id'>
type EventRow = Pick<Row<'otp_events'>, 'kind' | 'channel' | 'outcome' | 'at'>

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

/** What events are counted by. */
const originColumns = ['role', 'phone', 'trust', 'prefix', 'country', 'address', 'channel'] as const

const failuresColumn = { open: 'consecutive_failures', known: 'known_consecutive_failures' } as const

const noFailures = { consecutive_failures: 0, known_consecutive_failures: 0 }
const hasFailures = sql<boolean>`consecutive_failures + known_consecutive_failures > 0`

/** Each event that a rule counts, less each that allows one more. */
const countOf = ({ counts }: Rule) =>
  sql<number>`coalesce(sum(case when outcome in (${sql.join(counts.map((each) => sql.lit(each)))}) then 1 else -1 end), 0)`

/** As a part of the text, so that an index of some words can be used. */
const lits = <Word extends string>(words: readonly Word[]) => words.map((word) => sql.lit(word))

/** The statements about challenges; what each sign-in runs is prepared. */
function createChallengeStatements(database: Database) {
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
  const liveChallenge = preparedFirst<Phone & { browserHash: string; now: number }, ChallengeRow>(
    database,
    (given) =>
      challengesOf({ role: given('role'), phone: given('phone') })
        .selectAll()
        .where('browser_hash', '=', given('browserHash'))
        .where('state', '!=', sql.lit('spent'))
        .where('expires_at', '>', given('now'))
        .limit(sql.lit(1)),
  )
  const addedChallenge = preparedChanges<ChallengeInsert>(database, (given) =>
    database.tables.insertInto('otp_challenges').values({
      id: given('id'),
      state: 'sent',
      checks: 0,
      role: given('role'),
      phone: given('phone'),
      browser_hash: given('browser_hash'),
      provider_ref: given('provider_ref'),
      send_id: given('send_id'),
      channel: given('channel'),
      sent_at: given('sent_at'),
      expires_at: given('expires_at'),
      email: given('email'),
      new_phone: given('new_phone'),
    }),
  )
  const checkedOnce = preparedFirst<{ id: string; most: number; now: number }, ChallengeRow>(
    database,
    (given) =>
      updateChallenge({ id: given('id'), state: 'sent' })
        .set((row) => ({ checks: row('checks', '+', sql.lit(1)) }))
        .where('checks', '<', given('most'))
        .where('expires_at', '>', given('now')),
  )
  const provenOnce = preparedFirst<{ id: string; until: number }, ChallengeRow>(database, (given) =>
    updateChallenge({ id: given('id'), state: 'sent' }).set({ state: 'proven', expires_at: given('until') }),
  )
  const spentOnce = preparedFirst<{ id: string; now: number }, ChallengeRow>(database, (given) =>
    updateChallenge({ id: given('id'), state: 'proven' })
      .set({ state: 'spent' })
      .where('expires_at', '>', given('now')),
  )

  return {
    updateChallenge,
    challengesOf,
    liveChallenge,
    addedChallenge,
    checkedOnce,
    provenOnce,
    spentOnce,
    liveIn,
    /** Ends a code that was not entered; false when it was entered or ended before. */
    spendSent: async (id: string): Promise<boolean> =>
      (await updateChallenge({ id, state: 'sent' }).set({ state: 'spent' }).executeTakeFirst()) !== undefined,
    /** Counts a check whose answer was lost; false once `most` of this code are counted. */
    countLostAnswer: async (id: string, most: number): Promise<boolean> =>
      (await updateChallenge({ id })
        .set((row) => ({ uncertain_checks: row('uncertain_checks', '+', 1) }))
        .where('uncertain_checks', '<', most)
        .executeTakeFirst()) !== undefined,
  }
}

/** What shared rules count, of all phones. */
function createEventCounts(database: Database) {
  /** Events a rule is about, of the roles that count together. The first column of each scope begins an index. */
  const eventsOf = (
    rule: Rule,
    outcomes: readonly Outcome[],
    origin: Partial<Origin>,
    since: number,
    valueIn: (column: keyof Origin) => string = (column) => origin[column] ?? '',
  ) =>
    database.tables
      .selectFrom('otp_events')
      .where((row) =>
        row.and(
          scopes[rule.per].map((column) => {
            // Of one prefix and address: the prefix has few events, an address that many share has not. No index has this.
            const isLast = column === 'address' && rule.per === 'addressPrefix'
            const isEqual = row(isLast ? sql<string>`address || ''` : column, '=', valueIn(column) as never)
            // Sends of before there were other channels.
            return origin[column] === 'sms' ? row.or([isEqual, row(column, 'is', null)]) : isEqual
          }),
        ),
      )
      .where('role', 'in', lits(countedTogether(origin.role)))
      .where('outcome', 'in', lits(outcomes))
      .where('at', '>', since)

  type Counted = Record<keyof Origin, string> & Record<`since_${number}`, number>
  const counters = new Map<string, (given: Counted) => Promise<Record<string, number> | undefined>>()
  /** Counts events of each rule; prepared once for rules that differ in numbers alone. */
  function counterOf(rules: readonly Rule[], origin: Partial<Origin>) {
    const shape = rules.map(({ per, counts, credits = [] }) => `${per} ${counts} ${credits}`)
    const key = `${origin.channel === 'sms'} ${countedTogether(origin.role)} ${shape.join(';')}`
    const known = counters.get(key)
    if (known) return known
    const made = preparedFirst<Counted, Record<string, number>>(database, (given) =>
      database.tables.selectNoFrom(
        rules.map((rule, index) =>
          eventsOf(
            rule,
            [...rule.counts, ...(rule.credits ?? [])],
            origin,
            given(`since_${index}`),
            (column) => given(column),
          )
            .select(countOf(rule).as('events'))
            .as(`rule_${index}`),
        ),
      ),
    )
    counters.set(key, made)
    return made
  }

  return {
    /** Events per rule, in the order of the rules. Shared rules are not locked: a few events too many may pass at once. */
    async countEvents(rules: readonly Rule[], origin: Partial<Origin>, now: number): Promise<number[]> {
      if (rules.length === 0) return []
      const given: Record<string, string | number> = {}
      for (const column of originColumns) given[column] = origin[column] ?? ''
      for (const [index, { windowMs }] of rules.entries()) given[`since_${index}`] = now - windowMs
      // One statement for all rules, because the phone stays locked meanwhile.
      const counts = await counterOf(rules, origin)(given as Counted)
      return rules.map((_, index) => Number(counts?.[`rule_${index}`]))
    },
    /** When a rule that has counted `used` events allows the next one, unless a crediting event allows it earlier. */
    async findFreeAt(rule: Rule, origin: Partial<Origin>, now: number, used: number): Promise<number> {
      const events = eventsOf(rule, rule.counts, origin, now - rule.windowMs)
        .select('at')
        .orderBy('at')
        .limit(1)
      const last = await events.offset(used - rule.count).executeTakeFirst()
      return (last?.at ?? now) + rule.windowMs
    },
  }
}

/** Consecutive wrong codes by phone, whose rows are also the locks of their phones. */
function createCounters(database: Database) {
  const updateCounters = ({ role, phone }: Phone) =>
    database.tables.updateTable('otp_counters').where((row) => row.and({ role, phone }))
  const addFailuresOf = (trust: DeviceTrust) =>
    preparedChanges<Phone & { wrongs: number; least: number }>(database, (given) => {
      const column = failuresColumn[trust]
      const phone = { role: given('role'), phone: given('phone') }
      const change = updateCounters(phone).set((row) => ({ [column]: row(column, '+', given('wrongs')) }))
      // A right code may have reset the counter since: it never goes below zero.
      return change.where(column, '>=', given('least'))
    })
  const failuresAdded = { open: addFailuresOf('open'), known: addFailuresOf('known') }
  const addFailures = ({ role, phone, trust }: Origin, wrongs: 1 | -1) =>
    failuresAdded[trust]({ role, phone, wrongs, least: -wrongs })
  const clearFailures = preparedChanges<Phone>(database, (given) =>
    updateCounters({ role: given('role'), phone: given('phone') }).set(noFailures),
  )

  /**
   * Inside a transaction: locks the phone until it ends, so that one request at a time, on all gateways, reads and counts its
   * limits. Returns its consecutive wrong codes of the given trust.
   */
  async function lockPhone({ role, phone, trust }: Phone & Pick<Origin, 'trust'>, now: number) {
    database.assertTransaction()
    const row = await lockedPhone({ role, phone, now })
    if (row === undefined) throw new Error('no counter was returned')
    return row[failuresColumn[trust]] as number
  }
  const lockedPhone = preparedFirst<
    Phone & { now: number },
    Record<(typeof failuresColumn)[DeviceTrust], number>
  >(database, (given) =>
    database.tables
      .insertInto('otp_counters')
      .values({ role: given('role'), phone: given('phone'), touched_at: given('now') })
      .onConflict((conflict) => conflict.columns(['role', 'phone']).doUpdateSet({ touched_at: given('now') }))
      .returning([failuresColumn.open, failuresColumn.known]),
  )

  return {
    lockPhone,
    addFailures,
    clearFailures,

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
  }
}

/** Challenges, events, consecutive wrong codes and known devices. Times are epoch milliseconds; phones are E.164. */
export function createOtpStore(database: Database) {
  const statements = createChallengeStatements(database)
  const { updateChallenge, challengesOf, liveIn } = statements
  const { addFailures, clearFailures, ...counters } = createCounters(database)
  const setOutcome = (id: number, outcome: Outcome) =>
    database.tables.updateTable('otp_events').set({ outcome }).where('id', '=', id).execute()

  /** Adds a send as unanswered or a check as wrong; returns its id. */
  async function addEvent(origin: Origin, outcome: 'unanswered' | 'wrong', now: number): Promise<number> {
    const kind = outcome === 'wrong' ? 'check' : 'send'
    const row = await addedEvent({ ...origin, channel: origin.channel ?? null, kind, outcome, at: now })
    if (row === undefined) throw new Error('no event was returned')
    return row.id
  }
  const addedEvent = preparedFirst<Omit<Row<'otp_events'>, 'id'>, { id: number }>(database, (given) =>
    database.tables
      .insertInto('otp_events')
      .values({
        role: given('role'),
        phone: given('phone'),
        trust: given('trust'),
        prefix: given('prefix'),
        country: given('country'),
        address: given('address'),
        channel: given('channel'),
        kind: given('kind'),
        outcome: given('outcome'),
        at: given('at'),
      })
      .returning('id'),
  )

  const eventsOfPhone = prepared<Pick<Origin, 'role' | 'phone' | 'trust'> & { since: number }, EventRow>(
    database,
    (given) =>
      database.tables
        .selectFrom('otp_events')
        .select(['kind', 'channel', 'outcome', 'at'])
        .where('role', '=', given('role'))
        .where('phone', '=', given('phone'))
        .where('trust', '=', given('trust'))
        .where('at', '>', given('since'))
        .orderBy('at'),
  )
  /** Of a check that was right, and of its send. */
  const setOutcomes = preparedChanges<{ check: number; send: number; outcome: Outcome }>(database, (given) =>
    database.tables
      .updateTable('otp_events')
      .set({
        outcome: sql<Outcome>`case when id = ${given('check')} then 'right' else ${given('outcome')} end`,
      })
      .where('id', 'in', [given('check'), given('send')]),
  )
  const savedDevice = preparedChanges<Phone & { token: string; now: number }>(database, (given) =>
    database.tables
      .insertInto('otp_devices')
      .values({
        token_hash: given('token'),
        role: given('role'),
        phone: given('phone'),
        created_at: given('now'),
        used_at: given('now'),
      })
      .onConflict((conflict) =>
        conflict.columns(['token_hash', 'role', 'phone']).doUpdateSet({ used_at: given('now') }),
      ),
  )

  return {
    ...counters,
    spendSent: statements.spendSent,
    countLostAnswer: statements.countLostAnswer,
    addEvent,
    ...createEventCounts(database),
    setOutcome,
    /** Sends to a phone and checks of it after `since`, as far as they are counted with the attempt; oldest first. */
    async listEvents({ role, phone, trust }: Origin, since: number): Promise<PastEvent[]> {
      const rows = await eventsOfPhone({ role, phone, trust, since })
      return rows.map(({ channel, ...event }) => ({ ...event, channel: channel ?? 'sms' }))
    },
    /**
     * Adds a challenge that was sent. Of the browser's former binding, proofs of the same phone are consumed, and
     * challenges of other phones move to the new binding. A challenge sent to the same phone stays: when the response
     * with the new binding is lost, the code can still be entered, because the provider sends the same one again. Returns
     * its id.
     */
    async addChallenge(challenge: NewChallenge, formerHash?: string): Promise<string> {
      const { role, phone, browser_hash, email = null, new_phone = null } = challenge
      const row = { ...challenge, id: randomUUID(), email, new_phone }
      if (formerHash === undefined) {
        await statements.addedChallenge(row)
        return row.id
      }
      await database.transaction(async () => {
        const former = database.tables.updateTable('otp_challenges').where('browser_hash', '=', formerHash)
        const proven = former.where((row) => row.and({ state: 'proven', role, phone }))
        await proven.set({ state: 'spent' }).execute()
        const others = former.where((row) => row.not(row.and({ role, phone })))
        await others.where('state', '!=', 'spent').set({ browser_hash }).execute()
        await statements.addedChallenge(row)
      })
      return row.id
    },
    /** The newest challenge of a phone in a browser that is not spent and has not expired. */
    findChallenge: ({ role, phone }: Phone, browserHash: string, now: number) =>
      statements.liveChallenge({ role, phone, browserHash, now }),
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
      const challenge = await statements.checkedOnce({ id, most: maxChecks, now })
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
        await counters.lockPhone(check.origin, now)
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
        await counters.lockPhone(check.origin, now)
        if (!(await statements.provenOnce({ id, until: provenUntil }))) return false
        const { role, phone } = check.origin
        await clearFailures({ role, phone })
        await setOutcomes({ check: check.eventId, send: send_id, outcome })
        return true
      }),
    /** Consumes a proven challenge; `false` when it is not proven or has expired. */
    async consumeProof(id: string, now: number): Promise<boolean> {
      return (await statements.spentOnce({ id, now })) !== undefined
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
      await savedDevice({ token: token_hash, role, phone, now })
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
     * Deletes expired rows, at most `limit` of each kind; returns how many. A user's phone with `hardStop` consecutive wrong
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
            AND (role = 'agent' OR (consecutive_failures < ${hardStop} AND known_consecutive_failures < ${hardStop}))`,
        },
      ]
      let rows = 0
      for (const piece of pieces) rows += await deletePiece(database, { ...piece, limit })
      return rows
    },
  }
}
