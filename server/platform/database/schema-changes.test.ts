import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { messageKinds, messageStates, pushStates } from '#server/features/messages/messages.rules.ts'
import { handoverOutcomes } from '#server/features/orders/handovers.store.ts'
import { storedTravelStates } from '#server/features/orders/travel.store.ts'
import type { EventKind as CodeEventKind, Outcome } from '#server/features/otp/otp.rules.ts'
import type { ChallengeRow } from '#server/features/otp/otp.store.ts'
import { alertKinds } from '#server/features/tracking/tracking.rules.ts'
import { bookingStates, orderStatuses } from '#shared/orders/orders.schemas.ts'
import { handOverCounts } from '#shared/orders/travel.rules.ts'
import { eventSources, eventKinds as travelEventKinds } from '#shared/orders/travel.schemas.ts'
import { attemptStates, eventKinds, eventOutcomes, refundStates } from '#shared/payments/payments.schemas.ts'
import { receiptKinds } from '#shared/receipts/receipts.schemas.ts'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import type { Engine, EngineParts } from './database.ts'
import { migrate, schemaSteps } from './migrate.ts'
import { addIndex, allowOnly } from './schema-changes.ts'

async function withDatabase<T>(engine: Engine, work: (open: () => EngineParts) => Promise<T>): Promise<T> {
  const target = await freshDatabase(engine)
  const opened: EngineParts[] = []
  try {
    return await work(() => {
      const parts = target.open()
      opened.push(parts)
      return parts
    })
  } finally {
    for (const { kysely } of opened) await kysely.destroy()
    await target.remove()
  }
}

const migrated = <T>(engine: Engine, work: (parts: EngineParts) => Promise<T>) =>
  withDatabase(engine, async (open) => {
    const parts = open()
    await migrate(parts)
    return work(parts)
  })

/** The columns that refer to others, as `table.column`. */
async function referencesOf({ engine, kysely }: EngineParts): Promise<string[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ target: string }>`SELECT tables.name || '.' || keys."from" AS target FROM sqlite_schema AS tables
        JOIN pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'`
    : sql<{ target: string }>`SELECT conrelid::regclass || '.' || attname AS target FROM pg_constraint
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE contype = 'f'`
  ).execute(kysely)
  return rows.map(({ target }) => target).sort()
}

/** The columns that an index over all rows begins with, as `table.column`. */
async function firstColumnsOf({ engine, kysely }: EngineParts): Promise<Set<string>> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ target: string }>`SELECT tables.name || '.' || columns.name AS target FROM sqlite_schema AS tables
        JOIN pragma_index_list(tables.name) AS list JOIN pragma_index_info(list.name) AS columns
        WHERE tables.type = 'table' AND NOT list.partial AND columns.seqno = 0
        UNION SELECT tables.name || '.' || columns.name FROM sqlite_schema AS tables
        JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND columns.pk = 1`
    : sql<{ target: string }>`SELECT indrelid::regclass || '.' || attname AS target FROM pg_index
        JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indpred IS NULL AND indisvalid`
  ).execute(kysely)
  return new Set(rows.map(({ target }) => target))
}

/** The values of the types; the compiler checks that they are complete. */
const statuses: Readonly<Record<string, readonly string[]>> = {
  'orders.status': orderStatuses,
  'orders.handed_over': handOverCounts,
  'bookings.state': bookingStates,
  'bookings.travel_state': storedTravelStates,
  'scan_alerts.kind': alertKinds,
  'booking_events.kind': travelEventKinds,
  'booking_events.source': eventSources,
  'handover_scans.outcome': handoverOutcomes,
  'payment_attempts.state': attemptStates,
  'payment_events.kind': eventKinds,
  'receipts.kind': receiptKinds,
  'payment_events.outcome': eventOutcomes,
  'refunds.state': refundStates,
  'messages.kind': messageKinds,
  'messages.state': messageStates,
  'messages.push': pushStates,
  'otp_challenges.state': membersOf<ChallengeRow['state']>({ sent: true, proven: true, spent: true }),
  'otp_events.kind': membersOf<CodeEventKind>({ send: true, check: true }),
  'otp_events.outcome': membersOf<Outcome>({
    unanswered: true,
    answered: true,
    joined: true,
    refused: true,
    failed: true,
    wrong: true,
    right: true,
  }),
}

