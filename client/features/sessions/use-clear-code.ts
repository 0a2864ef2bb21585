import { useEffect, useRef } from 'react'

/** Runs `clear` when the page is left, so that its code dialog is closed on the next visit. */
export function useClearCode(clear: () => void): void {
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
      // Deferred: StrictMode runs every clean-up once while the page stays mounted.
      queueMicrotask(() => {
        if (hasLeft.current) clear()
      })
    }
  }, [clear])
}
