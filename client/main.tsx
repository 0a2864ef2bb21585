import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import './ui/base.css'
import './ui/links.css'
import { crossesDocuments } from './app/documents.tsx'
import { reportErrors } from './app/error-reports.ts'
import { linkOf, preloadOnIntent } from './app/navigation.ts'
import { isLoaded, loadPage } from './app/pages.ts'
import { Providers } from './app/providers.tsx'
import { watchForGoneChunks } from './app/release.ts'
import { ServedPageEnd } from './app/served-page.tsx'
import { hasServedPage, loadFonts, rootId, servedPage } from './platform/document.ts'
import { loadTexts } from './platform/i18n.ts'
import { dropLanguageFromAddress } from './platform/language-address.ts'
import { spinnerAfterMs } from './ui/loading.tsx'

/**
 * The plain router is 15 kB smaller than the one with loaders. Without transitions a page that is loading shows a spinner
 * instead of the previous page.
 */
function Router({ children }: { children: ReactNode }) {
  return <BrowserRouter useTransitions={false}>{children}</BrowserRouter>
}

let hasStarted = false

/**
 * Renders the app beside the served page, which it then takes away. A page that is there at the first render needs no
 * fallback, whose successor React would hold back for 300 ms. As a transition React works in slices, between which a press
 * or a scroll is answered.
 */
async function start(hasMoved = false): Promise<void> {
  if (hasStarted) return
  hasStarted = true
  const page = loadPage(window.location.pathname)
  await loadTexts('frame')
  await (hasServedPage()
    ? page
    : Promise.race([page, new Promise((resolve) => setTimeout(resolve, spinnerAfterMs))]))
  const root = document.getElementById(rootId)
  if (root === null) throw new Error(`index.html has no element #${rootId}`)
  const app = (
    <StrictMode>
      <Providers router={Router} />
      <ServedPageEnd hasMoved={hasMoved} />
    </StrictMode>
  )
  startTransition(() => createRoot(root).render(app))
}

/**
 * On a page that works without the app, the app starts when before-app.js wants it, or with the first link whose page is
 * loaded. Until then links lead where they say.
 */
function startWhenWanted(served: HTMLElement): void {
  served.addEventListener('wanted', () => void start())
  preloadOnIntent()
  document.addEventListener('click', (event) => {
    const link = linkOf(event.target)
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (event.defaultPrevented || link === null || link.target !== '' || !isPlain || hasStarted) return
    // A link to a part of this page.
    if (link.pathname === window.location.pathname) return
    if (crossesDocuments(window.location.pathname, link.pathname) || !isLoaded(link.pathname)) return
    event.preventDefault()
    const left = window.location.pathname
    window.history.pushState(null, '', link.href)
    // Back restores the scroll position only of a page that is there at once.
    void start(true).then(() => loadPage(left))
  })
}

loadFonts()
watchForGoneChunks()
reportErrors()
dropLanguageFromAddress()
const served = servedPage()
if (served?.dataset.waits === undefined || served.dataset.wanted !== undefined) void start()
else startWhenWanted(served)
