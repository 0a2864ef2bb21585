import { type Kysely, type RawBuilder, sql } from 'kysely'
import { legLocationsOf } from '#server/features/orders/orders.rules.ts'
import { abandonedAfterMs } from '#server/features/payments/payments.rules.ts'
import { writeSearchText } from '#server/platform/database/agent-search.ts'
import type { EngineParts } from '#server/platform/database/database.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

export interface Season {
  readonly orders: number
  readonly agents: readonly PartnerAgent[]
  readonly centers: readonly Center[]
  readonly now: number
}

/** Orders of the first users, all settled: a family, a small operator. */
export const ordersOfFrequent = 20
/** Two months, so that most attempts, but not all, are beyond their last inquiry. */
const spanMs = 60 * 86_400_000
const batch = { sqlite: 10_000, postgres: 100_000 } as const
/** Keys of repeated calls are stored this long; older ones would be deleted during the measurement. */
const keysMs = 29 * 86_400_000
/**
 * Smaller than a real label of 15 kB and a provider's stored details, because full sizes would measure the disk. Data that is read by the page or by the thousand has its real size.
 */
const labelBytes = 64
const eventBody = JSON.stringify({ obj: { success: true, note: 'x'.repeat(40) }, type: 'TRANSACTION' })
const branchesInUse = 60

type Db = EngineParts['kysely']

interface Fill {
  readonly engine: EngineParts['engine']
  readonly season: Season
  readonly run: (statement: RawBuilder<unknown>) => Promise<unknown>
  readonly firstAt: number
  readonly users: number
  readonly frequent: number
  readonly branches: readonly Center[]
}

/**
 * Fills with statements that generate their rows, the same on both engines. Values are computed from the order's
 * number, so that every run has the same rows: 80 of 100 orders are paid, 3 refunded, the others expired; a third
 * of the last hour's is unpaid. Every tenth order has a declined attempt before the successful one.
 * @returns the users with `ordersOfFrequent` orders each
 */
export async function fillSeason(
  { engine, kysely }: EngineParts,
  season: Season,
  onProgress: (orders: number) => void,
): Promise<number[]> {
  const { orders, agents, centers, now } = season
  const frequent = Math.min(100, Math.floor(orders / (2.5 * ordersOfFrequent)))
  if (frequent < 1) throw new Error(`a season has at least ${2.5 * ordersOfFrequent} orders`)
  const users = frequent + Math.ceil(orders / 2)
  const firstAt = now - spanMs

  const branches = centers.slice(0, branchesInUse)
  const filling = { engine, season, firstAt, users, frequent, branches }

  async function insertAll(db: Db, run: Fill['run']): Promise<void> {
    const fill: Fill = { ...filling, run }
    await insertAgents(db, agents, firstAt)
    await eachBatch(engine, users, (from, to) => insertUsers(fill, from, to))
    await eachBatch(engine, orders, async (from, to) => {
      await insertOrders(fill, from, to)
      const own = ordersFrom(fill, from, to)
      await insertBookings(fill, own)
      await run(sql.raw(writeSearchText(engine, `orders.id BETWEEN ${from} AND ${to}`)))
      await insertAttempts(fill, own)
      await insertReports(fill, own)
      await insertHistory(fill, own)
      onProgress(to)
    })
  }

  await kysely.connection().execute(async (db) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(db)
    if (engine === 'postgres') {
      await run(sql`SET statement_timeout = 0`)
      await db
        .transaction()
        .execute((tx) => withoutIndexes(tx, () => insertAll(tx, (statement) => statement.execute(tx))))
    } else {
      // An interrupted fill is repeated, so the file need not survive a crash.
      await run(sql`PRAGMA synchronous = OFF`)
      await insertAll(db, run)
    }
    await settle({ ...filling, run })
  })
  return Array.from({ length: frequent }, (_, index) => index + 1)
}

const filledTables = [
  ...['users', 'sessions', 'orders', 'bookings', 'labels', 'idempotency_keys'],
  ...['payment_attempts', 'payment_events', 'refunds', 'events'],
]

/**
 * PostgreSQL: the tables are emptied in the transaction that fills them, so that nothing is logged (`wal_level`
 * minimal); references and triggers are off, and other indexes are built at the end.
 */
