import { describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { reportBag } from '#test/kit/orders/core-orders.ts'
import { messagesIn } from '#test/kit/orders/messages.ts'
import { newLeg, newOrder, scanOf, storeEvents, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findBookings, undoCreation } from './bookings.queries.ts'
import { beginCreation, leaseBooking, recordAwb } from './bookings.ts'
import { markPaid } from './orders.queries.ts'
import { changePrintedReceiver, changeReceiver, changeReceiverWithin } from './receivers.ts'
import { makeVoid } from './travel.queries.ts'

const named = { receiver_name: 'Sami', receiver_phone: '+966500000001', second_phone: null }
const change = { receiver: { name: 'Huda Omar' } }
const staff = {
  kind: 'staff',
  issuer: 'https://id',
  subject: 's1',
  name: 'Sara',
  roles: ['support'],
} as const

/** An unpaid order whose bag a receiver collects. */
async function openFixture() {
  const clock = manualClock(noon)
  const database = await openMemory(clock)
  const core = await openCore({ database, clock })
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
  const orderId = await storeOrder(core, newOrder(userId), [{ ...newLeg('AM-1', 0), ...named }])
  return {
    core,
    database,
    listMessages: () => messagesIn(database),
    userId,
    orderId,
    changeOwn: () => changeReceiver(core, userId, orderId, change),
  }
}

describe('another receiver is announced to the owner', () => {
  const changesIn = async (listMessages: Awaited<ReturnType<typeof openFixture>>['listMessages']) =>
    (await listMessages())
      .filter(({ kind }) => kind === 'receiver-changed')
      .map((message) => [message.order_id, message.user_id])

  it('whoever changed it, each time, and not where nothing changed', async () => {
    const { core, database, listMessages, userId, orderId } = await openFixture()
    const within = (receiver: NonNullable<ReceiverChange['receiver']> | null, more: ReceiverChange = {}) =>
      database.transaction(() => changeReceiverWithin(core, { by: staff }, orderId, { receiver, ...more }))
    await changeReceiver(core, userId, orderId, change)
    await changeReceiver(core, userId, orderId, change)
    expect(await changesIn(listMessages)).toEqual([[orderId, userId]])
    await within({ name: 'Mona' })
    await within({ name: 'Mona', phone: '+966500000002' })
    await within({ name: 'Mona', phone: '0500000002' }, { secondPhone: '+966500000003' })
    await within(null)
    expect(await changesIn(listMessages)).toHaveLength(4)
    // One event an order, also of another second number, by who did it.
    const changes = (await listEvents({ database }, 'order_id', [orderId])).slice(1)
    expect(changes.map(({ kind, by }) => [kind, by.kind])).toEqual([
      ['receiver-changed', 'owner'],
      ...Array(4).fill(['receiver-changed', 'staff']),
    ])
  })

  it('also after the airway bill is printed, and not where it came too late', async () => {
    const { core, database, listMessages, orderId } = await openFixture()
    await database.transaction(() => markPaid(core, orderId, 'T1', noon))
    const leased = await leaseBooking(core, 'lease', minute)
    await beginCreation(core, leased?.id ?? 0, 'lease', minute, 'Owner')
    const printed = () =>
      database.transaction(() => changePrintedReceiver(core, { by: staff }, orderId, change))
    expect(await printed()).toBe(true)
    expect(await changesIn(listMessages)).toHaveLength(1)
    await storeEvents(database, leased?.id ?? 0, ['in-transit', 'at-branch'])
    await database.tables.updateTable('bookings').set({ receiver_name: 'Sami' }).execute()
    expect(await printed()).toBe(false)
    expect(await changesIn(listMessages)).toHaveLength(1)
  })

  it('of the bag that is carried, where the other one of the order is void', async () => {
    const { core, database, userId } = await openFixture()
    const orderId = await storeOrder(core, newOrder(userId, { type: 'TO_AND_FROM_MINA' }), [
      { ...newLeg('AM-2', 0), ...named },
      { ...newLeg('AM-3', 1), ...named },
    ])
    await database.transaction(() => markPaid(core, orderId, 'T2', noon))
    const [first] = await findBookings(core, [orderId])
    await storeEvents(database, first?.id ?? 0, ['handed-over', 'in-transit'])
    await database.transaction(() => makeVoid(core, orderId, noon))
    expect(
      await database.transaction(() => changePrintedReceiver(core, { by: staff }, orderId, change)),
    ).toBe(true)
    const names = (await findBookings(core, [orderId])).map((bag) => bag.receiver_name)
    expect(names).toEqual(['Huda Omar', 'Sami'])
  })
})

it.each([
  ['is told of it, and that the bag is there', true, ['receiver-named', 'receiver-at-branch']],
  ['is told nothing where a look-up after a restore found it', false, []],
])('the receiver on an airway bill %s', async (_, isCreated, told) => {
  const { core, database, listMessages, orderId } = await openFixture()
  await database.transaction(() => markPaid(core, orderId, 'T1', noon))
  const leased = await leaseBooking(core, 'lease', minute)
  if (!leased) throw new Error('no booking is due')
  if (isCreated) await beginCreation(core, leased.id, 'lease', minute, 'Owner')
  await recordAwb(core, leased, 'lease', '231200021879')
  await reportBag(core, leased.id, scanOf('in-transit', noon), scanOf('at-branch', noon + 1))
  const kinds = (await listMessages()).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind.startsWith('receiver'))).toEqual(told)
})

it('no receiver is named once the courier was asked, nor for an order that has ended', async () => {
  const { core, database, orderId, changeOwn } = await openFixture()
  await changeOwn()
  await database.transaction(() => markPaid(core, orderId, 'T1', noon))
  const leased = await leaseBooking(core, 'lease', minute)
  await beginCreation(core, leased?.id ?? 0, 'lease', minute, 'Owner')
  await expect(changeOwn()).rejects.toMatchObject({ code: 'RECEIVER_PRINTED' })
  await undoCreation(core, leased?.id ?? 0, 'lease')
  await database.tables.updateTable('orders').set({ payment: 'returned', handed_over: 'void' }).execute()
  await expect(changeOwn()).rejects.toMatchObject({ code: 'ORDER_ENDED' })
  const printed = database.transaction(() => changePrintedReceiver(core, { by: staff }, orderId, change))
  await expect(printed).rejects.toMatchObject({ code: 'ORDER_ENDED' })
})
