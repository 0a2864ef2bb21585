import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { isOnline } from '#client/platform/connection.ts'
import { hasServedPage } from '#client/platform/document.ts'
import { loadPage, preloadPage } from './pages.ts'

/** What happens on the way from page to page, for the frame of all pages. */
export function useNavigationEffects(): void {
  const { pathname } = useLocation()
  useScrollToTop()
  usePageFade()
  useEffect(preloadOnIntent, [])
  // Above every Suspense boundary, so that the page's chunk loads in parallel with session and controls.
  useEffect(() => preloadPage(pathname), [pathname])
}

/** The reader of a served page may have scrolled on before the app started. */
const startsWithServedPage = typeof document !== 'undefined' && hasServedPage()

/**
 * A new page starts at its top, or at the element named by the address's fragment, which did not exist yet when the
 * browser looked for it. Back and jumps within a page are left to the browser.
 */
function useScrollToTop(): void {
  const { pathname, hash } = useLocation()
  const kind = useNavigationType()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path starts a new page; a sheet is an entry of its own
  useEffect(() => {
    const isFirst = first.current
    first.current = false
    if (isFirst && startsWithServedPage) return
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

/** The link to a page of ours that a press or a pointer is on. */
export function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  return link?.origin === window.location.origin ? link : null
}

/** Loads the page a link leads to as soon as the link is pointed at, touched or focused. @returns what ends that */
export function preloadOnIntent(): () => void {
  const started = new Set<string>()
  const preload = (target: EventTarget | null) => {
    const link = linkOf(target)
    if (link === null || started.has(link.pathname)) return
    const { connection } = navigator as Navigator & { readonly connection?: NetworkInformation }
    if (connection?.saveData || !isOnline()) return
    started.add(link.pathname)
    void loadPage(link.pathname)
  }
  const onIntent = ({ target }: Event) => preload(target)
  for (const name of intentEvents) document.addEventListener(name, onIntent, { passive: true })
  // Pointed at, or focused, before this script was there.
  for (const link of document.querySelectorAll('a:is(:hover, :focus)')) preload(link)
  return () => {
    for (const name of intentEvents) document.removeEventListener(name, onIntent)
  }
}
