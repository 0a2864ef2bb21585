import type { Core } from '#server/core.ts'
import { readStopGuard } from '#server/features/stops/stops.queries.ts'
import { findStopRefusal } from '#server/features/stops/stops.ts'
import { lockUser } from '#server/features/users/users.ts'
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
import type { ReceiverColumns } from './bookings.queries.ts'
import { findKey, insertKey, insertOrder, keepTerms, lockCreations } from './order-creation.queries.ts'
import { legLocationsOf } from './orders.rules.ts'
import { presentTerms } from './terms.rules.ts'

interface OrderRequest {
  readonly userId: number
  readonly type: BookingType
  readonly agent: PartnerAgent
  readonly center: Center
  readonly amountHalalas: number
  readonly receiver?: Partial<ReceiverColumns>
  readonly language?: LanguageCode
}

export interface CreationKey {
  readonly key: string
  readonly bodyHash: string
}

export interface CreatedOrder {
  readonly id: number
  readonly amountHalalas: number
  readonly currency: string
  readonly user: User
}

export interface OrderResult {
  readonly orderId: number
  readonly conflict: boolean
  readonly created?: CreatedOrder
}

/** A cancelled order counts as unpaid for this long: no unpaid order expires earlier (`attemptRules` of payments). */
const openForMs = 75 * 60_000

export async function findOrderByKey(
  core: Core,
  userId: number,
  { key, bodyHash }: CreationKey,
): Promise<OrderResult | undefined> {
  const earlier = await findKey(core, userId, key)
  return (
    earlier && {
      orderId: earlier.orderId,
      conflict: earlier.bodyHash !== bodyHash,
    }
  )
}

/**
 * Needs a transaction. A simultaneous request with the same idempotency key wins: its order is returned.
 * @throws Failure SALES_STOPPED, TOO_MANY_OPEN_ORDERS, NOT_SIGNED_IN (the account was deleted), IDEMPOTENCY_CONFLICT
 */
export async function createOrder(
  core: Core,
  request: OrderRequest,
  key: CreationKey | undefined,
): Promise<OrderResult> {
  core.database.assertTransaction()
  const { userId, type, amountHalalas, agent, center, receiver, language = defaultLanguage } = request
  const sale = { agent: agent.id, branch: center.code, city: center.city }
  const guard = readStopGuard(core, sale)
  const [user, , earlier] = await Promise.all([
    // Without the lock of the user, an order can be created for an account that is being deleted.
    lockUser(core, userId),
    lockCreations(core, userId, guard.lock),
    key && findOrderByKey(core, userId, key),
  ])
  if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  if (earlier) return earlier
  const now = core.clock.now()
  const terms = presentTerms(core.config, now)
  await keepTerms(core, terms, now)
  const id = await insertOrder(
    core,
    {
      limit: core.config.limits.openOrdersPerUser,
      droppedSince: now - openForMs,
      isSold: guard.isSold,
    },
    {
      userId,
      type,
      amountHalalas,
      currency,
      agentCode: agent.id,
      centerCode: center.code,
      createdAt: now,
      terms: { version: terms.version, language },
    },
    legLocationsOf(type, agent, center).map(({ origin, destination }, leg) => ({
      leg,
      // A reference must be unique over all databases: the partner still has the shipments of earlier ones.
      reference: `AM-${now.toString(36).toUpperCase()}-${randomSuffix(core.random)}`,
      origin: JSON.stringify(origin),
      destination: JSON.stringify(destination),
      ...receiver,
    })),
  )
  if (id === undefined)
    throw (await findStopRefusal(core, sale)) ?? failure(ordersErrors, 'TOO_MANY_OPEN_ORDERS')
  // Only a simultaneous cancellation can have used this idempotency key. The error rolls the new order back.
  if (key && (await insertKey(core, userId, key, id, now)))
    throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  return {
    orderId: id,
    conflict: false,
    created: { id, amountHalalas, currency, user },
  }
}

export async function bindKey(
  core: Core,
  userId: number,
  key: CreationKey,
  orderId: number,
): Promise<'bound' | 'repeated' | 'conflict'> {
  core.database.assertTransaction()
  const earlier = await insertKey(core, userId, key, orderId, core.clock.now())
  if (!earlier) return 'bound'
  return earlier.bodyHash === key.bodyHash ? 'repeated' : 'conflict'
}
