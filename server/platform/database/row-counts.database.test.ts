import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import { noon } from '#test/kit/clock.ts'
import { forEachEngine } from '#test/kit/databases.ts'
import { createRandom } from '#test/kit/random.ts'
import type { Database } from './database.ts'
import { addUpCounts, countByState, readCounts } from './row-counts.ts'

const agents = ['A01', 'A02'] as const

async function addOrders(database: Database, count: number): Promise<number[]> {
  const { id: userId } = await database.tables
    .insertInto('users')
    .values({ phone: `+9665${crypto.randomUUID()}`, name: 'N', created_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, index) => ({
    user_id: userId,
    type: 'TO_MINA' as const,
    status: 'PENDING_PAYMENT' as const,
    currency: 'SAR',
    amount_halalas: 5_000 + index,
    agent_code: agents[index % 2] ?? '',
    center_code: 'C',
    created_at: noon,
  }))
  const added = await database.tables.insertInto('orders').values(rows).returning('id').execute()
  return added.map(({ id }) => id)
}

/** Counted by reading every row. */
async function walked(database: Database) {
  const { rows } = await sql<{ agent: string; state: string; count: number; halalas: number }>`
    SELECT agent_code AS agent, status AS state, count(*) AS count, sum(amount_halalas) AS halalas
    FROM orders GROUP BY agent_code, status`.execute(database.tables)
  return new Map(
    rows.map(({ agent, state, ...sums }) => [
      `${agent} ${state}`,
      { count: Number(sums.count), halalas: Number(sums.halalas) },
    ]),
  )
}

async function kept(database: Database) {
  const sums = new Map<string, { count: number; halalas: number }>()
  for (const { agent, state, count, halalas } of await readCounts(database, 'orders')) {
    const sum = sums.get(`${agent} ${state}`) ?? { count: 0, halalas: 0 }
    sums.set(`${agent} ${state}`, { count: sum.count + count, halalas: sum.halalas + halalas })
  }
  for (const [key, { count }] of sums) if (count === 0) sums.delete(key)
  return sums
}

forEachEngine((engine, open) => {
  describe('kept counts', () => {
    it('equal what a walk over the rows finds, whatever changes, and whenever they are added up', async () => {
      const database = await open()
      const random = createRandom(1)
      const ids = await addOrders(database, 20)
      for (let round = 0; round < 60; round += 1) {
        const id = ids[random.between(0, ids.length - 1)] ?? 0
        const status = random.pick(orderStatuses)
        if (random.chance(0.1)) await database.tables.deleteFrom('orders').where('id', '=', id).execute()
        else await database.tables.updateTable('orders').set({ status }).where('id', '=', id).execute()
        if (engine === 'postgres' && random.chance(0.2)) await addUpCounts(database)
        if (round % 20 === 19) expect(await kept(database)).toEqual(await walked(database))
      }
      if (engine === 'sqlite') return
      while (await addUpCounts(database));
      const left = await database.tables.selectFrom('row_count_changes').selectAll().execute()
      expect(left).toEqual([])
      expect(await kept(database)).toEqual(await walked(database))
    })

    it('go back with their transaction', async () => {
      const database = await open()
      await addOrders(database, 2)
      await expect(
        database.transaction(async () => {
          await addOrders(database, 3)
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
      expect((await countByState(database, 'orders')).get('PENDING_PAYMENT')).toEqual({
        count: 2,
        halalas: 10_001,
      })
    })

    it('are read from as few rows with many orders as with few', async () => {
      const database = await open()
      const rowsOf = async () => (await readCounts(database, 'orders')).length
      await addOrders(database, 2)
      const few = await rowsOf()
      await addOrders(database, 300)
      expect([few, await rowsOf()]).toEqual([2, 2])
    })
  })
})
