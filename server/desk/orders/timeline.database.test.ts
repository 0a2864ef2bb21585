import { expect, it } from 'vitest'
import { eraseEvents, type NewEvent, recordEvent } from '#server/features/history/history.ts'
import type { Engine } from '#server/platform/database/database.ts'
import { hour, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine, type OpenDatabase } from '#test/kit/database/databases.ts'
import { orderRow } from '#test/kit/orders/stored-orders.ts'
import { readTimeline } from './timeline.queries.ts'

const sara = { kind: 'staff', issuer: 'https://id', subject: 's1', name: 'Sara', roles: ['support'] } as const
const majed = { ...sara, subject: 's2', name: 'Majed', roles: ['money', 'lead'] } as const
const owner = { kind: 'owner' } as const

function timelineContract(_engine: Engine, open: OpenDatabase): void {
  /** Owner 1 has the orders 1 and 3, owner 2 has the order 2. */
  async function openOrders() {
    let now = noon
    const database = await open({ now: () => now })
    const insert = (table: string, values: object) =>
      database.tables
        .insertInto(table as never)
        .values(values as never)
        .execute()
    for (const id of [1, 2])
      await insert('users', { id, phone: `+96655000000${id}`, name: 'Maryam', created_at: noon - hour })
    for (const [id, userId] of [
      [1, 1],
      [2, 2],
      [3, 1],
    ])
      await insert('orders', { ...orderRow, id, user_id: userId })
    const record = (...events: readonly NewEvent[]) =>
      database.transaction(async () => {
        for (const event of events) await recordEvent({ database }, event)
      })
    return {
      database,
      record,
      read: (id: number) => readTimeline({ database }, id),
      at: (time: number) => (now = time),
    }
  }

  it('names the actor of each event, also where two people act in one millisecond', async () => {
    const { record, read } = await openOrders()
    const refund = { transaction: 'T1', halalas: 2_000, currency: 'SAR', reason: 'operator' } as const
    await record(
      { kind: 'refund-ordered', data: { ...refund, refundId: 1, personal: null }, by: majed, orderId: 1 },
      { kind: 'refund-ordered', data: { ...refund, refundId: 2, personal: null }, by: sara, orderId: 1 },
      {
        kind: 'refund-written-off',
        data: { transaction: 'T1', halalas: 2_000, currency: 'SAR', refundId: 1, personal: null },
        by: { kind: 'operator', name: 'fatima' },
        orderId: 1,
      },
    )
    expect((await read(1)).map(({ by, data }) => [data.refundId, by])).toEqual([
      [1, { kind: 'operator', name: 'fatima' }],
      [2, { kind: 'staff', name: 'Sara', roles: ['support'] }],
      [1, { kind: 'staff', name: 'Majed', roles: ['money', 'lead'] }],
    ])
  })

  it('stands in the order of recording, whenever something happened, and says when', async () => {
    const { record, read } = await openOrders()
    const scan = (scan: 'picked-up' | 'in-transit', at: number): NewEvent => ({
      kind: 'scan',
      data: { scan, code: null, personal: null },
      by: { kind: 'courier' },
      orderId: 1,
      at,
    })
    await record(scan('in-transit', noon), scan('picked-up', noon - hour))
    expect(await read(1)).toMatchObject([
      { at: noon - hour, data: { scan: 'picked-up', recordedAt: new Date(noon).toISOString() } },
      { at: noon, data: { scan: 'in-transit' } },
    ])
  })

  it('has the events of the order and of the account since then, and neither views nor other orders', async () => {
    const { record, read, at } = await openOrders()
    const renamed = { kind: 'account-changed', data: { change: 'name' }, by: owner, userId: 1 } as const
    const viewed = { about: null, changed: {}, personal: null }
    at(noon - hour)
    await record(renamed)
    at(noon)
    await record(
      { kind: 'order-created', data: { type: 'FROM_MINA' }, by: owner, orderId: 1 },
      { kind: 'order-viewed', data: viewed, by: sara, orderId: 1, userId: 1 },
      { kind: 'person-viewed', data: viewed, by: sara, userId: 1 },
      {
        kind: 'disclosed',
        data: { ...viewed, personal: { reason: 'call-back' } },
        by: sara,
        orderId: 1,
        userId: 1,
      },
      { kind: 'bag-void', data: { forGood: true }, by: { kind: 'system' }, orderId: 1 },
      { kind: 'link-created', data: {}, by: owner, orderId: 2 },
      { kind: 'account-changed', data: { change: 'name' }, by: owner, userId: 2 },
      { kind: 'claim-opened', data: { claim: 'late', personal: null }, by: owner, orderId: 3, userId: 1 },
      renamed,
      {
        kind: 'claim-closed',
        data: { outcome: 'found', halalas: null, personal: null },
        by: sara,
        orderId: 1,
        claimId: 7,
        userId: 1,
      },
    )
    expect((await read(1)).map(({ kind, data }) => [kind, data.number])).toEqual([
      ['claim-closed', 'CL-7'],
      ['account-changed', undefined],
      ['disclosed', undefined],
      ['order-created', undefined],
    ])
  })

  it('keeps the lines of an account that was deleted, without what people wrote', async () => {
    const { database, record, read } = await openOrders()
    await record(
      { kind: 'note', data: { personal: { text: 'She calls from 055.' } }, by: sara, orderId: 1 },
      {
        kind: 'not-accepted',
        data: { reason: 'too-heavy', personal: { text: '17 kg' } },
        by: { kind: 'agent', name: 'Sami' },
        orderId: 1,
      },
    )
    await database.transaction(() => eraseEvents({ database }, 1))
    expect(await read(1)).toEqual([
      {
        at: noon,
        kind: 'not-accepted',
        by: { kind: 'agent' },
        data: { reason: 'too-heavy', words: null },
      },
      {
        at: noon,
        kind: 'note',
        by: { kind: 'staff', name: 'Sara', roles: ['support'] },
        data: { words: null },
      },
    ])
  })
}

forEachEngine(timelineContract)
