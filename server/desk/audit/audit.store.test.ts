import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { type Act, findSignIn, listActs, recordAct, staffActor } from '#server/features/history/acts.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import { orderRow } from '#test/kit/orders/stored-orders.ts'
import { actOnce } from './act-once.ts'
import { beginAct, countDue, findAct, finishAct, hasViewed, listPeople, listTimes } from './audit.queries.ts'

const issuer = 'https://id.example'
const person = (subject: string, change: object = {}) =>
  staffActor({ issuer, subject, name: `Sara ${subject}`, roles: ['support', 'lead'], ...change })

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock(noon) })
  })
  const record = (act: Partial<Act> = {}) =>
    database.transaction(() =>
      recordAct({ database }, { by: person('u-1'), kind: 'disclosed', at: noon, ...act }),
    )

  it('carries one request out under its key, whose repetition finds the answer', async () => {
    const act = { issuer, subject: 'u-2', key: 'key-00001', body_hash: 'h1', at: noon }
    const begin = (change = {}) => database.transaction(() => beginAct(core, { ...act, ...change }))
    expect([await begin(), await begin(), await begin({ subject: 'u-3' })]).toEqual([true, false, true])
    await finishAct(core, act, '{"approval":{"approvalId":1}}')
    expect(await findAct(core, act)).toEqual({ ...act, answer: '{"approval":{"approvalId":1}}' })
    expect(await findAct(core, { ...act, subject: 'u-3' })).toMatchObject({ answer: '{}' })
    expect(await findAct(core, { ...act, key: 'key-00002' })).toBeUndefined()
  })

  it('stores nothing of an act that fails', async () => {
    const by = person('u-1')
    const request = { key: 'key-00001', body: null }
    const failing = actOnce(core, by, request, {
      async perform() {
        await recordAct(core, { by, kind: 'disclosed', orderId: 1 })
        throw new Error('the rest of the act failed')
      },
    })
    await expect(failing).rejects.toThrow('the rest of the act failed')
    expect(await listActs(core, { limit: 1 })).toEqual([])
    expect(await findAct(core, { issuer, subject: 'u-1', key: request.key })).toBeUndefined()
  })

  it('finds the newest sign-in at the desk of a subject', async () => {
    await record({ kind: 'signed-in' })
    const lead = person('u-1', { roles: ['lead'] })
    await record({ kind: 'signed-in-again', by: lead, at: noon + 1 })
    await record({ kind: 'sign-in-refused', at: noon + 2 })
    await record({ kind: 'signed-in', by: person('u-2'), at: noon + 2 })
    expect(await findSignIn(core, 'u-1', noon)).toMatchObject({ at: noon + 1, by: lead })
    expect(await findSignIn(core, 'u-1', noon + 1)).toBeUndefined()
  })

  it('knows whether a person looked at an order or a claim lately', async () => {
    const view = { by: person('u-1'), kind: 'claim-viewed', claimId: 3, orderId: 1 } as const
    await record(view)
    expect(await hasViewed(core, view, noon - 1)).toBe(true)
    const others = [
      { claimId: 4 },
      { kind: 'order-viewed' },
      { by: person('u-2') },
      { by: person('u-1', { issuer: 'https://x' }) },
    ] as const
    for (const other of others) expect(await hasViewed(core, { ...view, ...other }, noon - 1)).toBe(false)
    expect(await hasViewed(core, view, noon)).toBe(false)
    const order = { by: person('u-1'), kind: 'order-viewed', orderId: 1 } as const
    await record(order)
    expect(await hasViewed(core, order, noon - 1)).toBe(true)
    expect(await hasViewed(core, { ...order, orderId: 2 }, noon - 1)).toBe(false)
  })

  it('passes the newest acts before an id: of a person, an order, an account with its orders, or a kind', async () => {
    for (const id of [7, 8])
      await database.tables
        .insertInto('users')
        .values({ id, phone: `+96655000000${id}`, name: 'Maryam', created_at: noon } as never)
        .execute()
    await database.tables
      .insertInto('orders')
      .values({ ...orderRow, id: 1, user_id: 7 } as never)
      .execute()
    const first = await record({ orderId: 1, userId: 7 })
    const second = await record({ by: person('u-2'), orderId: 1 })
    const third = await record({ kind: 'searched', orderId: 2, userId: 8 })
    const fourth = await record({ kind: 'phone-unlocked', by: { kind: 'operator', name: 'node' }, userId: 7 })
    // An act of the owner is no act of staff.
    await database.transaction(() =>
      recordEvent({ database }, { kind: 'link-created', data: {}, by: { kind: 'owner' }, orderId: 1 }),
    )
    const idsOf = async (query: Partial<Parameters<typeof listActs>[1]> = {}) =>
      (await listActs(core, { limit: 2, ...query })).map(({ id }) => id)
    expect(await idsOf()).toEqual([fourth, third])
    expect(await idsOf({ before: third })).toEqual([second, first])
    expect(await idsOf({ by: { issuer, subject: 'u-1' } })).toEqual([third, first])
    expect(await idsOf({ by: { issuer: 'https://x', subject: 'u-1' } })).toEqual([])
    expect(await idsOf({ orderId: 1 })).toEqual([second, first])
    expect(await idsOf({ userId: 7, limit: 9 })).toEqual([fourth, second, first])
    expect(await idsOf({ userId: 7 })).toEqual([fourth, second])
    expect(await idsOf({ userId: 8 })).toEqual([third])
    expect(await idsOf({ kind: 'disclosed' })).toEqual([second, first])
    expect(await idsOf({ kind: 'link-created' })).toEqual([])
    expect(await idsOf({ by: { issuer, subject: 'u-1' }, kind: 'disclosed', orderId: 1, userId: 7 })).toEqual(
      [first],
    )
    expect((await listPeople(core, issuer)).map(({ id, name }) => [id, name])).toEqual([
      ['u-1', 'Sara u-1'],
      ['u-2', 'Sara u-2'],
    ])
    expect(await listPeople(core, 'https://other.example')).toEqual([])
  })

  it('counts what is due in a queue', async () => {
    for (const queue of ['bookings', 'tracked_bookings', 'refunds', 'claims', 'payment_attempts'] as const)
      expect(await countDue(core, queue)).toBe(0)
    const { id: user_id } = await ensureUser({ database }, '+966512344678', 'Maryam', noon)
    const add = (kind: 'paid' | 'collected' | 'exception', due_at: number | null) =>
      addMessage(database, { user_id, order_id: 1, kind, due_at, created_at: noon })
    await add('paid', 1)
    await add('collected', null)
    await add('exception', noon * 2)
    expect(await countDue(core, 'messages')).toBe(1)
  })

  it('tells when one person of the desk did this, the newest first', async () => {
    await record()
    await record({ at: noon + 1 })
    await record({ at: noon + 2, kind: 'searched' })
    await record({ at: noon + 2, by: person('u-2') })
    await record({ at: noon + 2, by: person('u-1', { issuer: 'https://other.example' }) })
    const times = (limit: number) => listTimes(core, { issuer, subject: 'u-1' }, 'disclosed', limit)
    expect(await times(10)).toEqual([noon + 1, noon])
    expect(await times(1)).toEqual([noon + 1])
  })
})
