import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { isOnline } from '#client/platform/connection.ts'
import { isHydrating } from '#client/platform/use-is-hydrated.ts'
import { loadPage, preloadPage } from './pages.ts'

/** What happens on the way from page to page, for the frame of all pages. */
export function useNavigationEffects(): void {
  const { pathname } = useLocation()
  useScrollToTop()
  usePageFade()
  usePreloadOnIntent()
  // Above every Suspense boundary, so that the page's chunk loads in parallel with session and controls.
  useEffect(() => preloadPage(pathname), [pathname])
}

/**
 * A new page starts at its top, or at the element named by the address's fragment, which did not exist yet when the
 * browser looked for it. Back and jumps within a page are left to the browser, and so is a served page: its reader may have
 * scrolled on before the app runs.
 */
function useScrollToTop(): void {
  const { pathname, hash } = useLocation()
  const kind = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path starts a new page; a sheet is an entry of its own
  useEffect(() => {
    if (kind === 'POP' && isHydrating()) return
    const part = hash === '' ? null : document.getElementById(hash.slice(1))
    if (part !== null) part.scrollIntoView()
    else if (kind !== 'POP') window.scrollTo(0, 0)
  }, [pathname])
}

/** From the first navigation on, pages fade in (client/ui/page.module.css). The page that the document brings is there at once. */
function usePageFade(): void {
  const { pathname } = useLocation()
  const first = useRef(pathname)
  useLayoutEffect(() => {
    if (pathname !== first.current) document.documentElement.dataset.navigated = ''
  }, [pathname])
}

interface NetworkInformation {
  readonly saveData?: boolean
}

const intentEvents = ['pointerover', 'touchstart', 'focusin'] as const

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
    for (const name of intentEvents) document.addEventListener(name, onIntent, { passive: true })
    return () => {
      for (const name of intentEvents) document.removeEventListener(name, onIntent)
    }
  }, [])
}
