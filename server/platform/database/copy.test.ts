import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPlace } from '#test/kit/databases.ts'
import { copyToPostgres } from './copy.ts'
import type { EngineParts } from './database.ts'
import { migrate } from './migrate.ts'

async function openFresh(engine: 'sqlite' | 'postgres'): Promise<EngineParts> {
  const place = await freshPlace(engine)
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
}
const order = {
  id: 900,
  user_id: 41,
  type: 'FROM_MINA',
  status: 'PAID',
  amount_halalas: 5_000,
  currency: 'SAR',
  agent_code: 'A01',
  center_code: '1',
  transaction_id: 'T1',
  created_at: 1_800_000_000_000,
  paid_at: 1_800_000_000_001,
}
const booking = {
  id: 7,
  order_id: 900,
  leg: 0,
  reference: 'AM-1',
  origin: '{}',
  destination: '{}',
  awb: '231200021879',
  state: 'issued',
  tries: 1,
  next_try_at: 0,
  lease: null,
  lease_until: 0,
}
const label = { booking_id: 7, pdf: new Uint8Array([0x25, 0x50, 0x00, 0xff]), stored_at: 1 }

async function fill({ kysely }: EngineParts): Promise<void> {
  await kysely.insertInto('users').values(user).execute()
  await kysely.insertInto('orders').values(order).execute()
  await kysely.insertInto('bookings').values(booking).execute()
  await kysely.insertInto('labels').values(label).execute()
}

describe('copyToPostgres', () => {
  it('copies every row to the byte, and counts them', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    const counts = Object.fromEntries(await copyToPostgres(from, to))
    expect(counts).toMatchObject({ users: 1, orders: 1, bookings: 1, labels: 1, sessions: 0 })
    const [copied] = await to.kysely.selectFrom('orders').selectAll().execute()
    expect(copied).toMatchObject(order)
    const [file] = await to.kysely.selectFrom('labels').selectAll().execute()
    expect([...(file?.pdf ?? [])]).toEqual([...label.pdf])
  })

  it('copies more rows than go into one statement', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    const many = Array.from({ length: 450 }, (_, index) => ({
      ...user,
      id: index + 1,
      phone: `+96650000${String(index).padStart(4, '0')}`,
    }))
    for (const one of many) await from.kysely.insertInto('users').values(one).execute()
    expect(Object.fromEntries(await copyToPostgres(from, to))).toMatchObject({ users: 450 })
    expect(await to.kysely.selectFrom('users').selectAll().orderBy('id').execute()).toEqual(many)
  })

  it('goes on with the numbers where they were', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    await copyToPostgres(from, to)
    const { id: _, ...next } = order
    const added = await to.kysely.insertInto('orders').values(next).returning('id').executeTakeFirstOrThrow()
    expect(added.id).toBe(901)
  })

  it('leaves a database alone that holds something already', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await fill(from)
    await to.kysely
      .insertInto('partner_lists')
      .values({ kind: 'centers', body: '[]', fetched_at: 1 })
      .execute()
    await expect(copyToPostgres(from, to)).rejects.toThrow('partner_lists of the target is not empty')
    expect(await to.kysely.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('knows every table there is', async () => {
    const [from, to] = [await openFresh('sqlite'), await openFresh('postgres')]
    await from.kysely.schema.createTable('forgotten').addColumn('id', 'integer').execute()
    await expect(copyToPostgres(from, to)).rejects.toThrow('no order of copying is known for forgotten')
  })
})
