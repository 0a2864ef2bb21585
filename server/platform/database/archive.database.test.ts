import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { describeProcess } from '#server/platform/plugins/telemetry.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { startPostgres } from '#test/kit/database/postgres.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { readArchiveFailing } from './archive.ts'
import { createDatabase } from './database.ts'

/** A PostgreSQL with an archive. Its setting `archive_command` is still empty. */
async function openArchived() {
  const { address, stop } = await startPostgres(['wal_level=replica', 'archive_mode=on'])
  onTestFinished(stop)
  const url = await (await fetch(address)).text()
  const { kysely } = openPatientPostgres(url)
  onTestFinished(() => kysely.destroy())
  return {
    url,
    /** Resolves when PostgreSQL has stored the time of the success or failure that follows. */
    async archiveWith(command: 'true' | 'false', stored: 'last_archived_time' | 'last_failed_time') {
      const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(kysely)
      await sql`ALTER SYSTEM SET archive_command = ${sql.lit(command)}`.execute(kysely)
      await sql`SELECT pg_reload_conf()`.execute(kysely)
      await sql`SELECT pg_switch_wal()`.execute(kysely)
      const found = sql`SELECT 1 FROM pg_stat_archiver WHERE ${sql.ref(stored)} > ${rows[0]?.now}`
      await eventually(async () => ((await found.execute(kysely)).rows.length > 0 ? true : undefined))
    },
  }
}

function openMetrics(url: string) {
  const database = createDatabase(openPatientPostgres(url))
  onTestFinished(() => database.close())
  const metrics = createMetrics({ readWithinMs: patienceMs })
  describeProcess(metrics, { version: '1.2.3', database })
  return { database, metrics }
}

const series = 'amtiati_database_archive_failing'

it('an archive fails from its first failure until it works again', async () => {
  const { url, archiveWith } = await openArchived()
  const core = openMetrics(url)
  expect(await measured(core, series)).toBe(0)
  await archiveWith('false', 'last_failed_time')
  expect(await measured(core, series)).toBe(1)
  await archiveWith('true', 'last_archived_time')
  expect(await measured(core, series)).toBe(0)
})

it('the metrics are served to a role that may not read the state of the archive', async () => {
  const url = new URL(await freshPostgresUrl())
  const { kysely } = openPatientPostgres(url.href)
  onTestFinished(() => kysely.destroy())
  await sql`REVOKE SELECT ON pg_stat_archiver FROM PUBLIC`.execute(kysely)
  url.searchParams.set('options', '-c role=pg_signal_backend')
  const { database, metrics } = openMetrics(url.href)
  await expect(readArchiveFailing(database)).rejects.toThrow('permission denied')
  const text = await metrics.registry.metrics()
  expect(text).toMatch(/^amtiati_database_archive_failing Nan$/m)
  expect(text).toMatch(/^amtiati_build_info/m)
})
