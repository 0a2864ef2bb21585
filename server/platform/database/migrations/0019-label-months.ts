import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** Tables that PostgreSQL keeps in parts by the month (UTC) of a time in epoch milliseconds; SQLite keeps each in one. */
export const monthlyTables = { labels: 'stored_at' } as const
export type MonthlyTable = keyof typeof monthlyTables

/** Months that exist beforehand, after the present one. */
export const monthsAhead = 2

/** The first moment of the month of `at`, or of one after it. */
export function monthStart(at: number, later = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)
}

/** Creates the part for the month of `at`, unless it exists. */
export function openMonth(table: MonthlyTable, at: number): string {
  const name = `${table}_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}`
  return `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table}
    FOR VALUES FROM (${monthStart(at)}) TO (${monthStart(at, 1)})`
}

/**
 * Labels in parts by month. What there is becomes the part before the next month, as it lies on the disk: no file is moved.
 * `labels_rest` takes every time that has no month. No key can say any more that a booking has one label: the statement that
 * stores it does (`storeLabel`).
 */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  const run = (text: string) => sql.raw(text).execute(kysely)
  for (const statement of [
    'ALTER TABLE labels RENAME TO labels_before',
    'ALTER TABLE labels_before DROP CONSTRAINT labels_pkey',
    'ALTER TABLE labels_before RENAME CONSTRAINT labels_booking_id_fkey TO labels_before_booking_id_fkey',
    `CREATE TABLE labels (
      booking_id bigint NOT NULL REFERENCES bookings (id),
      pdf bytea NOT NULL,
      stored_at bigint NOT NULL,
      PRIMARY KEY (booking_id, stored_at)
    ) PARTITION BY RANGE (stored_at)`,
    'CREATE TABLE labels_rest PARTITION OF labels DEFAULT',
    'CREATE INDEX labels_rest_age ON labels_rest (stored_at)',
  ])
    await run(statement)
  const { rows } = await sql<{ now: number; newest: number | null }>`SELECT
    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    (SELECT max(stored_at) FROM labels_before) AS newest`.execute(kysely)
  const [{ now, newest } = { now: 0, newest: null }] = rows
  const next =
    newest === null ? monthStart(Number(now)) : monthStart(Math.max(Number(now), Number(newest)), 1)
  const existing =
    newest === null
      ? ['DROP TABLE labels_before']
      : [
          'ALTER TABLE labels_before ADD PRIMARY KEY (booking_id, stored_at)',
          `ALTER TABLE labels ATTACH PARTITION labels_before FOR VALUES FROM (MINVALUE) TO (${next})`,
          'CREATE INDEX labels_before_age ON labels_before (stored_at)',
        ]
  for (const statement of existing) await run(statement)
  for (let later = 0; later <= monthsAhead; later += 1)
    await run(openMonth('labels', monthStart(next, later)))
}
