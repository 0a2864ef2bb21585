import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import './ui/base.css'
import './ui/links.css'
import { reportErrors } from './app/error-reports.ts'
import { loadPage } from './app/pages.ts'
import { Providers } from './app/providers.tsx'
import { watchForGoneChunks } from './app/release.ts'
import { changesSignInPage } from './features/sessions/sign-in-draft.ts'
import { isPrerendered, loadFonts, rootId } from './platform/document.ts'
import { dropLanguageFromAddress, loadTexts } from './platform/i18n.ts'
import { beginHydration } from './platform/use-is-hydrated.ts'
import { spinnerAfterMs } from './ui/loading.tsx'

/**
 * The plain router is 15 kB smaller than the one with loaders. Without transitions a page that is loading shows a spinner
 * instead of the previous page.
 */
function Router({ children }: { children: ReactNode }) {
  return <BrowserRouter useTransitions={false}>{children}</BrowserRouter>
}

const app = (
  <StrictMode>
    <Providers router={Router} />
  </StrictMode>
)

/**
 * The page's chunk travels with the app's: a page that is there at the first render needs no fallback, whose successor React
 * would hold back for 300 ms. As a transition React works in slices, between which a press or a scroll is answered.
 */
async function start(root: HTMLElement): Promise<void> {
  const page = loadPage(window.location.pathname)
  await loadTexts('frame')
  // Prerendered pages are those of a new visitor: a stored sign-in shows more, and is rendered over them.
  if (isPrerendered() && !changesSignInPage()) {
    // A page in a chunk that is still missing could not be hydrated before its first update.
    await page
    beginHydration()
    startTransition(() => void hydrateRoot(root, app))
  } else {
    await Promise.race([page, new Promise((resolve) => setTimeout(resolve, spinnerAfterMs))])
    startTransition(() => createRoot(root).render(app))
  }
}

loadFonts()
watchForGoneChunks()
reportErrors()
dropLanguageFromAddress()
const root = document.getElementById(rootId)
if (root === null) throw new Error(`index.html has no element #${rootId}`)
void start(root)
