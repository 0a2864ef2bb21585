import { App } from 'antd'
import { useEffect, useMemo } from 'react'
import { ToastMark } from '#client/ui/toast-mark.tsx'
import { useSessions } from './sessions.state.tsx'

export interface Toast {
  /** Replaces the toast on screen. */
  show(text: string): void
  hide(): void
}

// One key, so that a new toast replaces the one about an earlier attempt.
const key = 'sessions'

/** Toasts of the auth screens. An error of the auth state is shown once and then cleared (spec §4, §8). */
export function useToast(): Toast {
  const { message } = App.useApp()
  const { state, clearError } = useSessions()
  const toast = useMemo<Toast>(
    () => ({
      show: (text) => void message.error({ content: text, key, icon: <ToastMark tone="bad" /> }),
      hide: () => message.destroy(key),
    }),
    [message],
  )
  useEffect(() => {
    if (state.error === null) return
    if (state.error !== '') toast.show(state.error)
    clearError()
  }, [state.error, clearError, toast])
  return toast
}
