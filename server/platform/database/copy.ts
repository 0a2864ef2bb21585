import { sql } from 'kysely'
import type { EngineParts } from './database.ts'

const rowsAtOnce = 200

/** Parents before children, so that every reference finds its row. */
const tablesInOrder = [
  'users',
  'agents',
  'sessions',
  'otp_challenges',
  'otp_counters',
  'otp_events',
  'otp_devices',
  'partner_lists',
  'orders',
  'bookings',
  'labels',
  'idempotency_keys',
  'payment_attempts',
  'payment_events',
  'refunds',
]

/** Not worth moving: it only proves that writes work. */
const leftBehind = ['liveness']

/**
 * Copies every row into an empty, migrated PostgreSQL, all or nothing, and lets its numbers go on where they were.
 * Answers the rows per table. @throws when the target holds rows, or a table has no place in the order of copying.
 */
export async function copyToPostgres(from: EngineParts, to: EngineParts): Promise<[string, number][]> {
  const names = (await from.kysely.introspection.getTables()).map(({ name }) => name)
  const forgotten = names.filter((name) => !tablesInOrder.includes(name) && !leftBehind.includes(name))
  if (forgotten.length > 0) throw new Error(`no order of copying is known for ${forgotten.join(', ')}`)

  return to.kysely.transaction().execute(async (target) => {
    const counts: [string, number][] = []
    for (const table of tablesInOrder) {
      const present = await target.selectFrom(table).selectAll().limit(1).executeTakeFirst()
      if (present) throw new Error(`${table} of the target is not empty`)
      const rows = await from.kysely.selectFrom(table).selectAll().execute()
      for (let start = 0; start < rows.length; start += rowsAtOnce)
        await target
          .insertInto(table)
          .values(rows.slice(start, start + rowsAtOnce))
          .execute()
      // An order number is never given out twice.
      if (typeof rows[0]?.id === 'number') {
        const last = rows.reduce((highest, { id }) => Math.max(highest, id), 0)
        await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target)
      }
      counts.push([table, rows.length])
    }
    return counts
  })
}
