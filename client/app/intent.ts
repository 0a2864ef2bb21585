import { useEffect } from 'react'
import { isOnline } from '#client/platform/connection.ts'
import { loadPage } from './pages.ts'

interface NetworkInformation {
  readonly saveData?: boolean
}

const events = ['pointerover', 'touchstart', 'focusin'] as const

/** Loads the page a link leads to as soon as the link is pointed at, touched or focused. */
export function usePreloadOnIntent(): void {
  useEffect(() => {
    const started = new Set<string>()
    const onIntent = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link === null || link.origin !== window.location.origin || started.has(link.pathname)) return
      const { connection } = navigator as Navigator & { readonly connection?: NetworkInformation }
      if (connection?.saveData || !isOnline()) return
      started.add(link.pathname)
      void loadPage(link.pathname)
    }
    for (const name of events) document.addEventListener(name, onIntent, { passive: true })
    return () => {
      for (const name of events) document.removeEventListener(name, onIntent)
    }
  }, [])
}
