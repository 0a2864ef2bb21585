import type { Core } from '#server/core.ts'
import { readSoloLimit } from '#server/desk/actions/money.ts'
import { disclose, recordViewOnce, recordViewWithin } from '#server/desk/audit/views.ts'
import { readStoredOrder } from '#server/features/account/stored-order.ts'
import { offeredKinds } from '#server/features/claims/claims.rules.ts'
import { exportOrder } from '#server/features/order-views/order-views.ts'
import { isCancellable } from '#server/features/orders/cancellation.ts'
import { findHandoverPhoto } from '#server/features/orders/handover-photos.queries.ts'
import { findOrder } from '#server/features/orders/orders.queries.ts'
import { exportReceipts } from '#server/features/receipts/receipts.ts'
import { findRecipient, findUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { opensPerPerson } from '#server/platform/limits.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import type { DeskOrder, Revealed } from '#shared/desk/orders/desk-orders.schemas.ts'
import { reasonText } from '#shared/desk/staff/staff.names.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { endedAt, statusOf } from '#shared/orders/orders.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { listOrdersOfOwners, readOrderState } from './desk-orders.queries.ts'
import { assertFree } from './desk-orders.rules.ts'
import { readTimeline } from './timeline.queries.ts'
import { timelineText } from './timeline.texts.ts'

const shownOthers = 20

const hour = 3_600_000

/**
 * Reads an order with masked names and phones, and records the view once an hour.
 * @throws Failure ORDER_NOT_FOUND, TOO_MANY_CALLS
 */
export async function readOrderPage(
  core: Core,
  by: Staff,
  ref: string,
  language: LanguageCode,
): Promise<DeskOrder> {
  const { userId, order } = await readStoredOrder(core, ref)
  const id = order.orderId
  const view = { by, kind: 'order-viewed', orderId: id, userId } as const
  assertFree(await recordViewOnce(core, view, hour, opensPerPerson))
  const state = await readOrderState(core, id)
  if (!state) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const owner = await findRecipient(core, userId)
  const ofOwner = await listOrdersOfOwners(core, [userId], shownOthers + 1)
  const timeline = await readTimeline(core, id)
  const receipts = (await exportReceipts(core, [id])).get(id) ?? []
  return {
    ...maskedOrder(order),
    cancelledAt: isoOrNull(endedAt(state.order, 'cancelled')),
    expiredAt: isoOrNull(endedAt(state.order, 'expired')),
    bookings: order.bookings.map((booking) => ({
      ...maskedBooking(booking),
      ...deliveryOf(core, state.bookings, booking.reference, language),
      claimKinds: offeredKinds(order.terms?.shown.promises, booking, core.clock.now()),
    })),
    alerts: state.openAlerts.map(({ leg, kind, noticed_at }) => ({
      leg: leg + 1,
      kind,
      at: isoOf(noticed_at),
    })),
    mayCancel: isCancellable(core, state.order),
    alone: await readSoloLimit(core, by, id),
    user: owner
      ? {
          userId,
          name: maskedName(owner.name),
          phone: maskedPhone(owner.phone),
          language: owner.language,
          messages: owner.wantsMessages,
        }
      : null,
    receipts: receipts.map(({ file: _, ...receipt }) => receipt),
    otherOrders: ofOwner
      .filter((other) => other.id !== id)
      .slice(0, shownOthers)
      .map((other) => ({
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
}

/** @throws Failure ORDER_NOT_FOUND, and the errors of `disclose` */
export async function readPeopleOfOrder(
  core: Core,
  by: Staff,
  orderId: number,
  why: Reveal,
): Promise<Revealed> {
  const found = await exportOrder(core, orderId)
  if (!found) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const { userId } = found
  await disclose(core, { by, orderId, userId }, why)
  const user = await findUser(core, userId)
  const { receiver, secondPhone } = found.order
  return {
    name: user?.name ?? null,
    phone: user?.phone ?? null,
    receiver: receiver ? { name: receiver.name, phone: receiver.phone ?? null } : null,
    secondPhone: secondPhone ?? null,
  }
}

/** Reads the picture of a hand-over and records the view. @throws Failure PHOTO_NOT_FOUND, TOO_MANY_CALLS */
export async function readHandoverPhotoForStaff(
  core: Core,
  by: Staff,
  orderId: number,
  awb: string,
): Promise<Uint8Array> {
  const photo = await findHandoverPhoto(core, orderId, awb)
  const order = photo && (await findOrder(core, orderId))
  if (!photo || !order) throw failure(ordersErrors, 'PHOTO_NOT_FOUND')
  const view = {
    by,
    kind: 'photo-viewed',
    orderId,
    userId: order.user_id,
    about: `hand-over of ${awb}`,
  } as const
  assertFree(await recordViewWithin(core, view, opensPerPerson))
  return photo.jpeg
}

type StoredOrder = Awaited<ReturnType<typeof readStoredOrder>>['order']

const isoOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms))

function maskedOrder({ bookings: _, receiver, secondPhone, messages, ...order }: StoredOrder) {
  return {
    ...order,
    ...(receiver && {
      receiver: {
        name: maskedName(receiver.name),
        ...(receiver.phone !== undefined && { phone: maskedPhone(receiver.phone) }),
      },
    }),
    ...(secondPhone !== undefined && { secondPhone: maskedPhone(secondPhone) }),
    // The text of a message can name a person, so it is left out.
    messages: messages.map(({ createdAt, about, state, channel, phone }) => ({
      at: createdAt,
      about,
      state,
      channel,
      to: channel === 'email' || phone === '' ? null : maskedPhone(phone),
    })),
  }
}

const maskedBooking = ({ receiver, ...booking }: StoredOrder['bookings'][number]) => ({
  ...booking,
  ...(receiver !== undefined && { receiver: maskedName(receiver) }),
})

type BagState = NonNullable<Awaited<ReturnType<typeof readOrderState>>>['bookings'][number]

function deliveryOf(core: Core, bags: readonly BagState[], reference: string, language: LanguageCode) {
  const bag = bags.find((each) => each.reference === reference)
  return {
    stoppedAt: isoOrNull(bag?.stopped_at ?? null),
    newsBy: isoOrNull(bag ? newsDueAt(core, bag) : null),
    tries: bag?.creations ?? 0,
    lastError: bag?.last_error == null ? null : reasonText(bag.last_error, language),
  }
}

const newsDueAt = ({ config }: Core, { heard_at, checked_at }: BagState) =>
  heard_at === null ? null : Math.max(heard_at, checked_at ?? 0) + config.TRACKING_SILENCE_HOURS * hour
