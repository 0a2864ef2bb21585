import { expect, it, onTestFinished } from 'vitest'
import { engines, freshDatabase } from '#test/kit/database/databases.ts'
import { bookingRow, labelRow, orderRow } from '#test/kit/orders/stored-orders.ts'
import { deleteAllRows } from './all-rows.ts'
import { createDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const user = { phone: '+966512345678', name: 'عبد الله', created_at: 1_800_000_000_000 }

it.each(engines)('all rows on %s are deleted but the partner’s lists, and ids continue', async (engine) => {
  const location = await freshDatabase(engine)
  const parts = location.open()
  onTestFinished(async () => {
    await parts.kysely.destroy()
    await location.remove()
  })
  await migrate(parts)
  const { kysely } = parts
  const addUser = async (): Promise<number> => {
    const { id } = await kysely.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    return Number(id)
  }
  const last = await addUser()
  await kysely
    .insertInto('orders')
    .values({ ...orderRow, user_id: last })
    .execute()
  await kysely.insertInto('bookings').values(bookingRow).execute()
  await kysely.insertInto('labels').values(labelRow).execute()
  await kysely.insertInto('partner_lists').values({ kind: 'agents', body: '[]', fetched_at: 1 }).execute()

  await deleteAllRows(createDatabase(parts))
  for (const table of ['users', 'orders', 'bookings', 'labels'] as const)
    expect(await kysely.selectFrom(table).selectAll().execute(), table).toEqual([])
  expect(await addUser()).toBeGreaterThan(last)
  expect(await kysely.selectFrom('partner_lists').select('kind').execute()).toEqual([{ kind: 'agents' }])
})
