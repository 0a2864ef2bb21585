import { type ReactNode, useEffect } from 'react'
import { Link, type LinkProps, matchPath, Navigate, useLocation } from 'react-router-dom'
import { replaceDocument } from '#client/platform/document.ts'
import { routePatterns } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'

/*
 * The payment page is a document of its own: only its content policy allows the provider's script, which must not stay
 * loaded beside other pages. The router cannot go there or leave it; the components below load a new document.
 */

function isPayment(pathname: string): boolean {
  return matchPath(routePatterns.payment, pathname) !== null
}

function pathnameOf(href: string): string {
  return href.replace(/[?#].*$/, '')
}

export function crossesDocuments(from: string, to: string): boolean {
  return isPayment(pathnameOf(from)) !== isPayment(pathnameOf(to))
}

/** A link within the router, or one that loads a new document when it leads to or from the payment page. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link to={to} reloadDocument={crossesDocuments(pathname, to)} {...rest} />
}

/** Replaces this page with `to`. */
export function Redirect({ to }: { to: string }) {
  const { pathname } = useLocation()
  return crossesDocuments(pathname, to) ? <OtherDocument href={to} /> : <Navigate to={to} replace />
}

function OtherDocument({ href }: { href: string }) {
  useEffect(() => replaceDocument(href), [href])
  return <Loading />
}

const firstPathname = window.location.pathname

/** Renders the payment page only in a document that was loaded at its path. */
export function PaymentDocument({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  return isPayment(firstPathname) ? children : <OtherDocument href={pathname + search} />
}
