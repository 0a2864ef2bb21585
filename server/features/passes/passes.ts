import type { Core } from '#server/core.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { findCenter } from '#server/features/partner/partner.ts'
import { failure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { placeOf } from '#shared/orders/place.rules.ts'
import { passesErrors } from '#shared/passes/passes.errors.ts'
import { type Visit, visitOf } from '#shared/passes/visits.rules.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { type CalendarEvent, calendarOf } from './calendar.rules.ts'
import { passTextsIn } from './passes.texts.ts'

interface Labelled extends Booking {
  readonly awb: string
}

interface EventOptions {
  readonly orderId: number
  readonly publicUrl: string
  readonly language: LanguageCode
}

/** A signature (RSA) blocks the event loop for about a millisecond. */
const signatures = {
  name: 'passes.signatures',
  limits: [{ count: 20, windowMs: 60_000 }],
}

/**
 * Signs the pass of a bag and stores nothing.
 * @throws Failure ORDER_NOT_FOUND, also for an order of another user; LABEL_WITHDRAWN, WALLET_NOT_OFFERED,
 * TOO_MANY_CALLS
 */
export async function signPass(
  core: Core,
  userId: number,
  { orderId, awb }: { readonly orderId: number; readonly awb: string },
  language: LanguageCode,
): Promise<string> {
  const { wallet } = core.providers
  const order = await readOrderFor(core, { role: 'user', userId }, orderId)
  const booking = order.bookings.find((each) => each.awb === awb)
  if (!booking) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  if (booking.state === 'CANCELLED') throw failure(ordersErrors, 'LABEL_WITHDRAWN')
  if (!wallet) throw failure(passesErrors, 'WALLET_NOT_OFFERED')
  limitCalls(core, signatures, userId)
  const { destination } = booking
  return wallet.saveLink({
    awb,
    orderId,
    city: destination.city,
    place: placeOf(destination, language),
    language,
  })
}

/** @throws Failure ORDER_NOT_FOUND, also for an order of another user; VISIT_UNKNOWN, CENTERS_UNAVAILABLE */
export async function writeCalendar(
  core: Core,
  userId: number,
  orderId: number,
  language: LanguageCode,
): Promise<string> {
  const { type, bookings, centerCode } = await readOrderFor(core, { role: 'user', userId }, orderId)
  const center = centerCode === undefined ? undefined : await findCenter(core, centerCode)
  const now = core.clock.now()
  const options = {
    orderId,
    publicUrl: core.config.PUBLIC_URL,
    language,
  }
  const events = legsOf(type).flatMap((leg, index) => {
    const booking = bookings[index]
    if (!booking || !isLabelled(booking)) return []
    const visit = visitOf(booking.state, leg, center?.hours, now)
    return visit ? [eventOf(booking, visit, options)] : []
  })
  if (events.length === 0) throw failure(passesErrors, 'VISIT_UNKNOWN')
  return calendarOf(events, now)
}

const isLabelled = (booking: Booking): booking is Labelled => booking.awb !== null

function eventOf(
  { awb, origin, destination }: Labelled,
  { purpose, from, to }: Visit,
  { orderId, publicUrl, language }: EventOptions,
): CalendarEvent {
  const branch = purpose === 'hand-over' ? origin : destination
  const url = publicUrl + pages.order.replace(':id', String(orderId))
  const t = passTextsIn(language)
  const city = branch.city === undefined ? '' : cityName(branch.city, language)
  return {
    from,
    to,
    url,
    uid: `${awb}-${purpose}@${new URL(publicUrl).hostname}`,
    summary: t(`visit.${purpose}.${city === '' ? 'summary' : 'summary-in'}`, { city }),
    description: [
      t(`visit.${purpose}.bring`, { awb }),
      t('visit.open-hours'),
      `${orderNumber(orderId)} ${url}`,
    ].join('\n'),
    location: placeOf(branch, language),
    coordinates: branch.coordinates,
  }
}
