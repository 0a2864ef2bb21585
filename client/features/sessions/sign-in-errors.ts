import { useEffect } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSession } from '#client/session/session.ts'
import { showToast } from '#client/ui/toast.tsx'
import {
  isNameTooLong,
  type PersonNameFault,
  personNameMaxLength,
  readPersonName,
} from '#shared/sessions/person-name.ts'
import { isPhoneTooLong, maxPhoneDigits, type phoneFault } from './phone-text.rules.ts'

/** Why a field is refused before anything is sent. */
export type Fault = PersonNameFault | ReturnType<typeof phoneFault>

/** The fault that a name has while it is typed. */
export const nameLengthFault = (typed: string): Fault => (isNameTooLong(typed) ? 'NAME_TOO_LONG' : undefined)

export function nameFault(typed: string): Fault {
  const read = readPersonName(typed)
  return 'fault' in read ? read.fault : undefined
}

/** The fault that a phone number, or the text of its field, has while it is typed. */
export const phoneLengthFault = (typed: string): Fault => (isPhoneTooLong(typed) ? 'phoneTooLong' : undefined)

/** The text of a fault in the language on screen. */
export function useFaultText() {
  const { t } = useTranslation('sessions')
  return (fault: Fault) =>
    fault && t(`errors.${fault}`, { limit: fault === 'phoneTooLong' ? maxPhoneDigits : personNameMaxLength })
}

/** Every refusal of a sign-in is a toast, too (spec §4, §8). `isRead`: the field announces it. */
export const toastRefusal = (message: string, isRead: boolean): void =>
  showToast(message, { isAnnounced: !isRead })

const shownFailures = new WeakSet<Error>()

/** That the session could not be checked; each failure once. `isHere`: no dialog is in front of the page. */
export function useFailureToast(isHere: boolean): void {
  const { error } = useSession()
  useEffect(() => {
    if (error === undefined || !isHere || shownFailures.has(error)) return
    shownFailures.add(error)
    showToast(error.message)
  }, [error, isHere])
}
