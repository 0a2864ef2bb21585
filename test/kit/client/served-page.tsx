import { renderToString } from 'react-dom/server'
import { pageFiles } from '#client/app/page-files.ts'
import { routes } from '#client/app/routes.ts'
import { Served } from '#client/prerender.tsx'
import type { DocumentRole } from '#shared/platform/document-role.ts'
import { type PageName, pages } from '#shared/platform/pages.ts'

/**
 * The body of a page's document, as the build writes it, in the language on screen. In one pass: the renderer of the build
 * and that of the browser do not work beside each other.
 */
export async function servedBody(page: PageName, role: DocumentRole): Promise<string> {
  const Page = await pageFiles[page].load()
  const html = renderToString(<Served role={role} at={pages[page]} page={<Page />} />)
  const waits = routes[page].prerender?.worksAlone ? ' data-waits' : ''
  return `<div id="served"${waits}>${html}</div><div id="root"></div>`
}
