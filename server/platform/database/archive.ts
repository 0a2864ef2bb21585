import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * 1 if the archive of PostgreSQL's log failed after it last worked, else 0; NaN on SQLite and where `archive_mode` is
 * off.
 */
export async function readArchiveFailing(database: Database): Promise<number> {
  if (database.engine !== 'postgres') return Number.NaN
  const [archive] = await database.rows(sql<{ isFailing: boolean }>`SELECT
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "isFailing"
    FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'`)
  return archive === undefined ? Number.NaN : Number(archive.isFailing)
}
