import { beforeEach, expect, it } from 'vitest'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, type OpenDatabase } from '#test/kit/database/databases.ts'
import { orderRow } from '#test/kit/orders/stored-orders.ts'
import type { Changed } from './history.kinds.ts'
import {
  deleteEventsOfOrders,
  eraseEvents,
  listEvents,
  type NewEvent,
  recordEvent,
  sendEvent,
} from './history.ts'
import { deleteActs } from './retention.ts'

const staff = { kind: 'staff', issuer: 'https://id', subject: 's1', name: 'Huda', roles: ['lead'] } as const
const note = { kind: 'order-cancelled', data: { personal: { reason: 'she called' } }, by: staff } as const
const paid = { kind: 'paid', data: { transaction: 'T1', halalas: 5_000, currency: 'SAR' } } as const
const provider = { kind: 'provider' } as const
const scan: NewEvent = {
  kind: 'scan',
  data: { scan: 'at-branch', code: 'CC', personal: { place: 'Jeddah', text: 'behind the counter' } },
  by: { kind: 'courier' },
  bookingId: 7,
  key: 'AR 1',
}

function historyContract(engine: Engine, open: OpenDatabase): void {
  let database: Database
  beforeEach(async () => {
    database = await open()
    for (const id of [1, 2]) {
      await insert('users', { id, phone: `+96655000000${id}`, name: 'Maryam', created_at: noon })
      await insert('orders', { ...orderRow, id, user_id: id })
    }
  })
  const insert = (table: string, values: object) =>
    database.tables
      .insertInto(table as never)
      .values(values as never)
      .execute()
  const record = (...events: readonly NewEvent[]) =>
    database.transaction(async () => {
      const ids: (number | undefined)[] = []
      for (const event of events) ids.push(await recordEvent({ database }, event))
      return ids
    })
  const kindsOf = async (orderId: number) =>
    (await listEvents({ database }, 'order_id', [orderId])).map(({ kind }) => kind)

  it('gives events back as they were recorded, in that order, whenever they happened', async () => {
    await record(
      { ...paid, by: provider, orderId: 1, at: noon + 5 },
      { ...note, orderId: 1, userId: 1, at: noon },
    )
    const [first, second] = await listEvents({ database }, 'order_id', [1, 2])
    expect(first).toMatchObject({ ...paid, by: provider, orderId: 1, at: noon + 5, recordedAt: noon })
    expect(second).toMatchObject({ ...note, orderId: 1, userId: 1, at: noon, key: null })
  })

  it('that nobody waits for has messages with its id, and no key', async () => {
    const send = (event: NewEvent) =>
      database.transaction(() => sendEvent({ database }, event, { notifiesOwner: true }))
    await record({ ...paid, by: provider, orderId: 2 })
    await send({ ...paid, by: provider, orderId: 1 })
    const [event] = await listEvents({ database }, 'order_id', [1])
    const messages = database.tables.selectFrom('messages').select(['event_id', 'user_id'])
    const message = { event_id: event?.id, user_id: 1 }
    expect(await messages.execute()).toEqual([message, message])
    await expect(send(scan)).rejects.toThrow('key')
  })

  it('needs a transaction, which data of another kind undoes', async () => {
    await expect(recordEvent({ database }, { ...note, orderId: 1 })).rejects.toThrow('transaction')
    const wrong = { ...note, data: { personal: { reason: 'she called', phone: '+966' } }, orderId: 1 }
    await expect(record({ ...paid, by: provider, orderId: 1 }, wrong)).rejects.toThrow('order-cancelled')
    expect(await kindsOf(1)).toEqual([])
  })

  it('stores an event of a bag once under its key, and events without one each time', async () => {
    const [first, again, other] = await record(scan, scan, { ...scan, bookingId: 8 })
    expect(first).toBeDefined()
    expect(again).toBeUndefined()
    expect(other).toBeDefined()
    await record({ ...paid, by: provider, orderId: 1 }, { ...paid, by: provider, orderId: 1 })
    expect(await kindsOf(1)).toEqual(['paid', 'paid'])
  })

  it('erases what people wrote about an account and its orders, and keeps the events and the names of staff', async () => {
    const agent = { kind: 'agent', name: 'Sami' } as const
    await record(
      { ...note, orderId: 1 },
      { ...scan, orderId: 1, by: agent },
      {
        kind: 'claim-message',
        data: { personal: { text: 'my phone is 055' } },
        by: { kind: 'owner' },
        userId: 1,
      },
      { ...note, orderId: 2 },
    )
    await database.transaction(() => eraseEvents({ database }, 1))
    const [cancelled, scanned] = await listEvents({ database }, 'order_id', [1])
    expect(cancelled).toMatchObject({ data: { personal: null }, by: staff })
    expect(scanned).toMatchObject({
      data: { code: 'CC', personal: null },
      by: { kind: 'agent', name: '' },
    })
    expect(await listEvents({ database }, 'user_id', [1])).toMatchObject([{ data: { personal: null } }])
    expect(await listEvents({ database }, 'order_id', [2])).toMatchObject([note])
  })

  it('erases what has half of a character or a NUL, which other services send', async () => {
    const data = { personal: { reason: 'declined \ud83d \0' } }
    await record({ ...note, data, orderId: 1 })
    expect(await listEvents({ database }, 'order_id', [1])).toMatchObject([
      { data: { personal: { reason: 'declined \ufffd \ufffd' } } },
    ])
    await database.transaction(() => eraseEvents({ database }, 1))
    expect(await listEvents({ database }, 'order_id', [1])).toMatchObject([{ data: { personal: null } }])
  })

  it('deletes the events of orders, but not what staff and operators did', async () => {
    const operator = { kind: 'operator', name: 'root' } as const
    await record(
      { ...paid, by: provider, orderId: 1 },
      { ...note, orderId: 1 },
      { ...note, by: operator, orderId: 1 },
    )
    await record({ ...paid, by: provider, orderId: 2 })
    await database.transaction(() => deleteEventsOfOrders({ database }, [1]))
    expect(await kindsOf(1)).toEqual(['order-cancelled', 'order-cancelled'])
    expect((await listEvents({ database }, 'order_id', [1]))[0]).toMatchObject({ data: { personal: null } })
    expect(await kindsOf(2)).toEqual(['paid'])
  })

  it('deletes what staff and operators did at an age, and of what happened to orders and claims only who it was', async () => {
    const view = {
      kind: 'order-viewed',
      data: { about: null, changed: {}, personal: null },
      by: staff,
    } as const
    const changed = { state: ['paid', 'cancelled'] } satisfies Changed
    const cancelled: NewEvent = {
      ...note,
      data: { personal: { reason: 'she called' }, changed },
      by: { kind: 'operator', name: 'root' },
    }
    const answered: NewEvent = {
      kind: 'claim-answered',
      data: { personal: { text: 'It is found.' }, changed },
      by: staff,
    }
    const acts = [view, cancelled, answered, { ...paid, by: provider } as const]
    await record(...acts.map((event) => ({ ...event, orderId: 1 })))
    expect(await deleteActs({ database }, noon, 5)).toEqual({ rows: 0, more: false })
    expect(await deleteActs({ database }, noon + 1, 2)).toEqual({ rows: 2, more: true })
    expect(await deleteActs({ database }, noon + 1, 2)).toEqual({ rows: 1, more: false })
    expect(await listEvents({ database }, 'order_id', [1])).toMatchObject([
      { kind: 'order-cancelled', data: { personal: null }, by: { kind: 'operator', name: '' } },
      {
        kind: 'claim-answered',
        data: { personal: { text: 'It is found.' } },
        by: { kind: 'staff', issuer: '', subject: '', name: '', roles: [] },
      },
      { kind: 'paid' },
    ])
    const texts = await database.tables.selectFrom('events').select('data').execute()
    expect(texts.filter(({ data }) => data.includes('cancelled'))).toEqual([])
  })

  // SQLite cannot change a check, so it lacks it.
  if (engine === 'sqlite') return
  it('refuses a kind that the code does not have', async () => {
    const row = { at: noon, recorded_at: noon, actor_kind: 'system', data: '{}' }
    await expect(insert('events', { ...row, kind: 'imagined' })).rejects.toThrow('events_kind_check')
  })
}

forEachEngine(historyContract)
