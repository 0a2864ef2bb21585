import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSession } from '#client/session/session.ts'
import { showToast } from '#client/ui/toast.tsx'
import { isNameTooLong, type PersonNameFault, personNameMaxLength } from '#shared/sessions/person-name.ts'
import { isPhoneTooLong, maxPhoneDigits } from './phone-text.rules.ts'
import type { SignInError } from './sign-in.rules.ts'
import type { SignInOfPage } from './use-sign-in.ts'

/** Why a field is refused. `key`: a text of ours, which changes with the language. `said`: the server's message as it came. */
export type Fault = { readonly key: PersonNameFault | 'phone' | 'phoneTooLong' } | { readonly said: string }

/** The fault that a name has while it is typed. */
export const nameLengthFault = (typed: string): Fault | undefined =>
  isNameTooLong(typed) ? { key: 'NAME_TOO_LONG' } : undefined

/** The fault that a phone number, or the text of its field, has while it is typed. */
export const phoneLengthFault = (typed: string): Fault | undefined =>
  isPhoneTooLong(typed) ? { key: 'phoneTooLong' } : undefined

/** The text of a fault in the language on screen. */
export function useFaultText() {
  const { t } = useTranslation('sessions')
  return (fault: Fault | undefined) =>
    fault === undefined
      ? undefined
      : 'key' in fault
        ? t(`errors.${fault.key}`, {
            limit: fault.key === 'phoneTooLong' ? maxPhoneDigits : personNameMaxLength,
          })
        : fault.said
}

/**
 * Moves the focus to a refused field.
 * @returns true when that announces the field's message; false when the focus was there already, which announces nothing.
 */
export function focusRefused(input: HTMLInputElement | null): boolean {
  if (input === null || input.ownerDocument.activeElement === input) return false
  input.focus()
  return true
}

/**
 * An error of the auth state is shown once as a toast, and then cleared (spec §4, §8). `isHere`: no dialog is in front of the
 * page. `refuse` shows it at its field, too. @returns true from `refuse` when the focus announces it there.
 */
export function useSignInError(
  { error, clearError }: Pick<SignInOfPage, 'error' | 'clearError'>,
  isHere: boolean,
  refuse: (error: SignInError) => boolean,
): void {
  const show = useEffectEvent((failure: SignInError) => {
    showToast(failure.message, { isAnnounced: !refuse(failure) })
    clearError()
  })
  useEffect(() => {
    if (error !== null && isHere) show(error)
  }, [error, isHere])
}

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
