import type { Core } from '#server/core.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { lockOrder } from '#server/features/orders/travel.queries.ts'
import { addressGroup } from '#server/platform/address.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import { daysOfBags } from '#shared/orders/bag-days.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { pages } from '#shared/platform/pages.ts'
import { sharesErrors } from '#shared/shares/shares.errors.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import { endSharesOfOrders, findShareByToken, findShareOfOrder, saveShare } from './shares.queries.ts'
import { endOfLink, hasLinkEnded, sharedBookingOf } from './shares.rules.ts'

const minute = 60_000

/** Without a limit on new links, a script could fill the log. */
const creations = {
  name: 'shares.creations',
  limits: [{ count: 30, windowMs: 60 * minute }],
}
/** Reads are limited per link and IP address: a family can open a link often, and one visitor must not block others. */
const reads = {
  name: 'shares.reads',
  limits: [{ count: 120, windowMs: minute }],
}
/** Only reads of unknown links count for this limit, because many pilgrims share an IP address. */
const misses = {
  name: 'shares.misses',
  limits: [{ count: 60, windowMs: minute }],
}

/** Creates a link and ends the former one. @throws Failure ORDER_NOT_FOUND, NOTHING_TO_SHARE, TOO_MANY_CALLS */
export async function shareOrder(core: Core, userId: number, orderId: number): Promise<string> {
  const { clock, config, database, log, random } = core
  const order = await readOwnOrder(core, userId, orderId)
  const hasValidBag = order.bookings.some(({ state }) => state !== null && state !== 'CANCELLED')
  if (!hasValidBag || hasLinkEnded(order, clock.now())) throw failure(sharesErrors, 'NOTHING_TO_SHARE')
  limitCalls(core, creations, userId)
  const token = randomToken(random)
  await database.transaction(async () => {
    await lockOrder(core, orderId)
    await saveShare(core, orderId, hashOf(token), clock.now())
    core.afterCommit(() => log.info({ event: 'shares.created', orderId }))
  })
  return `${config.PUBLIC_URL}${pages.track.replace(':token', token)}`
}

/** Returns the time at which the valid link was created, or null without a link. @throws Failure ORDER_NOT_FOUND */
export async function readOwnShare(core: Core, userId: number, orderId: number): Promise<string | null> {
  const order = await readOwnOrder(core, userId, orderId)
  const share = hasLinkEnded(order, core.clock.now()) ? undefined : await findShareOfOrder(core, orderId)
  return share ? isoOf(share.createdAt) : null
}

/** @throws Failure ORDER_NOT_FOUND */
export async function endShare(core: Core, userId: number, orderId: number): Promise<void> {
  await readOwnOrder(core, userId, orderId)
  await core.database.transaction(async () => {
    await lockOrder(core, orderId)
    await endSharesOfOrders(core, [orderId])
    core.afterCommit(() => core.log.info({ event: 'shares.ended', orderId }))
  })
}

/** @throws Failure SHARE_NOT_FOUND for an ended, expired or unknown link; TOO_MANY_CALLS */
export async function readShare(core: Core, token: string, address: string): Promise<SharedBooking[]> {
  return sharedBookingsOf(core, await readCounted(core, token, address))
}

/** @throws the errors of `readShare` */
export async function followShare(core: Core, token: string, address: string) {
  const order = await readCounted(core, token, address)
  let endsAt = endOfLink(order)
  let shown: string | undefined
  return {
    orderId: order.orderId,
    visitor: visitorOf(token, address),
    async check(): Promise<void> {
      const share = await findShareByToken(core, hashOf(token))
      if (!share || core.clock.now() >= endsAt) throw failure(sharesErrors, 'SHARE_NOT_FOUND')
    },
    async hasChanged(): Promise<boolean> {
      const read = await readShared(core, token)
      const before = shown
      endsAt = endOfLink(read)
      shown = hashOf(JSON.stringify(sharedBookingsOf(core, read)))
      return shown !== before
    },
  }
}

const readOwnOrder = (core: Core, userId: number, orderId: number): Promise<Order> =>
  readOrderFor(core, { role: 'user', userId }, orderId)

async function findShared(core: Core, token: string): Promise<Order | undefined> {
  const share = await findShareByToken(core, hashOf(token))
  const row = share && (await findPayable(core, share.orderId))
  if (!row) return undefined
  const order = await readOwnOrder(core, row.userId, row.id)
  return hasLinkEnded(order, core.clock.now()) ? undefined : order
}

async function readShared(core: Core, token: string): Promise<Order> {
  const order = await findShared(core, token).catch((error: unknown) => {
    if (isFailure(error, 'ORDER_NOT_FOUND')) return undefined
    throw error
  })
  if (!order) throw failure(sharesErrors, 'SHARE_NOT_FOUND')
  return order
}

async function readCounted(core: Core, token: string, address: string): Promise<Order> {
  const order = await readShared(core, token).catch((error: unknown) => {
    if (isFailure(error, 'SHARE_NOT_FOUND')) {
      core.counters.shareReadsMissed.inc()
      limitCalls(core, misses, addressGroup(address))
    }
    throw error
  })
  limitCalls(core, reads, visitorOf(token, address))
  return order
}

const visitorOf = (token: string, address: string) => `${hashOf(token)} ${addressGroup(address)}`

function sharedBookingsOf({ clock }: Core, order: Order): SharedBooking[] {
  const days = daysOfBags(order, clock.now())
  return order.bookings.map((booking, index) => sharedBookingOf(booking, days[index] ?? {}))
}
