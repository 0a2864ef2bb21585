import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** A new page starts at its top. Going back and jumps within a page are left to the browser. */
export function useScrollToTop(): void {
  const { pathname } = useLocation()
  const kind = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what starts a new page
  useEffect(() => {
    if (kind !== 'POP') window.scrollTo(0, 0)
  }, [pathname, kind])
}
