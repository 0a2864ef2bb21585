import { App } from 'antd'
import { useEffect, useMemo } from 'react'
import { ToastMark } from '#client/ui/toast-mark.tsx'
import { useSessions } from './sessions.state.tsx'

export interface Toast {
  /** Shows a sentence, in the place of the one before. */
  show(text: string): void
  hide(): void
}

// One key for all: a sentence about the last try must not stand beside one about the try before.
const key = 'sessions'

/** Toasts of the auth screens. Errors of the auth state appear here by themselves and are then cleared (spec §4, §8). */
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
