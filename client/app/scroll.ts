import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/**
 * A new page starts at its top, or at the element named by the address's fragment, which did not exist yet when the
 * browser looked for it. Back and jumps within a page are left to the browser.
 */
export function useScrollToTop(): void {
  const { pathname, hash } = useLocation()
  const kind = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path starts a new page; a sheet is an entry of its own
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(hash.slice(1))
    if (part !== null) part.scrollIntoView()
    else if (kind !== 'POP') window.scrollTo(0, 0)
  }, [pathname])
}
