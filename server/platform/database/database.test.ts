import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { createDatabase, type Database } from './database.ts'
import { openDatabase } from './open.ts'
import { openSqlite } from './sqlite.ts'

const row = (kind: string, fetched_at = 1) => ({ kind, body: '[]', fetched_at })

forEachEngine((engine, open) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })

  const lists = () => database.tables
  const add = (kind: string) => lists().insertInto('partner_lists').values(row(kind)).execute()
  const bump = (kind: string) =>
    lists()
      .updateTable('partner_lists')
      .set((expression) => ({ fetched_at: expression('fetched_at', '+', 1) }))
      .where('kind', '=', kind)
      .execute()
  const kinds = async () =>
    (await lists().selectFrom('partner_lists').select('kind').orderBy('kind').execute()).map(
      ({ kind }) => kind,
    )

  describe('a transaction', () => {
    it('commits and returns the result of its work', async () => {
      const answer = await database.transaction(async () => {
        await add('a')
        await add('b')
        return 7
      })
      expect(answer).toBe(7)
      expect(await kinds()).toEqual(['a', 'b'])
    })

    it('rolls back and rethrows when its work throws', async () => {
      const work = database.transaction(async () => {
        await add('a')
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await kinds()).toEqual([])
    })

    it('rolls back when a statement fails', async () => {
      const work = database.transaction(async () => {
        await add('a')
        await add('a')
      })
      await expect(work).rejects.toThrow()
      expect(await kinds()).toEqual([])
      await add('a')
      expect(await kinds()).toEqual(['a'])
    })

    it('refuses another one inside, whose rollback would undo nothing', async () => {
      const work = database.transaction(async () => {
        await add('a')
        await database.transaction(() => add('inner'))
      })
      await expect(work).rejects.toThrow('a transaction began inside a transaction')
      expect(await kinds()).toEqual([])
    })

    it('is asserted inside it only', async () => {
      expect(() => database.assertTransaction()).toThrow('this needs a transaction of its caller')
      await database.transaction(async () => database.assertTransaction())
      expect(() => database.assertTransaction()).toThrow()
    })

    it('is not visible to others before its commit', async () => {
      const inside = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const work = database.transaction(async () => {
        await add('a')
        inside.resolve()
        await end.promise
      })
      await inside.promise
      // PostgreSQL reads the rows from before the transaction; SQLite has one connection, so the read waits for its end.
      const seen = kinds()
      if (engine === 'postgres') expect(await seen).toEqual([])
      end.resolve()
      await work
      if (engine === 'sqlite') expect(await seen).toEqual(['a'])
      expect(await kinds()).toEqual(['a'])
    })

    it('runs again after a deadlock, so that both sides complete', async () => {
      await add('a')
      await add('b')
      let inside = 0
      const both = Promise.withResolvers<void>()
      const meet = async () => {
        inside += 1
        // SQLite runs the transactions one after the other: waiting for the other one would never end.
        if (engine === 'sqlite' || inside >= 2) both.resolve()
        await both.promise
      }
      const across = (first: string, second: string) =>
        database.transaction(async () => {
          await bump(first)
          await meet()
          await bump(second)
        })
      await Promise.all([across('a', 'b'), across('b', 'a')])
      const rows = await lists().selectFrom('partner_lists').select('fetched_at').execute()
      expect(rows.map(({ fetched_at }) => fetched_at)).toEqual([3, 3])
    })
  })

  describe('check', () => {
    it('resolves while the database accepts writes, also twenty at once', async () => {
      await atOnce(20, () => database.check())
    })

    it('rejects when the database is closed', async () => {
      const gone = createDatabase(openSqlite(':memory:'))
      await expect(gone.check()).rejects.toThrow()
    })
  })
})

describe('openDatabase', () => {
  it('creates folder and file, and finds its rows after reopening', async () => {
    const folder = freshFolder()
    const place = {
      url: undefined,
      dataDir: join(folder, 'deeper', 'data'),
      mode: 'demo' as const,
      onIdleError: () => undefined,
    }
    const first = await openDatabase(place)
    await first.tables.insertInto('partner_lists').values(row('centers')).execute()
    await first.close()
    expect(existsSync(join(place.dataDir, 'amtiati.sqlite'))).toBe(true)
    const second = await openDatabase(place)
    expect(await second.tables.selectFrom('partner_lists').selectAll().execute()).toMatchObject([
      row('centers'),
    ])
    await second.close()
  })

  it.each(['removed', 'replaced'])('fails its check when the file of SQLite was %s', async (change) => {
    const dataDir = freshFolder()
    const file = join(dataDir, 'amtiati.sqlite')
    const database = await openDatabase({
      url: undefined,
      dataDir,
      mode: 'demo',
      onIdleError: () => undefined,
    })
    await database.check()
    await copyFile(file, `${file}.other`)
    if (change === 'removed') await rm(file)
    else await rename(`${file}.other`, file)
    await expect(database.check()).rejects.toThrow(`${file} was removed or replaced`)
    await database.close()
  })

  it('refuses to start with an unreachable PostgreSQL, in one line without the password', async () => {
    const url = 'postgres://user:nothing-at-all@127.0.0.1:1/none'
    const refusal = await openDatabase({
      url,
      dataDir: '',
      mode: 'demo',
      onIdleError: () => undefined,
    }).catch((error: Error) => error)
    expect(refusal).toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(/^cannot connect to the database of DATABASE_URL: .*ECONNREFUSED.*$/),
    })
    expect(String(refusal)).not.toContain('nothing-at-all')
  })

  it.each([
    ['a database that is not there', '/none_of_this_name', 'does not exist'],
    ['a password that is wrong', ':wrong@', 'password authentication failed'],
  ])('refuses to start with %s on PostgreSQL', async (_, change, reason) => {
    const url = new URL(await freshPostgresUrl())
    if (change.startsWith('/')) url.pathname = change
    else url.password = 'wrong'
    await expect(
      openDatabase({ url: String(url), dataDir: '', mode: 'demo', onIdleError: () => undefined }),
    ).rejects.toMatchObject({ name: 'StartFailure', message: expect.stringContaining(reason) })
  })
})
