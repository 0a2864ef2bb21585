import { describe, expect, it } from 'vitest'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { day, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { messagesIn } from '#test/kit/orders/messages.ts'
import { bagEvent, newLeg, newOrder, scanOf, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { findBookings, leaseDueBooking, setAwb } from './bookings.queries.ts'
import { keepTerms } from './order-creation.queries.ts'
import { readOrderNews } from './order-news.ts'
import { findOrder, markPaid, markRefunded } from './orders.queries.ts'
import { eventsPerBooking, recordBagEvents } from './travel.ts'

const branch = { addressAR: 'حي العليا', addressEN: 'Al Olaya', city: 'Riyadh', coordinates: null }
const destination = JSON.stringify(branch)
let keys = 0
const newKey = () => {
  keys += 1
  return `key-${keys}`
}
const scan = (kind: EventKind, at = noon, place?: string) =>
  scanOf(kind, at, { key: newKey(), ...(place && { place }) })
const byAgent = (kind: 'handed-over' | 'hand-over-undone', at = noon, place?: string) =>
  bagEvent(kind, at, { key: newKey(), ...(place && { place }) })

/** A paid order with one leg per reference, and its messages. */
async function openFixture(legs: readonly string[] = ['AM-1'], promises?: Promises) {
  const clock = manualClock(noon)
  const database = await openMemory(clock)
  const core = await openCore({ database, clock })
  const user = await ensureUser({ database }, '+966512345678', 'N', noon)
  if (promises) await keepTerms(core, { version: 'v1', body: JSON.stringify({ promises }) }, noon)
  const orderId = await storeOrder(
    core,
    newOrder(user.id, promises && { terms: { version: 'v1', language: 'en' } }),
    legs.map((reference, leg) => ({ ...newLeg(reference, leg), destination })),
  )
  await database.transaction(() => markPaid(core, orderId, 'T1', noon))
  const bookings = await findBookings(core, [orderId])
  const [first = 0, second = 0] = bookings.map(({ id }) => id)
  const handedOver = async () => (await findOrder(core, orderId))?.handed_over
  return {
    core,
    database,
    clock,
    user,
    /** Messages: who gets which, and until when it is held. */
    listMessages: () => messagesIn(database),
    recordEvents: (bookingId: number, events: Parameters<typeof recordBagEvents>[2]) =>
      database.transaction(() => recordBagEvents(core, bookingId, events)),
    readNews: (kind: MessageKind, order: number, bookingId: number | null) =>
      readOrderNews(core, kind, order, bookingId),
    orderId,
    first,
    second,
    handedOver,
  }
}
type Fixture = Awaited<ReturnType<typeof openFixture>>

describe('recorded events', () => {
  it('move the bag and are announced once', async () => {
    const { recordEvents, first, listMessages, orderId, user } = await openFixture()
    const handedOver = byAgent('handed-over', noon, 'وكيل منى')
    expect(await recordEvents(first, [handedOver])).toEqual({
      added: 1,
      before: 'AWAITING_LABEL',
      after: 'HANDED_OVER',
    })
    expect(await recordEvents(first, [handedOver])).toEqual({
      added: 0,
      before: 'HANDED_OVER',
      after: 'HANDED_OVER',
    })
    await recordEvents(first, [scan('picked-up', noon + 1), scan('in-transit', noon + 2)])
    await recordEvents(first, [scan('at-branch', noon + 3, 'Riyadh')])
    await recordEvents(first, [scan('in-transit', noon + 2, 'Makkah')])
    await recordEvents(first, [scan('collected', noon + 4)])
    expect(await listMessages()).toEqual(
      // The courier's scan has ended the time in which the hand-over could be undone.
      ['handed-over', 'at-branch', 'collected'].map((kind) =>
        expect.objectContaining({
          kind,
          held_until: null,
          order_id: orderId,
          booking_id: first,
          user_id: user.id,
          recipient: 'owner',
          channel: 'sms',
        }),
      ),
    )
  })

  it('of an undone hand-over end the wait for a label when the money has gone back', async () => {
    const { recordEvents, first, core, database, orderId } = await openFixture()
    await leaseDueBooking(core, 'lease', noon, noon + minute)
    await setAwb(core, first, 'lease', '237743200001')
    await recordEvents(first, [byAgent('handed-over')])
    await database.transaction(() => markRefunded(core, orderId, 'T1'))
    const stateOf = async () => {
      const [booking] = await findBookings(core, [orderId])
      return { state: booking?.state, carriage: booking?.carriage, dueAt: booking?.due_at }
    }
    expect(await stateOf()).toMatchObject({ state: 'labelling', carriage: 'received' })
    await recordEvents(first, [byAgent('hand-over-undone', noon + 1)])
    expect(await stateOf()).toEqual({ state: 'canceled', carriage: 'void', dueAt: null })
  })

  it('tell of each arrival, with the event by which the bag arrived, and of no repeated or late scan', async () => {
    const { recordEvents, first, listMessages } = await openFixture()
    const arrivals = async () =>
      (await listMessages()).filter(({ kind }) => kind === 'at-branch').map(({ event_id }) => event_id)
    await recordEvents(first, [scan('picked-up'), scan('at-branch', noon + 1, 'Jeddah')])
    await recordEvents(first, [scan('at-branch', noon + 1, 'Jeddah')])
    await recordEvents(first, [scan('in-transit', noon + 3)])
    await recordEvents(first, [scan('at-branch', noon + 2, 'Jeddah')])
    expect(await arrivals()).toHaveLength(1)
    await recordEvents(first, [scan('at-branch', noon + 4, 'Riyadh')])
    expect(new Set(await arrivals()).size).toBe(2)
    await recordEvents(first, [
      scan('in-transit', noon + 5),
      scan('at-branch', noon + 6),
      scan('collected', noon + 7),
    ])
    expect(await arrivals()).toHaveLength(2)
  })

  it('of a hand-over hold its news for as long as it can be undone', async () => {
    const { recordEvents, first, listMessages, clock } = await openFixture()
    await recordEvents(first, [byAgent('handed-over')])
    await recordEvents(first, [byAgent('hand-over-undone')])
    clock.advance(minute)
    // The phone was off line: the time of recording counts.
    await recordEvents(first, [byAgent('handed-over')])
    // News of the courier that does not touch the bag may be undone with it.
    await recordEvents(first, [scan('cancelled')])
    clock.advance(10 * minute + 1)
    await recordEvents(first, [scan('at-branch'), scan('in-transit')])
    await recordEvents(first, [scan('exception', noon + 1)])
    const until = noon + 11 * minute + 1
    expect((await listMessages()).map(({ kind, held_until }) => [kind, held_until])).toEqual([
      ['handed-over', until],
      ['exception', until],
      ['at-branch', null],
      ['exception', null],
    ])
  })

  it('announce only the newest of several steps', async () => {
    const { recordEvents, first, listMessages } = await openFixture()
    await recordEvents(first, [scan('at-branch', noon + 2), scan('picked-up', noon + 1)])
    expect((await listMessages()).map(({ kind }) => kind)).toEqual(['at-branch'])
  })

  it('after a cancellation are kept and move nothing', async () => {
    const { core, database, recordEvents, first, listMessages, orderId, handedOver } = await openFixture()
    await database.transaction(() => markRefunded(core, orderId, 'T1'))
    expect(await recordEvents(first, [scan('in-transit', noon + 1), scan('collected', noon + 2)])).toEqual({
      added: 2,
      before: 'CANCELLED',
      after: 'CANCELLED',
    })
    expect(await handedOver()).toBe('void')
    expect(await listMessages()).toEqual([])
  })

  it('are limited per booking, and a new kind is still taken', async () => {
    const { recordEvents, first } = await openFixture()
    const flood = Array.from({ length: eventsPerBooking }, (_, index) => scan('in-transit', noon + index))
    expect(await recordEvents(first, flood)).toMatchObject({ added: eventsPerBooking })
    expect(await recordEvents(first, [scan('in-transit', noon + 999)])).toMatchObject({ added: 0 })
    expect(await recordEvents(first, [scan('at-branch', noon + 1_000)])).toMatchObject({
      added: 1,
      after: 'AT_BRANCH',
    })
  })
})

describe('what is told', () => {
  it('names the branch of the bag, the agent who took it, and the city where it was collected', async () => {
    const { recordEvents, readNews, orderId, first } = await openFixture()
    const placeOf = async (kind: 'handed-over' | 'at-branch' | 'collected' | 'exception') =>
      (await readNews(kind, orderId, first))?.place
    await recordEvents(first, [scan('picked-up', noon, 'Makkah'), scan('in-transit', noon + 1)])
    expect(await placeOf('handed-over')).toEqual({ city: 'Makkah' })
    await recordEvents(first, [
      byAgent('handed-over', noon, 'وكيل منى 1 · Mina Agent 1'),
      scan('at-branch', noon + 2, 'Riyadh'),
    ])
    const codeOf = async (...of: Parameters<typeof readNews>) => (await readNews(...of))?.branchCode
    expect(await placeOf('handed-over')).toEqual({ name: 'وكيل منى 1 · Mina Agent 1' })
    expect(await placeOf('at-branch')).toEqual(branch)
    expect(await codeOf('at-branch', orderId, first)).toBe('1')
    // It is not held up.
    expect(await readNews('exception', orderId, first)).toBeUndefined()
    await recordEvents(first, [scan('collected', noon + 3, 'Riyadh')])
    expect(await placeOf('collected')).toEqual({ city: 'Riyadh' })
    expect(await codeOf('collected', orderId, first)).toBeNull()
    // It is at its branch no longer.
    expect(await readNews('at-branch', orderId, first)).toBeUndefined()
  })

  it('names the airway bill of the bag, or all of the order, and says which are missing', async () => {
    const { core, database, readNews, orderId, first, second } = await openFixture(['AM-1', 'AM-2'])
    const issue = async (awb: string) => {
      const lease = `of ${awb}`
      const row = await leaseDueBooking(core, lease, noon, noon + minute)
      await setAwb(core, row?.id ?? 0, lease, awb)
    }
    await issue('231200021879')
    const waiting = { isPaid: true, awaitsAwb: true, awbs: ['231200021879'] }
    expect(await readNews('paid', orderId, null)).toMatchObject({
      ...waiting,
      place: JSON.parse(newLeg('AM-1', 0).origin),
    })
    await issue('231200021880')
    const all = await readNews('paid', orderId, null)
    expect(all).toMatchObject({ awaitsAwb: false, awbs: ['231200021879', '231200021880'] })
    expect((await readNews('handed-over', orderId, second))?.awbs).toEqual(['231200021880'])
    await database.transaction(() => markRefunded(core, orderId, 'T1'))
    // All bags are void.
    expect(await readNews('paid', orderId, null)).toBeUndefined()
    expect(await readNews('refunded', orderId, null)).toMatchObject({ isPaid: false })
    expect(await readNews('exception', orderId + 1, first)).toBeUndefined()
    expect(await readNews('exception', orderId, second + 1)).toBeUndefined()
  })
})

describe('a bag whose order promises days', () => {
  /** `noon` is 11:00 in Riyadh of Friday, 15 January 2027. */
  const promises: Promises = { transitDays: { RUH: [2, 4] }, storageDays: 7, lateAfterDays: 8 }
  const nine = Date.parse('2027-01-24T09:00:00+03:00')
  const lateOf = async (listMessages: Awaited<ReturnType<typeof openFixture>>['listMessages']) =>
    (await listMessages()).filter(({ kind }) => kind === 'late').map(({ held_until }) => held_until)

  it('is announced as late for 09:00 of the day after the last one in time, with its hand-over', async () => {
    const { recordEvents, first, listMessages } = await openFixture(['AM-1'], promises)
    await recordEvents(first, [byAgent('handed-over')])
    expect((await listMessages()).map(({ kind }) => kind)).toEqual(['handed-over', 'late'])
    expect(await lateOf(listMessages)).toEqual([nine])
    await recordEvents(first, [scan('picked-up', noon + 1), scan('in-transit', noon + 2)])
    expect(await lateOf(listMessages)).toEqual([nine])
  })

  it('is announced anew when it is given back and taken again, from the new hand-over', async () => {
    const { recordEvents, first, listMessages, clock } = await openFixture(['AM-1'], promises)
    await recordEvents(first, [byAgent('handed-over')])
    await recordEvents(first, [byAgent('hand-over-undone')])
    clock.advance(day)
    await recordEvents(first, [byAgent('handed-over', noon + day)])
    expect(await lateOf(listMessages)).toEqual([nine + day])
  })

  it('is announced at once when it is recorded after its day, and not before its hand-over', async () => {
    const { recordEvents, first, listMessages, clock } = await openFixture(['AM-1'], promises)
    clock.advance(12 * day)
    await recordEvents(first, [byAgent('handed-over')])
    expect(await lateOf(listMessages)).toEqual([noon + 12 * day + 10 * minute + 1])
  })

  it('is announced by day when it is recorded by night', async () => {
    const { recordEvents, first, listMessages, clock } = await openFixture(['AM-1'], promises)
    clock.advance(12 * day + 12 * 60 * minute)
    await recordEvents(first, [byAgent('handed-over')])
    expect(await lateOf(listMessages)).toEqual([Date.parse('2027-01-28T09:00:00+03:00')])
  })

  it.each([
    ['has arrived at once', [scan('picked-up', noon + 1), scan('at-branch', noon + 2)], promises],
    ['is promised no day', [byAgent('handed-over')], { transitDays: { RUH: [2, 4] } } as Promises],
    ['belongs to an order of before', [byAgent('handed-over')], undefined],
  ])('is not announced as late where it %s', async (_, events, kept) => {
    const { recordEvents, first, listMessages } = await openFixture(['AM-1'], kept)
    await recordEvents(first, events)
    expect(await lateOf(listMessages)).toEqual([])
  })

  it('names its days: those of the arrival, then the one until which it is kept', async () => {
    const { recordEvents, readNews, orderId, first } = await openFixture(['AM-1'], promises)
    await recordEvents(first, [byAgent('handed-over')])
    expect((await readNews('paid', orderId, null))?.promised).toMatchObject({
      transit: [2, 4],
      storageDays: 7,
    })
    expect((await readNews('handed-over', orderId, first))?.promised?.arrival).toEqual([
      '2027-01-17',
      '2027-01-19',
    ])
    expect((await readNews('late', orderId, first))?.promised?.dueOn).toBe('2027-01-19')
    await recordEvents(first, [scan('picked-up', noon + 1), scan('at-branch', noon + 2)])
    expect((await readNews('at-branch', orderId, first))?.promised?.keptUntil).toBe('2027-01-22')
    expect((await readNews('handed-over', orderId, first))?.promised).toBeUndefined()
    expect((await readNews('collected', orderId, first))?.promised).toBeUndefined()
  })

  it.each([
    [
      'has arrived',
      async ({ recordEvents, first }: Fixture) =>
        recordEvents(first, [scan('picked-up', noon + 1), scan('at-branch', noon + 2)]),
    ],
    [
      'was collected',
      async ({ recordEvents, first }: Fixture) => recordEvents(first, [scan('collected', noon + 1)]),
    ],
    [
      'was given back',
      async ({ recordEvents, first }: Fixture) => recordEvents(first, [byAgent('hand-over-undone')]),
    ],
    [
      'was not collected at its branch',
      async ({ recordEvents, first }: Fixture) =>
        recordEvents(first, [
          scan('in-transit', noon + 1),
          scan('at-branch', noon + 2),
          scan('exception', noon + 3),
        ]),
    ],
    [
      'is brought back',
      async ({ recordEvents, first }: Fixture) =>
        recordEvents(first, [scan('in-transit', noon + 1), scan('returning', noon + 2)]),
    ],
    [
      'is of a refunded order',
      async ({ core, database, orderId }: Fixture) =>
        database.transaction(() => markRefunded(core, orderId, 'T1')),
    ],
  ] as const)('is not late any more once it %s', async (_, change) => {
    const fixture = await openFixture(['AM-1'], promises)
    await fixture.recordEvents(fixture.first, [byAgent('handed-over')])
    await change(fixture)
    expect(await fixture.readNews('late', fixture.orderId, fixture.first)).toBeUndefined()
  })

  it('is late also while the courier reports trouble', async () => {
    const { recordEvents, readNews, orderId, first } = await openFixture(['AM-1'], promises)
    await recordEvents(first, [byAgent('handed-over'), scan('exception', noon + 1)])
    expect((await readNews('late', orderId, first))?.promised?.dueOn).toBe('2027-01-19')
  })
})
