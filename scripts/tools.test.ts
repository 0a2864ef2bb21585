import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { addSearchText } from '#server/platform/database/search-text.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { claimForDemo } from '#test/kit/database/memory-database.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { callScript, runScript } from '#test/kit/programs/tools.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const phone = '+966512345678'
const password = 'secret-of-the-database'

const tools = ['ops', 'replay-payment']

async function makeSqlite(folder: string): Promise<string> {
  const file = join(folder, 'amtiati.sqlite')
  const parts = openSqlite(file)
  await migrate(parts)
  await claimForDemo(parts)
  await parts.kysely.insertInto('users').values({ id: 1, phone, name: 'N', created_at: 0 }).execute()
  await parts.kysely.destroy()
  return file
}

async function changedSqlite(change: string): Promise<string> {
  const folder = freshFolder()
  const file = new DatabaseSync(await makeSqlite(folder))
  addSearchText(file)
  file.exec(change)
  file.close()
  return folder
}

it.each(isFull ? tools : ['ops'])(
  '%s prints its usage, and where it finds its configuration',
  async (name) => {
    const { code, out, err } = await runScript(name, ['--help'], { DATABASE_URL: 'no address' })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^usage: .*npm run /)
    expect(out).toMatch(/environment\s+and \.env/)
  },
)

it.each(tools)('%s refuses unknown arguments, and prints its usage', async (name) => {
  const { code, out, err } = await runScript(name, ['--nonsense'], { DATA_DIR: freshFolder() })
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('usage: ')
})

describe('ops', () => {
  async function refusalOf(env: Record<string, string>): Promise<string> {
    const { code, err, out } = await callScript('ops', ['stuck'], env)
    expect(code, out).toBe(1)
    // One line, and no stack.
    expect(err).not.toContain('\n')
    return err
  }

  it('refuses a missing folder', async () => {
    const DATA_DIR = join(freshFolder(), 'elsewhere')
    expect(await refusalOf({ DATA_DIR })).toBe(
      `there is no folder ${DATA_DIR}. Set DATA_DIR or DATABASE_URL.`,
    )
  })

  it('refuses a missing, an empty and a foreign file, and does not change them', async () => {
    const DATA_DIR = freshFolder()
    const file = join(DATA_DIR, 'amtiati.sqlite')
    expect(await refusalOf({ DATA_DIR })).toContain('it does not exist')
    await writeFile(file, '')
    expect(await refusalOf({ DATA_DIR })).toContain('it is empty')
    expect(await readFile(file, 'utf8')).toBe('')
    await writeFile(file, 'x'.repeat(5_000))
    expect(await refusalOf({ DATA_DIR })).toContain('file is not a database')
    await rm(file)
    const foreign = new DatabaseSync(file)
    foreign.exec('CREATE TABLE t (a)')
    foreign.close()
    const before = await readFile(file)
    expect(await refusalOf({ DATA_DIR })).toContain('it has no orders table')
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  it.each([
    [
      'another build of before the first release, and says how to empty it',
      "UPDATE schema_steps SET hash = 'another'",
      'delete amtiati.sqlite* in DATA_DIR',
    ],
    [
      'a newer build',
      "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')",
      'it was written by a newer build (9999-later): use that build',
    ],
  ])('refuses a database of %s', async (_, change, refusal) => {
    expect(await refusalOf({ DATA_DIR: await changedSqlite(change) })).toContain(refusal)
  })

  it('works on a database that a newer build has migrated additively, and says so', async () => {
    const DATA_DIR =
      await changedSqlite(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '');
      INSERT INTO schema_steps (step, hash, additive) VALUES ('9999-later', '', 1)`)
    expect(await callScript('ops', ['stuck'], { DATA_DIR })).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('schema: newer than this build, which works with it (9999-later)'),
    })
  })

  it('refuses an invalid and an unreachable address, without its password', async () => {
    expect(await refusalOf({ DATABASE_URL: 'mysql://here' })).toContain(
      'DATABASE_URL is not a postgres:// URL',
    )
    const DATABASE_URL = `postgres://amtiati:${password}@127.0.0.1:4/orders`
    const refusal = await refusalOf({ DATABASE_URL })
    expect(refusal).toContain(`PostgreSQL 127.0.0.1:4/orders: connect ECONNREFUSED`)
    expect(refusal).not.toContain(password)
    expect(await refusalOf({ DATABASE_URL: DATABASE_URL.replace('@', '@127.0.0.1:5,') })).toBe(
      'no server of DATABASE_URL is a primary: 127.0.0.1:5 cannot be used (connect ECONNREFUSED 127.0.0.1:5), 127.0.0.1:4 cannot be used (connect ECONNREFUSED 127.0.0.1:4)',
    )
  })

  it('ignores the SQLite file when DATABASE_URL is set', async () => {
    const DATA_DIR = freshFolder()
    await makeSqlite(DATA_DIR)
    const DATABASE_URL = await freshPostgresUrl()
    expect(await refusalOf({ DATA_DIR, DATABASE_URL })).toMatch(/^PostgreSQL .*: it has no orders table/)
  })

  it('refuses a database of an older build', async () => {
    const DATA_DIR = await changedSqlite('DELETE FROM kysely_migration')
    expect(await refusalOf({ DATA_DIR })).toContain(
      'it is older than this build (0001-schema, 0002-handover-photos missing)',
    )
  })

  it('reads of several servers the primary, and prints its name without the password', async () => {
    const url = await freshPostgresUrl()
    const DATABASE_URL = url.replace('@', '@127.0.0.1:4,')
    const parts = openPatientPostgres(DATABASE_URL)
    await migrate(parts)
    await claimForDemo(parts)
    await parts.kysely.destroy()
    const { code, out, err } = await callScript('ops', ['stuck'], { DATABASE_URL, DATA_DIR: freshFolder() })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`database: PostgreSQL ${url.split('@')[1]}, 0 orders, 0 users`)
  })
})

it('reads the .env of npm start, which the environment overrides', async () => {
  const [inFile, inShell, folder] = [freshFolder(), freshFolder(), freshFolder()]
  await makeSqlite(inFile)
  await makeSqlite(inShell)
  for (const name of ['scripts', 'server', 'shared', 'pdf', 'node_modules', 'package.json'])
    await symlink(join(root, name), join(folder, name))
  await writeFile(join(folder, '.env'), `DATA_DIR=${inFile}\n`)
  const ofFile = await runScript('ops', ['stuck'], {}, folder)
  expect(ofFile.out).toContain(`database: SQLite ${inFile}/amtiati.sqlite, 0 orders, 1 user`)
  const ofShell = await runScript('ops', ['stuck'], { DATA_DIR: inShell }, folder)
  expect(ofShell.out).toContain(`database: SQLite ${inShell}/amtiati.sqlite, 0 orders, 1 user`)
})
