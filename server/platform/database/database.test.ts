import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { forEachEngine } from '#test/kit/databases.ts'
import { createDatabase, type Database } from './database.ts'
import { openDatabase } from './open.ts'
import { openSqlite } from './sqlite.ts'

interface Lists {
  partner_lists: { kind: string; body: string; fetched_at: number }
}

const row = (kind: string, fetched_at = 1) => ({ kind, body: '[]', fetched_at })

forEachEngine((engine, open) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
  })

  const lists = () => database.tables<Lists>()
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
    it('keeps everything and answers what its work answers', async () => {
      const answer = await database.transaction(async () => {
        await add('a')
        await add('b')
        return 7
      })
      expect(answer).toBe(7)
      expect(await kinds()).toEqual(['a', 'b'])
    })

    it('keeps nothing when its work fails, and says why', async () => {
      const work = database.transaction(async () => {
        await add('a')
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await kinds()).toEqual([])
    })

    it('keeps nothing when a statement fails', async () => {
      const work = database.transaction(async () => {
        await add('a')
        await add('a')
      })
      await expect(work).rejects.toThrow()
      expect(await kinds()).toEqual([])
      await add('a')
      expect(await kinds()).toEqual(['a'])
    })

    it('takes in the transactions inside it: they are kept or undone together', async () => {
      const work = database.transaction(async () => {
        await database.transaction(() => add('inner'))
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await kinds()).toEqual([])
    })

    it('is not seen by others before its end', async () => {
      const inside = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const work = database.transaction(async () => {
        await add('a')
        inside.resolve()
        await end.promise
      })
      await inside.promise
      // PostgreSQL answers from before the beginning; SQLite has one connection, so the other waits for the end.
      const seen = kinds()
      if (engine === 'postgres') expect(await seen).toEqual([])
      end.resolve()
      await work
      if (engine === 'sqlite') expect(await seen).toEqual(['a'])
      expect(await kinds()).toEqual(['a'])
    })

    it('leaves nothing open for what comes after it', async () => {
      await database.transaction(() => add('a'))
      await database.transaction(() => add('b'))
      await Promise.all([add('c'), add('d')])
      expect(await kinds()).toEqual(['a', 'b', 'c', 'd'])
    })

    it('runs again after a deadlock, so that both sides come to their end', async () => {
      await add('a')
      await add('b')
      let inside = 0
      const both = Promise.withResolvers<void>()
      const meet = async () => {
        inside += 1
        // On SQLite they follow each other: waiting for the other would be for ever.
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
    it('resolves while the database takes writes, also twenty times at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => database.check()))
    })

    it('rejects when the database is gone', async () => {
      const gone = createDatabase(openSqlite(':memory:'))
      await expect(gone.check()).rejects.toThrow()
    })
  })
})

describe('openDatabase', () => {
  it('makes the folder and the file, and finds on the second opening what the first has kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'amtiati-open-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const place = { url: undefined, dataDir: join(folder, 'deeper', 'data'), onIdleError: () => undefined }
    const first = await openDatabase(place)
    await first.tables<Lists>().insertInto('partner_lists').values(row('centers')).execute()
    await first.close()
    expect(existsSync(join(place.dataDir, 'amtiati.sqlite'))).toBe(true)
    const second = await openDatabase(place)
    expect(await second.tables<Lists>().selectFrom('partner_lists').selectAll().execute()).toEqual([
      row('centers'),
    ])
    await second.close()
  })

  it('does not start with a PostgreSQL that is not there', async () => {
    const url = 'postgres://nobody:nothing@127.0.0.1:1/none'
    await expect(openDatabase({ url, dataDir: '', onIdleError: () => undefined })).rejects.toThrow()
  })
})
