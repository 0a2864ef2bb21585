import { waits } from '#client/platform/waits.ts'
import { deskPath, type PageName, pageAt, pages } from '#shared/platform/pages.ts'

/**
 * How the worker handles a request. `pass`: the browser asks the server, as without a worker. `asset`: a file
 * with a hash in its name, from the store first. `document`: from the server first, else the stored document.
 */
export type Handling = 'pass' | 'asset' | 'document'

interface PlainRequest {
  readonly method: string
  readonly mode: string
  readonly url: string
}

/**
 * The API is never answered from the store: an old answer would be taken for the present. The payment document never is
 * either: only the server's document has the policy under which the card widget may run. The desk is another app.
 */
export function handlingOf({ method, mode, url }: PlainRequest, origin: string): Handling {
  const { origin: asked, pathname } = new URL(url)
  if (method !== 'GET' || asked !== origin) return 'pass'
  if (pathname.startsWith('/assets/')) return mode === 'navigate' ? 'pass' : 'asset'
  const isOther = isBelow('/api', pathname) || isBelow(deskPath, pathname) || pageAt(pathname) === 'payment'
  if (mode !== 'navigate' || isOther || isFile(pathname)) return 'pass'
  return 'document'
}

/**
 * The page whose stored document answers for `path`. A document carries the policy it was stored with, so the scanner has
 * one of its own: only that policy allows the camera. Any other page is answered by the document of one of them.
 */
export function storedPageOf(path: string): string {
  return pageAt(path) === 'agentScan' ? pages.agentScan : pages.orders
}

/** How long the stored document waits for the server's, in milliseconds. `orderPages` show kept orders. */
export function patienceFor(path: string, orderPages: readonly PageName[]): number {
  const page = pageAt(path)
  return page !== undefined && orderPages.includes(page) ? waits.keptOrdersDocument : waits.document
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function isFile(path: string): boolean {
  return /\.[a-z0-9]{1,11}$/i.test(path)
}
