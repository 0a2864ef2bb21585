import { sql } from 'kysely'
import type { Core } from '#server/core.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import { eventLifeMs, type PastEvent, type SharedRule } from './limits.rules.ts'
import { type DeviceTrust, guessRules, type Origin, type Outcome, roles } from './otp.rules.ts'

type Phone = Pick<Origin, 'role' | 'phone'>
type CounterRow = Row<'otp_counters'>
type CountedOrigin = Pick<Origin, 'trust'> & Partial<Origin>
export type ChallengeRow = Row<'otp_challenges'>

const challenges = ({ database }: QueryCore, match: Partial<ChallengeRow>) =>
  database.tables
    .selectFrom('otp_challenges')
    .selectAll()
    .where((row) => row.and(match))
    .orderBy('sent_at', 'desc')
    .limit(100)

export const listChallenges = (core: QueryCore, match: Partial<ChallengeRow>): Promise<ChallengeRow[]> =>
  challenges(core, match).execute()

export async function listLive(
  core: QueryCore,
  { binding }: { readonly binding: string | undefined },
  match: Partial<ChallengeRow>,
  now: number,
): Promise<ChallengeRow[]> {
  if (!isToken(binding)) return []
  return challenges(core, { ...match, browser_hash: hashOf(binding) })
    .where('state', '!=', 'spent')
    .where('expires_at', '>', now)
    .execute()
}

/** @returns false when the code was changed meanwhile, or has expired by `liveAt` */
export const changeChallenge = (
  { database }: QueryCore,
  match: Partial<ChallengeRow>,
  change: Partial<ChallengeRow>,
  liveAt = 0,
): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('otp_challenges')
      .set(change)
      .where((row) => row.and(match))
      .where('expires_at', '>', liveAt),
  )

/**
 * Moves the browser's codes to the new binding. A code to this phone number stays, so that a browser that never
 * receives the new binding can still enter it.
 */
export async function addChallenge(
  { database }: QueryCore,
  challenge: Omit<ChallengeRow, 'uncertain_checks' | 'delivery'>,
  formerHash?: string,
): Promise<void> {
  const { role, phone, browser_hash } = challenge
  const added = database.tables.insertInto('otp_challenges').values(challenge)
  if (formerHash === undefined) return database.send(added)
  await database.transaction(async () => {
    const former = database.tables.updateTable('otp_challenges').where('browser_hash', '=', formerHash)
    const proven = former.where((row) => row.and({ state: 'proven', role, phone }))
    await database.send(proven.set({ state: 'spent' }))
    const others = former.where((row) => row.not(row.and({ role, phone })))
    await database.send(others.where('state', '!=', 'spent').set({ browser_hash }))
    await database.send(added)
  })
}

export const listEvents = (
  { database, config }: Core,
  { role, phone, trust }: Origin,
  now: number,
): Promise<PastEvent[]> =>
  database.tables
    .selectFrom('otp_events')
    .select(['kind', 'channel', 'outcome', 'at'])
    .where((row) => row.and({ role, phone, trust }))
    .where('at', '>', now - eventLifeMs(config))
    .orderBy('at')
    .execute()

/** The insertion of an event must be the last statement of its transaction. */
export async function addEvent(
  { database }: QueryCore,
  origin: Origin,
  outcome: 'unanswered' | 'wrong',
  at: number,
): Promise<number> {
  const kind = outcome === 'wrong' ? 'check' : 'send'
  const event = database.tables.insertInto('otp_events').values({ ...origin, kind, outcome, at })
  const [row] = await database.last(event.returning('id'))
  if (row === undefined) throw new Error('no event was returned')
  return row.id
}

export async function setOutcome({ database }: QueryCore, id: number, outcome: Outcome): Promise<void> {
  await database.send(database.tables.updateTable('otp_events').set({ outcome }).where('id', '=', id))
}

/** SQL that uses a partial index must contain literals, not parameters. */
function countedBy({ database }: QueryCore, rule: SharedRule, origin: CountedOrigin, now: number) {
  const { per, counts, windowMs } = rule
  const events = database.tables
    .selectFrom('otp_events')
    .where('trust', '=', origin.trust)
    .where(
      'outcome',
      'in',
      counts.map((each) => sql.lit(each)),
    )
    .where('at', '>', now - windowMs)
  return per === undefined ? events : events.where(per, '=', origin[per] ?? '')
}

/** The events are not locked, so simultaneous requests can exceed a limit by a few. */
export async function countEvents(
  core: QueryCore,
  rules: readonly SharedRule[],
  origin: CountedOrigin,
  now: number,
): Promise<number[]> {
  if (rules.length === 0) return []
  const counts = rules.map((rule, index) => {
    const weight = sql<number>`sum(CASE outcome WHEN 'answered' THEN ${sql.lit(rule.answered)} ELSE 1 END)`
    return countedBy(core, rule, origin, now).select(weight.as('used')).as(`rule_${index}`)
  })
  const row = await core.database.tables.selectNoFrom(counts).executeTakeFirstOrThrow()
  return Object.values(row).map(Number)
}

