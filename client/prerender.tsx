import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { Route, Routes, StaticRouter } from 'react-router-dom'
import { brand } from '#shared/platform/brand.ts'
import { type DocumentRole, documentRoles } from '#shared/platform/document-role.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { previewsIn } from '#shared/platform/link-preview.ts'
import { type PageName, pages } from '#shared/platform/pages.ts'
import { pageFiles } from './app/page-files.ts'
import { PageWaiting } from './app/page-waiting.tsx'
import { type PageRoute, routes } from './app/routes.ts'
import { Shell } from './app/shell.tsx'
import { LinkPicture } from './link-preview.tsx'
import { loadTexts, showLanguage, textNow } from './platform/i18n.ts'
import { InDocument } from './platform/in-document.ts'
import { createQueryClient } from './platform/query-client.ts'
import { sessionQuery, startUpCalls } from './session/session.query.ts'
import { emptySession } from './session/session.rules.ts'
import { SessionProvider } from './session/session-provider.tsx'

/*
 * The documents of the build, one for each page, language and role (scripts/lib/html.mjs writes them). Runs in Node, never in
 * the browser.
 */

interface RenderedDocument {
  /** Undefined for the document of all other pages. */
  readonly page: PageName | undefined
  /** Only a prerendered page has one; search engines may list it. */
  readonly path?: string
  readonly language: LanguageCode
  readonly role: DocumentRole
  readonly title: string
  /** The served page, beside which the app starts. */
  readonly html: string
  /** `html` is the page itself, not only the frame of all pages. */
  readonly isWhole: boolean
  /** The page is read without the app. */
  readonly worksAlone: boolean
  /** Of a frame: what the app asks first, by path and query. */
  readonly firstCalls: readonly string[]
}

/** All documents. One after the other: the language is a state of the module. */
export async function renderDocuments(): Promise<readonly RenderedDocument[]> {
  const documents: RenderedDocument[] = []
  for (const { code: language } of Object.values(languages)) {
    showLanguage(language)
    await loadTexts('frame')
    for (const page of [undefined, ...(Object.keys(pages) as PageName[])])
      for (const role of rolesOf(page)) documents.push(await renderDocument(page, language, role))
  }
  return documents
}

/** A page has a document for each role that may see it. */
function rolesOf(page: PageName | undefined): readonly DocumentRole[] {
  switch (page === undefined ? 'everyone' : routes[page].access) {
    case 'everyone':
      return documentRoles
    case 'user-sign-in':
    case 'agent-sign-in':
      return ['visitor']
    case 'account':
      return ['user', 'agent']
    case 'user':
      return ['user']
    case 'agent':
      return ['agent']
  }
}

async function renderDocument(
  page: PageName | undefined,
  language: LanguageCode,
  role: DocumentRole,
): Promise<RenderedDocument> {
  const titleOf = (title: string) => `${title} | ${brand.name[language]}`
  const title = titleOf(brand.tagline[language])
  const { prerender: whole, outline, firstCall } = page === undefined ? ({} as PageRoute) : routes[page]
  if (page === undefined || whole === undefined) {
    const at = page !== undefined && outline ? pages[page] : pages.orders
    return {
      page,
      language,
      role,
      title,
      html: await rendered(<Served role={role} at={at} page={<PageWaiting />} />),
      isWhole: false,
      worksAlone: false,
      firstCalls: firstCall === undefined ? startUpCalls : [...startUpCalls, firstCall],
    }
  }
  const { load, texts } = pageFiles[page]
  const [Page] = await Promise.all([load(), ...texts.map(loadTexts)])
  return {
    page,
    path: pages[page],
    language,
    role,
    title: whole.titleKey === undefined ? title : titleOf(textNow(whole.titleKey)),
    html: await rendered(<Served role={role} at={pages[page]} page={<Page />} />),
    isWhole: true,
    worksAlone: whole.worksAlone ?? false,
    firstCalls: [],
  }
}

/** The pictures that messengers show of links, as SVG, by their addresses. */
export async function renderPreviews(): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>()
  for (const { code: language } of Object.values(languages))
    for (const preview of previewsIn(language))
      pictures.set(preview.picture, await rendered(<LinkPicture {...{ preview, language }} />))
  return pictures
}

interface ServedProps {
  readonly role: DocumentRole
  readonly at: string
  readonly page: ReactNode
}

const unnamedPerson = { id: 0, name: null, phone: null }

/** A page in the frame of all pages, for a person whose name is not known. It says nothing of an order: all get the same. */
export function Served({ role, at, page }: ServedProps) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, {
    ...emptySession,
    user: role === 'user' ? unnamedPerson : null,
    agent: role === 'agent' ? unnamedPerson : null,
  })
  return (
    <InDocument value>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <StaticRouter location={at}>
            <Routes>
              <Route element={<Shell />}>
                <Route path="*" element={page} />
              </Route>
            </Routes>
          </StaticRouter>
        </SessionProvider>
      </QueryClientProvider>
    </InDocument>
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