function membersOf<T extends string>(words: Readonly<Record<T, true>>): string[] {
  return Object.keys(words)
}

/** The values that the checks of the database allow, by `table.column`. */
async function allowedBy({ engine, kysely }: EngineParts): Promise<Record<string, string[][]>> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{
        target: string
        text: string
      }>`SELECT name AS target, sql AS text FROM sqlite_schema WHERE type = 'trigger'`
    : sql<{ target: string; text: string }>`SELECT conname AS target, pg_get_constraintdef(oid) AS text
        FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace`
  ).execute(kysely)
  const checks = Map.groupBy(rows, ({ target }) =>
    target.replace(
      /_(handed_over|travel_state|state|status|kind|outcome|source|push)_known(?:_insert|_update)?$/,
      '.$1',
    ),
  )
  return Object.fromEntries(
    [...checks].map(([target, found]) => [target, found.map(({ text }) => valuesIn(text))]),
  )
}

function valuesIn(check: string): string[] {
  const words = check.replace(/RAISE\(.*\)/, '').matchAll(/'([\w-]+)'/g)
  return [...words].map(([, word = '']) => word).sort()
}

describe.each(engines)('the schema on %s', (engine) => {
  it('has an index for every foreign key', () =>
    migrated(engine, async (parts) => {
      const references = await referencesOf(parts)
      expect(references).toEqual(
        expect.arrayContaining(['bookings.order_id', 'payment_events.attempt_id', 'refunds.attempt_id']),
      )
      const indexed = await firstColumnsOf(parts)
      expect(references.filter((target) => !indexed.has(target))).toEqual([])
    }))

  it('allows in every status column exactly the values of the code', () =>
    migrated(engine, async (parts) => {
      const allowed = await allowedBy(parts)
      // SQLite has two triggers instead of a check: one for new rows, one for changed ones.
      const checks = engine === 'sqlite' ? 2 : 1
      expect(allowed).toEqual(
        Object.fromEntries(
          Object.entries(statuses).map(([target, words]) => [
            target,
            Array.from({ length: checks }, () => [...words].sort()),
          ]),
        ),
      )
      const tables = await parts.kysely.introspection.getTables()
      const columns = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
      const unchecked = columns.filter(
        (target) => /\.(state|status|kind|outcome)$/.test(target) && !(target in statuses),
      )
      // `kind` of a list is its key and not a status.
      expect(unchecked).toEqual(['partner_lists.kind'])
    }))

  it('refuses an unknown value in inserts and updates', () =>
    migrated(engine, async ({ kysely }) => {
      await kysely
        .insertInto('users')
        .values({ id: 1, phone: '+966512345678', name: 'N', created_at: 0 })
        .execute()
      const order = {
        ...{ user_id: 1, type: 'FROM_MINA', amount_halalas: 5_000, currency: 'SAR' },
        ...{ agent_code: 'A01', center_code: '1', created_at: 0 },
      }
      const insert = (status: string) =>
        kysely
          .insertInto('orders')
          .values({ ...order, status })
          .execute()
      await expect(insert('LOST')).rejects.toThrow(/orders_status_known/)
      await insert('PAID')
      const change = (status: string) => kysely.updateTable('orders').set({ status }).execute()
      await expect(change('paid')).rejects.toThrow(/orders_status_known/)
      await change('REFUNDED')
      expect(await kysely.selectFrom('orders').select('status').execute()).toEqual([{ status: 'REFUNDED' }])
    }))

  it('replaces the allowed values in a later step', () =>
    migrated(engine, async ({ kysely }) => {
      await allowOnly(kysely, engine, 'otp_events', 'kind', ['send', 'check', 'call'])
      const event = {
        ...{ role: 'user', phone: '', prefix: '', country: '', address: '', trust: 'open', at: 0 },
        outcome: 'right',
      }
      await kysely
        .insertInto('otp_events')
        .values({ ...event, kind: 'call' })
        .execute()
      await expect(
        kysely
          .insertInto('otp_events')
          .values({ ...event, kind: 'fax' })
          .execute(),
      ).rejects.toThrow(/otp_events_kind_known/)
    }))
})

