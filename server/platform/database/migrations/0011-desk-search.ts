import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { postgresSearchText, searchText } from '../search-text.ts'

/** Columns with names of persons. */
export const searchedNames = { users: 'name', bookings: 'receiver_name' } as const
export type SearchedTable = keyof typeof searchedNames

/** The last four digits of a phone, as an index holds them. */
export const phoneEndOf = (column: string) => `substr(${column}, length(${column}) - 3)`

const statements = [
  `CREATE INDEX users_phone_end ON users (${phoneEndOf('phone')}, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX bookings_receiver_phone_end ON bookings (${phoneEndOf('receiver_phone')}, id)
    WHERE receiver_phone IS NOT NULL`,
  `CREATE INDEX bookings_second_phone_end ON bookings (${phoneEndOf('second_phone')}, id)
    WHERE second_phone IS NOT NULL`,
  // The list of the desk, newest first; paid ones are the most, and found among all.
  'CREATE INDEX orders_created ON orders (created_at, id)',
  'CREATE INDEX orders_agent_created ON orders (agent_code, created_at, id)',
  'CREATE INDEX orders_center_created ON orders (center_code, created_at, id)',
  "CREATE INDEX orders_refunded ON orders (created_at, id) WHERE status = 'REFUNDED'",
  // How often a person of the desk did something lately.
  `CREATE INDEX operator_actions_staff ON operator_actions (actor_issuer, actor_subject, action, at)
    WHERE actor_subject IS NOT NULL`,
  // Null in rows of before.
  'ALTER TABLE orders ADD COLUMN expired_at bigint',
  'ALTER TABLE bookings ADD COLUMN issued_at bigint',
  'ALTER TABLE bookings ADD COLUMN halts text',
  `UPDATE bookings SET halts = CAST(stopped_at AS text) || '/' || CAST(creations AS text)
    WHERE state = 'waiting' AND stopped_at IS NOT NULL`,
]

/** What the desk finds persons and orders by. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely)
  if (engine === 'sqlite') return
  await sql.raw(postgresSearchText()).execute(kysely)
  for (const [table, column] of Object.entries(searchedNames))
    await sql
      .raw(
        `CREATE INDEX ${table}_search ON ${table} USING gin (${searchText}(${column}) gin_trgm_ops)
          WHERE ${column} <> ''`,
      )
      .execute(kysely)
}
