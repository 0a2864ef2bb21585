import { type ReactNode, useEffect } from 'react'
import { Link, type LinkProps, Navigate, useLocation } from 'react-router-dom'
import { replaceDocument } from '#client/platform/document.ts'
import { Loading } from '#client/ui/loading.tsx'
import { useOverlaysEnd } from '#client/ui/overlay-entries.ts'
import { pageAt } from '#shared/platform/pages.ts'
import { type DocumentKind, routes } from './routes.ts'

/*
 * Two pages are documents of their own: only the content policy of the payment page allows the provider's script, which
 * must not stay loaded beside other pages, and only that of the scanner allows the camera. The policy belongs to the loaded
 * document, so the router cannot go there or leave them; the components below load a new document.
 */

function kindOf(pathname: string): DocumentKind {
  const page = pageAt(pathname)
  return (page === undefined ? undefined : routes[page].document) ?? 'other'
}

function pathnameOf(href: string): string {
  return href.replace(/[?#].*$/, '')
}

export function crossesDocuments(from: string, to: string): boolean {
  return kindOf(pathnameOf(from)) !== kindOf(pathnameOf(to))
}

/** A link within the router, or one that loads a new document when it leads to or from a page with a document of its own. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link to={to} reloadDocument={crossesDocuments(pathname, to)} {...rest} />
}

/** Replaces this page, and what is open over it, with `to`. */
export function Redirect({ to }: { to: string }) {
  const { pathname } = useLocation()
  if (!useOverlaysEnd()) return <Loading />
  return crossesDocuments(pathname, to) ? <OtherDocument href={to} /> : <Navigate to={to} replace />
}

function OtherDocument({ href }: { href: string }) {
  useEffect(() => replaceDocument(href), [href])
  return <Loading />
}

const loaded = kindOf(globalThis.location?.pathname ?? '')

/** True in the document that may load the provider's script. */
export const isPaymentDocument = loaded === 'payment'

interface OwnDocumentProps {
  readonly kind: DocumentKind
  readonly children: ReactNode
}

/** Renders a page only in the document that was loaded for it, else loads that document. */
export function OwnDocument({ kind, children }: OwnDocumentProps) {
  const { pathname, search } = useLocation()
  return loaded === kind ? children : <OtherDocument href={pathname + search} />
}
