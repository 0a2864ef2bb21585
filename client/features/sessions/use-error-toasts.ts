import { type RefObject, useEffect, useRef } from 'react'
import { useSession } from '#client/session/session.ts'
import { showToast } from '#client/ui/toast.tsx'
import { useSessions } from './sessions.state.tsx'

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
 * Toasts of the sign-in pages: an error of the auth state is shown once and then cleared (spec §4, §8). `isHere`: the
 * dialog or page with this hook is in front.
 * @returns a ref to set when a field announces the same message: the toast is then shown only.
 */
export function useErrorToasts(isHere: boolean): RefObject<boolean> {
  const { state, clearError } = useSessions()
  const isSaidAtField = useRef(false)
  useEffect(() => {
    if (state.error === null || !isHere) return
    if (state.error !== '') showToast(state.error, { isAnnounced: !isSaidAtField.current })
    isSaidAtField.current = false
    clearError()
  }, [state.error, isHere, clearError])
  useFailureToast(isHere)
  return isSaidAtField
}

const shownFailures = new WeakSet<Error>()

/** That the session could not be checked; each failure once. */
function useFailureToast(isHere: boolean): void {
  const { error } = useSession()
  useEffect(() => {
    if (error === undefined || !isHere || shownFailures.has(error)) return
    shownFailures.add(error)
    showToast(error.message)
  }, [error, isHere])
}
