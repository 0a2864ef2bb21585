import { beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { atOnce, codeOf } from '#test/kit/at-once.ts'
import { manualClock } from '#test/kit/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/databases.ts'
import { issueLabel, newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createCancellation } from './cancellation.service.ts'
import { createHandovers } from './handovers.service.ts'
import type { Announce } from './news.service.ts'
import { createOrderViews } from './order-views.service.ts'
import { createOrdersStore, type OrdersStore } from './orders.store.ts'
import { createTravel } from './travel.service.ts'

const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const
const terms = { isOffered: true, hours: 0 }

/** Races about one bag. Only PostgreSQL runs transactions concurrently; SQLite has a single connection. */
forEachEngine((_, open) => {
  let store: OrdersStore
  let travel: ReturnType<typeof createTravel>
  let handovers: ReturnType<typeof createHandovers>
  let addReady: () => Promise<{ orderId: number; bookingId: number; awb: string }>
  let cancel: (orderId: number) => Promise<unknown>
  const announced: string[] = []
  const clock = manualClock()

  beforeEach(async () => {
    const database = await open()
    store = transacting(database, createOrdersStore(database), ['markPaid', 'markRefunded'])
    const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', clock.now())
    announced.length = 0
    // A retried transaction announces again, as it stores again: the outbox rolls back with it.
    const announce: Announce = async ({ kind, bookingId }) => void announced.push(`${bookingId} ${kind}`)
    travel = transacting(database, createTravel({ store, announce, clock }), ['recordEvents'])
    const cancellation = createCancellation({
      database,
      store,
      cancellation: terms,
      announce,
      clock,
    })
    cancel = (orderId) => database.transaction(() => cancellation.cancel(userId, orderId))
    const views = createOrderViews({
      store,
      users: { findUsers: async () => new Map(), findIdByPhone: async () => undefined },
      refunds: { findRefunds: async () => new Map() },
      receipts: { findReceipts: async () => new Set() },
      cancellation: terms,
      clock,
    })
    handovers = createHandovers({ database, store, clock }, { ...views, ...travel })
    let count = 0
    addReady = async () => {
      count += 1
      const awb = String(231_200_000_000 + count)
      const order = newOrder(userId, { createdAt: clock.now() })
      const orderId = await store.addOrder(order, [newLeg(`AM-${count}`)])
      await store.markPaid(orderId, `T${orderId}`, clock.now())
      return { orderId, bookingId: await issueLabel(store, awb, clock.now()), awb }
    }
  })

  const pickUp = (bookingId: number) =>
    travel.recordEvents(bookingId, [
      { event_key: 'PU', kind: 'picked-up', source: 'courier', at: clock.now() },
    ])

  async function read(orderId: number) {
    const order = await store.findOrder(orderId)
    const [booking] = await store.findBookings([orderId])
    return { status: order?.status, handedOver: order?.handed_over, state: booking?.travel_state ?? null }
  }

  describe('a bag', () => {
    it('is handed over before the refund, or refused after it', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, awb } = await addReady()
        const contenders = [
          () => codeOf(handovers.recordHandover(agent, { awb }, undefined)),
          () => codeOf(store.markRefunded(orderId, `T${orderId}`, clock.now())),
        ]
        const answers = await Promise.all(
          (round % 2 ? contenders : contenders.toReversed()).map((run) => run()),
        )
        const received = answers.at(round % 2 ? 0 : -1)
        expect(await read(orderId)).toEqual(
          received === 'done'
            ? { status: 'REFUNDED', handedOver: 'all', state: 'HANDED_OVER' }
            : { status: 'REFUNDED', handedOver: 'none', state: 'CANCELLED' },
        )
        expect(['done', 'DO_NOT_ACCEPT']).toContain(received)
      }
    })

    it('is handed over or its order cancelled, never both', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, awb } = await addReady()
        const contenders = [
          () => codeOf(handovers.recordHandover(agent, { awb }, undefined)),
          () => codeOf(cancel(orderId)),
        ]
        const answers = await Promise.all(
          (round % 2 ? contenders : contenders.toReversed()).map((run) => run()),
        )
        const [received, cancelled] = round % 2 ? answers : answers.toReversed()
        expect([
          ['done', 'ALREADY_HANDED_OVER', { status: 'PAID', handedOver: 'all', state: 'HANDED_OVER' }],
          ['DO_NOT_ACCEPT', 'done', { status: 'CANCELLED', handedOver: 'none', state: 'CANCELLED' }],
        ]).toContainEqual([received, cancelled, await read(orderId)])
      }
    })

    it('has one outcome when hand-over, scan, cancellation and refund come at once', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, bookingId, awb } = await addReady()
        const [, , cancelled] = await Promise.all([
          codeOf(handovers.recordHandover(agent, { awb }, undefined)),
          codeOf(pickUp(bookingId)),
          codeOf(cancel(orderId)),
          codeOf(store.markRefunded(orderId, `T${orderId}`, clock.now())),
        ])
        const outcome = await read(orderId)
        expect([
          { status: 'REFUNDED', handedOver: 'all', state: 'IN_TRANSIT' },
          { status: 'REFUNDED', handedOver: 'none', state: 'CANCELLED' },
        ]).toContainEqual(outcome)
        // Money that its owner was promised back never belongs to a bag that travels.
        if (cancelled === 'done') expect(outcome.state).toBe('CANCELLED')
      }
    })

    it('is received once, whatever number of agents’ devices confirm it', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { awb, bookingId } = await addReady()
        const answers = await atOnce(8, () => codeOf(handovers.recordHandover(agent, { awb }, undefined)))
        expect(answers.filter((answer) => answer === 'done')).toHaveLength(1)
        expect(new Set(answers)).toEqual(new Set(['done', 'ALREADY_RECEIVED']))
        expect((await store.findEvents([bookingId])).get(bookingId)).toHaveLength(1)
      }
    })

    it('is received once under one key that is sent many times at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { awb, bookingId } = await addReady()
        const answers = await atOnce(8, () =>
          codeOf(handovers.recordHandover(agent, { awb }, `key-${round}`)),
        )
        expect(new Set(answers)).toEqual(new Set(['done']))
        expect((await store.findEvents([bookingId])).get(bookingId)).toHaveLength(1)
      }
    })

    it('that the courier scans during the undo of its hand-over is on its way', async () => {
      for (let round = 0; round < 2 * raceRounds; round += 1) {
        const { orderId, bookingId, awb } = await addReady()
        await handovers.recordHandover(agent, { awb }, undefined)
        const [undone] = await Promise.all([
          codeOf(handovers.undoHandover(agent, awb)),
          codeOf(pickUp(bookingId)),
        ])
        expect(['done', 'TOO_LATE']).toContain(undone)
        expect(await read(orderId)).toEqual({ status: 'PAID', handedOver: 'all', state: 'IN_TRANSIT' })
      }
    })
  })
})
