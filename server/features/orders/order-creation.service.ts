import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { randomSuffix } from '#server/platform/secrets.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { legLocationsOf } from './orders.rules.ts'
import type { OrdersStore } from './orders.store.ts'

export interface OrderCreationDeps {
  readonly database: Database
  readonly store: OrdersStore
  /** Locks the user row until the surrounding transaction ends; undefined when the user does not exist. */
  readonly lockUser: (id: number) => Promise<User | undefined>
  /** Unpaid orders that a user may have open at once. */
  readonly openOrdersPerUser: number
  readonly clock: Clock
}

interface OrderRequest {
  readonly userId: number
  readonly type: BookingType
  readonly agent: PartnerAgent
  readonly center: Center
  readonly amountHalalas: number
}

/** An idempotency key and a hash of the request it came with. */
export interface CreationKey {
  readonly key: string
  readonly bodyHash: string
}

/** `conflict`: the key was used before for another request. */
export interface OrderResult {
  readonly orderId: number
  readonly conflict: boolean
}

/** An unpaid order expires after this, or a little later: `attemptRules` of payments. */
const openForMs = 75 * 60_000

export function createOrderCreation(deps: OrderCreationDeps) {
  const { database, store, clock } = deps

  /** Inside a transaction. @throws KeyTaken, so that the order stored in the same transaction is rolled back. */
  async function insertOrder(
    request: OrderRequest,
    key: CreationKey | undefined,
    now: number,
  ): Promise<number> {
    // Locked, so that no order is created for an account that is being deleted.
    if (!(await deps.lockUser(request.userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    const id = await store.addOrderBelow(
      { limit: deps.openOrdersPerUser, droppedSince: now - openForMs },
      {
        userId: request.userId,
        type: request.type,
        amountHalalas: request.amountHalalas,
        currency,
        agentCode: request.agent.id,
        centerCode: request.center.code,
        createdAt: now,
      },
      legLocationsOf(request.type, request.agent, request.center).map(({ origin, destination }, leg) => ({
        leg,
        // Unique across databases, too: the partner still has the shipments of earlier databases.
        reference: `AM-${now.toString(36).toUpperCase()}-${randomSuffix()}`,
        origin: JSON.stringify(origin),
        destination: JSON.stringify(destination),
      })),
    )
    // At the limit, too, a repeated request returns its order, which a concurrent one may have just created.
    const earlier =
      key &&
      (id === undefined
        ? await store.findKey(request.userId, key.key)
        : await store.insertIdempotencyKey(request.userId, key.key, key.bodyHash, id, now))
    if (earlier) throw new KeyTaken(earlier.orderId, earlier.bodyHash !== key.bodyHash)
    if (id === undefined) throw failure(ordersErrors, 'TOO_MANY_OPEN_ORDERS')
    return id
  }

  return {
    /**
     * Creates an unpaid order. A key that was used before creates none and returns the earlier order.
     * @throws Failure TOO_MANY_OPEN_ORDERS, NOT_SIGNED_IN (the account was deleted).
     */
    async createOrder(request: OrderRequest, key: CreationKey | undefined): Promise<OrderResult> {
      const now = clock.now()
      try {
        const orderId = await database.transaction(() => insertOrder(request, key, now))
        return { orderId, conflict: false }
      } catch (error) {
        if (error instanceof KeyTaken) return { orderId: error.orderId, conflict: error.conflict }
        throw error
      }
    },

    /** The order that was created under a key; undefined for a new key. */
    async findByKey(userId: number, { key, bodyHash }: CreationKey): Promise<OrderResult | undefined> {
      const earlier = await store.findKey(userId, key)
      return earlier && { orderId: earlier.orderId, conflict: earlier.bodyHash !== bodyHash }
    },
  }
}

class KeyTaken extends Error {
  readonly orderId: number
  readonly conflict: boolean
  constructor(orderId: number, conflict: boolean) {
    super('an order was already created under this key')
    this.orderId = orderId
    this.conflict = conflict
  }
}
