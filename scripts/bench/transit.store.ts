import { type KyselyPlugin, sql } from 'kysely'
import type { EngineParts } from '#server/platform/database/database.ts'

/** Statements of a run, by what they do. */
interface StatementCounts {
  reads: number
  writes: number
}

export function createStatementCounter(): {
  readonly plugin: KyselyPlugin
  readonly counts: StatementCounts
} {
  const counts: StatementCounts = { reads: 0, writes: 0 }
  return {
    counts,
    plugin: {
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode') counts.reads += 1
        else counts.writes += 1
        return node
      },
      transformResult: async ({ result }) => result,
    },
  }
}

const batch = 5_000

/**
 * Fills an empty database with paid orders of one user, whose bags were just handed over and are followed. Returns the
 * airway bills.
 */
export async function fillTransit(
  { engine, kysely }: EngineParts,
  { bags, now, intervalMs }: { bags: number; now: number; intervalMs: number },
): Promise<void> {
  const origin = JSON.stringify({ city: 'Mina', coordinates: null })
  const destination = JSON.stringify({ city: 'Riyadh', coordinates: null })
  await sql`INSERT INTO users (id, phone, name, created_at)
    VALUES (1, '+966500000001', 'Pilgrim', ${sql.lit(now)})`.execute(kysely)
  for (let from = 1; from <= bags; from += batch) {
    const numbers = sql`RECURSIVE n(i) AS (
      SELECT CAST(${sql.lit(from)} AS bigint) UNION ALL SELECT i + 1 FROM n
      WHERE i < ${sql.lit(Math.min(bags, from + batch - 1))})`
    await sql`WITH ${numbers} INSERT INTO orders
      (id, user_id, type, status, amount_halalas, currency, agent_code, center_code, transaction_id, created_at, paid_at,
        handed_over)
      SELECT i, 1, 'FROM_MINA', 'PAID', 5000, 'SAR', 'A1', 'RUH1', 'T' || i, ${sql.lit(now)}, ${sql.lit(now)}, 'all'
      FROM n`.execute(kysely)
    await sql`WITH ${numbers} INSERT INTO bookings
      (id, order_id, leg, reference, origin, destination, awb, state, tries, next_try_at, lease_until, travel_state,
        last_event_at)
      SELECT i, i, 0, 'AM-' || i, ${sql.lit(origin)}, ${sql.lit(destination)},
        CAST(231200000000 + i AS text), 'issued', 1, 0, 0, 'HANDED_OVER', ${sql.lit(now)} FROM n`.execute(
      kysely,
    )
    // Handed over during one interval: their polls are due one after the other.
    await sql`WITH ${numbers} INSERT INTO tracked_bookings
      (booking_id, awb, next_poll_at, tracked_until, silent_polls, lease_until, heard_at)
      SELECT i, CAST(231200000000 + i AS text),
        ${sql.lit(now)} + (i * 7919 % ${sql.lit(bags)}) * ${sql.lit(intervalMs)} / ${sql.lit(bags)},
        ${sql.lit(now + 30 * 86_400_000)}, 0, 0, ${sql.lit(now)} FROM n`.execute(kysely)
  }
  if (engine === 'postgres') await sql`ANALYZE`.execute(kysely)
}

/** Scans that are stored. */
export async function countScans({ kysely }: EngineParts): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM booking_events`.execute(kysely)
  return Number(rows[0]?.count ?? 0)
}
