import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { addressGroup } from '#server/platform/address.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import { daysOfBags } from '#shared/orders/bag-days.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { pages } from '#shared/platform/pages.ts'
import { sharesErrors } from '#shared/shares/shares.errors.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import { endOfLink, isOver, sharedBookingOf } from './shares.rules.ts'
import type { SharesStore } from './shares.store.ts'

export interface SharesDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: SharesStore
  readonly orders: Pick<OrdersService, 'readFor' | 'findPayable' | 'lockOrder'>
  readonly publicUrl: string
}

export type SharesService = ReturnType<typeof createShares>

const minute = 60_000
/** A person makes a few links of an order; a loop would fill the log. */
const creations = [{ count: 30, windowMs: 60 * minute }]
/** A family may open a link often. By address, so that one of those who have the link cannot close it to the others. */
const readsPerLinkAndAddress = [{ count: 120, windowMs: minute }]
/** Addresses are shared by many pilgrims, so only reads of links that do not exist are counted by address. */
const missesPerAddress = [{ count: 60, windowMs: minute }]

/** Links that show where the bags of an order are to people who are not signed in. */
export function createShares({ database, store, orders, publicUrl, clock, log, metrics }: SharesDeps) {
  const perUser = createCallLimit<number>(creations, clock)
  const perLinkAndAddress = createCallLimit<string>(readsPerLinkAndAddress, clock)
  const perAddress = createCallLimit<string>(missesPerAddress, clock)
  const misses = metrics.counter(
    'amtiati_share_reads_missed_total',
    'Reads of shared links that do not exist.',
    [],
  )

  /** @throws Failure ORDER_NOT_FOUND, also for an order of another user. */
  const readOwn = (userId: number, orderId: number): Promise<Order> =>
    orders.readFor({ role: 'user', userId }, orderId)

  /** The order behind a token; undefined when the link has ended. */
  async function findShared(token: string): Promise<Order | undefined> {
    const share = await store.findByToken(hashOf(token))
    const row = share && (await orders.findPayable(share.orderId))
    if (!row) return undefined
    const order = await readOwn(row.userId, row.id)
    return isOver(order, clock.now()) ? undefined : order
  }

  /** @throws Failure SHARE_NOT_FOUND */
  async function readShared(token: string): Promise<Order> {
    const order = await findShared(token).catch((error: unknown) => {
      if (isFailure(error, 'ORDER_NOT_FOUND')) return undefined
      throw error
    })
    if (!order) throw failure(sharesErrors, 'SHARE_NOT_FOUND')
    return order
  }

  /** Those of one link and address are counted together. */
  const visitorOf = (token: string, address: string) => `${hashOf(token)} ${addressGroup(address)}`

  /** Counts a read. @throws Failure SHARE_NOT_FOUND, TOO_MANY_CALLS */
  async function readCounted(token: string, address: string): Promise<Order> {
    const order = await readShared(token).catch((error: unknown) => {
      if (isFailure(error, 'SHARE_NOT_FOUND')) {
        misses.inc()
        countCall(perAddress, addressGroup(address))
      }
      throw error
    })
    countCall(perLinkAndAddress, visitorOf(token, address))
    return order
  }

  function sharedBookingsOf(order: Order): SharedBooking[] {
    const days = daysOfBags(order, clock.now())
    return order.bookings.map((booking, index) => sharedBookingOf(booking, days[index] ?? {}))
  }

  return {
    /** @throws Failure ORDER_NOT_FOUND, NOTHING_TO_SHARE, TOO_MANY_CALLS */
    async create(userId: number, orderId: number): Promise<string> {
      const order = await readOwn(userId, orderId)
      const hasValidBag = order.bookings.some(({ state }) => state !== null && state !== 'CANCELLED')
      if (!hasValidBag || isOver(order, clock.now())) throw failure(sharesErrors, 'NOTHING_TO_SHARE')
      countCall(perUser, userId)
      const token = randomToken()
      await database.transaction(async () => {
        await orders.lockOrder(orderId)
        await store.saveShare(orderId, hashOf(token), clock.now())
      })
      log.info({ event: 'shares.created', orderId })
      return `${publicUrl}${pages.track.replace(':token', token)}`
    },

    /** When the live link was made; null without one. @throws Failure ORDER_NOT_FOUND */
    async readOwn(userId: number, orderId: number): Promise<string | null> {
      const order = await readOwn(userId, orderId)
      const share = isOver(order, clock.now()) ? undefined : await store.findOfOrder(orderId)
      return share ? isoOf(share.createdAt) : null
    },

    /** @throws Failure ORDER_NOT_FOUND */
    async end(userId: number, orderId: number): Promise<void> {
      await readOwn(userId, orderId)
      await database.transaction(async () => {
        await orders.lockOrder(orderId)
        await store.endShares([orderId])
      })
      log.info({ event: 'shares.ended', orderId })
    },

    /**
     * What the link shows. @param address of the client
     * @throws Failure SHARE_NOT_FOUND for an ended, expired or unknown link; TOO_MANY_CALLS
     */
    async read(token: string, address: string): Promise<SharedBooking[]> {
      return sharedBookingsOf(await readCounted(token, address))
    },

    /**
     * The order behind the link, for a stream. @param address of the client
     * @throws as `read`
     */
    async follow(token: string, address: string) {
      const order = await readCounted(token, address)
      let endsAt = endOfLink(order)
      let shown: string | undefined
      return {
        orderId: order.orderId,
        visitor: visitorOf(token, address),
        /** Reads the link alone. @throws Failure SHARE_NOT_FOUND once it has ended. */
        async check(): Promise<void> {
          const share = await store.findByToken(hashOf(token))
          if (!share || clock.now() >= endsAt) throw failure(sharesErrors, 'SHARE_NOT_FOUND')
        },
        /** Whether the link shows anything else than at the call before. @throws as `check` */
        async hasNews(): Promise<boolean> {
          const read = await readShared(token)
          const before = shown
          endsAt = endOfLink(read)
          shown = hashOf(JSON.stringify(sharedBookingsOf(read)))
          return shown !== before
        },
      }
    },

    /** Inside the transaction that deletes an account: ends the links of its orders. */
    endOfOrders: store.endShares,
  }
}