export async function findFreeAt(
  core: QueryCore,
  rule: SharedRule,
  origin: CountedOrigin,
  now: number,
  used: number,
): Promise<number> {
  const events = countedBy(core, rule, origin, now).select('at').orderBy('at')
  const last = await events
    .offset(used - rule.count)
    .limit(1)
    .executeTakeFirst()
  return (last?.at ?? now) + rule.windowMs
}

// The row of a phone number in `otp_counters` counts its consecutive wrong codes, and is also its lock.

const failuresColumn = {
  open: 'consecutive_failures',
  known: 'known_consecutive_failures',
  session: 'consecutive_failures',
} as const

/**
 * Needs a transaction. Requests about one phone number, on all gateways, wait for each other.
 * @returns its consecutive wrong codes
 */
export async function lockPhone(
  { database }: QueryCore,
  { role, phone, trust }: Phone & Pick<Origin, 'trust'>,
  touched_at: number,
): Promise<number> {
  database.assertTransaction()
  const [row] = await database.rows(
    database.tables
      .insertInto('otp_counters')
      .values({ role, phone, touched_at })
      .onConflict((conflict) => conflict.columns(['role', 'phone']).doUpdateSet({ touched_at }))
      .returning(['consecutive_failures', 'known_consecutive_failures']),
  )
  if (row === undefined) throw new Error('no counter was returned')
  return row[failuresColumn[trust]]
}

export async function setFailures(
  { database }: QueryCore,
  { role, phone }: Phone,
  failures: number,
  trusts: readonly DeviceTrust[] = ['open', 'known'],
): Promise<void> {
  await database.send(
    database.tables
      .updateTable('otp_counters')
      .set(Object.fromEntries(trusts.map((trust) => [failuresColumn[trust], failures])))
      .where((row) => row.and({ role, phone })),
  )
}

export const listFailures = ({ database }: QueryCore, phones: readonly string[]): Promise<CounterRow[]> =>
  database.tables
    .selectFrom('otp_counters')
    .selectAll()
    .where('role', 'in', roles)
    .where('phone', 'in', phones)
    .where((row) => row.or([row('consecutive_failures', '>', 0), row('known_consecutive_failures', '>', 0)]))
    .execute()

export async function resetFailures(core: QueryCore, phones: readonly string[]): Promise<number> {
  const rows = await listFailures(core, phones)
  for (const row of rows) await setFailures(core, row, 0)
  return rows.length
}

export const isKnownDevice = (
  { database }: QueryCore,
  token_hash: string,
  usedAfter: number,
  phone?: Phone,
): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('otp_devices')
      .select('phone')
      .where('used_at', '>', usedAfter)
      .where((row) => row.and({ token_hash, ...phone }))
      .limit(1),
  )

export async function saveDevice(
  { database }: QueryCore,
  token_hash: string,
  { role, phone }: Phone,
  used_at: number,
): Promise<void> {
  await database.send(
    database.tables
      .insertInto('otp_devices')
      .values({ token_hash, role, phone, created_at: used_at, used_at })
      .onConflict((conflict) => conflict.columns(['token_hash', 'role', 'phone']).doUpdateSet({ used_at })),
  )
}

/** Events stay until they expire: otherwise a user could get SMS without end by repeated sign-ups and deletions. */
export async function erasePhone({ database }: QueryCore, { role, phone }: Phone): Promise<void> {
  for (const table of ['otp_counters', 'otp_challenges', 'otp_devices'] as const)
    await database.tables
      .deleteFrom(table)
      .where((row) => row.and({ role, phone }))
      .execute()
}

/** Deletes old rows of sign-in. The counter of wrong codes for a user's locked phone number stays. */
export async function deleteExpired(
  { database }: QueryCore,
  before: Readonly<Record<'challenges' | 'events' | 'devices' | 'failures', number>>,
  limit: number,
): Promise<number> {
  const { consecutiveFailures: stop } = guessRules
  const pieces = [
    ['otp_challenges', 'expires_at', sql`expires_at < ${before.challenges}`],
    ['otp_events', 'at', sql`at < ${before.events}`],
    ['otp_devices', 'used_at', sql`used_at < ${before.devices}`],
    // The conditions must be those of the two partial indexes.
    [
      'otp_counters',
      'touched_at',
      sql`consecutive_failures = 0 AND known_consecutive_failures = 0 AND touched_at < ${before.events}`,
    ],
    [
      'otp_counters',
      'touched_at',
      sql`(consecutive_failures > 0 OR known_consecutive_failures > 0) AND touched_at < ${before.failures}
        AND (role = 'agent' OR (consecutive_failures < ${stop} AND known_consecutive_failures < ${stop}))`,
    ],
  ] as const
  let rows = 0
  for (const [from, by, where] of pieces) rows += await deletePiece(database, { from, by, where, limit })
  return rows
}
