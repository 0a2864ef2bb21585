import { useEffect, useRef } from 'react'

/** Leaving a sign-in page half-way must not leave its dialog open for the next visit. */
export function useForgetCode(forget: () => void): void {
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
      // A moment later: StrictMode takes every effect back once, and the page is still there.
      queueMicrotask(() => {
        if (hasLeft.current) forget()
      })
    }
  }, [forget])
}
