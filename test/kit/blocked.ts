import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { eventually } from './eventually.ts'

/**
 * Resolves once `work` waits for a lock of the database, or is done. On SQLite at once: its transactions follow each other
 * in any case.
 */
export async function blockedOrDone(database: Database, work: Promise<unknown>): Promise<void> {
  if (database.engine === 'sqlite') return
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  await eventually(async () => {
    const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.tables())
    return isDone || Number(rows[0]?.waiting) > 0 ? true : undefined
  })
}
