import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { placeOf } from '#shared/orders/place.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import { passesErrors } from '#shared/passes/passes.errors.ts'
import { type Visit, visitOf } from '#shared/passes/visits.rules.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { type CalendarEvent, calendarOf } from './calendar.rules.ts'
import type { PassProvider } from './passes.provider.ts'
import { passTextsIn } from './passes.texts.ts'

export interface PassesDeps {
  readonly orders: Pick<OrdersService, 'readFor'>
  /** @throws Failure CENTERS_UNAVAILABLE */
  readonly findHours: (branch: string) => Promise<BranchHours | undefined>
  /** Undefined where none is configured. */
  readonly wallet: PassProvider | undefined
  readonly publicUrl: string
  readonly clock: Clock
}

/** Its barcode is there. */
interface Labelled extends Booking {
  readonly awb: string
}
const isLabelled = (booking: Booking): booking is Labelled => booking.awb !== null

export type PassesService = ReturnType<typeof createPasses>

/** Each is signed with RSA on the event loop, which takes about a millisecond. */
const passesPerUser = [{ count: 20, windowMs: 60_000 }]

/** What the owner of an order takes along. Nothing of it is stored. */
export function createPasses({ orders, findHours, wallet, publicUrl, clock }: PassesDeps) {
  const signed = createCallLimit<number>(passesPerUser, clock)
  const readOwn = (userId: number, orderId: number) => orders.readFor({ role: 'user', userId }, orderId)

  function eventOf(booking: Labelled, visit: Visit, orderId: number, language: LanguageCode): CalendarEvent {
    const { awb, origin, destination } = booking
    const branch = visit.purpose === 'hand-over' ? origin : destination
    const url = publicUrl + pages.order.replace(':id', String(orderId))
    const t = passTextsIn(language)
    const city = branch.city === undefined ? '' : cityName(branch.city, language)
    return {
      from: visit.from,
      to: visit.to,
      url,
      uid: `${awb}-${visit.purpose}@${new URL(publicUrl).hostname}`,
      summary: t(`visit.${visit.purpose}.${city === '' ? 'summary' : 'summary-in'}`, { city }),
      description: [
        t(`visit.${visit.purpose}.bring`, { awb }),
        // The event lasts as long as the branch is open.
        t('visit.open-hours'),
        `${orderNumber(orderId)} ${url}`,
      ].join('\n'),
      location: placeOf(branch, language),
      coordinates: branch.coordinates,
    }
  }

  return {
    /**
     * Where a browser saves the pass of a bag.
     * @throws Failure ORDER_NOT_FOUND, also for another user's; LABEL_WITHDRAWN, WALLET_NOT_OFFERED,
     * TOO_MANY_CALLS
     */
    async walletLink(userId: number, orderId: number, awb: string, language: LanguageCode): Promise<string> {
      const order = await readOwn(userId, orderId)
      const booking = order.bookings.find((each) => each.awb === awb)
      if (!booking) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      if (booking.state === 'CANCELLED') throw failure(ordersErrors, 'LABEL_WITHDRAWN')
      if (!wallet) throw failure(passesErrors, 'WALLET_NOT_OFFERED')
      countCall(signed, userId)
      const { destination } = booking
      const place = placeOf(destination, language)
      return wallet.saveLink({ awb, orderId, city: destination.city, place, language })
    },

    /**
     * The next visits to a branch, as a file for calendars.
     * @throws Failure ORDER_NOT_FOUND, also for another user's; VISIT_UNKNOWN, CENTERS_UNAVAILABLE
     */
    async calendar(userId: number, orderId: number, language: LanguageCode): Promise<string> {
      const { type, bookings, centerCode } = await readOwn(userId, orderId)
      const hours = centerCode === undefined ? undefined : await findHours(centerCode)
      const now = clock.now()
      const events = legsOf(type).flatMap((leg, index) => {
        const booking = bookings[index]
        if (!booking || !isLabelled(booking)) return []
        const visit = visitOf(booking.state, leg, hours, now)
        return visit ? [eventOf(booking, visit, orderId, language)] : []
      })
      if (events.length === 0) throw failure(passesErrors, 'VISIT_UNKNOWN')
      return calendarOf(events, now)
    },
  }
}
