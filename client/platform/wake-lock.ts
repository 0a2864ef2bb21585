import { useEffect, useState } from 'react'

/**
 * Keeps the screen on while the component is mounted. Browsers end the lock when the page is hidden, so it is requested
 * again when the page is visible. False where it is not held: unsupported, refused, or battery low.
 */
export function useWakeLock(): boolean {
  const [isHeld, setIsHeld] = useState(false)

  useEffect(() => {
    // Undefined on insecure origins and in older browsers.
    const wakeLock: WakeLock | undefined = navigator.wakeLock
    if (wakeLock === undefined) return
    let lock: WakeLockSentinel | undefined
    let isOver = false

    const request = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        const next = await wakeLock.request('screen')
        if (isOver) return await next.release()
        lock = next
        next.addEventListener('release', () => setIsHeld(false))
        setIsHeld(true)
      } catch {
        // Refused, for example to save power: the code can be shown without it.
      }
    }
    const onVisibility = () => void request()
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisibility)
      lock?.release().catch(() => undefined)
    }
  }, [])

  return isHeld
}
