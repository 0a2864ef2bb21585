import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import type { Stack } from './stack.ts'

/** What the gateways of a stack have written, read beside them: what an answer says is not what has happened. */
export interface Rows {
  /** The rows of a statement; also for statements that change rows. */
  read<T>(statement: RawBuilder<T>): Promise<readonly T[]>
  /** The same in short, for those who do not speak SQL themselves: values are parameters. */
  ask<T>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly T[]>
  /** A fingerprint of every row by table, without what changes by itself. */
  snapshot(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Every cell of every table as text, with `table.column` before it. */
  cells(): Promise<readonly { place: string; text: string }[]>
  close(): Promise<void>
}

/** Tables that count what was refused, or that nobody asked for. */
const counting = /^(liveness|otp_\w+|partner_lists|kysely_\w+|migrations?)$/

/** Columns that move with time or by the workers, whatever callers do. */
const restless = new Set(['last_seen_at', 'idle_until', 'next_inquiry_at', 'inquiry_step', 'inquired_at'])

export function openRows(stack: Pick<Stack, 'dataDir'>, databaseUrl?: string): Rows {
  const { kysely } =
    databaseUrl === undefined
      ? openSqlite(join(stack.dataDir, 'amtiati.sqlite'))
      : openPostgres(databaseUrl, () => undefined)

  const tables = async () => (await kysely.introspection.getTables()).map(({ name }) => name).sort()
  const rowsOf = (table: string): Promise<readonly Record<string, unknown>[]> =>
    kysely.selectFrom(table).selectAll().execute()

  const read: Rows['read'] = async (statement) => (await statement.execute(kysely)).rows
  return {
    read,
    ask: <T>(text: TemplateStringsArray, ...values: readonly unknown[]) => read(sql<T>(text, ...values)),
    async snapshot() {
      const taken = new Map<string, readonly string[]>()
      for (const table of await tables()) {
        if (counting.test(table)) continue
        taken.set(table, (await rowsOf(table)).map(fingerprintOf).sort())
      }
      return taken
    },
    async cells() {
      const found: { place: string; text: string }[] = []
      for (const table of await tables())
        for (const row of await rowsOf(table))
          for (const [column, value] of Object.entries(row))
            found.push({ place: `${table}.${column}`, text: textOf(value) })
      return found
    },
    close: () => kysely.destroy(),
  }
}

const textOf = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

function fingerprintOf(row: Record<string, unknown>): string {
  const still = Object.entries(row).filter(([column]) => !restless.has(column))
  return still
    .map(([column, value]) => {
      const text = textOf(value)
      return `${column}=${text.length > 200 ? createHash('sha256').update(text).digest('hex') : text}`
    })
    .join(' ')
}
