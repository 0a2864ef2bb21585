import { useEffect, useState } from 'react'
import { useIsShown } from './document.ts'

/**
 * Keeps the screen on while the component is mounted. Browsers end the lock when the page is hidden, so it is requested
 * again when the page is visible. False where it is not held: unsupported, refused, or battery low.
 */
export function useWakeLock(): boolean {
  const isShown = useIsShown()
  const [isHeld, setIsHeld] = useState(false)

  useEffect(() => {
    // Undefined on insecure origins and in older browsers.
    const wakeLock: WakeLock | undefined = navigator.wakeLock
    if (!isShown || wakeLock === undefined) return
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const hold = async () => {
      const next = await wakeLock.request('screen')
      if (isOver) return next.release()
      lock = next
      next.addEventListener('release', () => setIsHeld(false))
      setIsHeld(true)
    }
    // Refused, for example to save power: the code can be shown without it.
    hold().catch(() => undefined)
    return () => {
      isOver = true
      lock?.release().catch(() => undefined)
    }
  }, [isShown])

  return isHeld
}
