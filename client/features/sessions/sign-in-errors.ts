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

/** Reasons why a field is refused before a request is sent. */
export type Fault = PersonNameFault | ReturnType<typeof phoneFault>

/** The error of a name while the user types it. */
export const nameLengthFault = (typed: string): Fault => (isNameTooLong(typed) ? 'NAME_TOO_LONG' : undefined)

export function nameFault(typed: string): Fault {
  const read = readPersonName(typed)
  return 'fault' in read ? read.fault : undefined
}

/** The error of a phone number, or of the text in its field, while the user types it. */
export const phoneLengthFault = (typed: string): Fault => (isPhoneTooLong(typed) ? 'phoneTooLong' : undefined)

/** The text of an error in the language on screen. */
export function useFaultText() {
  const { t } = useTranslation('sessions')
  return (fault: Fault) =>
    fault && t(`errors.${fault}`, { limit: fault === 'phoneTooLong' ? maxPhoneDigits : personNameMaxLength })
}

/**
 * Shows every refusal of a sign-in as a toast, too (spec §4, §8). `isRead`: a screen reader already reads the message at the
 * field.
 */
export const toastRefusal = (message: string, isRead: boolean): void =>
  showToast(message, { isAnnounced: !isRead })

const shownFailures = new WeakSet<Error>()

/** Shows a toast when the session could not be checked, once for each failure. `isHere`: no dialog covers the page. */
export function useFailureToast(isHere: boolean): void {
  const { error } = useSession()
  useEffect(() => {
    if (error === undefined || !isHere || shownFailures.has(error)) return
    shownFailures.add(error)
    showToast(error.message)
  }, [error, isHere])
}
