import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '#test/kit/databases.ts'
import { bookingRow, labelRow, orderRow } from '#test/kit/stored-orders.ts'
import { copyToPostgres } from './copy.ts'
import type { EngineParts } from './database.ts'
import { migrate } from './migrate.ts'

async function openFresh(engine: 'sqlite' | 'postgres'): Promise<EngineParts> {
  const place = await freshDatabase(engine)
  const parts = place.open()
  onTestFinished(async () => {
    await parts.kysely.destroy()
    await place.remove()
  })
  await migrate(parts)
  return parts
}

const user = {
  id: 41,
  phone: '+966512345678',
  name: 'عبد الله',
  created_at: 1_800_000_000_000,
  deleted_at: null,
  language: null,
  messages: 1,
  sms_refused: null,
}
const order = { ...orderRow, user_id: 41, transaction_id: 'T1', paid_at: orderRow.created_at + 1 }
const booking = { ...bookingRow, awb: '231200021879', lease: null }

async function fill({ kysely }: EngineParts): Promise<void> {
  await kysely.insertInto('users').values(user).execute()
  await kysely.insertInto('orders').values(order).execute()
  await kysely.insertInto('bookings').values(booking).execute()
  await kysely.insertInto('labels').values(labelRow).execute()
}

/** The same database, and how many rows went through each of its statements. */
function watched(parts: EngineParts): { parts: EngineParts; read: number[]; written: number[] } {
  const read: number[] = []
  const written: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode' && node.values && 'values' in node.values)
        written.push((node.values.values as readonly unknown[]).length)
      return node
    },
    async transformResult({ result }) {
      read.push(result.rows.length)
      return result
    },
  }
  return { parts: { ...parts, kysely: parts.kysely.withPlugin(plugin) }, read, written }
}

describe('copyToPostgres', () => {
  it('copies every row byte for byte, and counts them', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    const counts = Object.fromEntries(await copyToPostgres(from, to))
    expect(counts).toMatchObject({ users: 1, orders: 1, bookings: 1, labels: 1, sessions: 0 })
    const [copied] = await to.kysely.selectFrom('orders').selectAll().execute()
    expect(copied).toMatchObject(order)
    const [file] = await to.kysely.selectFrom('labels').selectAll().execute()
    expect([...(file?.pdf ?? [])]).toEqual([...labelRow.pdf])
  })

  it('keeps a bounded number of rows in memory, and loses none', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    const many = 10_001
    await fill(from)
    // Keys of one column and of several, with text and numbers in them.
    await sql`INSERT INTO otp_counters (role, phone, touched_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
      SELECT CASE i % 2 WHEN 0 THEN 'user' ELSE 'agent' END, '+9665' || i, i FROM n`.execute(from.kysely)
    await sql`INSERT INTO idempotency_keys (user_id, "key", body_hash, order_id, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
      SELECT 41, 'key-' || i, 'hash', 900, i FROM n`.execute(from.kysely)
    const [source, target] = [watched(from), watched(to)]
    const counts = Object.fromEntries(await copyToPostgres(source.parts, target.parts))
    expect(counts).toMatchObject({ otp_counters: many, idempotency_keys: many, orders: 1 })
    expect(Math.max(...source.read, ...target.read)).toBeLessThanOrEqual(200)
    expect(Math.max(...target.written)).toBeLessThanOrEqual(200)
    expect(target.written.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(2 * many)
    const { rows } = await sql`SELECT count(DISTINCT (role, phone)) AS phones FROM otp_counters`.execute(
      to.kysely,
    )
    expect(rows).toEqual([{ phones: many }])
  })

  it('rolls back when rows are inserted meanwhile', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    let isBegun = false
    const beside: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Its number is lower than the last one that was read.
        if (!isBegun && result.rows.some(({ phone }) => phone === user.phone)) {
          isBegun = true
          await from.kysely
            .insertInto('users')
            .values({ ...user, id: 40, phone: '+966587654321' })
            .execute()
        }
        return result
      },
    }
    const source = { ...from, kysely: from.kysely.withPlugin(beside) }
    await expect(copyToPostgres(source, to)).rejects.toThrow('users: 1 rows were copied, the source has 2')
    expect(await to.kysely.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('continues ids where they were', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    // An id that was assigned to an order, which was deleted since.
    await from.kysely
      .insertInto('orders')
      .values({ ...order, id: 950 })
      .execute()
    await from.kysely.deleteFrom('orders').where('id', '=', 950).execute()
    await copyToPostgres(from, to)
    const { id: _, ...next } = order
    const added = await to.kysely.insertInto('orders').values(next).returning('id').executeTakeFirstOrThrow()
    expect(added.id).toBe(951)
  })

  it('refuses a target that holds rows', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    await to.kysely
      .insertInto('partner_lists')
      .values({ kind: 'centers', body: '[]', fetched_at: 1 })
      .execute()
    await expect(copyToPostgres(from, to)).rejects.toThrow('partner_lists of the target is not empty')
    expect(await to.kysely.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('has an order for every table', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await from.kysely.schema.createTable('forgotten').addColumn('id', 'integer').execute()
    await expect(copyToPostgres(from, to)).rejects.toThrow('no order of copying is known for forgotten')
  })
})
