import { expect, it } from 'vitest'
import { beginPush, leaseMessage, writeMessage } from '#server/features/messages/messages.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { type Cause, cause, messagesIn } from '#test/kit/orders/messages.ts'
import { type NewEvent, recordEvent } from './history.ts'
import { type Effects, writeMessages } from './outbox.ts'

const minute = 60_000
const owner = { kind: 'owner' } as const

forEachEngine((_engine, open) => {
  async function begin() {
    const database = await open()
    const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
    const happens = (kind: Cause['kind'], change: Partial<Cause> = {}) =>
      cause(database, { kind, orderId: 42, bookingId: 7, userId, ...change })
    const pay = () => happens('paid', { bookingId: undefined })
    const record = (event: NewEvent, effects?: Effects) =>
      database.transaction(() => recordEvent({ database }, { ...event, userId } as NewEvent, effects))
    const kinds = async () => (await messagesIn(database)).map(({ kind }) => kind)
    return { database, userId, happens, pay, record, kinds }
  }

  it('holds a message for each recipient and channel of an event, once', async () => {
    const { database, happens, pay, userId } = await begin()
    for (let time = 0; time < 2; time += 1) await happens('at-branch', { eventId: 5 })
    await pay()
    const event = { kind: 'bag-valid', data: {}, id: 6, orderId: 42, bookingId: 8, userId } as const
    await database.transaction(() =>
      writeMessages({ database }, event, { carriage: 'at-branch', hasReceiver: true }),
    )
    expect(await messagesIn(database)).toMatchObject([
      { event_id: 5, reported_event_id: 5, kind: 'at-branch', recipient: 'owner', booking_id: 7 },
      { kind: 'paid', channel: 'sms', booking_id: 0, due_at: noon + 10 * minute },
      { kind: 'documents', channel: 'mail', booking_id: 0, due_at: noon },
      { event_id: 6, kind: 'at-branch', recipient: 'owner', booking_id: 8 },
      { event_id: 6, kind: 'receiver-at-branch', recipient: 'receiver', booking_id: 8 },
    ])
  })

  it('notifies of a change of an account whoever it names, and of a change of the name nobody', async () => {
    const { database, record } = await begin()
    const change = (change: 'name' | 'phone' | 'email-added' | 'email-removed', effects: Effects = {}) =>
      record({ kind: 'account-changed', data: { change }, by: owner }, effects)
    await change('name', { phone: '1', email: 'a' })
    await change('phone', { phone: '1', email: null })
    await change('email-added', { phone: null, email: 'b' })
    await change('email-removed', { email: 'c' })
    await change('email-removed')
    expect((await messagesIn(database)).map(({ kind, phone }) => [kind, phone])).toEqual([
      ['number-changed', '1'],
      ['email-added-letter', 'b'],
      ['email-changed-letter', 'c'],
    ])
  })

  it('sends the airway bills with the payment until its text is written, and once after it', async () => {
    const { happens, pay, kinds, database } = await begin()
    await happens('label-issued')
    expect(await kinds()).toEqual([])
    await pay()
    const { id = 0 } =
      (await leaseMessage({ database }, 'early', noon + 10 * minute, noon + 20 * minute)) ?? {}
    const of = async () => (await messagesIn(database)).find(({ kind }) => kind === 'paid')
    // A worker has read the order before.
    await happens('label-issued')
    const text = { phone: '1', body: 'The airway bill follows.' }
    const held = { id: (await of())?.id ?? 0, lease: 'early' }
    expect(await writeMessage({ database }, held, text)).toBeUndefined()
    expect(await of()).toMatchObject({ held_until: null, due_at: noon, lease: null, body: '' })
    await database.tables.updateTable('messages').set(text).where('kind', '=', 'paid').execute()
    for (let time = 0; time < 2; time += 1) await happens('label-issued')
    expect([id > 0, await kinds()]).toEqual([true, ['paid', 'documents', 'label-issued']])
  })

  it('drops what is held of a hand-over that is undone, unless its push has begun', async () => {
    const { database, happens, kinds } = await begin()
    const until = { heldUntil: noon + 10 * minute }
    await happens('handed-over', until)
    await happens('late', { heldUntil: noon + 100 * minute })
    await happens('handed-over', { ...until, bookingId: 8 })
    await happens('at-branch')
    await happens('given-back')
    expect(await kinds()).toEqual(['handed-over', 'at-branch'])
    await leaseMessage({ database }, 'a', noon, noon + 60 * minute)
    const { id = 0 } = (await leaseMessage({ database }, 'b', noon + 10 * minute, noon + 20 * minute)) ?? {}
    await beginPush({ database }, { id, lease: 'b' })
    await happens('given-back', { bookingId: 8 })
    expect(await kinds()).toEqual(['handed-over', 'at-branch'])
  })

  it('sends what is held of a hand-over that is final, and that a bag is late on its day', async () => {
    const { database, happens } = await begin()
    await happens('handed-over', { heldUntil: noon + 10 * minute })
    await happens('late', { heldUntil: noon + 100 * minute })
    await happens('handed-over', { heldUntil: noon + 10 * minute, bookingId: 8 })
    await happens('hand-over-final')
    expect((await messagesIn(database)).map(({ held_until, due_at }) => [held_until, due_at])).toEqual([
      [null, noon],
      [noon + 100 * minute, noon + 100 * minute],
      [noon + 10 * minute, noon + 10 * minute],
    ])
  })

  it('has three messages of a kind about a bag in a day at most', async () => {
    const { database, happens, kinds } = await begin()
    for (let time = 0; time < 4; time += 1) await happens('exception')
    await happens('exception', { bookingId: 8 })
    expect(await kinds()).toEqual(Array(4).fill('exception'))
    await database.tables
      .updateTable('messages')
      .set({ created_at: noon - 24 * 60 * minute })
      .execute()
    await happens('exception')
    expect(await kinds()).toHaveLength(5)
  })

  it('is undone with the event', async () => {
    const { database, userId, kinds } = await begin()
    const work = database.transaction(async () => {
      const data = { transaction: 'T', halalas: 1, currency: 'SAR' }
      await recordEvent(
        { database },
        { kind: 'paid', data, by: owner, orderId: 42, userId },
        { notifiesOwner: true },
      )
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect(await kinds()).toEqual([])
  })
})
