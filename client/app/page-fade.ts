import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** From the first navigation on, pages fade in (client/ui/page.module.css). The page that the document brings is there at once. */
export function usePageFade(): void {
  const { pathname } = useLocation()
  const first = useRef(pathname)
  useLayoutEffect(() => {
    if (pathname !== first.current) document.documentElement.dataset.navigated = ''
  }, [pathname])
}
