import { createCancellation } from '#server/features/orders/cancellation.service.ts'
import { createHandovers } from '#server/features/orders/handovers.service.ts'
import { createOrderViews } from '#server/features/orders/order-views.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createTravel } from '#server/features/orders/travel.service.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createReadings } from '#server/platform/readings.ts'
import { noFollowing } from './orders.ts'
import { issueLabel, newLeg, newOrder } from './stored-orders.ts'
import { transacting } from './transacting.ts'

interface Bag {
  readonly bookingId: number
  readonly awb: string
}

const terms = { isOffered: true, hours: 0 }

/** What can happen to the bags of one user, each of an order of its own: hand-over, scan, cancellation, refund. */
export async function openBags(database: Database, clock: Clock) {
  const store = transacting(database, createOrdersStore(database), ['markPaid', 'markRefunded'])
  const sessions = createSessionsStore(database)
  const { id: userId } = await sessions.ensureUser('+966512345678', 'N', clock.now())
  const travel = transacting(
    database,
    createTravel({ database, store, following: noFollowing, clock, findPromises: async () => undefined }),
    ['recordEvents'],
  )
  const cancellation = createCancellation({ database, store, cancellation: terms, clock })
  const views = createOrderViews({
    store,
    users: createUsers({ database, store: sessions }),
    refunds: { findRefunds: async () => new Map() },
    receipts: { findReceipts: async () => new Set() },
    cancellation: terms,
    readings: createReadings({ database, clock }),
    clock,
  })
  let count = 0
  return {
    store,
    travel,
    handovers: createHandovers({ database, store, clock }, { ...views, ...travel }),
    cancel: (orderId: number) =>
      database.transaction(() => cancellation.cancel(userId, orderId, { by: { kind: 'owner' } })),
    /** A paid order each of whose bags has its airway bill and label; the first of them is named. */
    async addReady(
      bagCount: 1 | 2 = 1,
    ): Promise<{ orderId: number; bookingId: number; awb: string; bags: readonly Bag[] }> {
      const awbs = Array.from({ length: bagCount }, () => {
        count += 1
        return String(231_200_000_000 + count)
      })
      const order = newOrder(userId, { createdAt: clock.now() })
      const orderId = await store.addOrder(
        order,
        awbs.map((awb, leg) => newLeg(`AM-${awb}`, leg)),
      )
      await store.markPaid(orderId, `T${orderId}`, clock.now())
      const bags: Bag[] = []
      for (const awb of awbs) bags.push({ bookingId: await issueLabel(store, awb, clock.now()), awb })
      const [first] = bags
      if (first === undefined) throw new Error('an order without bags')
      return { orderId, ...first, bags }
    },
  }
}
