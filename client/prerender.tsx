import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { Route, Routes, StaticRouter } from 'react-router-dom'
import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { previewsIn } from '#shared/platform/link-preview.ts'
import { type PageName, pages } from '#shared/platform/pages.ts'
import { PageWaiting } from './app/page-waiting.tsx'
import { loadPage } from './app/pages.ts'
import { Providers } from './app/providers.tsx'
import { routes } from './app/routes.ts'
import { Shell } from './app/shell.tsx'
import { LinkPicture } from './link-preview.tsx'
import { loadTexts, showLanguage, textNow } from './platform/i18n.ts'
import { createQueryClient } from './platform/query-client.ts'
import { startUpCalls } from './session/session.query.ts'
import { SessionProvider } from './session/session-provider.tsx'

/*
 * The documents of the build, one per page and language (scripts/lib/html.mjs writes them). Runs in Node, never in
 * the browser.
 */

interface RenderedDocument {
  /** Undefined for the document of all other pages. */
  readonly page?: PageName
  /** Of a prerendered page, which search engines may list. */
  readonly path?: string
  readonly language: LanguageCode
  readonly title: string
  /** The content of the root element. */
  readonly html: string
  /** `html` is the page itself, which the app takes over; else the frame, which the app replaces. */
  readonly isWhole: boolean
  readonly startsLate: boolean
  /** Of a frame: what the app asks first, by path and query. */
  readonly firstCalls: readonly string[]
}

/** All documents. One after the other: the language is a state of the module. */
export async function renderDocuments(): Promise<readonly RenderedDocument[]> {
  const documents: RenderedDocument[] = []
  for (const { code: language } of Object.values(languages)) {
    showLanguage(language)
    await loadTexts('frame')
    const titleOf = (title: string) => `${title} | ${brand.name[language]}`
    const ofProduct = titleOf(brand.tagline[language])
    const frame = {
      language,
      title: ofProduct,
      html: await rendered(<Frame />),
      isWhole: false,
      startsLate: false,
      firstCalls: startUpCalls,
    }
    documents.push(frame)
    for (const page of Object.keys(pages) as PageName[]) {
      const { prerender: whole, firstCall } = routes[page]
      if (whole === undefined) {
        const html = routes[page].outline ? await rendered(<Frame at={pages[page]} />) : frame.html
        const firstCalls = firstCall === undefined ? startUpCalls : [...startUpCalls, firstCall]
        documents.push({ page, ...frame, html, firstCalls })
        continue
      }
      const path = pages[page]
      const html = await renderPage(path)
      const title = whole.titleKey === undefined ? ofProduct : titleOf(textNow(whole.titleKey))
      documents.push({
        page,
        path,
        language,
        title,
        html,
        isWhole: true,
        startsLate: whole.startsLate ?? false,
        firstCalls: [],
      })
    }
  }
  return documents
}

/** The pictures that messengers show of links, as SVG, by their addresses. */
export async function renderPreviews(): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>()
  for (const { code: language } of Object.values(languages))
    for (const preview of previewsIn(language))
      pictures.set(preview.picture, await rendered(<LinkPicture {...{ preview, language }} />))
  return pictures
}

/** What is on screen before the session is known. It says nothing of an order: the document is the same for all. */
function Frame({ at = pages.orders }: { readonly at?: string }) {
  return (
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <StaticRouter location={at}>
          <Routes>
            <Route element={<Shell />}>
              <Route path="*" element={<PageWaiting />} />
            </Route>
          </Routes>
        </StaticRouter>
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** The content of a page as a new visitor sees it first. */
async function renderPage(path: string): Promise<string> {
  await loadPage(path)
  // biome-ignore lint/correctness/noComponentHookFactories: each page is rendered once.
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  return rendered(
    <StrictMode>
      <Providers router={Router} />
    </StrictMode>,
  )
}

async function rendered(content: ReactNode): Promise<string> {
  const failures: unknown[] = []
  const { prelude } = await prerender(
    content,
    // In one piece: React would move large parts into place by inline scripts, which the content policy refuses.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
  )
  const html = await new Response(prelude).text()
  if (failures.length > 0) throw new AggregateError(failures, 'a document cannot be prerendered')
  return html
}