async function withoutIndexes(db: Db, fill: () => Promise<void>): Promise<void> {
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  const tables = sql.join(filledTables.map((table) => sql.table(table)))
  await run(sql`SET LOCAL session_replication_role = replica`)
  await run(sql`SET LOCAL maintenance_work_mem = '2GB'`)
  await run(sql`TRUNCATE ${tables} CASCADE`)
  const own = sql`SELECT name::regclass FROM unnest(${filledTables}::text[]) AS name`
  const { rows } = await sql<{ drop: string; build: string }>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS build
    FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid IN (${own})
      AND conrelid <> 'bookings'::regclass
      AND conindid NOT IN (SELECT conindid FROM pg_constraint WHERE contype = 'f')
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index WHERE indrelid IN (${own})
      AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE contype IN ('p', 'u'))`.execute(db)
  for (const { drop } of rows) await run(sql.raw(drop))
  // Its statements are planned while the tables are empty.
  await run(sql`SET LOCAL enable_seqscan = off`)
  await fill()
  await run(sql`SET LOCAL enable_seqscan = on`)
  for (const { build } of rows) await run(sql.raw(build))
}

async function eachBatch(
  engine: Fill['engine'],
  count: number,
  work: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const size = batch[engine]
  for (let from = 1; from <= count; from += size) await work(from, Math.min(count, from + size - 1))
}

/** The numbers from `from` to `to`, and some that look random, each below a prime above ten million. */
const numbers = ({ engine, season, firstAt }: Fill, from: number, to: number) => sql`RECURSIVE n(i) AS (${
  engine === 'postgres'
    ? sql`SELECT generate_series(CAST(${sql.lit(from)} AS bigint), ${sql.lit(to)})`
    : sql`SELECT CAST(${sql.lit(from)} AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(to)}`
}), r AS (
    SELECT i,
      (i * 7919 + 12345) % 10000019 AS a,
      (i * 104729 + 777) % 10000019 AS b,
      (i * 15485863 + 99) % 10000019 AS c,
      CAST(${sql.lit(firstAt)} AS bigint) + i * ${sql.lit(Math.floor(spanMs / season.orders))} AS at
    FROM n
  )`

/** The stored orders from `from` to `to` as `o`, each with its numbers. */
const ordersFrom = (fill: Fill, from: number, to: number) => sql`${numbers(fill, from, to)},
  o AS (SELECT orders.*, orders.id AS i, r.a, r.b, r.c FROM orders JOIN r ON r.i = orders.id
    WHERE orders.id BETWEEN ${sql.lit(from)} AND ${sql.lit(to)})`

const settled = sql`o.payment IN ('paid', 'returned')`

async function insertUsers(fill: Fill, from: number, to: number): Promise<void> {
  const {
    run,
    firstAt,
    season: { now },
  } = fill
  await run(sql`INSERT INTO users (id, phone, name, created_at)
    WITH ${numbers(fill, from, to)} SELECT i, '+96657' || (1000000 + i), 'Pilgrim ' || i, ${sql.lit(firstAt)} FROM r`)
  await run(sql`INSERT INTO sessions (token_hash, id, device, role, subject_id, created_at, last_seen_at, idle_until, ends_at)
    WITH ${numbers(fill, from, to)} SELECT 'filled-' || i, 'filled-' || i, '', 'user', i, ${sql.lit(now)}, ${sql.lit(now)},
      CAST(${sql.lit(now)} AS bigint) + 86400000 + a % 1000000 * 500, CAST(${sql.lit(now)} AS bigint) + 2592000000 FROM r`)
}

async function insertOrders(fill: Fill, from: number, to: number): Promise<void> {
  const {
    run,
    frequent,
    users,
    branches,
    season: { agents, now },
  } = fill
  const state = sql`CASE
    WHEN i > ${sql.lit(frequent * ordersOfFrequent)} AND at > ${sql.lit(now - 3_600_000)} AND a % 3 = 0 THEN 'unpaid'
    WHEN b % 100 < 80 THEN 'paid' WHEN b % 100 < 83 THEN 'returned' ELSE 'expired' END`
  const owner = sql`CASE WHEN i <= ${sql.lit(frequent * ordersOfFrequent)}
    THEN 1 + (i - 1) / ${sql.lit(ordersOfFrequent)} ELSE ${sql.lit(frequent + 1)} + a % ${sql.lit(users - frequent)} END`
  await run(sql`INSERT INTO orders
      (id, user_id, type, payment, ended, ended_at, amount_halalas, currency, agent_code, center_code, transaction_id,
        created_at, paid_at, handed_over)
    WITH ${numbers(fill, from, to)}, s AS (SELECT r.*, ${state} AS state FROM r),
      agent(k, code) AS (VALUES ${valuesOf(agents.map(({ id }) => [id]))}),
      branch(k, code) AS (VALUES ${valuesOf(branches.map(({ code }) => [code]))})
    SELECT i, ${owner}, 'FROM_MINA', CASE WHEN state = 'expired' THEN 'unpaid' ELSE state END,
      CASE WHEN state = 'expired' THEN 'expired' END, CASE WHEN state = 'expired' THEN at + 3600000 END,
      5000, 'SAR', agent.code, branch.code,
      CASE WHEN state IN ('paid', 'returned') THEN CAST(700000000000 + i AS text) END, at,
      CASE WHEN state IN ('paid', 'returned') THEN at + 120000 END,
      CASE WHEN state = 'returned' THEN 'void' ELSE 'none' END
    FROM s JOIN agent ON agent.k = s.b % ${sql.lit(agents.length)} JOIN branch ON branch.k = s.c % ${sql.lit(branches.length)}`)
}

async function insertBookings(
  { run, engine, branches, season: { agents, now } }: Fill,
  own: RawBuilder<unknown>,
) {
  const bytes =
    engine === 'sqlite'
      ? sql`zeroblob(${sql.lit(labelBytes)})`
      : sql`decode(repeat('00', ${sql.lit(labelBytes)}), 'hex')`
  await run(sql`INSERT INTO bookings
      (id, order_id, leg, reference, origin, destination, awb, state, carriage, tries, uncertain_until)
    WITH ${own},
      agent(k, place) AS (VALUES ${valuesOf(agents.map((agent) => [locationsOf(agent, branches[0]).origin]))}),
      branch(k, place) AS (VALUES ${valuesOf(branches.map((center) => [locationsOf(agents[0], center).destination]))})
    SELECT i, i, 0, 'AM-FILLED-' || i, agent.place, branch.place,
      CASE WHEN ${settled} THEN CAST(900000000000 + i AS text) END,
      CASE WHEN ${settled} THEN 'issued' ELSE 'none' END,
      CASE payment WHEN 'paid' THEN 'ready' WHEN 'returned' THEN 'void' ELSE 'none' END,
      CASE WHEN ${settled} THEN 1 ELSE 0 END, COALESCE(paid_at, 0)
    FROM o JOIN agent ON agent.k = o.b % ${sql.lit(agents.length)} JOIN branch ON branch.k = o.c % ${sql.lit(branches.length)}`)
  await run(sql`INSERT INTO labels (booking_id, pdf, stored_at)
    WITH ${own} SELECT i, ${bytes}, paid_at FROM o WHERE ${settled}`)
  await run(sql`INSERT INTO idempotency_keys (user_id, key, body_hash, order_id, created_at)
    WITH ${own} SELECT user_id, 'filled-' || i, 'hash-' || b, i, created_at FROM o
    WHERE created_at > ${sql.lit(now - keysMs)}`)
}

async function insertAttempts({ run, season: { now } }: Fill, own: RawBuilder<unknown>): Promise<void> {
  await run(sql`INSERT INTO payment_attempts (id, order_id, reference, amount_halalas, currency, state, intention_id,
      provider_order_id, client_secret, created_at, secret_until, inquired_at, due_at, inquiry_step)
    WITH ${own} SELECT 2 * i, i, 'FILLED-' || i, 5000, 'SAR',
      CASE WHEN ${settled} THEN 'succeeded' WHEN o.ended = 'expired' THEN 'superseded' ELSE 'open' END,
      'pi_filled_' || i, 500000000000 + i, 'secret_filled_' || i, created_at, created_at + 3600000, created_at,
      CASE WHEN created_at > ${sql.lit(now - 7 * 86_400_000)} THEN CAST(${sql.lit(now)} AS bigint) + 21600000 + a % 1000000 * 80 END, 8
    FROM o`)
  await run(sql`INSERT INTO payment_attempts (id, order_id, reference, amount_halalas, currency, state, intention_id,
      provider_order_id, client_secret, created_at, secret_until, inquired_at, inquiry_step)
    WITH ${own} SELECT 2 * i - 1, i, 'DECLINED-' || i, 5000, 'SAR', 'superseded', 'pi_declined_' || i,
      600000000000 + i, NULL, created_at, created_at, created_at, 8
    FROM o WHERE a % 10 = 0`)
}

async function insertReports({ run }: Fill, own: RawBuilder<unknown>): Promise<void> {
  for (const [kind, transaction, attempt, which] of [
    ['failed', sql`800000000000 + i`, sql`2 * i - 1`, sql`a % 10 = 0`],
    ['succeeded', sql`700000000000 + i`, sql`2 * i`, settled],
    ['refunded', sql`700000000000 + i`, sql`2 * i`, sql`o.payment = 'returned'`],
  ] as const)
    await run(sql`INSERT INTO payment_events
        (transaction_id, kind, attempt_id, source, outcome, amount_halalas, currency, body, received_at)
      WITH ${own} SELECT CAST(${transaction} AS text), ${sql.lit(kind)}, ${attempt}, 'callback', 'applied', 5000, 'SAR',
        ${sql.lit(eventBody)}, created_at + 120000 FROM o WHERE ${which}`)
  await run(sql`INSERT INTO refunds
      (transaction_id, attempt_id, amount_halalas, currency, reason, state, tries, due_at, created_at, done_at)
    WITH ${own} SELECT transaction_id, 2 * i, 5000, 'SAR', 'second-payment', 'done', 1, NULL, paid_at, paid_at
    FROM o WHERE o.payment = 'returned'`)
}

async function insertHistory({ run }: Fill, own: RawBuilder<unknown>): Promise<void> {
  const money = sql`'"transaction":"' || o.transaction_id || '","halalas":5000,"currency":"SAR"'`
  const always = sql`o.id > 0`
  const isReturned = sql`o.payment = 'returned'`
  for (const [kind, actor, delayMs, facts, which] of [
    ['order-created', 'owner', 0, sql`'"type":"FROM_MINA"'`, always],
    [
      'payment-opened',
      'owner',
      1_000,
      sql`'"reference":"FILLED-' || i || '","halalas":5000,"currency":"SAR"'`,
      always,
    ],
    ['order-expired', 'system', 3_600_000, sql`''`, sql`o.ended = 'expired'`],
    ['paid', 'provider', 120_000, money, settled],
    ['label-requested', 'system', 121_000, sql`''`, settled],
    ['label-issued', 'courier', 122_000, sql`'"awb":"' || (900000000000 + i) || '"'`, settled],
    [
      'refund-ordered',
      'system',
      123_000,
      sql`'"refundId":' || i || ',' || ${money} || ',"reason":"second-payment","personal":null'`,
      isReturned,
    ],
    ['bag-void', 'system', 123_000, sql`'"forGood":false'`, isReturned],
    ['refunded', 'provider', 124_000, sql`'"refundId":' || i || ',' || ${money}`, isReturned],
  ] as const)
    await run(sql`INSERT INTO events (kind, order_id, booking_id, at, recorded_at, actor_kind, data)
      WITH ${own} SELECT ${sql.lit(kind)}, i, ${/^(?:label|bag)-/.test(kind) ? sql`i` : sql`CAST(NULL AS bigint)`},
        created_at + ${sql.lit(delayMs)}, created_at + ${sql.lit(delayMs)}, ${sql.lit(actor)}, '{' || ${facts} || '}'
      FROM o WHERE ${which}`)
}

/** Work that the database does in the minutes after such an insert. */
async function settle({ engine, run }: Fill): Promise<void> {
  if (engine === 'sqlite') {
    await run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    return
  }
  for (const table of ['users', 'orders', 'bookings', 'payment_attempts'])
    await run(
      sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT MAX(id) FROM ${sql.table(table)}))`,
    )
  await run(sql`VACUUM ANALYZE`)
  await run(sql`CHECKPOINT`)
}

