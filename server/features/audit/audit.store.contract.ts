import { beforeEach, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { type AuditStore, createAuditStore, type NewAction } from './audit.store.ts'

const noon = 1_800_000_000_000

export function auditStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: AuditStore
  beforeEach(async () => {
    database = await open()
    store = createAuditStore(database)
  })
  const begin = (change: Partial<NewAction> = {}) =>
    store.beginAction({
      at: noon,
      actor: 'Fatima (node)',
      action: 'refund',
      order_id: 1,
      user_id: 7,
      subject: null,
      reason: 'lost bag',
      ...change,
    })

  it('stores who did what to which order, when and why, and what changed', async () => {
    const id = await begin({ user_id: null })
    await store.finishAction(id, { user_id: 7, before: '{"refund 1":null}', after: '{"refund 1":"due"}' })
    expect(await store.listActions(0, 10)).toEqual([
      {
        id,
        at: noon,
        actor: 'Fatima (node)',
        action: 'refund',
        order_id: 1,
        user_id: 7,
        subject: null,
        reason: 'lost bag',
        actor_issuer: null,
        actor_subject: null,
        actor_roles: null,
        before: '{"refund 1":null}',
        after: '{"refund 1":"due"}',
      },
    ])
  })

  it('carries one request out under its key, whose repetition finds the answer', async () => {
    const act = { issuer: 'https://id.example', subject: 'u-2', key: 'key-00001', body_hash: 'h1', at: noon }
    const begin = (change = {}) => database.transaction(() => store.beginAct({ ...act, ...change }))
    expect([await begin(), await begin(), await begin({ subject: 'u-3' })]).toEqual([true, false, true])
    await store.finishAct(act, '{"approval":{"approvalId":1}}')
    expect(await store.findAct(act)).toEqual({ ...act, answer: '{"approval":{"approvalId":1}}' })
    expect(await store.findAct({ ...act, subject: 'u-3' })).toMatchObject({ answer: '{}' })
    expect(await store.findAct({ ...act, key: 'key-00002' })).toBeUndefined()
  })

  it('stores what staff did or looked at, with the identity that outlives their name', async () => {
    const row = {
      at: noon,
      actor: 'Sara',
      actor_issuer: 'https://id.example',
      actor_subject: 'u-1',
      actor_roles: 'support lead',
      action: 'reveal',
      order_id: 1,
      user_id: 7,
      subject: null,
      reason: 'calling back',
      before: '{}',
      after: '{}',
    }
    await store.addAction(row)
    expect(await store.listActionsOfOrder(1, 10)).toEqual([{ id: expect.any(Number), ...row }])
  })

  it('finds the newest sign-in at the desk of a subject', async () => {
    const signIn = {
      actor: 'Sara',
      actor_issuer: 'https://id.example',
      actor_subject: 'u-1',
      actor_roles: 'support',
      order_id: null,
      user_id: null,
      subject: null,
      reason: null,
      before: '{}',
      after: '{}',
    }
    await store.addAction({ ...signIn, at: noon, action: 'desk-sign-in' })
    await store.addAction({ ...signIn, at: noon + 1, action: 'desk-sign-in-again', actor_roles: 'lead' })
    await store.addAction({ ...signIn, at: noon + 2, action: 'desk-sign-in-refused' })
    await store.addAction({ ...signIn, at: noon + 2, action: 'desk-sign-in', actor_subject: 'u-2' })
    expect(await store.findSignIn('u-1', noon)).toMatchObject({ at: noon + 1, actor_roles: 'lead' })
    expect(await store.findSignIn('u-1', noon + 1)).toBeUndefined()
  })

  it('knows whether a person did something with an order lately', async () => {
    const who = {
      actor_issuer: 'https://id.example',
      actor_subject: 'u-1',
      action: 'claim-read',
      order_id: 1,
      subject: 'CL-1',
    }
    const row = {
      ...who,
      at: noon,
      actor: 'Sara',
      user_id: 7,
      reason: null,
      before: '{}',
      after: '{}',
    }
    await store.addAction(row)
    expect(await store.hasAction(who, noon - 1)).toBe(true)
    const others = [
      { subject: 'CL-2' },
      { subject: null },
      { order_id: 2 },
      { action: 'reveal' },
      { actor_subject: 'u-2' },
      { actor_issuer: 'https://x' },
    ]
    for (const other of others) expect(await store.hasAction({ ...who, ...other }, noon - 1)).toBe(false)
    expect(await store.hasAction(who, noon)).toBe(false)
    await store.addAction({ ...row, subject: null })
    expect(await store.hasAction({ ...who, subject: null }, noon - 1)).toBe(true)
  })

  it('stores nothing of an action whose transaction fails', async () => {
    await expect(
      database.transaction(async () => {
        await begin()
        throw new Error('nothing was changed')
      }),
    ).rejects.toThrow('nothing was changed')
    expect(await store.listActions(0, 10)).toEqual([])
  })

  it('lists the newest first: all, those about an order and those about a user', async () => {
    const first = await begin({ order_id: 2 })
    const second = await begin({ user_id: 8 })
    const third = await begin({ order_id: null, subject: '+96651•••678' })
    const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
    expect(idsOf(await store.listActions(noon, 2))).toEqual([third, second])
    expect(await store.listActions(noon + 1, 2)).toEqual([])
    expect(idsOf(await store.listActionsOfOrder(2, 10))).toEqual([first])
    expect(idsOf(await store.listActionsOfUser(7, 10))).toEqual([third, first])
    expect(idsOf(await store.listActionsOfUser(7, 1))).toEqual([third])
  })

  it('passes the newest before a number: of a person, an order, a user or a kind', async () => {
    const issuer = 'https://id.example'
    const add = (change: { actor_subject?: string; order_id?: number; user_id?: number; action?: string }) =>
      store.addAction({
        at: noon,
        actor: 'Sara',
        actor_issuer: issuer,
        actor_subject: 's-1',
        action: 'reveal',
        order_id: 1,
        user_id: 7,
        subject: null,
        reason: null,
        before: '{}',
        after: '{}',
        ...change,
      })
    const first = await add({})
    const second = await add({ actor_subject: 's-2' })
    const third = await add({ order_id: 2, user_id: 8, action: 'search' })
    const idsOf = async (
      filter: Omit<Parameters<typeof store.listBefore>[0], 'before' | 'issuer' | 'limit'>,
    ) => (await store.listBefore({ before: third + 1, issuer, limit: 2, ...filter })).map(({ id }) => id)
    expect(await idsOf({})).toEqual([third, second])
    expect((await store.listBefore({ before: second, issuer, limit: 2 })).map(({ id }) => id)).toEqual([
      first,
    ])
    expect(await idsOf({ subject: 's-1' })).toEqual([third, first])
    expect((await store.listPeople(issuer)).map(({ id }) => id).toSorted()).toEqual(['s-1', 's-2'])
    expect(await store.listPeople('https://other.example')).toEqual([])
    expect(await idsOf({ orderId: 1 })).toEqual([second, first])
    expect(await idsOf({ userId: 8 })).toEqual([third])
    expect(await idsOf({ action: 'reveal' })).toEqual([second, first])
    expect(await idsOf({ subject: 's-1', action: 'reveal', orderId: 1, userId: 7 })).toEqual([first])
  })

  it('counts what is due in a queue', async () => {
    for (const queue of ['bookings', 'tracked_bookings', 'refunds', 'claims', 'payment_attempts'] as const)
      expect(await store.countDue(queue)).toBe(0)
    const { id: user_id } = await createSessionsStore(database).ensureUser('+966512344678', 'Maryam', noon)
    const add = (kind: 'paid' | 'collected' | 'exception', due_at: number | null) =>
      database.tables
        .insertInto('messages')
        .values({
          user_id,
          order_id: 1,
          booking_id: 0,
          kind,
          phone: '',
          body: '',
          state: 'waiting',
          due_at,
          created_at: noon,
        })
        .execute()
    await add('paid', 1)
    await add('collected', null)
    await add('exception', noon * 2)
    expect(await store.countDue('messages')).toBe(1)
  })

  it('finds who last did something about an order, and counts what was done about what is of a user', async () => {
    await begin({ action: 'reissue', actor: 'Sara' })
    await begin({ action: 'reissue-approved', actor: 'Lulwa', at: noon + 1 })
    await begin({ action: 'reissue', order_id: 2, user_id: 8 })
    expect(await store.findLastOfOrder(1, ['reissue', 'reissue-approved'])).toMatchObject({ actor: 'Lulwa' })
    expect(await store.findLastOfOrder(1, ['reissue'])).toMatchObject({ actor: 'Sara' })
    expect(await store.findLastOfOrder(1, ['refund'])).toBeUndefined()
    expect(await store.findLastOfUser(7, 'reissue')).toMatchObject({ actor: 'Sara', order_id: 1 })
    expect(await store.findLastOfUser(9, 'reissue')).toBeUndefined()
    expect([
      await store.countOfUser(7, 'reissue', noon - 1),
      await store.countOfUser(7, 'reissue', noon),
      await store.countOfUser(9, 'reissue', 0),
    ]).toEqual([1, 0, 0])
  })

  it('counts what one person of the desk did lately, without what was refused', async () => {
    const look = { actor_issuer: 'https://id.example', actor_subject: 's-1', action: 'reveal' }
    const add = (at: number, change: Partial<typeof look> = {}) =>
      store.addAction({
        at,
        actor: 'Sara',
        ...look,
        ...change,
        order_id: 1,
        user_id: 7,
        subject: null,
        reason: 'name',
        before: '{}',
        after: '{}',
      })
    await add(noon)
    await add(noon + 1)
    const refused = await add(noon + 2)
    await add(noon + 2, { action: 'search' })
    await add(noon + 2, { actor_subject: 's-2' })
    await add(noon + 2, { actor_issuer: 'https://other.example' })
    expect(await store.listTimes(look, noon - 1, 10)).toEqual([noon + 2, noon + 1, noon])
    await store.setAction(refused, 'reveal-refused')
    expect(await store.listTimes(look, noon, 10)).toEqual([noon + 1])
    expect(await store.listTimes(look, noon - 1, 1)).toEqual([noon + 1])
  })
}
