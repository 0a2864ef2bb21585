import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { foldDigits, isPhone } from '#shared/platform/phone.ts'
import { type PersonNameFault, readPersonName } from '#shared/sessions/person-name.ts'

/** The content of the form. */
export interface TypedReceiver {
  readonly name: string
  readonly phone: string
  readonly secondPhone: string
}

/** Why each field is refused. */
export type ReceiverFaults = Partial<Record<keyof TypedReceiver, PersonNameFault | 'PHONE_INVALID'>>

export function typedOf({ receiver, secondPhone }: NamedReceiver): TypedReceiver {
  return { name: receiver?.name ?? '', phone: receiver?.phone ?? '', secondPhone: secondPhone ?? '' }
}

/** Reads the typed values. Without name and phone the owner collects the bag. */
export function readTyped({ name, phone, secondPhone }: TypedReceiver): {
  readonly named: NamedReceiver
  readonly faults: ReceiverFaults
} {
  const [first, second] = [phone, secondPhone].map((text) => foldDigits(text).trim())
  const read = name.trim() === '' && !first ? undefined : readPersonName(name)
  return {
    named: {
      ...(read && 'name' in read
        ? { receiver: { name: read.name, ...(first ? { phone: first } : {}) } }
        : {}),
      ...(second ? { secondPhone: second } : {}),
    },
    faults: {
      ...(read && 'fault' in read ? { name: read.fault } : {}),
      ...(isPhoneOrEmpty(first) ? {} : { phone: 'PHONE_INVALID' }),
      ...(isPhoneOrEmpty(second) ? {} : { secondPhone: 'PHONE_INVALID' }),
    },
  }
}

const isPhoneOrEmpty = (text = '') => text.trim() === '' || isPhone(text)

export function isSameReceiver(one: NamedReceiver, other: NamedReceiver): boolean {
  const textOf = (named: NamedReceiver) => JSON.stringify(typedOf(named))
  return textOf(one) === textOf(other)
}