export async function readSizes({
  engine,
  kysely,
}: EngineParts): Promise<readonly { name: string; bytes: number }[]> {
  const statement =
    engine === 'sqlite'
      ? sql<{ name: string; bytes: number }>`SELECT 'file' AS name, page_count * page_size AS bytes
          FROM pragma_page_count, pragma_page_size`
      : sql<{ name: string; bytes: number }>`SELECT name, pg_total_relation_size(name::regclass) AS bytes
          FROM unnest(${filledTables}::text[]) AS name ORDER BY bytes DESC`
  const { rows } = await statement.execute(kysely)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}

/** Gives the newest `count` paid orders an alarm and a failed message, for the desk's work lists. */
export async function fillWork({ kysely }: EngineParts, count: number, now: number): Promise<void> {
  const newest = sql`(SELECT id, user_id FROM orders WHERE payment = 'paid' ORDER BY id DESC LIMIT ${sql.lit(count)}) AS o`
  const at = sql`CAST(${sql.lit(now - 86_400_000)} AS bigint) + o.id`
  await sql`INSERT INTO scan_alerts (booking_id, event_key, kind, code, at, noticed_at)
    SELECT o.id, 'filled', 'damaged', 'DM', ${at}, ${at} FROM ${newest}`.execute(kysely)
  await sql`INSERT INTO messages (user_id, order_id, event_id, reported_event_id, recipient, channel, kind, phone, body, state,
      last_error, asked_at, created_at, ended_at)
    SELECT o.user_id, o.id, o.id, o.id, 'owner', 'sms', 'paid', '+966570000000', 'filled', 'failed', 'unreachable 30003', ${at}, ${at}, ${at}
    FROM ${newest}`.execute(kysely)
}

