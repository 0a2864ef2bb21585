import { useEffect, useEffectEvent, useRef } from 'react'
import { useBfcacheRestore } from './document.ts'

/**
 * Runs when the page is shown or focused again: from another tab, another window, or restored by Back. `restMs`: the least
 * time between two runs. A focus that comes sooner is served when that time is over, if the page is still shown. A page that
 * Back restores is served at once: it may show what was deleted meanwhile.
 */
export function useRefocus(onRefocus: () => unknown, restMs = 0): void {
  const ranAt = useRef(Number.NEGATIVE_INFINITY)
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)

  function run(): void {
    clearTimeout(later.current)
    ranAt.current = Date.now()
    onRefocus()
  }

  useBfcacheRestore(run)
  const onShown = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return
    const waitMs = ranAt.current + restMs - Date.now()
    // More than the whole time: the clock was set back.
    if (waitMs <= 0 || waitMs > restMs) return run()
    // Not dropped: another window may have changed the answer since the last run.
    clearTimeout(later.current)
    later.current = setTimeout(() => onShown(), waitMs)
  })
  useEffect(() => {
    const listener = () => onShown()
    document.addEventListener('visibilitychange', listener)
    window.addEventListener('focus', listener)
    return () => {
      clearTimeout(later.current)
      document.removeEventListener('visibilitychange', listener)
      window.removeEventListener('focus', listener)
    }
  }, [])
}