/** A database as a build before step 8 left it, with an order in it. */
async function migrateUntil(parts: EngineParts, end: string): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(schemaSteps)
      .filter(([name]) => name < end)
      .map(([name, step]) => [
        name,
        { up: (kysely: EngineParts['kysely']) => step.up(kysely, parts.engine) },
      ]),
  )
  const migrator = new Migrator({ db: parts.kysely, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

const indexNames = async ({ engine, kysely }: EngineParts) => {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`
    : sql<{ name: string }>`SELECT indexrelid::regclass::text AS name FROM pg_index
        JOIN pg_class ON pg_class.oid = indrelid
        WHERE relnamespace = 'public'::regnamespace AND indisvalid`
  ).execute(kysely)
  return rows.map(({ name }) => name)
}

describe.each(engines)('an online migration on %s', (engine) => {
  it('ends with the schema of a new database', () =>
    withDatabase(engine, async (open) => {
      const parts = open()
      await migrateUntil(parts, '0008')
      expect(await indexNames(parts)).toContain('bookings_work')
      await migrate(parts)
      await migrated(engine, async (fresh) => {
        expect((await indexNames(parts)).sort()).toEqual((await indexNames(fresh)).sort())
        expect(await allowedBy(parts)).toEqual(await allowedBy(fresh))
      })
    }))
})

describe('an online migration on postgres', () => {
  it('allows writes while an index is built', () =>
    withDatabase('postgres', async (open) => {
      const [parts, others] = [open(), open()]
      await migrateUntil(parts, '0008')
      const write = (kysely: EngineParts['kysely'], phone: string) =>
        kysely.insertInto('otp_counters').values({ audience: 'user', phone, touched_at: 0 }).execute()
      const building = Promise.withResolvers<void>()
      await others.kysely.transaction().execute(async (tx) => {
        await write(tx, '1')
        addIndex(parts.kysely, 'postgres', 'otp_counters_touched', {
          table: 'otp_counters',
          columns: ['touched_at'],
        }).then(building.resolve, building.reject)
        // It waits for this transaction. A plain CREATE INDEX would request a lock that blocks every later write.
        await expect
          .poll(async () => {
            const { rows } = await sql<{ mode: string }>`SELECT mode FROM pg_locks
              WHERE relation = 'otp_counters'::regclass`.execute(others.kysely)
            return rows.map(({ mode }) => mode)
          })
          .toContain('ShareUpdateExclusiveLock')
        await write(others.kysely, '2')
      })
      await building.promise
      expect(await indexNames(parts)).toContain('otp_counters_touched')
    }))

  it('replaces an index whose build was interrupted', () =>
    withDatabase('postgres', async (open) => {
      const parts = open()
      await migrateUntil(parts, '0008')
      const counter = { audience: 'user', touched_at: 0 }
      await parts.kysely
        .insertInto('otp_counters')
        .values([
          { ...counter, phone: '1' },
          { ...counter, phone: '2' },
        ])
        .execute()
      // Two equal values: the build of the unique index fails at its end and leaves it invalid, as an interruption would.
      await expect(
        sql`CREATE UNIQUE INDEX CONCURRENTLY otp_counters_idle ON otp_counters (touched_at)`.execute(
          parts.kysely,
        ),
      ).rejects.toThrow()
      expect(await indexNames(parts)).not.toContain('otp_counters_idle')
      await migrate(parts)
      expect(await indexNames(parts)).toContain('otp_counters_idle')
    }))

  it('continues after an interrupted start', () =>
    withDatabase('postgres', async (open) => {
      const parts = open()
      await migrateUntil(parts, '0008')
      // The step has run completely but is not recorded as applied.
      await schemaSteps['0008-indexes']?.up(parts.kysely, 'postgres')
      await migrate(parts)
      expect(await indexNames(parts)).toContain('orders_unpaid')
    }))

  it('runs once when gateways start together', () =>
    withDatabase('postgres', async (open) => {
      const gateways = [open(), open(), open()]
      for (const parts of gateways.slice(0, 1)) await migrateUntil(parts, '0008')
      await Promise.all(gateways.map((parts) => migrate(parts)))
      for (const parts of gateways) expect(await indexNames(parts)).toContain('orders_unpaid')
    }))
})