/** Rows of a common table: a running number from 0, then texts. */
function valuesOf(rows: readonly (readonly string[])[]): RawBuilder<unknown> {
  return sql.join(
    rows.map(
      (row, index) =>
        sql`(CAST(${sql.lit(index)} AS bigint), ${sql.join(row.map((text) => sql`CAST(${text} AS text)`))})`,
    ),
  )
}

function locationsOf(agent: PartnerAgent | undefined, center: Center | undefined) {
  if (!agent || !center) throw new Error('the partner lists are empty')
  const [leg] = legLocationsOf('FROM_MINA', agent, center)
  return { origin: JSON.stringify(leg?.origin), destination: JSON.stringify(leg?.destination) }
}

// biome-ignore lint/suspicious/noExplicitAny: the tables as the migrations made them
async function insertAgents(db: Kysely<any>, agents: readonly PartnerAgent[], at: number): Promise<void> {
  await db
    .insertInto('agents')
    .values(
      agents.map(({ id, name, phone }) => ({
        partner_agent_id: id,
        name,
        phone: canonicalPhone(phone) ?? phone,
        created_at: at,
      })),
    )
    .execute()
}

export async function openSessions(
  { kysely }: EngineParts,
  role: 'user' | 'agent',
  subjects: readonly number[],
  now: number,
): Promise<string[]> {
  const tokens = subjects.map((subject) => `bench-${role}-${subject}-`.padEnd(43, '0'))
  const lifeMs = 30 * 86_400_000
  await kysely
    .insertInto('sessions')
    .values(
      subjects.map((subject, index) => ({
        token_hash: hashOf(tokens[index] ?? ''),
        id: `bench-${role}-${subject}`,
        device: '',
        role,
        subject_id: subject,
        created_at: now,
        last_seen_at: now,
        idle_until: now + lifeMs,
        ends_at: now + lifeMs,
      })),
    )
    .execute()
  if (role === 'user') await confirmAll(kysely, tokens, now)
  return tokens
}

