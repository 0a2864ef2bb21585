import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { backupSqlite } from './backup.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const source = join(folder, 'live.sqlite')
  const parts = openSqlite(source)
  await migrate(parts)
  onTestFinished(() => parts.kysely.destroy())
  return { folder, source, parts, target: join(folder, 'copy.sqlite') }
}

describe('backupSqlite', () => {
  it('copies what is kept while the file is in use', async () => {
    const { source, parts, target } = await openFolder()
    await parts.kysely
      .insertInto('partner_lists')
      .values({ kind: 'centers', body: '[1]', fetched_at: 5 })
      .execute()
    expect(await backupSqlite(source, target)).toBeGreaterThan(0)
    await parts.kysely.deleteFrom('partner_lists').execute()
    const copy = openSqlite(target)
    expect(await copy.kysely.selectFrom('partner_lists').selectAll().execute()).toEqual([
      { kind: 'centers', body: '[1]', fetched_at: 5 },
    ])
    await copy.kysely.destroy()
  })

  it('never writes over another backup', async () => {
    const { source, target } = await openFolder()
    await writeFile(target, 'yesterday')
    await expect(backupSqlite(source, target)).rejects.toThrow('never overwrites')
  })

  it('says so where there is nothing to copy', async () => {
    const { folder, target } = await openFolder()
    await expect(backupSqlite(join(folder, 'missing.sqlite'), target)).rejects.toThrow('there is no database')
  })
})
