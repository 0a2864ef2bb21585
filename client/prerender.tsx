import { type ReactNode, StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { loadPage } from './app/pages.ts'
import { Providers } from './app/providers.tsx'
import { i18n } from './platform/i18n.ts'

/*
 * The documents of the build, one per page and language (scripts/lib/html.mjs writes them). Runs in Node, never in
 * the browser.
 */

interface Prerendered {
  /** The name of the page in shared/platform/pages.ts. */
  readonly page: keyof typeof pages
  /** Undefined for home, whose title is the tagline. */
  readonly titleKey?: string
  /** What the page loads beside the app's entry, as Vite's manifest names it. */
  readonly modules: readonly string[]
}

/** Pages that need no session. */
const prerendered: readonly Prerendered[] = [
  { page: 'home', modules: ['features/home/home.page.tsx'] },
  { page: 'privacyPolicy', titleKey: 'privacy:title', modules: ['features/privacy/privacy-policy.page.tsx'] },
  {
    page: 'auth',
    titleKey: 'sessions:login.title',
    modules: ['features/sessions/auth.page.tsx'],
  },
  {
    page: 'agentAuth',
    titleKey: 'sessions:agent.title',
    modules: ['features/sessions/agent-auth.page.tsx'],
  },
]

interface RenderedDocument {
  /** Undefined for the document of all other pages. */
  readonly page?: keyof typeof pages
  readonly path?: string
  readonly language: LanguageCode
  readonly title: string
  /** The content of the root element; empty for the document of all other pages. */
  readonly html: string
  readonly modules: readonly string[]
}

/** All documents. One after the other: the language is a state of the module. */
export async function renderDocuments(): Promise<readonly RenderedDocument[]> {
  const documents: RenderedDocument[] = []
  for (const { code: language } of Object.values(languages)) {
    await i18n.changeLanguage(language)
    const titleOf = (title: string) => `${title} | ${brand.name[language]}`
    const ofProduct = titleOf(brand.tagline[language])
    documents.push({ language, title: ofProduct, html: '', modules: [] })
    for (const { page, titleKey, modules } of prerendered) {
      const path = pages[page]
      const html = await renderPage(path)
      const title = titleKey === undefined ? ofProduct : titleOf(i18n.t(titleKey))
      documents.push({ page, path, language, title, html, modules })
    }
  }
  return documents
}

/** The content of a page as a new visitor sees it first. */
async function renderPage(path: string): Promise<string> {
  await loadPage(path)
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  const failures: unknown[] = []
  const { prelude } = await prerender(
    <StrictMode>
      <Providers router={Router} />
    </StrictMode>,
    // In one piece: React would move large parts into place by inline scripts, which the content policy refuses.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
  )
  const html = await new Response(prelude).text()
  if (failures.length > 0) throw new AggregateError(failures, `${path} cannot be prerendered`)
  return html
}