/**
 * Confirms the export and the deletion of each session's account, in a browser whose binding is the session's
 * token.
 */
async function confirmAll(
  kysely: EngineParts['kysely'],
  tokens: readonly string[],
  now: number,
): Promise<void> {
  const rows = (['export', 'deletion'] as const).flatMap((purpose) =>
    tokens.map((token) => ({
      session_hash: hashOf(token),
      purpose,
      browser_hash: hashOf(token),
      challenge_id: '',
      asked_at: now + 86_400_000,
      confirmed_until: now + 86_400_000,
    })),
  )
  for (let start = 0; start < rows.length; start += 1_000)
    await kysely
      .insertInto('confirmations')
      .values(rows.slice(start, start + 1_000))
      .execute()
}

export async function openStaffSessions(
  { kysely }: EngineParts,
  issuer: string,
  count: number,
  now: number,
): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, index) => `bench-staff-${index}-`.padEnd(43, '0'))
  const life = { authenticated_at: now, created_at: now, last_seen_at: now }
  const endsAt = now + 86_400_000
  await kysely
    .insertInto('desk_sessions')
    .values(
      tokens.map((token, index) => ({
        token_hash: hashOf(token),
        issuer,
        subject: String(index),
        sid: null,
        name: 'Bench',
        roles: 'support',
        id_token: '',
        ...life,
        idle_until: endsAt,
        ends_at: endsAt,
      })),
    )
    .execute()
  return tokens
}

