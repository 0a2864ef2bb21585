import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { ClaimsService } from '#server/features/claims/claims.feature.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { ReceiptsService } from '#server/features/receipts/receipts.feature.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { opensPerPerson, tooManyCalls } from '#server/platform/limits.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { Reveal } from '#shared/audit/audit.schemas.ts'
import { reasonText } from '#shared/desk/desk.names.ts'
import type { DeskOrder, Revealed } from '#shared/desk-orders/desk-orders.schemas.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { endedAt, statusOf } from '#shared/orders/orders.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { listOtherOrders, readOrderState } from './order-page.queries.ts'
import { readTimeline } from './timeline.queries.ts'
import { timelineText } from './timeline.texts.ts'
import type { createWholeOrders } from './whole-order.service.ts'

export interface OrderPageDeps {
  readonly database: Database
  /** A bag on its way without news for this long is silent. */
  readonly silenceMs: number
  readonly orders: Pick<OrdersService, 'exportOrder' | 'isCancellable'>
  readonly users: Pick<UsersService, 'findUser' | 'findRecipient'>
  readonly receipts: Pick<ReceiptsService, 'exportReceipts'>
  readonly claims: Pick<ClaimsService, 'kindsOf'>
  readonly audit: Pick<AuditService, 'recordOnce' | 'reveal'>
  /** What of an order a person may do without a second one. */
  readonly readAlone: (by: Staff, orderId: number) => Promise<DeskOrder['alone']>
}

type WholeOrders = Pick<ReturnType<typeof createWholeOrders>, 'readWhole'>

/** Beside an order. */
const shownOthers = 20

const hour = 3_600_000

/** The page of one order, and the look at who its people are. */
export function createOrderPage(deps: OrderPageDeps, whole: WholeOrders) {
  return { ...createReading(deps, whole), ...createReveal(deps) }
}

function createReading(
  { database, silenceMs, orders, users, receipts, claims, audit, readAlone }: OrderPageDeps,
  { readWhole }: WholeOrders,
) {
  return {
    /** All of an order, masked; recorded before it is answered, once an hour. @throws Failure ORDER_NOT_FOUND, TOO_MANY_CALLS */
    async readOrder(by: Staff, ref: string, language: LanguageCode): Promise<DeskOrder> {
      const { userId, order } = await readWhole(ref)
      const id = order.orderId
      const waitMs = await audit.recordOnce(
        { by, kind: 'order-viewed', orderId: id, userId },
        hour,
        opensPerPerson,
      )
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
      const state = await readOrderState({ database }, id)
      if (!state) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const owner = await users.findRecipient(userId)
      const others = await listOtherOrders({ database }, userId, id, shownOthers)
      const timeline = await readTimeline({ database }, id)
      const issued = (await receipts.exportReceipts([id])).get(id) ?? []
      return {
        ...maskedOrder(order),
        cancelledAt: isoOrNull(endedAt(state.order, 'cancelled')),
        expiredAt: isoOrNull(endedAt(state.order, 'expired')),
        bookings: order.bookings.map((booking) => ({
          ...maskedBooking(booking),
          ...workOf(state, booking.reference, silenceMs, language),
          claimKinds: claims.kindsOf(order.terms?.shown.promises, booking),
        })),
        alerts: state.openAlerts.map(({ leg, kind, noticed_at }) => ({
          leg: leg + 1,
          kind,
          at: isoOf(noticed_at),
        })),
        mayCancel: orders.isCancellable(state.order),
        alone: await readAlone(by, id),
        user: owner
          ? {
              userId,
              name: maskedName(owner.name),
              phone: maskedPhone(owner.phone),
              language: owner.language,
              messages: owner.wantsMessages,
            }
          : null,
        receipts: issued.map(({ file: _, ...receipt }) => receipt),
        otherOrders: others.map((other) => ({
          orderId: other.id,
          status: statusOf(other),
          createdAt: isoOf(other.created_at),
        })),
        timeline: timeline.map((line) => ({
          ...line,
          at: isoOf(line.at),
          text: timelineText(line, language),
        })),
      }
    },
  }
}

type WholeOrder = Awaited<ReturnType<WholeOrders['readWhole']>>['order']

const isoOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms))

function maskedOrder({ bookings: _, receiver, secondPhone, messages, ...order }: WholeOrder) {
  return {
    ...order,
    ...(receiver && {
      receiver: {
        name: maskedName(receiver.name),
        ...(receiver.phone !== undefined && { phone: maskedPhone(receiver.phone) }),
      },
    }),
    ...(secondPhone !== undefined && { secondPhone: maskedPhone(secondPhone) }),
    // Their texts may name a person.
    messages: messages.map(({ createdAt, about, state, channel, phone }) => ({
      at: createdAt,
      about,
      state,
      channel,
      to: channel === 'email' || phone === '' ? null : maskedPhone(phone),
    })),
  }
}

const maskedBooking = ({ receiver, ...booking }: WholeOrder['bookings'][number]) => ({
  ...booking,
  ...(receiver !== undefined && { receiver: maskedName(receiver) }),
})

type OrderState = NonNullable<Awaited<ReturnType<typeof readOrderState>>>

/** The work on an airway bill. */
function workOf({ bookings }: OrderState, reference: string, silenceMs: number, language: LanguageCode) {
  const row = bookings.find((booking) => booking.reference === reference)
  return {
    stoppedAt: isoOrNull(row?.stopped_at ?? null),
    newsBy: isoOrNull(row === undefined ? null : newsDueAt(row, silenceMs)),
    tries: row?.creations ?? 0,
    lastError: row?.last_error == null ? null : reasonText(row.last_error, language),
  }
}

/** The time by which news of a bag on its way is due, also after staff have checked it; null for others. */
const newsDueAt = (
  { heard_at, checked_at }: Pick<OrderState['bookings'][number], 'heard_at' | 'checked_at'>,
  silenceMs: number,
): number | null => (heard_at === null ? null : Math.max(heard_at, checked_at ?? 0) + silenceMs)

function createReveal({ orders, users, audit }: OrderPageDeps) {
  return {
    /** Who the people of an order are. @throws Failure ORDER_NOT_FOUND, and as `reveal` of the audit */
    async reveal(by: Staff, orderId: number, why: Reveal): Promise<Revealed> {
      const found = await orders.exportOrder(orderId)
      if (!found) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const { userId } = found
      await audit.reveal({ by, orderId, userId }, why)
      const user = await users.findUser(userId)
      const { receiver, secondPhone } = found.order
      return {
        name: user?.name ?? null,
        phone: user?.phone ?? null,
        receiver: receiver ? { name: receiver.name, phone: receiver.phone ?? null } : null,
        secondPhone: secondPhone ?? null,
      }
    },
  }
}
