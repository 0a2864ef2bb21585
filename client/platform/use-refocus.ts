import { useEffect, useEffectEvent } from 'react'
import { useBfcacheRestore } from './document.ts'

/** Runs when the page is shown or focused again: from another tab, another window, or restored by Back. */
export function useRefocus(onRefocus: () => unknown): void {
  useBfcacheRestore(() => void onRefocus())
  const onShown = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onRefocus()
  })
  useEffect(() => {
    const run = () => onShown()
    document.addEventListener('visibilitychange', run)
    window.addEventListener('focus', run)
    return () => {
      document.removeEventListener('visibilitychange', run)
      window.removeEventListener('focus', run)
    }
  }, [])
}
