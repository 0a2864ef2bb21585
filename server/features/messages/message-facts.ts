import type { Core } from '#server/core.ts'
import { isBagReported, readClaimStep } from '#server/features/claims/claims.ts'
import { findEvent } from '#server/features/history/history.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { readOrderNews, readPromisedDays } from '#server/features/orders/order-news.ts'
import { findOrder } from '#server/features/orders/orders.queries.ts'
import { endsAtBranch, legOf } from '#server/features/orders/orders.rules.ts'
import { findCenter } from '#server/features/partner/partner.ts'
import { readReturnedAmount } from '#server/features/payments/payments.ts'
import { claimMessageKinds } from '#shared/messages/messages.schemas.ts'
import { openingOf } from '#shared/partner/hours.rules.ts'
import { pages } from '#shared/platform/pages.ts'
import type { LetterBag } from './letter.texts.ts'
import type { MessageRow } from './messages.queries.ts'
import type { MessageFacts } from './messages.texts.ts'

export async function readMessageFacts(
  core: Core,
  {
    kind,
    order_id: orderId,
    booking_id: bookingId,
    reported_event_id: eventId,
  }: Pick<MessageRow, 'kind' | 'order_id' | 'booking_id' | 'reported_event_id'>,
): Promise<MessageFacts | undefined> {
  const news = await readOrderNews(core, kind, orderId, bookingId === 0 ? null : bookingId)
  if (!news) return undefined
  if (kind === 'late' && (await isBagReported(core, bookingId))) return undefined
  if (claimMessageKinds.some((each) => each === kind)) {
    const claim = await readClaimStep(core, eventId)
    return claim && { ...news, awaitsAwb: false, returned: null, claim }
  }
  if (kind === 'receiver-changed' || kind === 'receiver-changed-letter')
    return { ...news, awaitsAwb: false, returned: null }
  const refunded = kind === 'wrong-amount' ? await findEvent(core, eventId) : undefined
  const returned =
    refunded?.kind === 'refunded' ? await readReturnedAmount(core, refunded.data.refundId) : undefined
  const hours = news.branchCode === null ? undefined : await findHours(core, news.branchCode)
  return {
    ...news,
    returned: returned ?? null,
    opening: openingOf(hours, core.clock.now()),
  }
}

export async function readLetterBags(
  core: Core,
  orderId: number,
): Promise<readonly Omit<LetterBag, 'hasLabel'>[]> {
  const order = await findOrder(core, orderId)
  if (!order) return []
  const bookings = await findBookings(core, [orderId])
  return Promise.all(
    bookings
      .filter(({ carriage }) => carriage !== 'none' && carriage !== 'void')
      .map(async (booking) => ({
        awb: booking.awb,
        ...legOf(booking),
        endsAtBranch: endsAtBranch(order.type, booking.leg),
        receiver: booking.receiver_name,
        promised: await readPromisedDays(core, order, booking, []),
      })),
  )
}

export const orderUrlOf = ({ config }: Core, orderId: number): string =>
  `${config.PUBLIC_URL}${pages.order.replace(':id', String(orderId))}`

const findHours = async (core: Core, code: string) =>
  (await findCenter(core, code).catch(() => undefined))?.hours
