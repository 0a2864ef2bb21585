import {
  type Acting,
  changedByOffice,
  personalReason,
  recordEvent,
} from '#server/features/history/history.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import type { CancellationTerms } from '#shared/orders/cancellation.schemas.ts'
import { notCancellable } from '#shared/orders/not-cancellable.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import type { PaidOrder } from '#shared/platform/problem.ts'
import {
  type Cancellability,
  type CancellationFacts,
  cancellabilityOf,
  cancellablePaidSince,
} from './cancellation.rules.ts'
import type { CreationKey } from './order-creation.service.ts'
import type { OrdersStore } from './orders.store.ts'

export interface CancellationDeps {
  readonly store: OrdersStore
  /** The operator's terms; shown before paying. */
  readonly cancellation: CancellationTerms
  readonly clock: Clock
}

/** Which orders their owners can cancel now. */
export function createCancellability({ store, cancellation: terms, clock }: CancellationDeps) {
  return {
    /** By the status and the terms alone: staff cancel by two also after a compensation. */
    cancellabilityOf: (row: CancellationFacts) => cancellabilityOf(row, terms, clock.now()),

    async cancellableOf(
      rows: readonly (CancellationFacts & { readonly id: number })[],
    ): Promise<ReadonlySet<number>> {
      const now = clock.now()
      const ids = rows.filter((row) => cancellabilityOf(row, terms, now) === 'now').map(({ id }) => id)
      const compensated = await store.sumCompensated(ids)
      return new Set(ids.filter((id) => !compensated.has(id)))
    },
  }
}

/** The refusal that an owner or staff read. */
function refusalOf(why: Exclude<Cancellability, 'now' | 'done'>, compensated = 0): Failure {
  return why === 'ended' || why === 'promised'
    ? failure(ordersErrors, 'ORDER_NOT_CANCELLABLE', notCancellable(why, compensated))
    : failure(ordersErrors, why)
}

/** Who cancels an order, and how. */
export interface Cancelling extends Acting {
  /** By two people of the desk: also after a compensation. */
  readonly isApproved?: boolean
}

type Deps = CancellationDeps & { readonly database: Database }

/** Cancelling an order. Payments call this, because the money has to go back in the same transaction. */
export function createCancellation(deps: Deps) {
  const { database, store, cancellation: terms, clock } = deps
  const cancellability = createCancellability(deps)
  /** Whether it could be cancelled now by its owner, had nothing been compensated. */
  const isCancellable = (row: CancellationFacts): boolean => cancellability.cancellabilityOf(row) === 'now'

  /** Inside a transaction. @throws Failure where the owner was promised a compensation. */
  async function assertNothingPromised(userId: number, id: number): Promise<void> {
    const compensated = (await store.sumCompensated([id])).get(id) ?? 0
    const row = compensated > 0 ? await store.findOrder(id) : undefined
    if (row?.user_id !== userId) return
    if (cancellabilityOf(row, terms, clock.now(), compensated) === 'promised')
      throw refusalOf('promised', compensated)
  }

  return {
    isCancellable,

    /** @throws Failure ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE, as staff would be refused. */
    assertCancellable(row: CancellationFacts): void {
      const why = cancellability.cancellabilityOf(row)
      if (why === 'done') throw refusalOf('ended')
      if (why !== 'now') throw refusalOf(why)
    },

    /**
     * Inside a transaction: cancels an order of the user. Returns the transaction that paid it, null for none; undefined
     * when it is cancelled already.
     * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE.
     */
    async cancel(
      userId: number,
      id: number,
      { by, reason, isApproved = false }: Cancelling,
    ): Promise<{ transactionId: string | null } | undefined> {
      database.assertTransaction()
      if (!isApproved) await assertNothingPromised(userId, id)
      const now = clock.now()
      const won = await store.markCancelled(id, userId, cancellablePaidSince(terms, now))
      if (!won) {
        const row = await store.findOrder(id)
        if (row?.user_id !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
        const why = cancellabilityOf(row, terms, now)
        if (why === 'done') return undefined
        // Changed since the guarded statement: the next request finds it as it is then.
        throw refusalOf(why === 'now' ? 'ended' : why)
      }
      const isPaid = won.transactionId !== null
      await recordEvent(
        deps,
        {
          kind: 'order-cancelled',
          data: {
            personal: personalReason(reason),
            ...changedByOffice(by, { status: [isPaid ? 'PAID' : 'PENDING_PAYMENT', 'CANCELLED'] }),
          },
          by,
          orderId: id,
        },
        { notifiesOwner: isPaid },
      )
      if (isPaid) {
        await store.endCreations(id)
        await store.makeVoid(id, now)
      }
      return won
    },

    /** Paid orders of the user with a bag that was not handed over, the oldest first. */
    async listUnused(userId: number): Promise<PaidOrder[]> {
      const rows = await store.listUnused(userId)
      const cancellable = await cancellability.cancellableOf(rows)
      return rows.map((row) => ({
        orderId: row.id,
        amount: riyalsOf(row.amount_halalas),
        cancellable: cancellable.has(row.id),
      }))
    },

    /** Inside a transaction that has locked the order: its bags that were not handed over are accepted no more. */
    giveUpBags: (orderId: number) => store.giveUpBags(orderId, clock.now()),

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

    /** Inside a transaction: true for the one payment of an order that was cancelled before. */
    async markPaidLate(id: number, transactionId: string): Promise<boolean> {
      if (!(await store.markPaidLate(id, transactionId))) return false
      await store.makeVoid(id, clock.now())
      return true
    },
  }
}
