import { failure } from '#server/platform/errors.ts'
import { personNameMaxLength, readPersonName } from '#shared/sessions/person-name.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

/** `phone`: the phone number cannot get SMS. `opted-out`: its owner refused SMS. */
export type SmsRefusal = 'phone' | 'opted-out'

export function acceptedName(typed: string): string {
  const read = readPersonName(typed)
  if ('name' in read) return read.name
  const values = { limit: personNameMaxLength }
  throw failure(sessionsErrors, read.fault, {
    values,
    fields: [{ field: 'name', text: sessionsErrors[read.fault].text, values }],
  })
}

export function userOf<T extends { id: number; name: string; phone: string }>({ id, name, phone }: T) {
  return { id, name, phone }
}
