import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { noon } from '#test/kit/clock.ts'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { bookingRow, labelRow, orderRow } from '#test/kit/stored-orders.ts'
import { backupPostgres, backupSqlite } from './backup.ts'
import { copyToPostgres } from './copy.ts'
import type { Engine, EngineParts } from './database.ts'
import { migrate } from './migrate.ts'
import { idsByName } from './name-index.ts'
import { readNumbers } from './numbers.ts'
import { openSqlite } from './sqlite.ts'

/** A migrated database of the engine, and its backup. */
async function openSource(engine: Engine) {
  const folder = freshFolder()
  const target = join(folder, 'copy.sqlite')
  const file = join(folder, 'live.sqlite')
  const place = engine === 'postgres' ? await freshDatabase(engine) : undefined
  const parts = place?.open() ?? openSqlite(file)
  onTestFinished(async () => {
    await parts.kysely.destroy()
    await place?.remove()
  })
  await migrate(parts)
  const backup = () =>
    engine === 'postgres' ? backupPostgres(parts, target, noon) : backupSqlite(file, target, noon)
  return { parts, target, folder, backup }
}

const user = (id: number) => ({ id, phone: `+9665${id}`, name: 'عبد الله', created_at: noon })
const order = { ...orderRow, user_id: 1 }
const { pdf } = labelRow

async function fill({ kysely }: EngineParts): Promise<void> {
  // More than are copied at once.
  await kysely
    .insertInto('users')
    .values(Array.from({ length: 450 }, (_, index) => user(index + 1)))
    .execute()
  await kysely.insertInto('orders').values(order).execute()
  await kysely.insertInto('bookings').values(bookingRow).execute()
  await kysely.insertInto('labels').values(labelRow).execute()
}

function openCopy(path: string): EngineParts {
  const parts = openSqlite(path)
  onTestFinished(() => parts.kysely.destroy())
  return parts
}

describe.each(engines)('a backup of %s', (engine) => {
  it('holds every row byte for byte and its time, and only its owner can read it', async () => {
    const { parts, target, folder, backup } = await openSource(engine)
    await fill(parts)
    const counts = await backup()
    expect(Object.fromEntries(counts)).toMatchObject({ users: 450, orders: 1, bookings: 1, labels: 1 })
    await parts.kysely.deleteFrom('labels').execute()

    expect((await stat(target)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite'])
    const { kysely } = openCopy(target)
    const named = sql`SELECT id FROM users WHERE id IN ${idsByName('users', [['عبد']], 1_000)}`
    expect((await named.execute(kysely)).rows).toHaveLength(450)
    expect(await kysely.selectFrom('users').selectAll().orderBy('id').execute()).toHaveLength(450)
    expect(await kysely.selectFrom('orders').selectAll().execute()).toMatchObject([order])
    const [label] = await kysely.selectFrom('labels').selectAll().execute()
    expect([...(label?.pdf ?? [])]).toEqual([...pdf])
    expect(await kysely.selectFrom('backup_info').selectAll().execute()).toEqual([{ taken_at: noon }])
  })

  it('keeps the last id of every table, also of deleted rows', async () => {
    const { parts, target, backup } = await openSource(engine)
    await fill(parts)
    const { id: _, ...next } = order
    for (let count = 0; count < 2; count += 1) await parts.kysely.insertInto('orders').values(next).execute()
    const last = (await readNumbers(parts)).get('orders')
    await parts.kysely.deleteFrom('labels').execute()
    await parts.kysely.deleteFrom('bookings').execute()
    await parts.kysely.deleteFrom('orders').execute()
    await backup()
    expect(last).toBeGreaterThan(1)
    const copy = openCopy(target)
    expect((await readNumbers(copy)).get('orders')).toBe(last)
  })

  it('never overwrites another backup', async () => {
    const { target, backup } = await openSource(engine)
    await writeFile(target, 'yesterday')
    await expect(backup()).rejects.toThrow('never overwrites')
    expect((await stat(target)).size).toBe('yesterday'.length)
  })

  it('leaves no file behind when it fails', async () => {
    const { parts, folder, backup } = await openSource(engine)
    await fill(parts)
    // A row without its parent: the copy has the same broken reference, which makes the backup fail.
    if (engine === 'sqlite') await sql`PRAGMA foreign_keys = OFF`.execute(parts.kysely)
    else await sql`ALTER TABLE labels DROP CONSTRAINT labels_booking_id_fkey`.execute(parts.kysely)
    await parts.kysely.insertInto('labels').values({ booking_id: 8, pdf, stored_at: noon }).execute()
    await expect(backup()).rejects.toThrow('does not hold together')
    expect((await readdir(folder)).filter((name) => name.startsWith('copy'))).toEqual([])
  })
})

it('a backup of SQLite is refused for a missing file', async () => {
  const folder = freshFolder()
  await expect(backupSqlite(join(folder, 'missing'), join(folder, 'copy.sqlite'), noon)).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})

it('a backup of PostgreSQL is one snapshot, also while rows are inserted', async () => {
  const { parts, target } = await openSource('postgres')
  await fill(parts)
  let isOver = false
  const coming = (async () => {
    for (let id = 1_000; !isOver; id += 1) {
      await parts.kysely.transaction().execute(async (both) => {
        await both.insertInto('users').values(user(id)).execute()
        await both
          .insertInto('orders')
          .values({ ...order, id, user_id: id })
          .execute()
      })
    }
  })()
  await backupPostgres(parts, target, noon).finally(() => {
    isOver = true
  })
  await coming
  const copy = new DatabaseSync(target, { readOnly: true })
  onTestFinished(() => copy.close())
  const count = (table: string, from: number) =>
    copy.prepare(`SELECT count(*) AS count FROM ${table} WHERE id >= ?`).get(from)?.count
  expect(count('orders', 1_000)).toBe(count('users', 1_000))
})

it('a move to PostgreSQL continues above the ids of deleted rows', async () => {
  const { parts: from } = await openSource('sqlite')
  const { parts: to } = await openSource('postgres')
  await fill(from)
  await from.kysely.deleteFrom('labels').execute()
  await from.kysely.deleteFrom('bookings').execute()
  await from.kysely.deleteFrom('orders').execute()
  await copyToPostgres(from, to)
  const { id: _, ...next } = order
  const added = await to.kysely.insertInto('orders').values(next).returning('id').executeTakeFirstOrThrow()
  expect(added.id).toBe(901)
})
