import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import type { CancellationTerms } from '#shared/orders/cancellation.schemas.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import type { PaidOrder } from '#shared/platform/problem.ts'
import { type CancellationFacts, cancellabilityOf, cancellablePaidSince } from './cancellation.rules.ts'
import type { Announce } from './news.service.ts'
import type { CreationKey } from './order-creation.service.ts'
import type { OrdersStore } from './orders.store.ts'

export interface CancellationDeps {
  readonly store: OrdersStore
  /** The operator's terms; shown before paying. */
  readonly cancellation: CancellationTerms
  readonly clock: Clock
}

type Deps = CancellationDeps & { readonly database: Database; readonly announce: Announce }

/** Cancelling an order. Payments call this, because the money has to go back in the same transaction. */
export function createCancellation({ database, store, cancellation: terms, announce, clock }: Deps) {
  /** Whether the owner could cancel it now. */
  const isCancellable = (row: CancellationFacts): boolean =>
    cancellabilityOf(row, terms, clock.now()) === 'now'

  return {
    isCancellable,

    /**
     * Inside a transaction: cancels an order of the user. Returns the transaction that paid it, null for none; undefined
     * when it is cancelled already.
     * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE.
     */
    async cancel(userId: number, id: number): Promise<{ transactionId: string | null } | undefined> {
      database.assertTransaction()
      const now = clock.now()
      const won = await store.markCancelled(id, userId, cancellablePaidSince(terms, now), now)
      if (!won) {
        const row = await store.findOrder(id)
        const reason = row?.user_id === userId ? cancellabilityOf(row, terms, now) : 'ORDER_NOT_FOUND'
        if (reason === 'done') return undefined
        // Changed since the guarded statement: the next request finds it as it is then.
        throw failure(ordersErrors, reason === 'now' ? 'ORDER_NOT_CANCELLABLE' : reason)
      }
      await store.endCreations(id)
      await store.cancelBookings(id, now)
      if (won.transactionId !== null)
        await announce({ kind: 'cancelled', orderId: id, bookingId: null, userId, awb: null })
      return won
    },

    /** Paid orders of the user with a bag that was not handed over, the oldest first. */
    async listUnused(userId: number): Promise<PaidOrder[]> {
      return (await store.listUnused(userId)).map((row) => ({
        orderId: row.id,
        amount: riyalsOf(row.amount_halalas),
        cancellable: isCancellable(row),
      }))
    },

    /** Inside a transaction that has locked the order: its bags that were not handed over are accepted no more. */
    giveUpBags: (orderId: number) => store.cancelBookings(orderId, clock.now()),

    /** Inside a transaction: binds an idempotency key to a request about an order. */
    async bindKey(
      userId: number,
      { key, bodyHash }: CreationKey,
      orderId: number,
    ): Promise<'bound' | 'repeated' | 'conflict'> {
      database.assertTransaction()
      const earlier = await store.insertIdempotencyKey(userId, key, bodyHash, orderId, clock.now())
      if (!earlier) return 'bound'
      return earlier.bodyHash === bodyHash ? 'repeated' : 'conflict'
    },

    /** True for the one payment of an order that was cancelled before. */
    markPaidLate: store.markPaidLate,
  }
}