export async function findBusiestAgent({ kysely }: EngineParts): Promise<{ id: number; orders: number }> {
  const { id, orders } = await kysely
    .selectFrom('agents')
    .innerJoin('orders', 'orders.agent_code', 'agents.partner_agent_id')
    .select(['agents.id', (each) => each.fn.countAll().as('orders')])
    .groupBy('agents.id')
    .orderBy('orders', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id, orders: Number(orders) }
}

export async function listPaidOrders(
  { kysely }: EngineParts,
  after: number,
  limit: number,
): Promise<{ id: number; orderId: number; awb: string }[]> {
  const rows = await kysely
    .selectFrom('orders')
    .innerJoin('bookings', 'bookings.order_id', 'orders.id')
    .select(['orders.id', 'orders.user_id', 'bookings.awb'])
    .where('orders.id', '>', after)
    .where('orders.payment', '=', 'paid')
    .orderBy('orders.id')
    .limit(limit * 2)
    .execute()
  const ofUser = new Map(rows.map((row) => [row.user_id, row]))
  return [...ofUser.values()]
    .slice(0, limit)
    .map(({ id, user_id, awb }) => ({ id: user_id, orderId: id, awb }))
}

export interface DueExpiry {
  readonly attempts: readonly number[]
  readonly orders: readonly number[]
}

/**
 * Makes attempts of expired orders due for their last inquiry at `dueAt`, and unpaid orders old enough to expire
 * then. A small season has fewer, half of them for each.
 */
export async function prepareExpiry(
  { kysely }: EngineParts,
  counts: { attempts: number; orders: number },
  dueAt: number,
  lastStep: number,
): Promise<DueExpiry> {
  const superseded = await kysely
    .selectFrom('payment_attempts')
    .select(['id', 'order_id'])
    .where('state', '=', 'superseded')
    .where('reference', 'like', 'FILLED-%')
    .orderBy('id', 'desc')
    .limit(counts.attempts + counts.orders)
    .execute()
  const share = Math.min(counts.attempts, Math.ceil(superseded.length / 2))
  const due = {
    attempts: superseded.slice(0, share).map(({ id }) => id),
    orders: superseded.slice(share).map(({ order_id }) => order_id),
  }
  await kysely
    .updateTable('payment_attempts')
    .set({ due_at: dueAt, inquiry_step: lastStep, created_at: dueAt - 7 * 86_400_000 })
    .where('id', 'in', due.attempts)
    .execute()
  await kysely
    .updateTable('orders')
    .set({ ended: null, ended_at: null, created_at: dueAt - abandonedAfterMs - 1 })
    .where('id', 'in', due.orders)
    .execute()
  return due
}

export async function countDue({ kysely }: EngineParts, due: DueExpiry): Promise<number> {
  const attempts = await kysely
    .selectFrom('payment_attempts')
    .select('id')
    .where('id', 'in', due.attempts)
    .where('due_at', 'is not', null)
    .execute()
  const orders = await kysely
    .selectFrom('orders')
    .select('id')
    .where('id', 'in', due.orders)
    .where('ended', 'is', null)
    .execute()
  return attempts.length + orders.length
}
