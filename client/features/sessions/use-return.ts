import { useEffect } from 'react'
import { useRevived } from '#client/platform/document.ts'

/** Runs when a person comes back to this page: from another tab, another window, or by Back. */
export function useReturn(onReturn: () => unknown): void {
  useRevived(() => void onReturn())
  useEffect(() => {
    const run = () => {
      if (document.visibilityState === 'visible') onReturn()
    }
    document.addEventListener('visibilitychange', run)
    window.addEventListener('focus', run)
    return () => {
      document.removeEventListener('visibilitychange', run)
      window.removeEventListener('focus', run)
    }
  }, [onReturn])
}
