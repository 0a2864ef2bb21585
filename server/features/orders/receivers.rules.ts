import type { Changed } from '#server/features/history/history.kinds.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { receiverRefusals } from '#shared/orders/orders.errors.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'
import type { BookingRow, ReceiverColumns } from './bookings.queries.ts'

export type ReceiverRefusal = keyof typeof receiverRefusals

/** True when a bag of the order will be collected, now or after the payment. */
export const hasReceiver = ({
  payment,
  ended,
  handed_over,
}: Pick<Row<'orders'>, 'payment' | 'ended' | 'handed_over'>) =>
  payment === 'unpaid' ? ended === null : handed_over !== 'void'

/**
 * `receiver` is null when the airway bill was found after a restore. The airway bill can show another name, so no
 * message is sent.
 */
export const isNotified = ({
  receiver,
  receiver_phone,
}: Pick<BookingRow, 'receiver' | 'receiver_phone'>): boolean => receiver !== null && receiver_phone !== null

export function readReceiver({ receiver, secondPhone }: ReceiverChange): {
  readonly columns: Partial<ReceiverColumns>
  readonly refused: readonly ReceiverRefusal[]
} {
  const refused: ReceiverRefusal[] = []
  const phoneOf = (typed: string | null | undefined, field: ReceiverRefusal) => {
    if (typed === null || typed === undefined) return null
    const phone = canonicalPhone(typed)
    if (phone === undefined) refused.push(field)
    return phone ?? null
  }
  const read = receiver ? readPersonName(receiver.name) : { name: null }
  if ('fault' in read) refused.push('receiver.name')
  const columns = {
    ...(receiver !== undefined && {
      receiver_name: 'fault' in read ? null : read.name,
      receiver_phone: phoneOf(receiver?.phone, 'receiver.phone'),
    }),
    ...(secondPhone !== undefined && { second_phone: phoneOf(secondPhone, 'secondPhone') }),
  }
  return { columns, refused }
}

export function isOtherReceiver(before: ReceiverColumns, change: Partial<ReceiverColumns>): boolean {
  const { receiver_name = before.receiver_name, receiver_phone = before.receiver_phone } = change
  return receiver_name !== before.receiver_name || receiver_phone !== before.receiver_phone
}

export function isSameReceiver(before: ReceiverColumns, change: Partial<ReceiverColumns>): boolean {
  const { second_phone = before.second_phone } = change
  return !isOtherReceiver(before, change) && second_phone === before.second_phone
}

/** Values are masked, because the history of staff actions must not show names and phones. */
export function changedReceiver(before: ReceiverColumns, change: Partial<ReceiverColumns>): Changed {
  const masks = { receiver_name: maskedName, receiver_phone: maskedPhone, second_phone: maskedPhone }
  const changed: Changed = {}
  for (const column of ['receiver_name', 'receiver_phone', 'second_phone'] as const) {
    const [was, is = was] = [before[column], change[column]]
    const mask = (value: string | null) => value && masks[column](value)
    if (is !== was) changed[column.replace('_', ' ')] = [mask(was), mask(is)]
  }
  return changed
}

export function receiverOf(booking: ReceiverColumns | undefined): Pick<Order, 'receiver' | 'secondPhone'> {
  if (!booking) return {}
  const { receiver_name: name, receiver_phone: phone, second_phone: secondPhone } = booking
  return {
    ...(name !== null && { receiver: { name, ...(phone !== null && { phone }) } }),
    ...(secondPhone !== null && { secondPhone }),
  }
}
