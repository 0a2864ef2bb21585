import type { Core } from '#server/core.ts'
import { cancelUnlocked } from '#server/features/orders/cancellation.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openCore } from '../gateway/core.ts'
import { issueLabel, newLeg, newOrder, storeOrder } from './stored-orders.ts'

interface Bag {
  readonly bookingId: number
  readonly awb: string
}

export interface ReadyOrder extends Bag {
  readonly orderId: number
  readonly bags: readonly Bag[]
}

/** What can happen to the bags of one user, each of an order of its own: hand-over, scan, cancellation, refund. */
export async function openBags(database: Database, clock: Clock) {
  const core: Core = await openCore({ database, clock })
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', clock.now())
  let count = 0
  return {
    core,
    cancel: (orderId: number) =>
      database.transaction(() => cancelUnlocked(core, userId, orderId, { by: { kind: 'owner' } })),
    /** A paid order each of whose bags has its airway bill and label; the first of them is named. */
    async addReady(bagCount: 1 | 2 = 1): Promise<ReadyOrder> {
      const awbs = Array.from({ length: bagCount }, () => {
        count += 1
        return String(231_200_000_000 + count)
      })
      const order = newOrder(userId, { createdAt: clock.now() })
      const legs = awbs.map((awb, leg) => newLeg(`AM-${awb}`, leg))
      const orderId = await storeOrder(core, order, legs)
      await database.transaction(() => markPaid(core, orderId, `T${orderId}`, clock.now()))
      const bags: Bag[] = []
      for (const awb of awbs) bags.push({ bookingId: await issueLabel(core, awb, clock.now()), awb })
      const [first] = bags
      if (first === undefined) throw new Error('an order without bags')
      return { orderId, ...first, bags }
    },
  }
}
