import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, freshDatabase } from '#test/kit/databases.ts'
import { bookingRow, labelRow, orderRow } from '#test/kit/stored-orders.ts'
import { emptyRows, fitsDatabase, readAllRows, replaceAllRows } from './all-rows.ts'
import { createDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const user = { phone: '+966512345678', name: 'عبد الله', created_at: 1_800_000_000_000 }
const list = { kind: 'agents', body: '[]', fetched_at: 1 }

describe.each(engines)('all rows on %s', (engine) => {
  async function openFilled() {
    const location = await freshDatabase(engine)
    const parts = location.open()
    onTestFinished(async () => {
      await parts.kysely.destroy()
      await location.remove()
    })
    await migrate(parts)
    const { kysely } = parts
    const addUser = async (phone: string) =>
      Number(
        (
          await kysely
            .insertInto('users')
            .values({ ...user, phone })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id,
      )
    const id = await addUser(user.phone)
    await kysely
      .insertInto('orders')
      .values({ ...orderRow, user_id: id })
      .execute()
    await kysely.insertInto('bookings').values(bookingRow).execute()
    await kysely.insertInto('labels').values(labelRow).execute()
    await kysely.insertInto('partner_lists').values(list).execute()
    return { database: createDatabase(parts), kysely, addUser }
  }

  it('come back as they were, bytes and references included, in place of others', async () => {
    const { database, addUser } = await openFilled()
    const before = await readAllRows(database)
    expect(before.tables).toMatchObject({ users: [user], orders: [orderRow], bookings: [bookingRow] })
    expect(fitsDatabase(database, before)).toBe(true)
    await addUser('+966512345679')
    await replaceAllRows(database, before)
    expect(await readAllRows(database)).toEqual(before)
  })

  it('can be none, and ids continue', async () => {
    const { database, kysely, addUser } = await openFilled()
    const last = await addUser('+966512345679')
    await replaceAllRows(database, emptyRows(database))
    expect(Object.values((await readAllRows(database)).tables).flat()).toEqual([])
    expect(await addUser(user.phone)).toBeGreaterThan(last)
    // The partner's lists are kept.
    expect(await kysely.selectFrom('partner_lists').select('kind').execute()).toEqual([{ kind: 'agents' }])
  })

  it('of another engine or schema do not fit', async () => {
    const { database } = await openFilled()
    const rows = emptyRows(database)
    expect(fitsDatabase(database, { ...rows, schema: '0001-journey' })).toBe(false)
    expect(fitsDatabase(database, { ...rows, engine: engine === 'sqlite' ? 'postgres' : 'sqlite' })).toBe(
      false,
    )
  })
})
