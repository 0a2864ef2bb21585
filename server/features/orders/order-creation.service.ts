import type { Core } from '#server/core.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { StopsService } from '#server/features/stops/stops.feature.ts'
import { failure } from '#server/platform/errors.ts'
import { randomSuffix } from '#server/platform/secrets.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { defaultLanguage, type LanguageCode } from '#shared/platform/language.ts'
import { currency } from '#shared/platform/money.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import type { ReceiverColumns } from './bookings.store.ts'
import { legLocationsOf } from './orders.rules.ts'
import type { OrdersStore } from './orders.store.ts'
import type { PresentTerms } from './terms.rules.ts'

export interface OrderCreationDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OrdersStore
  readonly users: Pick<UsersService, 'lockUser'>
  readonly stops: Pick<StopsService, 'guardOf' | 'findRefusal'>
  /** Unpaid orders that a user may have open at once. */
  readonly openOrdersPerUser: number
  /** As they are shown at a moment, in epoch milliseconds. */
  readonly terms: (now: number) => PresentTerms
}

interface OrderRequest {
  readonly userId: number
  readonly type: BookingType
  readonly agent: PartnerAgent
  readonly center: Center
  readonly amountHalalas: number
  readonly receiver?: Partial<ReceiverColumns>
  /** In which the terms were shown. */
  readonly language?: LanguageCode
}

/** An idempotency key and a hash of the request it came with. */
export interface CreationKey {
  readonly key: string
  readonly bodyHash: string
}

/** An order that was created just now, and its user. */
export interface CreatedOrder {
  readonly id: number
  readonly amountHalalas: number
  readonly currency: string
  readonly user: User
}

export interface OrderResult {
  readonly orderId: number
  /** The key was used before for another request. */
  readonly conflict: boolean
  /** Undefined where the order was created earlier under the same key. */
  readonly created?: CreatedOrder
}

/** An unpaid order expires after this, or a little later: `attemptRules` of payments. */
const openForMs = 75 * 60_000

export function createOrderCreation(deps: OrderCreationDeps) {
  const { database, store, clock } = deps

  /** The order that was created under a key; undefined for a new key. */
  async function findByKey(userId: number, { key, bodyHash }: CreationKey): Promise<OrderResult | undefined> {
    const earlier = await store.findKey(userId, key)
    return earlier && { orderId: earlier.orderId, conflict: earlier.bodyHash !== bodyHash }
  }

  function addOrder(
    request: OrderRequest,
    guard: ReturnType<StopsService['guardOf']>,
    termsVersion: string,
    now: number,
  ): Promise<number | undefined> {
    const { userId, type, amountHalalas, agent, center, receiver, language = defaultLanguage } = request
    return store.addOrderBelow(
      { limit: deps.openOrdersPerUser, droppedSince: now - openForMs, isSold: guard.isSold },
      {
        userId,
        type,
        amountHalalas,
        currency,
        agentCode: agent.id,
        centerCode: center.code,
        createdAt: now,
        terms: { version: termsVersion, language },
      },
      legLocationsOf(type, agent, center).map(({ origin, destination }, leg) => ({
        leg,
        // Unique across databases, too: the partner still has the shipments of earlier databases.
        reference: `AM-${now.toString(36).toUpperCase()}-${randomSuffix()}`,
        origin: JSON.stringify(origin),
        destination: JSON.stringify(destination),
        ...receiver,
      })),
    )
  }

  return {
    findByKey,

    /**
     * Inside a transaction: creates an unpaid order. Under a key that a concurrent request of the user has just used, it
     * creates none and returns the earlier order.
     * @throws Failure SALES_STOPPED, TOO_MANY_OPEN_ORDERS, IDEMPOTENCY_CONFLICT, NOT_SIGNED_IN (the account was deleted).
     */
    async createOrder(request: OrderRequest, key: CreationKey | undefined): Promise<OrderResult> {
      database.assertTransaction()
      const { userId, amountHalalas } = request
      // Locked, so that no order is created for an account that is being deleted.
      const user = await deps.users.lockUser(userId)
      if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      const sale = { agent: request.agent.id, branch: request.center.code, city: request.center.city }
      const guard = deps.stops.guardOf(sale)
      await store.lockCreations(userId, guard.lock)
      const earlier = key && (await findByKey(userId, key))
      if (earlier) return earlier
      const now = clock.now()
      const terms = deps.terms(now)
      await store.keepTerms(terms, now)
      const id = await addOrder(request, guard, terms.version, now)
      if (id === undefined)
        throw (await deps.stops.findRefusal(sale)) ?? failure(ordersErrors, 'TOO_MANY_OPEN_ORDERS')
      // Bound meanwhile only by a cancellation: nothing of this order stays.
      if (key && (await store.insertIdempotencyKey(userId, key.key, key.bodyHash, id, now)))
        throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
      return { orderId: id, conflict: false, created: { id, amountHalalas, currency, user } }
    },
  }
}
